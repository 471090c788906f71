/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_output jansson */
/*
 * Calls made by hand: the text that strace would write, and what becomes of
 * records that lie. Every decoder must hold against any captures at all.
 */
#include "decode_both.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* x86_64 */
enum { NR_read = 0, NR_write = 1, NR_open = 2, NR_stat = 4, NR_mmap = 9, NR_writev = 20, NR_readv = 19, NR_mremap = 25,
       NR_execve = 59, NR_uname = 63, NR_fcntl = 72, NR_getcwd = 79, NR_sendfile = 40, NR_getgroups = 115,
       NR_mknod = 133, NR_getxattr = 191, NR_getdents64 = 217, NR_openat = 257, NR_utimensat = 280, NR_pipe2 = 293,
       NR_getrandom = 318, NR_memfd_create = 319, NR_kill = 62, NR_getppid = 110, NR_chown = 92, NR_lseek = 8 };

static void begin(enum abi abi, uint32_t nr, int64_t ret, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3)
{
	call_begin(abi, nr, ret, (uint64_t[]){ a0, a1, a2, a3 }, 4);
}

static void capture_part(unsigned arg, unsigned part, unsigned idx, const void *data, size_t len, uint32_t true_len, unsigned flags)
{
	assert_true(call.n_captures < CALL_CAPTURES);
	call.captures[call.n_captures++] = (struct capture){
		.arg = (uint8_t)arg, .part = (uint8_t)part, .idx = (uint16_t)idx, .flags = (uint8_t)flags,
		.len = (uint32_t)len, .true_len = true_len, .data = data,
	};
}

static void capture(unsigned arg, const void *data, size_t len)
{
	capture_part(arg, 0, 0, data, len, (uint32_t)len, 0);
}

static void failed(unsigned arg)
{
	capture_part(arg, 0, 0, "", 0, 0, CT_CAP_FAILED);
}

static const char *text_detail(void)
{
	return text.has_detail ? strbuf_cstr(&text.detail) : NULL;
}

/* The arguments as an object, parsed: whatever is in the record, it is JSON. */
static json_t *as_object(void)
{
	json_error_t error;
	char object[65536];
	json_t *v;

	assert_true(snprintf(object, sizeof(object), "{%s}", as_json()) < (int)sizeof(object));
	v = json_loads(object, JSON_REJECT_DUPLICATES, &error);
	if (!v)
		fail_msg("%s: %s", object, error.text);
	return v;
}

static void check_json(const char *expected)
{
	json_t *v = as_object(), *w = json_loads(expected, 0, NULL);

	assert_non_null(w);
	if (!json_equal(v, w))
		fail_msg("%s\nis not %s", strbuf_cstr(&out), expected);
	json_decref(v);
	json_decref(w);
}

static const char *notes(void)
{
	return strbuf_cstr(&json.notes);
}

static void test_strings(void **state)
{
	static char longer[4096];

	(void)state;
	begin(ABI_X86_64, NR_openat, 3, 0xffffff9c, 0x1000, 02 | 0100 | 02000000, 0644);
	capture(1, "/etc/x", 6);
	assert_string_equal(as_text(), "AT_FDCWD, \"/etc/x\", O_RDWR|O_CREAT|O_CLOEXEC, 0644");
	check_json("{\"dirfd\":\"AT_FDCWD\",\"pathname\":\"/etc/x\",\"flags\":[\"O_RDWR\",\"O_CREAT\",\"O_CLOEXEC\"],\"mode\":\"0644\"}");
	/* Control bytes, a quote, bytes beyond ASCII, an octal escape before a digit. */
	begin(ABI_X86_64, NR_open, -2, 0x1000, 0, 0, 0);
	capture(0, "\033[31m\"\\\n\0019\0017\xff", 13);
	assert_string_equal(as_text(), "\"\\33[31m\\\"\\\\\\n\\19\\0017\\377\", O_RDONLY");
	check_json("{\"pathname\":{\"bytes\":\"1b5b33316d225c0a01390137ff\"},\"flags\":[\"O_RDONLY\"]}");
	/* UTF-8 stays readable in JSON and is octal in text, as in strace. */
	begin(ABI_X86_64, NR_open, -2, 0x1000, 0, 0, 0);
	capture(0, "\xc3\xa4", 2);
	assert_string_equal(as_text(), "\"\\303\\244\", O_RDONLY");
	check_json("{\"pathname\":\"\xc3\xa4\",\"flags\":[\"O_RDONLY\"]}");
	/* A path of PATH_MAX bytes without an end is cut, a shorter one never. */
	memset(longer, 'a', sizeof(longer));
	begin(ABI_X86_64, NR_open, -36, 0x1000, 0, 0, 0);
	capture_part(0, 0, 0, longer, sizeof(longer), CT_LEN_UNKNOWN, CT_CAP_CUT);
	assert_int_equal(strlen(as_text()), 4095 + strlen("\"\"..., O_RDONLY"));
	begin(ABI_X86_64, NR_open, -2, 0x1000, 0, 0, 0);
	capture(0, longer, 4095);
	assert_int_equal(strlen(as_text()), 4095 + strlen("\"\", O_RDONLY"));
	/* A name that is no path is cut at -s. */
	begin(ABI_X86_64, NR_memfd_create, 3, 0x1000, 1, 0, 0);
	capture_part(0, 0, 0, longer, 33, CT_LEN_UNKNOWN, CT_CAP_CUT);
	assert_string_equal(as_text(), "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"..., MFD_CLOEXEC");
}

static void test_pointers(void **state)
{
	(void)state;
	begin(ABI_X86_64, NR_open, -14, 0, 0, 0, 0);
	assert_string_equal(as_text(), "NULL, O_RDONLY");
	begin(ABI_X86_64, NR_open, -14, 0x8, 0, 0, 0);
	failed(0);
	assert_string_equal(as_text(), "0x8, O_RDONLY");
	check_json("{\"pathname\":\"0x8\",\"flags\":[\"O_RDONLY\"]}");
	assert_string_equal(notes(), "{\"arg\":\"pathname\",\"note\":\"unreadable\"}");
	/* No capture at all; the payload was lost. */
	begin(ABI_X86_64, NR_open, 3, 0x1000, 0, 0, 0);
	call.flags = CT_F_PAYLOAD_LOST;
	assert_string_equal(as_text(), "0x1000, O_RDONLY");
	check_json("{\"pathname\":\"0x1000\",\"flags\":[\"O_RDONLY\"]}");
	assert_string_equal(notes(), "{\"arg\":\"pathname\",\"note\":\"lost\"}");
	begin(ABI_X86_64, NR_open, 3, 0x1000, 0, 0, 0);
	capture_part(0, 0, 0, "x", 1, 1, CT_CAP_RETRIED);
	check_json("{\"pathname\":\"x\",\"flags\":[\"O_RDONLY\"]}");
	assert_string_equal(notes(), "{\"arg\":\"pathname\",\"note\":\"captured_at_exit\"}");
}

static void test_buffers(void **state)
{
	(void)state;
	begin(ABI_X86_64, NR_write, 40, 1, 0x1000, 40, 0);
	capture_part(1, 0, 0, "0123456789012345678901234567890123456789", 32, 40, CT_CAP_CUT);
	assert_string_equal(as_text(), "1, \"01234567890123456789012345678901\"..., 40");
	check_json("{\"fd\":1,\"buf\":\"01234567890123456789012345678901\",\"count\":40}");
	assert_string_equal(notes(), "{\"arg\":\"buf\",\"note\":\"cut\",\"length\":40}");
	begin(ABI_X86_64, NR_write, 0, 1, 0x1000, 0, 0);
	assert_string_equal(as_text(), "1, \"\", 0");
	begin(ABI_X86_64, NR_read, 0, 0, 0x1000, 100, 0);
	assert_string_equal(as_text(), "0, \"\", 100");
	begin(ABI_X86_64, NR_read, -11, 0, 0x1000, 100, 0);
	capture(1, "stale", 5);
	assert_string_equal(as_text(), "0, 0x1000, 100");
	/* Not all of what is to be shown is there: as strace, the address. */
	begin(ABI_X86_64, NR_read, 10, 0, 0x1000, 100, 0);
	capture(1, "abc", 3);
	assert_string_equal(as_text(), "0, 0x1000, 100");
	/* Longer than the result says: no more than that. */
	begin(ABI_X86_64, NR_read, 2, 0, 0x1000, 100, 0);
	capture(1, "abcdef", 6);
	assert_string_equal(as_text(), "0, \"ab\", 100");
	/* A count beyond 2^53 is a string in JSON. */
	begin(ABI_X86_64, NR_write, -14, 1, 0x1000, UINT64_MAX, 0);
	capture(1, "abcdefghijklmnopqrstuvwxyz012345", 32);
	assert_string_equal(as_text(), "1, \"abcdefghijklmnopqrstuvwxyz012345\"..., 18446744073709551615");
	check_json("{\"fd\":1,\"buf\":\"abcdefghijklmnopqrstuvwxyz012345\",\"count\":\"18446744073709551615\"}");
	begin(ABI_X86_64, NR_getrandom, 2, 0x1000, 2, 1, 0);
	capture(0, "A\n", 2);
	assert_string_equal(as_text(), "\"\\x41\\x0a\", 2, GRND_NONBLOCK");
	begin(ABI_X86_64, NR_getcwd, 5, 0x1000, 4096, 0, 0);
	capture(0, "/tmp", 5);
	assert_string_equal(as_text(), "\"/tmp\", 4096");
	begin(ABI_X86_64, NR_getxattr, 6, 0x1000, 0x2000, 0x3000, 0);
	capture(0, "f", 1);
	capture(1, "user.a", 6);
	capture(2, "stale", 5);
	assert_string_equal(as_text(), "\"f\", \"user.a\", 0x3000, 0");
}

static void test_iovecs(void **state)
{
	const uint64_t v[4] = { 0x5000, 3, 0x6000, 100 };

	(void)state;
	begin(ABI_X86_64, NR_writev, 103, 1, 0x1000, 2, 0);
	capture(1, v, sizeof(v));
	capture_part(1, 1, 0, "abc", 3, 3, 0);
	capture_part(1, 1, 1, "defg", 4, 100, CT_CAP_CUT);
	assert_string_equal(as_text(), "1, [{iov_base=\"abc\", iov_len=3}, {iov_base=\"defg\"..., iov_len=100}], 2");
	/* Data that could not be read; fewer elements than the count claims. */
	begin(ABI_X86_64, NR_writev, -14, 1, 0x1000, UINT64_MAX, 0);
	capture(1, v, sizeof(v) - 1);
	assert_string_equal(as_text(), "1, [{iov_base=0x5000, iov_len=3}, ... /* 0x1010 */], 18446744073709551615");
	begin(ABI_X86_64, NR_readv, 4, 1, 0x1000, 2, 0);
	capture(1, v, sizeof(v));
	capture_part(1, 1, 0, "abcXX", 5, 5, 0);
	capture_part(1, 1, 1, "dXX", 3, 100, CT_CAP_CUT);
	assert_string_equal(as_text(), "1, [{iov_base=\"abc\", iov_len=3}, {iov_base=\"d\", iov_len=100}], 2");
	begin(ABI_X86_64, NR_writev, 0, 1, 0x1000, 0, 0);
	assert_string_equal(as_text(), "1, [], 0");
}

static void test_structures(void **state)
{
	unsigned char st[144] = { 0 };
	uint32_t mode = 0100644;
	int64_t size = 169;
	const int64_t times[4] = { 0, (1 << 30) - 1, 0, (1 << 30) - 2 };
	const int fds[2] = { 3, 4 };

	(void)state;
	memcpy(st + 24, &mode, sizeof(mode));
	memcpy(st + 48, &size, sizeof(size));
	begin(ABI_X86_64, NR_stat, 0, 0x1000, 0x2000, 0, 0);
	capture(0, "f", 1);
	capture(1, st, sizeof(st));
	assert_string_equal(as_text(), "\"f\", {st_mode=S_IFREG|0644, st_size=169, ...}");
	check_json("{\"pathname\":\"f\",\"statbuf\":{\"st_mode\":\"S_IFREG|0644\",\"st_size\":169}}");
	/* One byte short of the structure. */
	begin(ABI_X86_64, NR_stat, 0, 0x1000, 0x2000, 0, 0);
	capture(0, "f", 1);
	capture(1, st, sizeof(st) - 1);
	assert_string_equal(as_text(), "\"f\", 0x2000");
	begin(ABI_X86_64, NR_utimensat, 0, 0xffffff9c, 0x1000, 0x2000, 0);
	capture(1, "f", 1);
	capture(2, times, sizeof(times));
	assert_string_equal(as_text(), "AT_FDCWD, \"f\", [UTIME_NOW, UTIME_OMIT], 0");
	begin(ABI_X86_64, NR_pipe2, 0, 0x1000, 02000000, 0, 0);
	capture(0, fds, sizeof(fds));
	assert_string_equal(as_text(), "[3, 4], O_CLOEXEC");
	check_json("{\"pipefd\":[3,4],\"flags\":[\"O_CLOEXEC\"]}");
	begin(ABI_X86_64, NR_sendfile, 5, 4, 3, 0x1000, 5);
	capture_part(2, 0, 0, &(int64_t){ 2 }, 8, 8, 0);
	capture_part(2, 1, 0, &(int64_t){ 7 }, 8, 8, CT_CAP_AT_EXIT);
	assert_string_equal(as_text(), "4, 3, [2 => 7], 5");
	check_json("{\"out_fd\":4,\"in_fd\":3,\"offset\":[{\"in\":2,\"out\":7}],\"count\":5}");
}

/* Directory records whose lengths lie end the list and never lead outside. */
static void test_dirents(void **state)
{
	unsigned char d[64] = { 0 };
	uint16_t reclen;

	(void)state;
	reclen = 24;
	memcpy(d + 16, &reclen, 2);
	strcpy((char *)d + 19, ".");
	memcpy(d + 24 + 16, &reclen, 2);
	begin(ABI_X86_64, NR_getdents64, 48, 3, 0x1000, 32768, 0);
	capture(1, d, 48);
	assert_string_equal(as_text(), "3, 0x1000 /* 2 entries */, 32768");
	for (unsigned lie = 0; lie < 65536; lie += lie < 80 ? 1 : 777) {
		reclen = (uint16_t)lie;
		memcpy(d + 24 + 16, &reclen, 2);
		assert_non_null(strstr(as_text(), lie == 24 || (lie > 19 && lie < 24) ? "2 entries" : "1 entries"));
	}
	begin(ABI_X86_64, NR_getdents64, 0, 3, 0x1000, 32768, 0);
	assert_string_equal(as_text(), "3, 0x1000 /* 0 entries */, 32768");
}

static void test_vectors(void **state)
{
	(void)state;
	begin(ABI_X86_64, NR_execve, -2, 0x1000, 0x2000, 0x3000, 0);
	capture(0, "/bin/x", 6);
	capture_part(1, 0, 0, "x", 1, 1, 0);
	capture_part(1, 0, 1, "a b", 3, 3, 0);
	capture_part(1, 1, 0, &(uint32_t){ 2 }, 4, 4, 0);
	capture_part(2, 1, 0, &(uint32_t){ 1 }, 4, 4, 0);
	assert_string_equal(as_text(), "\"/bin/x\", [\"x\", \"a b\"], 0x3000 /* 1 var */");
	check_json("{\"pathname\":\"/bin/x\",\"argv\":[\"x\",\"a b\"],\"envp\":\"0x3000\"}");
	/* More than were copied. */
	capture_part(1, 0, 2, "", 0, 0, CT_CAP_CUT);
	assert_string_equal(as_text(), "\"/bin/x\", [\"x\", \"a b\", ...], 0x3000 /* 1 var */");
	begin(ABI_X86_64, NR_execve, -2, 0x1000, 0x2000, 0x3000, 0);
	capture(0, "/bin/x", 6);
	capture_part(1, 1, 0, &(uint32_t){ 0 }, 4, 4, 0);
	capture_part(2, 1, 0, &(uint32_t){ 20 }, 3, 3, 0);
	assert_string_equal(as_text(), "\"/bin/x\", [], 0x3000");
	begin(ABI_X86_64, NR_execve, -14, 0x1000, 0x8, 0, 0);
	failed(0);
	failed(1);
	assert_string_equal(as_text(), "0x1000, 0x8, NULL");
}

static void test_flags(void **state)
{
	(void)state;
	begin(ABI_X86_64, NR_mmap, 0x7f0000000000, 0, 4096, 3, 0x22);
	call.args[4] = 0xffffffff;
	assert_string_equal(as_text(), "NULL, 4096, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0");
	begin(ABI_X86_64, NR_mmap, -22, 0x1000, 4096, 0, 0x54040004);
	assert_string_equal(as_text(), "0x1000, 4096, PROT_NONE, 0x4 /* MAP_??? */|MAP_HUGETLB|21<<MAP_HUGE_SHIFT, 0, 0");
	begin(ABI_X86_64, NR_open, -22, 0, 0x80000000 | 0x4010000 | 02, 0, 0);
	assert_string_equal(as_text(), "NULL, O_RDWR|O_DIRECTORY|O_EMPTYPATH|0x80000000");
	check_json("{\"pathname\":null,\"flags\":[\"O_RDWR\",\"O_DIRECTORY\",\"O_EMPTYPATH\",\"0x80000000\"]}");
	/* The same bits mean another flag on arm64. */
	begin(ABI_ARM64, 56, 3, 0xffffff9c, 0, 0x4000, 0);
	assert_string_equal(as_text(), "AT_FDCWD, NULL, O_RDONLY|O_DIRECTORY");
	begin(ABI_X86_64, NR_openat, 3, 0xffffff9c, 0, 0x4000, 0);
	assert_string_equal(as_text(), "AT_FDCWD, NULL, O_RDONLY|O_DIRECT");
	begin(ABI_X86_64, NR_lseek, -22, 3, (uint64_t)-5, 77, 0);
	assert_string_equal(as_text(), "3, -5, 0x4d /* SEEK_??? */");
	check_json("{\"fd\":3,\"offset\":-5,\"whence\":\"0x4d\"}");
	begin(ABI_X86_64, NR_mremap, 0x2000, 0x1000, 1, 2, 3);
	call.args[4] = 0x2000;
	assert_string_equal(as_text(), "0x1000, 1, 2, MREMAP_MAYMOVE|MREMAP_FIXED, 0x2000");
	begin(ABI_X86_64, NR_mknod, 0, 0, 0020644, 0x103, 0);
	assert_string_equal(as_text(), "NULL, S_IFCHR|0644, makedev(0x1, 0x3)");
	begin(ABI_X86_64, NR_chown, 0, 0, 0xffffffff, 0, 0);
	assert_string_equal(as_text(), "NULL, -1, 0");
	begin(ABI_X86_64, NR_kill, 0, 0xffffffff, 33, 0, 0);
	assert_string_equal(as_text(), "-1, SIGRT_1");
}

static void test_fcntl(void **state)
{
	unsigned char lock[32] = { 1 };

	(void)state;
	begin(ABI_X86_64, NR_fcntl, 0x8002, 3, 3, 0, 0);
	assert_string_equal(as_text(), "3, F_GETFL");
	assert_string_equal(text_detail(), "flags O_RDWR|O_LARGEFILE");
	assert_int_equal(call_ret_kind(&call), RET_HEX);
	begin(ABI_X86_64, NR_fcntl, 0, 3, 1, 0, 0);
	assert_string_equal(as_text(), "3, F_GETFD");
	assert_null(text_detail());
	begin(ABI_X86_64, NR_fcntl, 0, 3, 6, 0x1000, 0);
	capture(2, lock, sizeof(lock));
	assert_string_equal(as_text(), "3, F_SETLK, {l_type=F_WRLCK, l_whence=SEEK_SET, l_start=0, l_len=0}");
	begin(ABI_X86_64, NR_fcntl, 60, 3, 1030, 60, 0);
	assert_string_equal(as_text(), "3, F_DUPFD_CLOEXEC, 60");
	assert_int_equal(call_ret_kind(&call), RET_FD);
}

static void test_i386(void **state)
{
	(void)state;
	/* pread64: the offset is in two registers */
	begin(ABI_I386, 180, -22, 3, 0x1000, 5, 1);
	call.args[4] = 1;
	assert_string_equal(as_text(), "3, 0x1000, 5, 4294967297");
	/* mmap2: in pages */
	begin(ABI_I386, 192, 0xf7000000, 0, 4096, 1, 2);
	call.args[4] = 3;
	call.args[5] = 2;
	assert_string_equal(as_text(), "NULL, 4096, PROT_READ, MAP_PRIVATE, 3, 0x2000");
	/* chown of 16 bits */
	begin(ABI_I386, 182, 0, 0, 65535, 5, 0);
	assert_string_equal(as_text(), "NULL, -1, 5");
	/* A result that looks like an address is an error only from -4095 on, and in 32 bits. */
	begin(ABI_I386, 3, 0xfffffff7, 9, 0, 0, 0);
	assert_int_equal(call_errno(&call), 9);
	begin(ABI_X86_64, NR_read, 0xfffffff7, 9, 0, 0, 0);
	assert_int_equal(call_errno(&call), 0);
	/* Also of a call that never fails by itself: seccomp denied it. */
	begin(ABI_X86_64, NR_getppid, -2, 0, 0, 0, 0);
	assert_int_equal(call_errno(&call), 2);
	begin(ABI_X86_64, NR_read, -4096, 0, 0, 0, 0);
	assert_int_equal(call_errno(&call), 0);
}

static void test_unknown(void **state)
{
	(void)state;
	begin(ABI_X86_64, 9999, -38, 1, 0, 3, 4);
	assert_string_equal(as_text(), "0x1, 0, 0x3, 0x4, 0, 0");
	begin(ABI_ARM, 4, 0, 1, 2, 3, 4);
	assert_string_equal(as_text(), "0x1, 0x2, 0x3, 0x4, 0, 0");
}

static void test_arg_names(void **state)
{
	(void)state;
	begin(ABI_X86_64, NR_read, -9, 99, 0x1000, 5, 0);
	text.arg_names = true;
	assert_string_equal(as_text(), "fd=99, buf=0x1000, count=5");
	text.arg_names = false;
	text.hex = HEX_NON_ASCII;
	begin(ABI_X86_64, NR_write, 1, 1, 0x1000, 3, 0);
	capture(1, "a\n\001", 3);
	assert_string_equal(as_text(), "1, \"\\x61\\x0a\\x01\", 3");
	capture(1, "a\n", 2);
	text.hex = HEX_NONE;
}

/* A generator whose numbers are the same everywhere and each time. */
static uint64_t next_random(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

/*
 * Every call of every ABI with arguments and captures at random, among them
 * such that lie about their lengths: no access outside (this runs under the
 * sanitizers), no control byte in the text, valid JSON.
 */
static void random_call(enum abi abi, uint32_t nr, uint64_t *x, const unsigned char *data)
{
	static const uint64_t small[] = { 0, 1, 2, 8, 16, 32, 33, 0xffffffff, UINT64_MAX };
	uint64_t r = next_random(x);

	begin(abi, nr, r % 3 ? (int64_t)(r >> 32 & 0xff) : -(int64_t)(r >> 32 & 0x1ff), 0, 0, 0, 0);
	if (r >> 50 == 0)
		call.ret = INT64_MAX;
	for (unsigned i = 0; i < CT_ARGS; i++) {
		r = next_random(x);
		call.args[i] = r & 1 ? small[r >> 8 & 7] : r >> (r >> 1 & 63);
		if (abi == ABI_I386)
			call.args[i] = (uint32_t)call.args[i];
	}
	call.flags = next_random(x) & (CT_F_NO_RETURN | CT_F_PAYLOAD_LOST | CT_F_IN_FLIGHT);
	if (next_random(x) & 3)
		call.flags = 0;
	for (unsigned i = 0; i < 24; i++) {
		r = next_random(x);
		capture_part(r % 7, r >> 8 & 3, r >> 16 & 3, data + (r >> 24 & 0xff), (r >> 32) % 257, (uint32_t)(r >> 40),
			     r >> 60);
	}
}

static void test_hostile(void **state)
{
	/* Allocated to its exact size, so that a read beyond it is seen. */
	unsigned char *data = malloc(512);
	uint64_t x = 88172645463325252u;
	const char *p;

	(void)state;
	assert_non_null(data);
	for (unsigned i = 0; i < 512; i++)
		data[i] = next_random(&x) & 1 ? (unsigned char)next_random(&x) : (unsigned char)(next_random(&x) & 3);
	for (enum abi abi = ABI_X86_64; abi < ABI_MAX; abi++)
		for (uint32_t nr = 0; nr < CT_NR_NATIVE; nr++)
			for (unsigned round = 0; round < 20; round++) {
				random_call(abi, nr, &x, data);
				for (p = as_text(); *p; p++)
					assert_true(*p >= ' ' && *p <= '~');
				assert_int_equal(p - out.buf, out.len);
				json_decref(as_object());
			}
	free(data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_pointers),
		cmocka_unit_test(test_buffers),
		cmocka_unit_test(test_iovecs),
		cmocka_unit_test(test_structures),
		cmocka_unit_test(test_dirents),
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_fcntl),
		cmocka_unit_test(test_i386),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_arg_names),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
