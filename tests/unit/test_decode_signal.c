/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_output */
/* Signals: actions, sets, siginfo of every shape. */
#include "decode_text.h"

#include <signal.h>

enum { NR_rt_sigaction = 13, NR_rt_sigprocmask = 14, NR_rt_sigreturn = 15, NR_rt_sigpending = 127, NR_rt_sigtimedwait = 128,
       NR_rt_sigqueueinfo = 129, NR_sigaltstack = 131, NR_ptrace_i386 = 26 };

static void test_sigaction(void **state)
{
	uint64_t a[4] = { 0x1234, SA_RESTART | SA_SIGINFO | 0x04000000 | 0x400000, 0x5678, 1 << (SIGHUP - 1) | 1ull << 41 };
	uint64_t ignore[4] = { 1, 0, 0, 0 };

	(void)state;
	call_make(NR_rt_sigaction, 0, 4, A(SIGUSR1), PTR, PTR, A(8));
	call_capture(1, 0, a, 32);
	call_capture(2, 0, ignore, 32);
	assert_call("SIGUSR1, {sa_handler=0x1234, sa_mask=[HUP RT_10], sa_flags=SA_RESTORER|SA_RESTART|SA_SIGINFO|0x400000, "
		    "sa_restorer=0x5678}, {sa_handler=SIG_IGN, sa_mask=[], sa_flags=0}, 8");
	assert_survives_cuts();
	call.ret = -22;
	a[3] = ~0ull;
	assert_call("SIGUSR1, {sa_handler=0x1234, sa_mask=~[], sa_flags=SA_RESTORER|SA_RESTART|SA_SIGINFO|0x400000, "
		    "sa_restorer=0x5678}, 0x7ffc0000, 8");
	call_make(NR_rt_sigaction, -22, 4, A(65), A(0), A(0), A(8));
	assert_call("65, NULL, NULL, 8");
}

static void test_sets(void **state)
{
	uint64_t set = (1ull << 41) - 1, more = (1ull << 42) - 1;

	(void)state;
	call_make(NR_rt_sigprocmask, 0, 4, A(SIG_BLOCK), PTR, PTR, A(8));
	set = 1 << (SIGUSR1 - 1) | 1 << (SIGINT - 1);
	call_capture(1, 0, &set, 8);
	call_capture(2, 0, &more, 8);
	/* From two thirds of all signals on a set is told by what it lacks. */
	assert_call("SIG_BLOCK, [INT USR1], ~[RT_11 RT_12 RT_13 RT_14 RT_15 RT_16 RT_17 RT_18 RT_19 RT_20 RT_21 RT_22 RT_23 RT_24 RT_25 "
		    "RT_26 RT_27 RT_28 RT_29 RT_30 RT_31 RT_32], 8");
	assert_survives_cuts();
	call.args[3] = 4;
	assert_call("SIG_BLOCK, 0x7ffc0000, 0x7ffc0000, 4");
	call_make(NR_rt_sigpending, 0, 2, PTR, A(4));
	call_capture(0, 0, &set, 4);
	assert_call("[INT USR1], 4");
}

static void test_sigreturn(void **state)
{
	static const struct syscall_set none;
	uint8_t mask[8] = { 0 };
	uint64_t sp = PTR;

	(void)state;
	mask[0] = 1 << (SIGTERM - 1 - 8);
	mask[1] = 1 << (SIGTERM - 1 - 8);
	call_make(NR_rt_sigreturn, 0, 0);
	call_capture(CAP_ARG_SP, 0, mask, sizeof(mask));
	assert_call("{mask=[BUS TERM]}");
	call.captures[0].len = 7;
	assert_call("");
	/* Where the set would be, behind the stack pointer. */
	call_capture(CAP_ARG_SP, 1, &sp, sizeof(sp));
	assert_call("{mask=0x7ffc0128}");
	call.captures[0].len = 8;
	assert_call("{mask=[BUS TERM]}");
	call_opts.verbose = &none;
	assert_call("{mask=0x7ffc0128}");
	call_opts.verbose = NULL;
	call.captures[0].flags = CT_CAP_FAILED;
	assert_call("{mask=0x7ffc0128}");
	call.captures[1].len = 7;
	assert_call("");
}

static void test_altstack(void **state)
{
	struct { uint64_t sp; int flags, pad; uint64_t size; } s = { PTR, (int)0x80000001, 0, 16384 };

	(void)state;
	call_make(NR_sigaltstack, 0, 2, PTR, A(0));
	call_capture(0, 0, &s, 24);
	assert_call("{ss_sp=0x7ffc0000, ss_flags=SS_ONSTACK|SS_AUTODISARM, ss_size=16384}, NULL");
	assert_survives_cuts();
}

/* A siginfo_t as user space passes it. */
static void check_siginfo(int signo, int code, int err, const void *fields, size_t size, const char *expected)
{
	struct { int signo, err, code, pad; uint8_t fields[112]; } si = { signo, err, code, 0, { 0 } };
	char line[512];

	memcpy(si.fields, fields, size);
	call_make(NR_rt_sigqueueinfo, 0, 3, A(12), A(SIGHUP), PTR);
	call_capture(2, 0, &si, sizeof(si));
	snprintf(line, sizeof(line), "12, SIGHUP, %s", expected);
	assert_call(line);
	assert_survives_cuts();
}

static void test_siginfo(void **state)
{
	struct { int pid, uid; uint64_t value; } user = { 12, 34, 0x12345678 }, kernel = { 0 };
	struct { int pid, uid, status, pad; uint64_t utime, stime; } child = { 5, 0, 9, 0, 150, 0 };
	struct { uint64_t addr; short lsb, pad[3]; uint64_t lower, upper; } fault = { 0x1000, 12, { 0 }, 7, 8 };
	struct { uint64_t band; int fd; } io = { 65, 3 };
	struct { uint64_t addr; int nr; unsigned arch; } sys = { 0x7f00, 110, 0xc000003e };

	(void)state;
	check_siginfo(SIGUSR1, SI_USER, 0, &user, 16, "{si_signo=SIGUSR1, si_code=SI_USER, si_pid=12, si_uid=34}");
	check_siginfo(40, SI_QUEUE, 11, &user, 16, "{si_signo=SIGRT_8, si_code=SI_QUEUE, si_errno=EAGAIN, si_pid=12, si_uid=34, "
						   "si_int=305419896, si_ptr=0x12345678}");
	check_siginfo(SIGALRM, SI_KERNEL, 0, &kernel, 16, "{si_signo=SIGALRM, si_code=SI_KERNEL}");
	check_siginfo(SIGUSR1, SI_TIMER, 0, &user, 16, "{si_signo=SIGUSR1, si_code=SI_TIMER, si_timerid=0xc, si_overrun=34, "
						       "si_int=305419896, si_ptr=0x12345678}");
	check_siginfo(SIGCHLD, CLD_EXITED, 0, &child, sizeof(child), "{si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=5, si_uid=0, "
								     "si_status=9, si_utime=150 /* 1.50 s */, si_stime=0}");
	check_siginfo(SIGCHLD, CLD_KILLED, 0, &child, sizeof(child), "{si_signo=SIGCHLD, si_code=CLD_KILLED, si_pid=5, si_uid=0, "
								     "si_status=SIGKILL, si_utime=150 /* 1.50 s */, si_stime=0}");
	check_siginfo(SIGSEGV, SEGV_MAPERR, 0, &fault, sizeof(fault), "{si_signo=SIGSEGV, si_code=SEGV_MAPERR, si_addr=0x1000}");
	check_siginfo(SIGSEGV, 3, 0, &fault, sizeof(fault), "{si_signo=SIGSEGV, si_code=SEGV_BNDERR, si_addr=0x1000, si_lower=0x7, "
							    "si_upper=0x8}");
	check_siginfo(SIGBUS, 4, 0, &fault, sizeof(fault), "{si_signo=SIGBUS, si_code=BUS_MCEERR_AR, si_addr=0x1000, si_addr_lsb=0xc}");
	check_siginfo(SIGIO, POLL_IN, 0, &io, 12, "{si_signo=SIGIO, si_code=POLL_IN, si_band=65, si_fd=3}");
	check_siginfo(SIGSYS, 1, 7, &sys, sizeof(sys), "{si_signo=SIGSYS, si_code=SYS_SECCOMP, si_errno=E2BIG, si_call_addr=0x7f00, "
						       "si_syscall=__NR_getppid, si_arch=AUDIT_ARCH_X86_64}");
	check_siginfo(SIGHUP, 77, 0, &kernel, 16, "{si_signo=SIGHUP, si_code=0x4d}");
	check_siginfo(0, 0, 0, &kernel, 16, "{}");
}

/* PTRACE_SETREGS: as many registers as the ABI has, and none of fewer bytes. */
static void test_registers(void **state)
{
	uint32_t regs[17] = { 1, [15] = 0xfffe, [16] = 0x2b };

	(void)state;
	call_make(NR_ptrace_i386, 0, 4, A(13), A(5), A(0), PTR);
	call.abi = ABI_I386;
	call_capture(3, 0, regs, sizeof(regs));
	assert_call("PTRACE_SETREGS, 5, {ebx=0x1, ecx=0, edx=0, esi=0, edi=0, ebp=0, eax=0, xds=0, xes=0, xfs=0, xgs=0, orig_eax=0, "
		    "eip=0, xcs=0, eflags=0, esp=0xfffe, xss=0x2b}");
	assert_survives_cuts();
	call.captures[0].len = 67;
	assert_call("PTRACE_SETREGS, 5, 0x7ffc0000");
}

/* The event itself: the kernel's union, without the four bytes that pad it. */
static void test_signal_event(void **state)
{
	uint8_t fields[112] = { 0 };
	struct signal_event s = { .signo = SIGSYS, .code = 77, .err = 9999, .fields = fields };
	struct strbuf out = { 0 };
	struct emit_text t;

	(void)state;
	emit_text_init(&t);
	emit_text_begin(&t, &out, EMIT_WHOLE);
	decode_siginfo(&s, &call_opts, &t.e);
	assert_string_equal(strbuf_cstr(&out), "{si_signo=SIGSYS, si_code=0x4d, si_errno=9999, si_call_addr=NULL, si_syscall=0, "
					       "si_arch=0 /* AUDIT_ARCH_??? */}");
	/* Of a call that seccomp trapped: a 32-bit task's own number. */
	s.code = 1, s.err = 0;
	memcpy(fields + 8, (uint32_t[]){ 64, 0x40000003 }, 8);
	strbuf_reset(&out);
	decode_siginfo(&s, &call_opts, &t.e);
	assert_string_equal(strbuf_cstr(&out), "{si_signo=SIGSYS, si_code=SYS_SECCOMP, si_call_addr=NULL, si_syscall=__NR_getppid, "
					       "si_arch=AUDIT_ARCH_I386}");
	strbuf_done(&out);
	emit_text_done(&t);
}

static void test_timedwait(void **state)
{
	uint64_t set = 1 << (SIGUSR1 - 1), ts[2] = { 0, 1000 };

	(void)state;
	call_make(NR_rt_sigtimedwait, SIGUSR1, 4, PTR, A(0), PTR, A(8));
	call_capture(0, 0, &set, 8);
	call_capture(2, 0, ts, 16);
	assert_call("[USR1], NULL, {tv_sec=0, tv_nsec=1000}, 8 -> SIGUSR1");
	call.ret = -11;
	assert_call("[USR1], NULL, {tv_sec=0, tv_nsec=1000}, 8");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sigaction), cmocka_unit_test(test_sets),         cmocka_unit_test(test_sigreturn),
		cmocka_unit_test(test_altstack),  cmocka_unit_test(test_siginfo),      cmocka_unit_test(test_signal_event), cmocka_unit_test(test_registers),
		cmocka_unit_test(test_timedwait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
