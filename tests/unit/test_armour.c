/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_cli */
/* What ctrace keeps by what it still has to do, and that the filter refuses the rest: each call is made in a child that has it. */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/armour.h"
#include "util/macros.h"

enum { KILLED = 1000, WORKED = 0 };

static const struct duties none, writes = { .new_files = true }, states = { .status_file = true }, strangers = { .strangers = true },
			   waits = { .waits = true, .strangers = true }, stacks = { .stacks = true };

/* 0, the errno, or KILLED: what comes of a call of a process with such a filter. */
static int comes_of(const struct duties *duties, long number, long a, long b, long c, long d)
{
	struct duties mine = *duties;
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		mine.own_pid = getpid();
		if (armour_filter(&mine))
			_exit(255);
		_exit(syscall(number, a, b, c, d, 0, 0) < 0 ? errno : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSIGNALED(status)) {
		assert_int_equal(WTERMSIG(status), SIGSYS);
		return KILLED;
	}
	assert_int_not_equal(WEXITSTATUS(status), 255);
	return WEXITSTATUS(status);
}

static void needs_filter(void)
{
	if (!ARMOUR_FILTERS)
		skip();
}

static void test_deadly(void **state _unused_)
{
	char *argv[] = { (char *)"true", NULL };

	needs_filter();
	assert_int_equal(comes_of(&none, SYS_execve, (long)"/bin/true", (long)argv, (long)environ, 0), KILLED);
	assert_int_equal(comes_of(&none, SYS_execveat, AT_FDCWD, (long)"/bin/true", (long)argv, (long)environ), KILLED);
	assert_int_equal(comes_of(&none, SYS_ptrace, PTRACE_TRACEME, 0, 0, 0), KILLED);
	assert_int_equal(comes_of(&none, SYS_process_vm_writev, getpid(), 0, 0, 0), KILLED);
	assert_int_equal(comes_of(&none, SYS_init_module, 0, 0, 0, 0), KILLED);
	assert_int_equal(comes_of(&none, SYS_mount, 0, 0, 0, 0), KILLED);
	assert_int_equal(comes_of(&none, SYS_unshare, CLONE_NEWUSER, 0, 0, 0), KILLED);
	assert_int_equal(comes_of(&none, SYS_open_by_handle_at, 0, 0, 0, 0), KILLED);
	assert_int_equal(comes_of(&none, SYS_perf_event_open, 0, 0, -1, -1), KILLED);
	assert_int_equal(comes_of(&none, SYS_io_uring_setup, 1, 0, 0, 0), KILLED);
	assert_int_equal(comes_of(&none, SYS_keyctl, 0, 0, 0, 0), KILLED);
	/* Whatever it still has to do. */
	assert_int_equal(comes_of(&waits, SYS_execve, (long)"/bin/true", (long)argv, (long)environ, 0), KILLED);
	assert_int_equal(comes_of(&writes, SYS_execve, (long)"/bin/true", (long)argv, (long)environ, 0), KILLED);
}

static void test_bpf(void **state _unused_)
{
	needs_filter();
	assert_int_equal(comes_of(&none, SYS_bpf, BPF_PROG_LOAD, 0, 0, 0), KILLED);
	assert_int_equal(comes_of(&none, SYS_bpf, BPF_MAP_CREATE, 0, 0, 0), KILLED);
	assert_int_equal(comes_of(&none, SYS_bpf, BPF_PROG_GET_FD_BY_ID, 0, 0, 0), KILLED);
	assert_int_equal(comes_of(&none, SYS_bpf, BPF_OBJ_PIN, 0, 0, 0), KILLED);
	/* No such descriptor, or not for this user: the kernel's own answer. */
	assert_int_not_equal(comes_of(&none, SYS_bpf, BPF_MAP_LOOKUP_ELEM, 0, 0, 0), KILLED);
	assert_int_not_equal(comes_of(&none, SYS_bpf, BPF_LINK_CREATE, 0, 0, 0), ENOSYS);
	assert_int_equal(comes_of(&none, SYS_bpf, 1000, 0, 0, 0), ENOSYS);
}


static int opening(const struct duties *d, const char *path, int flags)
{
	return comes_of(d, SYS_openat, AT_FDCWD, (long)path, flags, 0600);
}

static void test_files(void **state _unused_)
{
	char path[] = "/tmp/ctrace-armour-XXXXXX";
	int fd = mkstemp(path);

	needs_filter();
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(opening(&none, path, O_RDONLY | O_CLOEXEC), WORKED);
	assert_int_equal(opening(&none, path, O_PATH), WORKED);
	assert_int_equal(opening(&none, path, O_WRONLY), EPERM);
	assert_int_equal(opening(&none, path, O_RDWR | O_APPEND), EPERM);
	assert_int_equal(opening(&none, path, O_RDONLY | O_CREAT), ENOSYS);
	assert_int_equal(opening(&none, path, O_RDONLY | O_TRUNC), ENOSYS);
	assert_int_equal(opening(&stacks, path, O_WRONLY), EPERM);
	assert_int_equal(opening(&writes, path, O_WRONLY | O_CREAT | O_APPEND), WORKED);
	assert_int_equal(opening(&states, path, O_WRONLY | O_CREAT), WORKED);
	assert_int_equal(comes_of(&none, SYS_unlinkat, AT_FDCWD, (long)path, 0, 0), ENOSYS);
	assert_int_equal(comes_of(&writes, SYS_unlinkat, AT_FDCWD, (long)path, 0, 0), ENOSYS);
	/* Its flags are in memory, where no filter looks. */
	assert_int_equal(comes_of(&none, SYS_openat2, AT_FDCWD, (long)path, 0, 0), ENOSYS);
	assert_int_not_equal(comes_of(&stacks, SYS_openat2, AT_FDCWD, (long)path, 0, 0), ENOSYS);
	assert_int_equal(comes_of(&none, SYS_fchmodat, AT_FDCWD, (long)path, 0777, 0), ENOSYS);
	assert_int_equal(comes_of(&states, SYS_unlinkat, AT_FDCWD, (long)path, 0, 0), WORKED);
}

static void test_memory(void **state _unused_)
{
	needs_filter();
	assert_int_equal(comes_of(&none, SYS_mprotect, (long)&none & ~0xfffl, 4096, PROT_READ | PROT_EXEC, 0), EPERM);
	assert_int_equal(comes_of(&none, SYS_mprotect, (long)&none & ~0xfffl, 4096, PROT_READ, 0), WORKED);
}

static void test_processes(void **state _unused_)
{
	struct duties d = { .command_pid = getpid() };

	needs_filter();
	assert_int_equal(comes_of(&none, SYS_kill, getpid(), 0, 0, 0), ENOSYS);
	assert_int_equal(comes_of(&d, SYS_kill, getpid(), 0, 0, 0), WORKED);
	assert_int_equal(comes_of(&d, SYS_kill, -1, 0, 0, 0), ENOSYS);
	assert_int_equal(comes_of(&none, SYS_clone, SIGCHLD, 0, 0, 0), ENOSYS);
	assert_int_equal(comes_of(&none, SYS_prlimit64, getpid(), 0, 0, 0), ENOSYS);
	assert_int_equal(comes_of(&none, SYS_setresuid, 0, 0, 0, 0), ENOSYS);
}

static void test_network(void **state _unused_)
{
	needs_filter();
	assert_int_equal(comes_of(&none, SYS_socket, AF_INET, SOCK_STREAM, 0, 0), ENOSYS);
	assert_int_equal(comes_of(&none, SYS_connect, 0, 0, 0, 0), ENOSYS);
	assert_int_equal(comes_of(&strangers, SYS_socket, AF_INET, SOCK_DGRAM, 0, 0), WORKED);
	assert_int_equal(comes_of(&strangers, SYS_socket, AF_UNIX, SOCK_STREAM, 0, 0), ENOSYS);
	assert_int_equal(comes_of(&waits, SYS_socket, AF_UNIX, SOCK_STREAM, 0, 0), WORKED);
	assert_int_equal(comes_of(&waits, SYS_socket, AF_PACKET, SOCK_RAW, 0, 0), ENOSYS);
	assert_int_equal(comes_of(&none, SYS_setns, 0, CLONE_NEWNET, 0, 0), KILLED);
	assert_int_equal(comes_of(&strangers, SYS_setns, -1, CLONE_NEWNET, 0, 0), EBADF);
	assert_int_equal(comes_of(&strangers, SYS_setns, -1, CLONE_NEWNS, 0, 0), ENOSYS);
	/* Letters typed into the terminal that it was called from. */
	assert_int_equal(comes_of(&none, SYS_ioctl, 0, TIOCSTI, (long)"x", 0), ENOSYS);
}

#define CAP(name) (1ull << CAP_##name)

static void test_caps(void **state _unused_)
{
	uint64_t restore = 1ull << 40, bpf = 1ull << 39;

	assert_int_equal(duties_caps(&none), CAP(SYS_NICE));
	assert_int_equal(duties_caps(&stacks), CAP(SYS_NICE) | CAP(SYS_PTRACE) | CAP(DAC_READ_SEARCH) | restore);
	assert_int_equal(duties_caps(&(struct duties){ .names = true }), CAP(SYS_NICE) | CAP(SYS_PTRACE) | CAP(DAC_READ_SEARCH));
	assert_int_equal(duties_caps(&(struct duties){ .secontexts = true }), CAP(SYS_NICE) | CAP(SYS_PTRACE) | CAP(DAC_READ_SEARCH));
	assert_int_equal(duties_caps(&waits), CAP(SYS_NICE) | CAP(SYS_PTRACE) | CAP(DAC_READ_SEARCH) | CAP(SYS_ADMIN));
	assert_int_equal(duties_caps(&strangers), CAP(SYS_NICE) | CAP(SYS_PTRACE) | CAP(SYS_ADMIN));
	assert_int_equal(duties_caps(&(struct duties){ .hidden = true }), CAP(SYS_NICE) | CAP(SYS_PTRACE));
	assert_int_equal(duties_caps(&writes), CAP(SYS_NICE) | CAP(DAC_OVERRIDE));
	assert_int_equal(duties_caps(&states), CAP(SYS_NICE) | CAP(DAC_OVERRIDE));
	assert_int_equal(duties_caps(&(struct duties){ .command_pid = 1 }), CAP(SYS_NICE) | CAP(KILL));
	assert_int_equal(duties_caps(&(struct duties){ .bpf_needs_cap = true }), CAP(SYS_NICE) | bpf);
}

/* In a child: what it drops does not come back. */
static void test_drop(void **state _unused_)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		struct machine m;

		if (armour_drop_caps(CAP(KILL) | CAP(SYS_NICE)))
			_exit(1);
		machine_look(&m);
		if (m.caps & ~(CAP(KILL) | CAP(SYS_NICE)))
			_exit(2);
		if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, CAP_KILL, 0, 0) > 0)
			_exit(3);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deadly),
		cmocka_unit_test(test_bpf),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_network),
		cmocka_unit_test(test_caps),
		cmocka_unit_test(test_drop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
