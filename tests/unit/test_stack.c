/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_stack */
/* Stacks: this process's own, read as another's would be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "bpf/event.h"
#include "stack/maps.h"
#include "stack/stack.h"

static int proc_fd, memory_fd;
static uint8_t memory[CT_STACK_MAX];
static uint64_t registers[CT_REGS_SIZE / 8];

int where_it_is(void);
int one_outside(void);

/* The registers as the kernel keeps them, and the stack from its pointer on. */
__attribute__((noinline)) int where_it_is(void)
{
	ucontext_t c;
	uint64_t sp;

	getcontext(&c);
	memset(registers, 0, sizeof(registers));
#if defined(__x86_64__)
	registers[16] = (uint64_t)c.uc_mcontext.gregs[REG_RIP];
	registers[19] = (uint64_t)c.uc_mcontext.gregs[REG_RSP];
	registers[4] = (uint64_t)c.uc_mcontext.gregs[REG_RBP];
	registers[5] = (uint64_t)c.uc_mcontext.gregs[REG_RBX];
	sp = registers[19];
#else
	for (int i = 0; i < 31; i++)
		registers[i] = c.uc_mcontext.regs[i];
	registers[31] = sp = c.uc_mcontext.sp;
	registers[32] = c.uc_mcontext.pc;
#endif
	/* By the kernel: there is what no variable of ours is. */
	if (pread(memory_fd, memory, 4096, (off_t)sp) != 4096)
		abort();
	return 1;
}

__attribute__((noinline)) int one_outside(void)
{
	return where_it_is() + 1;
}

static struct stack_sample sample(size_t len)
{
	return (struct stack_sample){ .registers = registers, .memory = memory, .memory_len = len };
}

static bool has(const struct stack *st, size_t i, const char *symbol)
{
	return i < st->n && st->frames[i].symbol && !strcmp(st->frames[i].symbol, symbol);
}

static void test_own(void **state)
{
	struct stack_sample s = sample(4096);
	const struct stack *st;
	struct stacks *stacks;

	(void)state;
	assert_int_equal(one_outside(), 2);
	assert_int_equal(stacks_new(proc_fd, STACK_FRAMES, &stacks), 0);
	st = stacks_unwind(stacks, 1, getpid(), &s);
	assert_false(st->unmapped);
	assert_true(has(st, 0, "where_it_is"));
	assert_true(has(st, 1, "one_outside"));
	assert_true(has(st, 2, "test_own"));
	assert_non_null(strstr(st->frames[0].file, "/test_stack"));
	assert_true(st->frames[1].offset > 0 && st->frames[1].offset < 256);
	/* In the file, and so below where it is mapped. */
	assert_true(st->frames[0].address < 1 << 24);
	stacks_free(stacks);
}

static void test_limits(void **state)
{
	struct stack_sample s = sample(4096);
	const struct stack *st;
	struct stacks *stacks;

	(void)state;
	one_outside();
	assert_int_equal(stacks_new(proc_fd, 2, &stacks), 0);
	assert_int_equal(stacks_unwind(stacks, 1, getpid(), &s)->n, 2);
	stacks_free(stacks);
	assert_int_equal(stacks_new(proc_fd, STACK_FRAMES, &stacks), 0);
	/* Without a stack the place alone is known. */
	s = sample(0);
	st = stacks_unwind(stacks, 1, getpid(), &s);
	assert_true(st->n >= 1);
	assert_true(has(st, 0, "where_it_is"));
	stacks_free(stacks);
}

/* One that is gone, one that has its parent's mappings, and one whose mappings were read before it ended. */
static void test_gone(void **state)
{
	struct stack_sample s = sample(4096);
	const struct stack *st;
	struct stacks *stacks;
	int pid, pipefd[2];

	(void)state;
	one_outside();
	assert_int_equal(stacks_new(proc_fd, STACK_FRAMES, &stacks), 0);
	st = stacks_unwind(stacks, 2, 0, &s);
	assert_true(st->unmapped);
	assert_int_equal(st->n, 1);
	assert_null(st->frames[0].file);
	assert_null(st->frames[0].symbol);
	assert_true(st->frames[0].address > 1 << 24);

	assert_false(stacks_unwind(stacks, 1, getpid(), &s)->unmapped);
	s.parent = 1;
	st = stacks_unwind(stacks, 3, 0, &s);
	assert_false(st->unmapped);
	assert_true(has(st, 1, "one_outside"));
	/* Another program is no more its parent's, but for the call that executed it. */
	stacks_exec(stacks, 3, 0);
	assert_false(stacks_unwind(stacks, 3, 0, &s)->unmapped);

	assert_int_equal(pipe(pipefd), 0);
	pid = fork();
	if (!pid) {
		char c;

		_exit(read(pipefd[0], &c, 1) != 1);
	}
	s.parent = 0;
	assert_false(stacks_unwind(stacks, 4, pid, &s)->unmapped);
	assert_int_equal(write(pipefd[1], "x", 1), 1);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	stacks_changed(stacks, 4);
	stacks_ended(stacks, 4);
	assert_true(has(stacks_unwind(stacks, 4, pid, &s), 1, "one_outside"));
	stacks_free(stacks);
}

/* More processes than are kept. */
static void test_many(void **state)
{
	struct stack_sample s = sample(4096);
	struct stacks *stacks;

	(void)state;
	one_outside();
	assert_int_equal(stacks_new(proc_fd, STACK_FRAMES, &stacks), 0);
	for (uint32_t i = 1; i < 600; i++)
		assert_true(has(stacks_unwind(stacks, i, i % 100 ? 0 : getpid(), &(struct stack_sample){
			registers, memory, 4096, i > 100 ? i / 100 * 100 : 0 }), 0, "where_it_is") == (i >= 100));
	(void)s;
	stacks_free(stacks);
}

/* Registers and memory that lie lead nowhere. */
static void test_hostile(void **state)
{
	struct stack_sample s = sample(4096);
	struct stacks *stacks;

	(void)state;
	assert_int_equal(stacks_new(proc_fd, STACK_FRAMES, &stacks), 0);
	for (int i = 0; i < 2000; i++) {
		one_outside();
		for (size_t k = 0; k < sizeof(memory); k += 8)
			if (rand() % 4 == 0)
				memory[k + (size_t)rand() % 8] = (uint8_t)rand();
		registers[rand() % (int)(CT_REGS_SIZE / 8)] ^= 1ull << rand() % 64;
		s.memory_len = (size_t)rand() % 4097;
		assert_in_range(stacks_unwind(stacks, 1, getpid(), &s)->n, 1, STACK_FRAMES);
	}
	stacks_free(stacks);
}

static void test_maps(void **state)
{
	const struct mapping *m;
	struct maps *maps;

	(void)state;
	assert_int_equal(maps_read(proc_fd, 0x7fffffff, &maps), -ENOENT);
	assert_int_equal(maps_read(proc_fd, getpid(), &maps), 0);
	assert_true(maps->n > 3 && maps->n_files >= 1);
	m = maps_find(maps, (uint64_t)(uintptr_t)&where_it_is);
	assert_non_null(m);
	assert_true(m->file < maps->n_files);
	assert_true(maps->files[m->file].base <= m->start);
	assert_null(maps_find(maps, 0));
	assert_null(maps_find(maps, UINT64_MAX));
	maps_free(maps);
	maps_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own), cmocka_unit_test(test_limits), cmocka_unit_test(test_gone),
		cmocka_unit_test(test_many), cmocka_unit_test(test_hostile), cmocka_unit_test(test_maps),
	};

	proc_fd = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	memory_fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
