/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Writes the first inputs of the fuzzers: fuzz-seeds DIRECTORY makes one
 * directory in it for each of them.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "calls.h"
#include "cli/options.h"
#include "decode/decode.h"
#include "files.h"
#include "fixtures.h"
#include "make.h"
#include "record.h"
#include "util/macros.h"

static const char *directory;

static void die(const char *what)
{
	fprintf(stderr, "fuzz-seeds: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* DIRECTORY/TARGET/NAME: a first byte (negative: none), then the bytes. */
static void seed(const char *target, const char *name, int first, const void *bytes, size_t len)
{
	char path[PATH_MAX], *slash;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", directory, target);
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		die(path);
	snprintf(path, sizeof(path), "%s/%s/%s", directory, target, name);
	for (slash = path + strlen(directory) + strlen(target) + 2; (slash = strchr(slash, '/')); slash++)
		*slash = '_';
	f = fopen(path, "we");
	if (!f || (first >= 0 && fputc(first, f) == EOF) || fwrite(bytes, 1, len, f) != len || fclose(f))
		die(path);
}

/* --- records --- */

/* One call in each file: small inputs are what mutations get on with. */
static void seed_call(struct rnd *r, bool compat, uint32_t nr, int sub, const struct record *rec)
{
	static uint8_t bytes[CALLS_OPTIONS + 4 + RECORD_MAX];
	uint64_t options = rnd_below(r, 2) ? 0 : rnd_next(r);
	uint32_t len = (uint32_t)rec->len;
	char name[64];

	memcpy(bytes, &options, CALLS_OPTIONS);
	memcpy(bytes + CALLS_OPTIONS, &len, sizeof(len));
	memcpy(bytes + CALLS_OPTIONS + sizeof(len), rec->bytes, len);
	snprintf(name, sizeof(name), "%s-%u.%d", compat ? "compat" : "native", nr, sub);
	seed("fuzz_calls", name, -1, bytes, CALLS_OPTIONS + sizeof(len) + len);
}

static void seed_calls(void)
{
	struct rnd r = rnd_from(1);
	static struct record rec;

	for (uint32_t row = 0; row < CT_ROW_OUTSIDE; row++) {
		bool compat = row >= CT_NR_NATIVE;
		uint32_t nr = compat ? row - CT_NR_NATIVE : row;

		if (!syscall_get(compat ? ABI_COMPAT : ABI_NATIVE, nr))
			continue;
		for (int sub = -1; record_call(&r, compat, nr, sub, &rec) && sub < 2048; sub++)
			seed_call(&r, compat, nr, sub, &rec);
		/* Some ask for other things with other arguments. */
		for (int again = 5000; again < 5003 && record_call(&r, compat, nr, -1, &rec); again++)
			seed_call(&r, compat, nr, again, &rec);
	}
	/* Messages and options are of many kinds. */
	for (int i = 0; i < 1200; i++) {
		static const uint16_t calls[] = { SYS_sendto, SYS_sendto, SYS_recvmsg, SYS_sendmsg, SYS_setsockopt, SYS_getsockopt, SYS_connect, SYS_recvfrom };

		if (record_call(&r, false, calls[i % 8], -1, &rec))
			seed_call(&r, false, calls[i % 8], 10000 + i, &rec);
	}
	/* Events, and numbers without a row. */
	for (int i = 0; i < 64; i++) {
		record_any(&r, &rec);
		seed_call(&r, false, 1000, i, &rec);
	}
}

/* A call with more captures than it can keep: they come ahead of it, in three parts. */
static void seed_many(void)
{
	static uint8_t bytes[CALLS_OPTIONS + 4 * 4 + 3 * (sizeof(struct rec_payload) + 740 * sizeof(struct cap_hdr)) + sizeof(struct rec_syscall)];
	struct rec_payload p = { .h = { .kind = CT_REC_PAYLOAD, .host_tid = 3 }, .seq = 1, .caps_len = 740 * sizeof(struct cap_hdr) };
	struct rec_syscall c = { .h = { .kind = CT_REC_SYSCALL, .host_tid = 3, .flags = CT_F_PAYLOAD }, .seq = 1, .nr = SYS_writev };
	uint8_t *at = bytes + CALLS_OPTIONS;
	uint32_t len = sizeof(p) + p.caps_len;

	for (unsigned i = 0; i < 3; i++) {
		memcpy(at, &len, sizeof(len));
		memcpy(at + sizeof(len), &p, sizeof(p));
		at += sizeof(len) + len;
	}
	len = sizeof(c);
	memcpy(at, &len, sizeof(len));
	memcpy(at + sizeof(len), &c, sizeof(c));
	seed("fuzz_calls", "many", -1, bytes, sizeof(bytes));
}

/* --- words of the command line: fuzz_options' first byte says which parser --- */

static void seed_options(void)
{
	static const struct { int parser; const char *text; } words[] = {
		{ 0, "-e\ntrace=open,close\n-p\n1" }, { 0, "--container=web\n-o\nx\n-ttt\n-yy" }, { 0, "-c\n-S\ntime\n--\nls" },
		{ 0, "-qqq\n-s\n12\n-xx\n-a\n0\n--all" }, { 0, "--cgroup\n/x\n--comm\nnginx\n--slower\n10ms\n--for\n1h" },
		{ 1, "open,%file,?nothing,!/^(f|l)stat,close@32,3" }, { 1, "!all" }, { 1, "read@64,%%stat" }, { 2, "1,2,3" }, { 2, "!0" }, { 2, "all" },
		{ 3, "100" }, { 3, "18446744073709551615" }, { 4, "1.5s" }, { 4, "10ms" }, { 5, "64KiB" }, { 5, "8M" }, { 6, "path,socket" },
		{ 6, "!path" }, { 7, "SIGTERM,!usr1,rtmin,15" }, { 8, "time,calls,name" },
	};
	char name[32];

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		snprintf(name, sizeof(name), "words-%zu", i);
		seed("fuzz_options", name, words[i].parser, words[i].text, strlen(words[i].text));
	}
	for (size_t i = 0; i < n_option_rows; i++) {
		char text[256];
		int n = snprintf(text, sizeof(text), "--%s\n%s\n--all", option_rows[i].name ? option_rows[i].name : "x",
				 option_rows[i].words ? option_rows[i].words : "1");

		snprintf(name, sizeof(name), "option-%zu", i);
		seed("fuzz_options", name, 0, text, MIN((size_t)n, sizeof(text) - 1));
	}
}

/* --- files: the fixtures of the unit tests, fuzz_files' first byte says which reader it is for --- */

static int kind_of(const char *path)
{
	const char *base = strrchr(path, '/') + 1;

	if (strstr(base, "mountinfo"))
		return FILE_MOUNTINFO;
	if (!strcmp(base, "stat"))
		return FILE_STAT;
	if (!strcmp(base, "status"))
		return FILE_STATUS;
	if (!strcmp(base, "cmdline"))
		return FILE_CMDLINE;
	return !strcmp(base, "children") ? FILE_PIDS : FILE_CGROUP;
}

static void seed_fixtures(const char *below)
{
	static uint8_t bytes[16384];
	char top[PATH_MAX], name[32];
	size_t n_files, n;
	char **files;

	snprintf(top, sizeof(top), CTRACE_UNIT_DIR "/fixtures/%s", below);
	files = fixture_files(top, &n_files);
	for (size_t i = 0; i < n_files; i++) {
		_cleanup_fclose_ FILE *f = fopen(files[i], "re");

		if (!f)
			die(files[i]);
		n = fread(bytes, 1, sizeof(bytes), f);
		snprintf(name, sizeof(name), "%s-%zu", below, i);
		seed("fuzz_files", name, strcmp(below, "runtimes") ? kind_of(files[i]) : FILE_RUNTIMES + (int)i, bytes, n);
	}
}

static void seed_answers(void)
{
	uint8_t bytes[2 + ANSWER_MAX];
	struct rnd r = rnd_from(4);
	char name[16];

	for (unsigned i = 0; i < 24; i++) {
		size_t n = make_answer(&r, bytes + 2);

		bytes[0] = (uint8_t)(n >> 8);
		bytes[1] = (uint8_t)n;
		snprintf(name, sizeof(name), "answer-%u", i);
		seed("fuzz_files", name, i % 2 ? FILE_DNS_STREAM : FILE_DNS, bytes + (i % 2 ? 0 : 2), n + (i % 2 ? 2 : 0));
	}
}

static void seed_files(void)
{
	static const char *const names[] = {
		"/system.slice/docker-9c6eb891676c0123456789abcdef0123456789abcdef0123456789abcdef0123.scope",
		"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod6f8a2d1e_3c4b_4a5d_9e8f_001122334455.slice/cri-containerd-1.scope",
		"/machine.slice/libpod-1.scope/container", "/../../lxc.payload.web/init.scope", "/user.slice/x\\x2dy.scope",
	};
	static const char cmdline[] = "dockerd\0--data-root=/x\0--exec-root\0/run/y\0-g\0/z";
	static const char context[] = "\0system_u:system_r:init_t:s0-s0:c0.c1023";
	static const char hosts[] = "127.0.0.1 localhost l2 # one\n::1\tip6\r\n#\n10.0.0.7  db.internal";
	static const char maps[] = "00400000-00401000 r-xp 00000000 08:01 77                  /bin/x y\n00401000-00402000 rw-p 00001000 08:01 77 /bin/x y\n"
				   "7ff000000000-7ff000001000 r--s 00000000 00:05 12 /dev/null\n7ff000002000-7ff000003000 rw-p 00000000 00:00 0 \n";
	char name[16];

	seed_fixtures("proc");
	seed_fixtures("cgroup");
	seed_fixtures("runtimes");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(name, sizeof(name), "name-%zu", i);
		seed("fuzz_files", name, FILE_NAME, names[i], strlen(names[i]));
	}
	seed_answers();
	seed("fuzz_files", "hosts", FILE_HOSTS, hosts, sizeof(hosts) - 1);
	seed("fuzz_files", "maps", FILE_MAPS, maps, sizeof(maps) - 1);
	seed("fuzz_files", "context", FILE_CONTEXT, context, sizeof(context));
	seed("fuzz_files", "daemon", FILE_CMDLINE, cmdline, sizeof(cmdline));
}

/* --- programs: what of each fits --- */

static void seed_programs(void)
{
	static const char *const paths[] = { "/proc/self/exe", "/bin/true", "/bin/cat", "/usr/lib/x86_64-linux-gnu/libdl.so.2" };
	static uint8_t bytes[STACK_HEADER + 60000];
	struct rnd r = rnd_from(3);
	char name[16];

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		_cleanup_fclose_ FILE *f = fopen(paths[i], "re");
		size_t n = f ? fread(bytes + STACK_HEADER, 1, sizeof(bytes) - STACK_HEADER, f) : 0;

		record_fill(&r, bytes, STACK_HEADER);
		snprintf(name, sizeof(name), "file-%zu", i);
		seed("fuzz_stack", name, -1, bytes, STACK_HEADER + n);
	}
	for (size_t i = 0; i < 24; i++) {
		size_t n = make_program(&r, bytes + STACK_HEADER);

		record_fill(&r, bytes, STACK_HEADER);
		snprintf(name, sizeof(name), "made-%zu", i);
		seed("fuzz_stack", name, -1, bytes, STACK_HEADER + n);
	}
}

static void seed_bolt(void)
{
	uint8_t bytes[BOLT_MAX];

	seed("fuzz_bolt", "made", -1, bytes, make_bolt(bytes));
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: fuzz-seeds DIRECTORY\n");
		return 2;
	}
	directory = argv[1];
	if (mkdir(directory, 0755) < 0 && errno != EEXIST)
		die(directory);
	seed_calls();
	seed_many();
	seed_options();
	seed_files();
	seed_programs();
	seed_bolt();
	return 0;
}
