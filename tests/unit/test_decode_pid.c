/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_output jansson */
/* Numbers of tasks and groups with what was captured of them, and captures that lie. */
#include "decode_both.h"

/* x86_64 */
enum { NR_getpid = 39, NR_kill = 62, NR_wait4 = 61, NR_setpgid = 109, NR_getpriority = 140, NR_fcntl = 72, NR_read = 0 };

static void begin(uint32_t nr, int64_t ret, uint64_t a0, uint64_t a1)
{
	call_begin(ABI_NATIVE, nr, ret, (uint64_t[]){ a0, a1 }, 2);
	opts.pid_comm = opts.pid_ns = true;
}

static void known(const struct ct_pid *p, size_t len)
{
	call.captures[call.n_captures++] = (struct capture){ .part = CT_PART_PID, .len = (uint32_t)len, .true_len = (uint32_t)len, .data = p };
}

static const struct ct_pid sh = { .nr = 7, .host_nr = 16257, .is = CT_PID_TASK | CT_PID_GROUP, .comm = "sh" };

static void test_task(void **state)
{
	(void)state;
	begin(NR_kill, 0, 7, 0);
	known(&sh, sizeof(sh));
	assert_string_equal(as_text(), "7<sh> /* 16257 in strace's PID NS */, 0");
	assert_string_equal(as_json(), "\"pid\":{\"pid\":7,\"host_pid\":16257,\"comm\":\"sh\"},\"signum\":0");
	opts.pid_ns = false;
	assert_string_equal(as_text(), "7<sh>, 0");
	opts.pid_comm = false;
	assert_string_equal(as_text(), "7, 0");
	assert_string_equal(as_json(), "\"pid\":7,\"signum\":0");
	opts.pid_ns = true;
	assert_string_equal(as_text(), "7 /* 16257 in strace's PID NS */, 0");
	opts.pid_comm = true;
}

static void test_group(void **state)
{
	static const struct ct_pid task_only = { .nr = 7, .host_nr = 16257, .is = CT_PID_TASK, .comm = "sh" };

	(void)state;
	begin(NR_kill, 0, (uint32_t)-7, 0);
	known(&sh, sizeof(sh));
	assert_string_equal(as_text(), "-7 /* 16257 in strace's PID NS */, 0");
	begin(NR_setpgid, 0, 7, 7);
	known(&sh, sizeof(sh));
	assert_string_equal(as_text(), "7<sh> /* 16257 in strace's PID NS */, 7 /* 16257 in strace's PID NS */");
	begin(NR_setpgid, 0, 7, 7);
	known(&task_only, sizeof(task_only));
	assert_string_equal(as_text(), "7<sh> /* 16257 in strace's PID NS */, 7");
	begin(NR_getpriority, 0, 1, 7);
	known(&sh, sizeof(sh));
	assert_string_equal(as_text(), "PRIO_PGRP, 7 /* 16257 in strace's PID NS */");
	begin(NR_getpriority, 0, 2, 7);
	known(&sh, sizeof(sh));
	assert_string_equal(as_text(), "PRIO_USER, 7");
}

/* Numbers that name nobody, and what was captured of others. */
static void test_nobody(void **state)
{
	static const struct ct_pid all = { .nr = 1, .host_nr = 5, .is = CT_PID_TASK | CT_PID_GROUP, .comm = "init" };
	static const struct ct_pid none = { .nr = 0, .host_nr = 5, .is = CT_PID_TASK | CT_PID_GROUP, .comm = "none" };

	(void)state;
	begin(NR_kill, 0, (uint32_t)-1, 0);
	known(&all, sizeof(all));
	assert_string_equal(as_text(), "-1, 0");
	begin(NR_kill, 0, 0, 0);
	known(&none, sizeof(none));
	assert_string_equal(as_text(), "0, 0");
	begin(NR_kill, 0, 0x80000000, 0);
	known(&all, sizeof(all));
	assert_string_equal(as_text(), "-2147483648, 0");
	begin(NR_kill, 0, 8, 0);
	known(&sh, sizeof(sh));
	assert_string_equal(as_text(), "8, 0");
}

static void test_result(void **state)
{
	static const struct ct_pid later = { .nr = 7, .host_nr = 16257, .is = CT_PID_TASK, .comm = "cat" };
	struct emit_pid pid;

	(void)state;
	begin(NR_wait4, 7, 7, 0);
	known(&sh, sizeof(sh));
	known(&later, sizeof(later));
	assert_true(call_pid(&call, &opts, &pid));
	assert_int_equal(pid.nr, 7);
	assert_int_equal(pid.host_nr, 16257);
	assert_int_equal(pid.comm_len, 3);
	assert_memory_equal(pid.comm, "cat", 3);
	begin(NR_wait4, 0, 7, 0);
	known(&sh, sizeof(sh));
	assert_false(call_pid(&call, &opts, &pid));
	begin(NR_read, 7, 7, 0);
	known(&sh, sizeof(sh));
	assert_false(call_pid(&call, &opts, &pid));
	begin(NR_getpid, 7, 0, 0);
	call.flags = CT_F_NO_RETURN;
	known(&sh, sizeof(sh));
	assert_false(call_pid(&call, &opts, &pid));
}

/* Whatever the record says: a short capture is none, a name need not end, and odd bytes are escaped. */
static void test_hostile(void **state)
{
	static const struct ct_pid odd = { .nr = 7, .is = CT_PID_TASK, .comm = "a<b>\n\"\\\377 16 byte" };

	(void)state;
	begin(NR_kill, 0, 7, 0);
	known(&sh, sizeof(sh) - 1);
	assert_string_equal(as_text(), "7, 0");
	begin(NR_kill, 0, 7, 0);
	known(&odd, sizeof(odd));
	as_text();
	assert_memory_equal(out.buf, "7<a\\74b\\76", 10);
	for (size_t i = 0; i < out.len; i++)
		assert_in_range((unsigned char)out.buf[i], 0x20, 0x7e);
	assert_non_null(strstr(as_json(), "\"comm\":{\"bytes\":\"613c623e0a225cff2031362062797465\"}"));
}

static void test_capture_spec(void **state)
{
	struct decode_opts none = { .string_limit = 32 };
	struct cap_spec spec;

	(void)state;
	syscall_capture_spec(ABI_NATIVE, NR_wait4, &opts, &spec);
	assert_int_equal(spec.pids, 1);
	assert_int_equal(spec.pid_result, 1);
	assert_int_equal(spec.has_exit, 1);
	syscall_capture_spec(ABI_NATIVE, NR_setpgid, &opts, &spec);
	assert_int_equal(spec.pids, 3);
	assert_int_equal(spec.pid_result, 0);
	syscall_capture_spec(ABI_NATIVE, NR_wait4, &none, &spec);
	assert_int_equal(spec.pids, 0);
	assert_int_equal(spec.pid_result, 0);
}

static void test_ip(void **state)
{
	static const uint64_t ip = 0x7f1234567890;

	(void)state;
	begin(NR_getpid, 1, 0, 0);
	assert_true(call_ip(&call) == 0);
	call.captures[call.n_captures++] = (struct capture){ .part = CT_PART_IP, .len = 7, .data = &ip };
	assert_true(call_ip(&call) == 0);
	call.captures[call.n_captures++] = (struct capture){ .part = CT_PART_IP, .len = 8, .data = &ip };
	assert_true(call_ip(&call) == ip);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_task), cmocka_unit_test(test_group), cmocka_unit_test(test_nobody), cmocka_unit_test(test_result),
		cmocka_unit_test(test_hostile), cmocka_unit_test(test_capture_spec), cmocka_unit_test(test_ip),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
