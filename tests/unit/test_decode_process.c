/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_output */
/* Processes: clone, wait, limits, futex, prctl, seccomp, rseq. */
#include "decode_text.h"

#include <sched.h>
#include <signal.h>

enum { NR_clone = 56, NR_wait4 = 61, NR_getrusage = 98, NR_sched_setscheduler = 144, NR_sched_getscheduler = 145, NR_prctl = 157,
       NR_arch_prctl = 158, NR_futex = 202, NR_sched_setaffinity = 203, NR_waitid = 247, NR_prlimit64 = 302, NR_seccomp = 317,
       NR_rseq = 334, NR_clone3 = 435 };

static void test_clone(void **state)
{
	int tid = 77;

	(void)state;
	call_make(NR_clone, 77, 5, A(CLONE_VM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | CLONE_SETTLS | SIGCHLD), A(0x1000), PTR, A(0x20),
		  A(0x30));
	call_capture(2, 0, &tid, 4);
	assert_call("child_stack=0x1000, flags=CLONE_VM|CLONE_SETTLS|CLONE_PARENT_SETTID|CLONE_CHILD_CLEARTID|SIGCHLD, parent_tid=[77], "
		    "tls=0x30, child_tidptr=0x20");
	assert_survives_cuts();
	/* The same registers mean something else on arm64. */
	call.abi = ABI_ARM64;
	call.nr = 220;
	assert_call("child_stack=0x1000, flags=CLONE_VM|CLONE_SETTLS|CLONE_PARENT_SETTID|CLONE_CHILD_CLEARTID|SIGCHLD, parent_tid=[77], "
		    "tls=0x20, child_tidptr=0x30");
	call_make(NR_clone, -22, 5, A(CLONE_THREAD | 0x80), A(0), A(0), A(0), A(0));
	assert_call("child_stack=NULL, flags=CLONE_THREAD|128");
}

static void test_clone3(void **state)
{
	uint64_t a[16] = { CLONE_PIDFD | CLONE_PARENT_SETTID, 0x10, 0, 0x20, SIGCHLD };
	int fd = 3, tid = 99, tids[2] = { 7, 8 };

	(void)state;
	call_make(NR_clone3, 99, 2, PTR, A(88));
	call_capture(0, 0, a, 88);
	call_capture(0, 2, &fd, 4);
	call_capture(0, 3, &tid, 4);
	assert_call("{flags=CLONE_PIDFD|CLONE_PARENT_SETTID, pidfd=0x10, parent_tid=0x20, exit_signal=SIGCHLD, stack=NULL, stack_size=0} => "
		    "{pidfd=[3], parent_tid=[99]}, 88");
	assert_survives_cuts();
	memset(a, 0, sizeof(a));
	a[0] = 0x20000000000 | 0x7f, a[4] = 99, a[8] = PTR, a[9] = 2, a[12] = 1;
	call_make(NR_clone3, -7, 2, PTR, A(128));
	call_capture(0, 0, a, 128);
	call_capture(0, 1, tids, 8);
	assert_call("{flags=0x2000000007f /* CLONE_??? */, exit_signal=99, stack=NULL, stack_size=0, set_tid=[7, 8], set_tid_size=2, "
		    "/* bytes 88..127 */ \"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00"
		    "\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"...}, 128");
	assert_survives_cuts();
	call.args[1] = 63;
	assert_call("0x7ffc0000, 63");
}

static void check_status(uint32_t status, const char *expected)
{
	char line[128];

	call_make(NR_wait4, 12, 4, A(-1), PTR, A(0x40000001), A(0));
	call_capture(1, 0, &status, 4);
	snprintf(line, sizeof(line), "-1, [{%s}], WNOHANG|__WALL, NULL", expected);
	assert_call(line);
	assert_survives_cuts();
}

static void test_wait(void **state)
{
	uint64_t ru[18] = { 1, 2, 3, 4, 5 };
	uint32_t status = 0;

	(void)state;
	check_status(0x700, "WIFEXITED(s) && WEXITSTATUS(s) == 7");
	check_status(9, "WIFSIGNALED(s) && WTERMSIG(s) == SIGKILL");
	check_status(0x86, "WIFSIGNALED(s) && WTERMSIG(s) == SIGABRT && WCOREDUMP(s)");
	check_status(0x137f, "WIFSTOPPED(s) && WSTOPSIG(s) == SIGSTOP");
	check_status(0xffff, "WIFCONTINUED(s)");
	call_make(NR_wait4, 0, 4, A(5), PTR, A(1), PTR);
	call_capture(1, 0, &status, 4);
	call_capture(3, 0, ru, sizeof(ru));
	assert_call("5, 0x7ffc0000, WNOHANG, 0x7ffc0000");
	call.ret = 5;
	assert_call("5, [{WIFEXITED(s) && WEXITSTATUS(s) == 0}], WNOHANG, {ru_utime={tv_sec=1, tv_usec=2}, ru_stime={tv_sec=3, tv_usec=4}, ...}");
	assert_survives_cuts();
	call_make(NR_waitid, -10, 5, A(3), A(UINT32_MAX), PTR, A(6), A(0));
	assert_call("P_PIDFD, -1, 0x7ffc0000, WEXITED|WSTOPPED, NULL");
}

static void test_limits(void **state)
{
	uint64_t l[2] = { 2048, UINT64_MAX };

	(void)state;
	call_make(NR_prlimit64, 0, 4, A(0), A(7), PTR, A(0));
	call_capture(2, 0, l, 16);
	assert_call("0, RLIMIT_NOFILE, {rlim_cur=2*1024, rlim_max=RLIM64_INFINITY}, NULL");
	assert_survives_cuts();
	l[0] = 1024;
	assert_call("0, RLIMIT_NOFILE, {rlim_cur=1024, rlim_max=RLIM64_INFINITY}, NULL");
	call_make(NR_getrusage, -22, 2, A(UINT32_MAX), PTR);
	assert_call("RUSAGE_CHILDREN, 0x7ffc0000");
}

static void test_scheduling(void **state)
{
	uint64_t mask[16] = { 0x8000000000000005, 2 };
	int priority = 3;

	(void)state;
	call_make(NR_sched_setaffinity, -3, 3, A(-1), A(16), PTR);
	call_capture(2, 0, mask, 16);
	assert_call("-1, 16, [0 2 63 65]");
	assert_survives_cuts();
	call.args[1] = UINT32_MAX;
	assert_call("-1, 4294967295, 0x7ffc0000");
	/* What lies behind the first 128 bytes is not looked at. */
	call_make(NR_sched_setaffinity, -3, 3, A(-1), A(128), PTR);
	call_capture(2, 0, mask, 128);
	assert_call("-1, 128, [0 2 63 65]");
	call.args[1] = 129;
	assert_call("-1, 129, [0 2 63 65 ...]");
	mask[0] = mask[1] = 0;
	assert_call("-1, 129, [...]");
	call_make(NR_sched_setscheduler, 0, 3, A(0), A(0x40000003), PTR);
	call_capture(2, 0, &priority, 4);
	assert_call("0, SCHED_RESET_ON_FORK|SCHED_BATCH, {sched_priority=3}");
	call_make(NR_sched_getscheduler, 3, 1, A(0));
	assert_call("0 -> SCHED_BATCH");
}

static void test_futex(void **state)
{
	uint64_t ts[2] = { 0, 1000 };

	(void)state;
	call_make(NR_futex, -11, 6, PTR, A(0x189), A(1), PTR, A(0), A(UINT32_MAX));
	call_capture(3, 0, ts, 16);
	assert_call("0x7ffc0000, FUTEX_WAIT_BITSET_PRIVATE|FUTEX_CLOCK_REALTIME, 1, {tv_sec=0, tv_nsec=1000}, FUTEX_BITSET_MATCH_ANY");
	assert_survives_cuts();
	call_make(NR_futex, 0, 6, PTR, A(5), A(1), A(2), A(0x20), A(0xffffffff));
	assert_call("0x7ffc0000, FUTEX_WAKE_OP, 1, 2, 0x20, "
		    "FUTEX_OP_OPARG_SHIFT<<28|0x7<<28 /* FUTEX_OP_??? */|0xfff<<12|0xf<<24 /* FUTEX_OP_CMP_??? */|0xfff");
	call_make(NR_futex, 0, 6, PTR, A(0x81), A(1), A(2), A(3), A(4));
	assert_call("0x7ffc0000, FUTEX_WAKE_PRIVATE, 1");
	call_make(NR_futex, -38, 6, PTR, A(0x82), A(1), A(2), A(3), A(4));
	assert_call("0x7ffc0000, FUTEX_FD|FUTEX_PRIVATE_FLAG, 1");
	call_make(NR_futex, -38, 6, PTR, A(77), A(1), A(2), A(3), A(4));
	assert_call("0x7ffc0000, 0x4d /* FUTEX_??? */, 1, 0x2, 0x3, 0x4");
}

static void test_prctl(void **state)
{
	int v = SIGTERM;

	(void)state;
	call_make(NR_prctl, 0, 5, A(15), PTR, A(1), A(2), A(3));
	call_capture(1, 0, "a \"name\"", 8);
	assert_call("PR_SET_NAME, \"a \\\"name\\\"\"");
	call.captures[0].data = "a name that is ", call.captures[0].len = 15;
	assert_call("PR_SET_NAME, \"a name that is \"...");
	assert_survives_cuts();
	call_make(NR_prctl, 0, 2, A(2), PTR);
	call_capture(1, 1, &v, 4);
	assert_call("PR_GET_PDEATHSIG, [SIGTERM]");
	assert_survives_cuts();
	call_make(NR_prctl, 2, 5, A(52), A(0), A(0), A(0), A(0));
	assert_call("PR_GET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS -> PR_SPEC_ENABLE");
	assert_int_equal(call_ret_kind(&call), RET_HEX);
	call_make(NR_prctl, 0, 5, A(47), A(2), A(3), A(0), A(0));
	assert_call("PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_FOWNER, 0, 0");
	call_make(NR_prctl, -22, 5, A(9999), A(1), A(2), A(3), A(4));
	assert_call("0x270f /* PR_??? */, 0x1, 0x2, 0x3, 0x4");
	call_make(NR_arch_prctl, 0, 2, A(0x1003), PTR);
	call_capture(1, 0, "\0\x10\0\0\0\0\0", 8);
	assert_call("ARCH_GET_FS, [0x1000]");
}

static void test_seccomp(void **state)
{
	struct { uint16_t len, pad[3]; uint64_t filter; } prog = { 4, { 0 }, PTR };
	uint32_t action = 0x50001;

	(void)state;
	call_make(NR_seccomp, 0, 3, A(1), A(3), PTR);
	call_capture(2, 1, &prog, 16);
	assert_call("SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC|SECCOMP_FILTER_FLAG_LOG, {len=4, filter=0x7ffc0000}");
	assert_survives_cuts();
	call_make(NR_seccomp, -95, 3, A(2), A(0), PTR);
	call_capture(2, 0, &action, 4);
	assert_call("SECCOMP_GET_ACTION_AVAIL, 0, [0x50001 /* SECCOMP_RET_??? */]");
	call_make(NR_seccomp, 0, 3, A(3), A(0), PTR);
	call_capture(2, 3, "\x50\0\x18\0\x40", 6);
	assert_call("SECCOMP_GET_NOTIF_SIZES, 0, {seccomp_notif=80, seccomp_notif_resp=24, seccomp_data=64}");
}

/* -v with each form of -X, and a count that lies. */
static void test_instructions(void **state)
{
	struct { uint16_t len, pad[3]; uint64_t filter; } prog = { 2, { 0 }, PTR };
	static const struct { uint16_t code; uint8_t jt, jf; uint32_t k; } insns[] = { { 0x16, 0, 0, 0x7fff0001 }, { 0x2, 0, 0, 1 }, { 0x12, 0, 0, 1 } };
	const struct decode_opts before = call_opts;

	(void)state;
	call_opts.no_abbrev = true;
	call_make(NR_seccomp, 0, 3, A(1), A(0), PTR);
	call_capture(2, 1, &prog, sizeof(prog));
	call_capture(2, 2, insns, 16);
	assert_call("SECCOMP_SET_MODE_FILTER, 0, {len=2, filter=[BPF_STMT(BPF_RET|BPF_A, SECCOMP_RET_ALLOW|0x1), BPF_STMT(BPF_ST, 0x1)]}");
	assert_survives_cuts();
	call.captures[1].data = (const char *)&insns[1];
	call_opts.consts = CONST_RAW;
	assert_call("SECCOMP_SET_MODE_FILTER, 0, {len=2, filter=[BPF_STMT(0x2, 0x1), BPF_STMT(0x2|0x10 /* BPF_??? */, 0x1)]}");
	call_opts.consts = CONST_VERBOSE;
	assert_call("SECCOMP_SET_MODE_FILTER, 0, {len=2, filter=[BPF_STMT(0x2 /* BPF_ST */, 0x1), "
		    "BPF_STMT(0x2 /* BPF_ST */|0x10 /* BPF_??? */, 0x1)]}");
	prog.len = 0xffff;
	assert_call("SECCOMP_SET_MODE_FILTER, 0, {len=65535, filter=[BPF_STMT(0x2 /* BPF_ST */, 0x1), "
		    "BPF_STMT(0x2 /* BPF_ST */|0x10 /* BPF_??? */, 0x1), ... /* 0x7ffc0010 */]}");
	assert_survives_cuts();
	call_opts = before;
}

static void test_rseq(void **state)
{
	uint32_t r[8] = { 0, UINT32_MAX, 0, 0, 0, 0, 0, 0xffff0100 };

	(void)state;
	call_make(NR_rseq, 0, 4, PTR, A(32), A(0), A(0x53053053));
	call_capture(0, 0, r, 32);
	assert_call("{cpu_id_start=0, cpu_id=RSEQ_CPU_ID_UNINITIALIZED, rseq_cs=NULL, flags=0, node_id=0, mm_cid=0, "
		    "slice_ctrl={request=0, granted=1, __reserved=0xffff}, __reserved=0}, 32, 0, 0x53053053");
	assert_survives_cuts();
	call.args[1] = 31;
	assert_call("0x7ffc0000, 31, 0, 0x53053053");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clone),      cmocka_unit_test(test_clone3), cmocka_unit_test(test_wait),
		cmocka_unit_test(test_limits),     cmocka_unit_test(test_scheduling), cmocka_unit_test(test_futex),
		cmocka_unit_test(test_prctl),      cmocka_unit_test(test_seccomp), cmocka_unit_test(test_instructions), cmocka_unit_test(test_rseq),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
