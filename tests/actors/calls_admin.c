/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What administrators call, without an effect: by a child that has given up
 * all rights, or with arguments that are refused.
 */
#include "calls.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

static void *bad;

struct header { uint32_t version; int32_t pid; };
struct data { uint32_t effective, permitted, inheritable; };

static void capabilities(void)
{
	struct header h = { 0x20080522, 0 };
	struct data d[2];

	section("capabilities");
	CALL(capget, &h, d);
	CALL(capget, &h, NULL);
	h.version = 0x20071026;
	CALL(capget, &h, d);
	h.version = 0x19980330;
	CALL(capget, &h, d);
	h.version = 0x777;
	CALL(capget, &h, d);
	h = (struct header){ 0x20080522, -1 };
	CALL(capget, &h, d);
	h.pid = 0;
	CALL(capget, &h, bad);
	CALL(capget, bad, bad);
	CALL(capget, NULL, NULL);
	CALL(capget, tail(&h, 4), d);
	h.pid = 1;
	d[0] = (struct data){ 0xffffffff, 0x1, 0x80000000 }, d[1] = (struct data){ 0xffffffff, 0x100, 0x300 };
	CALL(capset, &h, d);
	d[0] = (struct data){ 0 }, d[1] = (struct data){ 0 };
	CALL(capset, &h, d);
	d[0].effective = 1 << 5 | 1 << 7;
	CALL(capset, &h, d);
	h.version = 0x20071026;
	CALL(capset, &h, d);
	h.version = 0x19980330;
	CALL(capset, &h, d);
	h.version = 0x777;
	CALL(capset, &h, d);
	h.version = 0x20080522;
	CALL(capset, &h, tail(d, sizeof(d[0])));
	CALL(capset, &h, bad);
	CALL(capset, &h, NULL);
	CALL(capset, NULL, bad);
	CALL(capset, bad, NULL);
}

/* Nothing of it is permitted. */
static void refused(void)
{
	struct { uint64_t buf, bufsz, mem, memsz; } segments[2] = { { 1, 2, 0x1000, 0x2000 }, { 0, 0, 0, 0 } };
	char buf[64];

	section("refused");
	CALL(reboot, 0xfee1dead, 672274793, 0xcdef0123, NULL);
	CALL(reboot, 0xfee1dead, 672274793, 0, NULL);
	CALL(reboot, 0xfee1dead, 85072278, 0xa1b2c3d4, "argument");
	CALL(reboot, 0xfee1dead, 369367448, 0xa1b2c3d4, bad);
	CALL(reboot, 0xfee1dead, 537993216, 0x4321fedc, NULL);
	CALL(reboot, 0x77, 0x77, 0x77, NULL);
	CALL(reboot, 0, 0, 0x89abcdef, "argument");
	CALL(kexec_load, 0x1000, 2, segments, 0);
	CALL(kexec_load, 0x1000, 1, segments, 0x3e0001);
	CALL(kexec_load, 0, 0, NULL, 2);
	CALL(kexec_load, 0, 2, bad, 0x770004);
	CALL(kexec_load, 0, 2, tail(segments, sizeof(segments[0])), 0x28007f);
	CALL(kexec_load, 0, 77, segments, 0);
	CALL(kexec_file_load, -1, -1, 4, "abc", 0);
	CALL(kexec_file_load, -1, -1, 4, bad, 7);
	CALL(kexec_file_load, -1, 0, 0, NULL, 0x77);
	CALL(init_module, "image", 5, "param=1");
	CALL(init_module, bad, 5, bad);
	CALL(init_module, NULL, 0, NULL);
	CALL(finit_module, -1, "param=1", 0);
	CALL(finit_module, -1, bad, 7);
	CALL(finit_module, -1, NULL, 0x77);
	CALL(delete_module, "nothing", O_NONBLOCK | O_TRUNC);
	CALL(delete_module, bad, 0x77);
	CALL(delete_module, NULL, 0);
	CALL(acct, "/none/x");
	CALL(acct, NULL);
	CALL(acct, bad);
	CALL(syslog, 0, NULL, 0);
	CALL(syslog, 1, bad, 0);
	CALL(syslog, 2, buf, sizeof(buf));
	CALL(syslog, 3, buf, sizeof(buf));
	CALL(syslog, 4, buf, sizeof(buf));
	for (int i = 5; i < 10; i++)
		CALL(syslog, i, NULL, i);
	CALL(syslog, 77, buf, 7);
	CALL(syslog, -1, bad, -1);
	CALL(sethostname, "name", 4);
	CALL(sethostname, bad, 4);
	CALL(setdomainname, "name", 4);
	CALL(vhangup);
	CALL(settimeofday, &(long[2]){ 1, 2 }, &(int[2]){ 3, 4 });
	CALL(setgroups, 1, &(int){ 7 });
#if defined(__x86_64__)
	CALL(iopl, 3);
	CALL(ioperm, 0x70, 2, 1);
	CALL(uselib, "/none/x");
	CALL(_sysctl, bad);
	CALL(_sysctl, NULL);
#endif
	CALL(nfsservctl, 1, 2, 3);
	CALL(lookup_dcookie, 1, buf, 7);
}

static void without_rights(void)
{
	int pid = raw_fork(), status;

	if (!pid) {
		CALL(setgid, 65534);
		CALL(setuid, 65534);
		refused();
		_exit(0);
	}
	CALL(wait4, pid, &status, 0, NULL);
}

#if defined(__x86_64__)
static void segments(void)
{
	struct { uint32_t entry, base, limit, flags; } ldt = { 1, 0x1000, 0x10, 0x51 };
	char buf[64];

	section("segments");
	/* A failure is an unsigned number there: strace 7.2 writes 4294967274 EINVAL, ctrace 4294967274. */
	CALL(modify_ldt, 0, buf, sizeof(buf));
	CALL(modify_ldt, 1, &ldt, sizeof(ldt));
	ldt.flags = 0x3f, ldt.limit = 0xfffff;
	CALL(modify_ldt, 17, &ldt, sizeof(ldt));
	ldt.flags = 0x80, ldt.entry = 2;
	CALL(modify_ldt, 17, &ldt, sizeof(ldt));
	CALL(modify_ldt, 2, buf, sizeof(buf));
	CALL(set_thread_area, &ldt);
	CALL(get_thread_area, &ldt);
	CALL(set_thread_area, bad);
	CALL(get_thread_area, bad);
	CALL(iopl, 77);
	CALL(ioperm, -1, -1, 7);
}
#else
static void segments(void)
{
}
#endif

int main(void)
{
	resident();
	bad = bad_page();
	capabilities();
	without_rights();
	segments();
	return 0;
}
