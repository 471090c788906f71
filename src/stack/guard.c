/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "stack/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static uintptr_t page_size;

/* Only the system calls mmap(2) and sigaction(2): nothing that the interrupted code could be in the middle of. */
static void on_bus_error(int signo, siginfo_t *info, void *context)
{
	void *page = (void *)((uintptr_t)info->si_addr & ~(page_size - 1));

	(void)context;
	/* BUS_ADRERR alone: there is nothing behind the page. The access is made again when this returns. */
	if (info->si_code == BUS_ADRERR &&
	    mmap(page, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page)
		return;
	signal(signo, SIG_DFL);
}

int guard_mapped_files(void)
{
	struct sigaction action = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO };

	page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
	sigemptyset(&action.sa_mask);
	return sigaction(SIGBUS, &action, NULL) < 0 ? -errno : 0;
}
