/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_decode seccomp */
/*
 * The committed tables against what others say: system call numbers against
 * libseccomp and the UAPI headers, constants against the UAPI headers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "decode/decode.h"
#include "decode/kind.h"

/* What every ABI had long before the oldest libseccomp that we build with; below that the table would not be checked. */
#define KNOWN_AT_LEAST 300

static uint32_t arch_of(enum abi abi)
{
	switch (abi) {
	case ABI_X86_64:
		return SCMP_ARCH_X86_64;
	case ABI_I386:
		return SCMP_ARCH_X86;
	default:
		return SCMP_ARCH_AARCH64;
	}
}

static void check_numbers(enum abi abi)
{
	unsigned known = 0;

	for (uint32_t nr = 0; nr < CT_NR_NATIVE; nr++) {
		char *theirs = seccomp_syscall_resolve_num_arch(arch_of(abi), (int)nr);
		const struct syscall *s = syscall_get(abi, nr);

		if (!theirs)
			continue;
		known++;
		if (!s)
			fail_msg("number %u, %s: no row", nr, theirs);
		else if (strcmp(syscall_name(s), theirs))
			fail_msg("number %u: %s here, %s in libseccomp", nr, syscall_name(s), theirs);
		free(theirs);
	}
	if (known < KNOWN_AT_LEAST)
		fail_msg("libseccomp knows only %u system calls", known);
}

static void test_numbers_x86_64(void **state)
{
	(void)state;
	check_numbers(ABI_X86_64);
}

static void test_numbers_i386(void **state)
{
	(void)state;
	check_numbers(ABI_I386);
}

static void test_numbers_arm64(void **state)
{
	(void)state;
	check_numbers(ABI_ARM64);
}

#ifdef __NR_statx
/* The build host's own headers, for a few that every table must have right whatever libseccomp says. */
static void test_numbers_of_this_machine(void **state)
{
	(void)state;
	assert_string_equal(syscall_name(syscall_get(ABI_NATIVE, __NR_openat)), "openat");
	assert_string_equal(syscall_name(syscall_get(ABI_NATIVE, __NR_statx)), "statx");
	assert_string_equal(syscall_name(syscall_get(ABI_NATIVE, __NR_exit_group)), "exit_group");
}
#endif

static void test_newest_calls(void **state)
{
	static const struct {
		uint32_t nr;
		const char *name;
	} newest[] = {
		{ 451, "cachestat" }, { 452, "fchmodat2" }, { 453, "map_shadow_stack" }, { 454, "futex_wake" },
		{ 455, "futex_wait" }, { 456, "futex_requeue" }, { 457, "statmount" }, { 458, "listmount" },
		{ 459, "lsm_get_self_attr" }, { 460, "lsm_set_self_attr" }, { 461, "lsm_list_modules" }, { 462, "mseal" },
		{ 463, "setxattrat" }, { 464, "getxattrat" }, { 465, "listxattrat" }, { 466, "removexattrat" },
		{ 467, "open_tree_attr" }, { 468, "file_getattr" }, { 469, "file_setattr" }, { 470, "listns" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(newest) / sizeof(newest[0]); i++)
		for (enum abi abi = ABI_X86_64; abi <= ABI_ARM64; abi++) {
			const struct syscall *s = syscall_get(abi, newest[i].nr);

			assert_non_null(s);
			assert_string_equal(syscall_name(s), newest[i].name);
		}
}

/* The operations of each command that has ones of its own. */
static void check_commands(enum abi abi, const struct syscall *s, const struct decode_opts *opts)
{
	uint32_t value;

	for (size_t i = 0;; i++) {
		struct cap_spec spec = { 0 };
		struct cap_builder b = { .spec = &spec, .opts = opts, .abi = abi, .word = abi == ABI_I386 ? 4 : 8 };

		if (!s->hooks->capture_of(&b, i, &value))
			break;
		if (b.dropped)
			fail_msg("%s, command %u: %u operations too many", s->name, value, b.dropped);
	}
}

static void check_row(enum abi abi, uint32_t nr, const struct syscall *s, const struct decode_opts *opts)
{
	struct cap_spec spec = { 0 };
	struct cap_builder b = {
		.spec = &spec, .opts = opts, .abi = abi, .word = abi == ABI_I386 ? 4 : 8,
	};

	if (arg_reg(s, s->nargs) > CT_ARGS || s->nargs > CT_ARGS)
		fail_msg("%s: %u registers", s->name, arg_reg(s, s->nargs));
	for (unsigned i = 0; i < s->nargs; i++) {
		assert_non_null(s->args[i].name);
		assert_non_null(s->args[i].kind->decode);
	}
	if (s->hooks && s->hooks->capture)
		s->hooks->capture(&b, s);
	else
		cap_args(&b, s, 0, s->nargs);
	if (b.dropped)
		fail_msg("%s: %u operations too many", s->name, b.dropped);
	if (s->hooks && s->hooks->capture_of)
		check_commands(abi, s, opts);
	syscall_capture_spec(abi, nr, opts, &spec);
	assert_int_equal(spec.nops, b.spec->nops);
	for (unsigned i = 0; i < spec.nops; i++) {
		const struct cap_op *op = &spec.ops[i];

		assert_true(op->arg <= CAP_ARG_SP && op->kind != CAP_NONE);
		assert_true(op->when & (CAP_ENTER | CAP_EXIT));
		assert_true(op->max <= CT_CAP_MAX);
		if ((op->when & CAP_EXIT) && !spec.has_exit)
			fail_msg("%s: has_exit is not set", s->name);
	}
}

static void test_rows(void **state)
{
	static const struct decode_opts all_opts[] = {
		{ .string_limit = 32 }, { .string_limit = 0 }, { .string_limit = UINT32_MAX, .no_abbrev = true },
		{ .string_limit = 32, .pid_comm = true, .pid_ns = true }, { .string_limit = 32, .fds = FDS_ALL },
		{ .string_limit = 32, .pid_comm = true, .pid_ns = true, .fds = FDS_ALL, .match_fds = true, .no_abbrev = true },
	};

	(void)state;
	for (enum abi abi = ABI_X86_64; abi <= ABI_ARM64; abi++)
		for (uint32_t nr = 0; nr < CT_NR_NATIVE; nr++) {
			const struct syscall *s = syscall_get(abi, nr);

			for (size_t i = 0; s && i < sizeof(all_opts) / sizeof(all_opts[0]); i++)
				check_row(abi, nr, s, &all_opts[i]);
		}
}

static void test_outside(void **state)
{
	char buf[32];

	(void)state;
	assert_null(syscall_get(ABI_X86_64, CT_NR_NATIVE));
	assert_null(syscall_get(ABI_X86_64, UINT32_MAX));
	assert_null(syscall_get(ABI_MAX, 0));
	assert_string_equal(call_name(ABI_X86_64, 9999, buf), "syscall_0x270f");
	assert_string_equal(call_name(ABI_X86_64, UINT32_MAX, buf), "syscall_0xffffffffffffffff");
	assert_string_equal(call_name(ABI_I386, 223, buf), "syscall_0xdf");
	assert_string_equal(call_name(ABI_I386, 5, buf), "open");
}

static void test_names(void **state)
{
	char buf[16];

	(void)state;
	assert_string_equal(errno_name(2), "ENOENT");
	assert_string_equal(errno_text(2), "No such file or directory");
	assert_string_equal(errno_name(133), "EHWPOISON");
	assert_string_equal(errno_name(512), "ERESTARTSYS");
	assert_string_equal(errno_text(516), "Interrupted by signal");
	assert_null(errno_name(0));
	assert_null(errno_name(-1));
	assert_string_equal(errno_name(515), "ENOIOCTLCMD");
	assert_string_equal(errno_name(524), "ENOTSUPP");
	assert_string_equal(errno_text(524), "Unknown error 524");
	assert_null(errno_name(519));
	assert_null(errno_name(531));
	assert_null(errno_name(INT32_MAX));
	assert_string_equal(signal_name(15, buf), "SIGTERM");
	assert_string_equal(signal_name(32, buf), "SIGRTMIN");
	assert_string_equal(signal_name(33, buf), "SIGRT_1");
	assert_string_equal(signal_name(64, buf), "SIGRT_32");
	assert_string_equal(signal_name(65, buf), "65");
	assert_string_equal(signal_name(0, buf), "0");
	assert_string_equal(signal_name(INT32_MIN, buf), "-2147483648");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef __NR_statx
		cmocka_unit_test(test_numbers_of_this_machine),
#endif
		cmocka_unit_test(test_newest_calls),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_outside),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_numbers_x86_64),
		cmocka_unit_test(test_numbers_i386),
		cmocka_unit_test(test_numbers_arm64),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
