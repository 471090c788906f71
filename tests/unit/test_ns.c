/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_ns */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "ns/nsid.h"
#include "ns/pidref.h"
#include "ns/procfs.h"
#include "util/macros.h"

#define TAIL " 1 1 0 -1 4194560 100 0 0 0 5 6 0 0 20 0 1 0 "

/* Parses a copy without a NUL behind it, so that reading on would be noticed. */
static int parse_stat(const char *text, size_t len, struct proc_stat *ret)
{
	char *copy = malloc(len ? len : 1);
	int r;

	assert_non_null(copy);
	memcpy(copy, text, len);
	r = proc_stat_parse(copy, len, ret);
	free(copy);
	return r;
}

static void test_stat(void **state)
{
	static const struct {
		const char *text, *comm;
		pid_t pid, ppid;
		char task_state;
		uint64_t start;
	} rows[] = {
		{ "7 (sh) S 1" TAIL "4711 1 2\n", "sh", 7, 1, 'S', 4711 },
		{ "7 () Z 0" TAIL "0\n", "", 7, 0, 'Z', 0 },
		{ "7 (a) R 9 (b)) S 3" TAIL "18446744073709551615", "a) R 9 (b)", 7, 3, 'S', UINT64_MAX },
		{ "7 (a\nb ) D) S 3" TAIL "5", "a\nb ) D", 7, 3, 'S', 5 },
		{ "4194304 (x) X 1" TAIL "5", "x", 4194304, 1, 'X', 5 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct proc_stat s;

		assert_int_equal(parse_stat(rows[i].text, strlen(rows[i].text), &s), 0);
		assert_int_equal(s.pid, rows[i].pid);
		assert_int_equal(s.ppid, rows[i].ppid);
		assert_int_equal(s.state, rows[i].task_state);
		assert_string_equal(s.comm, rows[i].comm);
		assert_true(s.start == rows[i].start);
	}
}

static void test_stat_refuses(void **state)
{
	static const char *const rows[] = {
		"", "7", "7 ", "7 (sh", "7 (sh)", "7 (sh) ", "x (sh) S 1" TAIL "5", "-7 (sh) S 1" TAIL "5",
		"99999999999 (sh) S 1" TAIL "5", "7 sh S 1" TAIL "5", "7 )sh( S 1" TAIL "5", "7 (sh) S x" TAIL "5",
		"7 (sh) S 1 1 0 -1", "7 (sh) S 1" TAIL, "7 (sh) S 1" TAIL "18446744073709551616",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct proc_stat s = { .pid = 99 };

		assert_int_equal(parse_stat(rows[i], strlen(rows[i]), &s), -EINVAL);
		assert_int_equal(s.pid, 99);
	}
}

/* Every prefix of a good line is either refused or has the right start time cut nowhere. */
static void test_stat_prefixes(void **state)
{
	static const char line[] = "7 (a) R 9 (b)) S 3" TAIL "4711 1";
	size_t full = strlen(line) - 2;
	struct proc_stat s;

	(void)state;
	for (size_t n = 0; n < full - 3; n++)
		assert_int_equal(parse_stat(line, n, &s), -EINVAL);
	assert_int_equal(parse_stat(line, full, &s), 0);
	assert_true(s.start == 4711);
}

static void test_status(void **state)
{
	static const char good[] = "Name:\tx\\nTgid:\t1\nState:\tS (sleeping)\nTgid:\t42\nPid:\t43\nPPid:\t1\nNSpid:\t43\t9\t2\n";
	static const char *const bad[] = {
		"", "State:\tS\n", "State:\t\nTgid:\t1\nPPid:\t1\n", "State:\tS\nTgid:\tx\nPPid:\t1\n",
		"State:\tS\nTgid:\t1\nTgid:\t2\nPPid:\t1\n", "State:\tS\nTgid:\t1\nPPid:\t1\nNSpid:\t1\tx\n",
		"State:\tS\nTgid:\t99999999999\nPPid:\t1\n",
	};
	struct proc_status s;
	char many[1024] = "State:\tS\nTgid:\t1\nPPid:\t1\nNSpid:";

	(void)state;
	assert_int_equal(proc_status_parse(good, strlen(good), &s), 0);
	assert_int_equal(s.tgid, 42);
	assert_int_equal(s.ppid, 1);
	assert_int_equal(s.state, 'S');
	assert_int_equal(s.n_nspid, 3);
	assert_int_equal(s.nspid[0], 43);
	assert_int_equal(s.nspid[2], 2);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(proc_status_parse(bad[i], strlen(bad[i]), &s), -EINVAL);
	for (int i = 0; i < PROC_NS_LEVELS; i++)
		strcat(many, "\t5");
	assert_int_equal(proc_status_parse(many, strlen(many), &s), 0);
	assert_int_equal(s.n_nspid, PROC_NS_LEVELS);
	strcat(many, "\t5");
	assert_int_equal(proc_status_parse(many, strlen(many), &s), -EINVAL);
}

static void test_cgroup_lines(void **state)
{
	static const char text[] = "11:memory:/a:b:c\n"
				   "1:name=systemd:/x\n"
				   "0::/y (deleted)\n"
				   "bad\n:memory:/\n5:cpu\n6:cpu:relative\n99999999999:cpu:/\n7:e\0vil:/\n"
				   "0::/../..\n"
				   "3:pids:/ (deleted)";
	struct proc_cgroups c;

	(void)state;
	assert_int_equal(proc_cgroups_parse(text, sizeof(text) - 1, &c), 0);
	assert_int_equal(c.n, 5);
	assert_int_equal(c.v[0].hierarchy, 11);
	assert_string_equal(c.v[0].controllers, "memory");
	assert_string_equal(c.v[0].path, "/a:b:c");
	assert_false(c.v[0].deleted);
	assert_string_equal(c.v[1].controllers, "name=systemd");
	assert_int_equal(c.v[2].hierarchy, 0);
	assert_string_equal(c.v[2].controllers, "");
	assert_string_equal(c.v[2].path, "/y");
	assert_true(c.v[2].deleted);
	assert_string_equal(c.v[3].path, "/../..");
	assert_string_equal(c.v[4].path, "/");
	proc_cgroups_done(&c);
	assert_int_equal(proc_cgroups_parse("", 0, &c), 0);
	assert_int_equal(c.n, 0);
	proc_cgroups_done(&c);
}

static void test_pid_list(void **state)
{
	struct pid_list l = { 0 };

	(void)state;
	assert_int_equal(pid_list_parse("1 22\n333 ", 9, &l), 0);
	assert_int_equal(l.n, 3);
	assert_int_equal(l.v[2], 333);
	assert_int_equal(pid_list_parse("4 x", 3, &l), -EINVAL);
	assert_int_equal(pid_list_parse("99999999999", 11, &l), -EINVAL);
	pid_list_done(&l);
}

static void test_nsid(void **state)
{
	uint32_t v = 5;

	(void)state;
	assert_int_equal(nsid_parse("pid:[4026531836]", NS_PID, &v), 0);
	assert_int_equal(v, NS_PID_INITIAL);
	assert_int_equal(nsid_parse("mnt:[1]", NS_PID, &v), -EINVAL);
	assert_int_equal(nsid_parse("pid:[]", NS_PID, &v), -EINVAL);
	assert_int_equal(nsid_parse("pid:[1", NS_PID, &v), -EINVAL);
	assert_int_equal(nsid_parse("pid:[1]x", NS_PID, &v), -EINVAL);
	assert_int_equal(nsid_parse("pid:[-1]", NS_PID, &v), -EINVAL);
	assert_int_equal(nsid_parse("pid:[4294967296]", NS_PID, &v), -EINVAL);
	assert_int_equal(v, NS_PID_INITIAL);
}

static int open_fixture(void)
{
	int fd = open(CTRACE_UNIT_DIR "/fixtures/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static void test_fixture_reads(void **state)
{
	_cleanup_(pid_list_done) struct pid_list l = { 0 };
	_cleanup_close_ int fd = open_fixture();
	struct proc_cgroups c;
	struct proc_stat s;
	char comm[PROC_COMM_LEN], *text;
	uint32_t ns;
	size_t len;

	(void)state;
	assert_int_equal(proc_stat_read(fd, 42, 0, &s), 0);
	assert_string_equal(s.comm, "a) Z 1 (b\n) R");
	assert_true(s.start == 12345678901);
	assert_int_equal(s.state, 'R');
	assert_int_equal(proc_stat_read(fd, 42, 43, &s), 0);
	assert_int_equal(s.pid, 43);
	assert_int_equal(proc_stat_read(fd, 4242, 0, &s), -ESRCH);
	assert_int_equal(proc_comm_read(fd, 42, comm), 0);
	assert_string_equal(comm, "a) Z 1 (b\n) R");
	assert_int_equal(proc_cmdline_read(fd, 42, &text, &len), 0);
	assert_int_equal(len, 13);
	assert_memory_equal(text, "payload\0--x\0", 13);
	free(text);
	assert_int_equal(proc_cgroups_read(fd, 42, 0, &c), 0);
	assert_int_equal(c.n, 3);
	assert_string_equal(c.v[1].path,
			    "/system.slice/containerd.service/kubepods-burstable-pod1.slice:cri-containerd:abc");
	proc_cgroups_done(&c);
	assert_int_equal(proc_children_read(fd, 42, 43, &l), 0);
	assert_int_equal(l.n, 1);
	assert_int_equal(proc_children_read(fd, 77, 77, &l), -EOPNOTSUPP);
	assert_int_equal(proc_children_read(fd, 78, 78, &l), -ESRCH);
	l.n = 0;
	assert_int_equal(proc_pids_read(fd, &l), 0);
	assert_int_equal(l.n, 3);
	assert_int_equal(nsid_read(fd, 42, NS_PID, &ns), 0);
	assert_int_equal(ns, 4026532000);
	assert_int_equal(nsid_read(fd, 42, NS_CGROUP, &ns), -ESRCH);
}

static void test_read_bounds(void **state)
{
	_cleanup_close_ int fd = open_fixture();
	char *text = NULL;
	size_t len;

	(void)state;
	assert_int_equal(proc_read_file(fd, "42/stat", 16, &text, &len), -EFBIG);
	assert_int_equal(proc_read_file(fd, "42", 4096, &text, &len), -EINVAL);
	assert_null(text);
}

static void test_pidref(void **state)
{
	_cleanup_close_ int fd = open_fixture();
	struct pidref ref;
	pid_t tid;

	(void)state;
	assert_int_equal(pidref_open(fd, 42, &ref), 0);
	assert_int_equal(pidref_verify(fd, &ref), 0);
	ref.start++;
	assert_int_equal(pidref_verify(fd, &ref), -ESRCH);
	/* its leader is a zombie, a thread of it lives */
	assert_int_equal(pidref_open(fd, 77, &ref), 0);
	assert_int_equal(pidref_live_thread(fd, 77, &tid), 0);
	assert_int_equal(tid, 78);
	assert_int_equal(pidref_open(fd, 4242, &ref), -ESRCH);
}

static void test_translation(void **state)
{
	_cleanup_close_ int fd = open_fixture();
	pid_t nr;

	(void)state;
	assert_int_equal(pid_in_namespace(fd, 42, 0, 4026532000, &nr), 0);
	assert_int_equal(nr, 1);
	assert_int_equal(pid_from_namespace(fd, 4026532000, 2, &nr), 0);
	assert_int_equal(nr, 77);
	assert_int_equal(pid_from_namespace(fd, 4026532000, 3, &nr), -ESRCH);
	/* 8 is a number of 42, in the namespace between */
	assert_int_equal(pid_from_namespace(fd, 4026532000, 8, &nr), -ESRCH);
}

/* A child that has ended and is not waited for, by the real /proc. */
static void test_zombie(void **state)
{
	_cleanup_close_ int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	pid_t pid = fork();
	struct pidref ref;
	siginfo_t info;

	(void)state;
	assert_true(fd >= 0 && pid >= 0);
	if (!pid)
		_exit(0);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(pidref_open(fd, pid, &ref), -ESRCH);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(pidref_open(fd, pid, &ref), -ESRCH);
	assert_int_equal(pidref_open(fd, getpid(), &ref), 0);
	assert_int_equal(ref.pid, getpid());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stat), cmocka_unit_test(test_stat_refuses), cmocka_unit_test(test_stat_prefixes),
		cmocka_unit_test(test_status), cmocka_unit_test(test_cgroup_lines), cmocka_unit_test(test_pid_list),
		cmocka_unit_test(test_nsid), cmocka_unit_test(test_fixture_reads), cmocka_unit_test(test_read_bounds),
		cmocka_unit_test(test_pidref), cmocka_unit_test(test_translation), cmocka_unit_test(test_zombie),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
