/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_stack */
/* SOURCES: mutate_stack.c program.c */
/*
 * -k: the file that is unwound is the container's own, as are the registers
 * and the stack. A process of which the input is the program, the only
 * library, and the file with its debugging symbols.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/event.h"
#include "files.h"
#include "make.h"
#include "stack/stack.h"
#include "util/macros.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define BASE 0x400000ull
#define SIZE 0x100000ull

static int proc_fd = -1, program = -1;

static void link_to(const char *target, const char *name)
{
	if (symlinkat(target, proc_fd, name) < 0)
		abort();
}

static void make_directories(const char *path)
{
	char name[PATH_MAX];

	for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
		snprintf(name, sizeof(name), "%.*s", (int)(slash - path), path);
		if (mkdirat(proc_fd, name, 0755) < 0)
			abort();
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char top[PATH_MAX], target[64], text[256];
	_cleanup_close_ int maps = -1;

	(void)argc;
	(void)argv;
	snprintf(top, sizeof(top), "%s/ctrace-fuzz-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	if (!mkdtemp(top))
		abort();
	proc_fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (proc_fd < 0 || mkdirat(proc_fd, "1", 0755) < 0 || mkdirat(proc_fd, "1/map_files", 0755) < 0)
		abort();
	program = openat(proc_fd, "program", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (program < 0)
		abort();
	make_directories(PROGRAM_DEBUG);
	/* In the process's root links lead nowhere else: the same file by another name. */
	if (linkat(proc_fd, "program", proc_fd, PROGRAM_DEBUG, 0) < 0)
		abort();
	snprintf(target, sizeof(target), "/proc/self/fd/%d", program);
	link_to(target, "1/map_files/400000-480000");
	link_to(target, "1/map_files/480000-500000");
	link_to(top, "1/root");
	maps = openat(proc_fd, "1/maps", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	snprintf(text, sizeof(text), "00400000-00480000 r-xp 00000000 08:01 77 /bin/x\n00480000-00500000 rw-p 00080000 08:01 77 /bin/x\n");
	if (maps < 0 || write(maps, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	return 0;
}

static void check(const struct stack *st)
{
	if (st->n > 32)
		abort();
	for (size_t i = 0; i < st->n; i++)
		if ((st->frames[i].file && !st->frames[i].file[0]) || (st->frames[i].symbol && strlen(st->frames[i].symbol) > 1u << 20))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t registers[CT_REGS_SIZE / 8];
	struct stack_sample sample = { .registers = registers, .memory = data };
	struct stacks *s;

	if (size < STACK_HEADER)
		return -1;
	memcpy(registers, data, sizeof(registers));
	sample.memory_len = STACK_HEADER;
	/* Most of them lead into the file. */
	for (size_t i = 0; i < ARRAY_SIZE(registers); i++)
		if (i == ARRAY_SIZE(registers) - 5 || registers[i] & 1)
			registers[i] = BASE + registers[i] % SIZE;
	if (ftruncate(program, 0) < 0 || pwrite(program, data + STACK_HEADER, size - STACK_HEADER, 0) < 0 || stacks_new(proc_fd, 32, &s) < 0)
		abort();
	check(stacks_unwind(s, 1, 1, &sample));
	/* Once more, out of what is kept. */
	registers[0] += 8;
	check(stacks_unwind(s, 1, 1, &sample));
	stacks_free(s);
	return 0;
}
