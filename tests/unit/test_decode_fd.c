/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_output jansson */
/* File descriptors with what was captured of them, which calls touch a file, and captures that lie. */
#include "decode_both.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "decode/touch.h"

#if defined(__x86_64__)
enum { NR_close = 3, NR_openat = 257, NR_getpid = 39, NR_read = 0 };
#else
enum { NR_close = 57, NR_openat = 56, NR_getpid = 172, NR_read = 63 };
#endif

#define SOCKFS 0x534f434bu
#define PIPEFS 0x50495045u
#define ANON   0x09041934u

/* A capture that is put together: the file, its detail, its names. */
static struct taken {
	char bytes[8192];
	uint32_t len;
} taken[4];
static unsigned n_taken;

static void begin(uint32_t nr, int64_t ret, uint64_t a0, uint64_t a1)
{
	call_begin(ABI_NATIVE, nr, ret, (uint64_t[]){ a0, a1 }, 2);
	opts.fds = FDS_ALL;
	n_taken = 0;
}

static struct capture *file(struct ct_file f, const void *detail, size_t detail_len, const char *names, size_t names_len)
{
	struct taken *t = &taken[n_taken++];
	struct capture *c = &call.captures[call.n_captures++];

	f.detail_len = (uint16_t)((detail_len + 3) & ~3u);
	memset(t, 0, sizeof(*t));
	memcpy(t->bytes, &f, sizeof(f));
	if (detail_len)
		memcpy(t->bytes + sizeof(f), detail, detail_len);
	memcpy(t->bytes + sizeof(f) + f.detail_len, names, names_len);
	t->len = (uint32_t)(sizeof(f) + f.detail_len + names_len);
	*c = (struct capture){ .part = CT_PART_FD, .idx = CT_FD_OWN, .len = t->len, .true_len = t->len, .data = t->bytes };
	return c;
}

#define FILE_OF(names, ...) file((struct ct_file){ __VA_ARGS__ }, NULL, 0, names, sizeof(names))

static void test_path(void **state)
{
	(void)state;
	begin(NR_close, 0, 3, 0);
	FILE_OF("passwd\0etc", .fd = 3, .ino = 7, .mode = S_IFREG | 0644);
	assert_string_equal(as_text(), "3</etc/passwd>");
	assert_string_equal(as_json(), "\"fd\":{\"fd\":3,\"kind\":\"file\",\"inode\":7,\"path\":\"/etc/passwd\"}");
	opts.fds = FDS_SOCKET;
	assert_string_equal(as_text(), "3");
	assert_string_equal(as_json(), "\"fd\":3");
	opts.fds = FDS_ALL;
	/* Of another descriptor, it says nothing of this one. */
	call.args[0] = 4;
	assert_string_equal(as_text(), "4");
	begin(NR_close, 0, 3, 0);
	FILE_OF("a<b>\"\\\n\0d", .fd = 3, .mode = S_IFDIR, .flags = CT_FILE_DELETED);
	assert_string_equal(as_text(), "3</d/a\\74b\\76\\\"\\\\\\n>(deleted)");
	begin(NR_close, 0, 3, 0);
	file((struct ct_file){ .fd = 3, .mode = S_IFDIR }, NULL, 0, "", 0);
	assert_string_equal(as_text(), "3</>");
}

/* An inode number may need all its bits, JSON's numbers have 53. */
static void test_large_inode(void **state)
{
	(void)state;
	begin(NR_close, 0, 3, 0);
	FILE_OF("f", .fd = 3, .ino = UINT64_MAX, .mode = S_IFREG);
	assert_string_equal(as_json(), "\"fd\":{\"fd\":3,\"kind\":\"file\",\"inode\":\"18446744073709551615\",\"path\":\"/f\"}");
}

static void test_cwd(void **state)
{
	(void)state;
	begin(NR_openat, -2, (uint32_t)AT_FDCWD, 0);
	FILE_OF("sub", .fd = CT_FD_CWD, .ino = 7, .mode = S_IFDIR, .flags = CT_FILE_DELETED);
	assert_string_equal(as_text(), "AT_FDCWD</sub (deleted)>, NULL, O_RDONLY");
	/* -100 is no directory for close. */
	begin(NR_close, -9, (uint32_t)AT_FDCWD, 0);
	FILE_OF("sub", .fd = CT_FD_CWD, .mode = S_IFDIR);
	assert_string_equal(as_text(), "-100");
}

/* Which of two files a number meant: the one when the call began. */
static void test_moments(void **state)
{
	struct capture *c;
	struct fd_view view;

	(void)state;
	begin(NR_openat, 3, 3, 0);
	FILE_OF("before", .fd = 3, .mode = S_IFDIR);
	c = FILE_OF("after", .fd = 3, .mode = S_IFREG);
	c->idx = CT_FD_RESULT;
	c->flags = CT_CAP_AT_EXIT;
	assert_string_equal(as_text(), "3</before>, NULL, O_RDONLY");
	assert_non_null(call_result_fd(&call, &opts, &view));
	assert_int_equal(view.fd.path_len, 6);
	assert_memory_equal(view.fd.path, "/after", 6);
	call.ret = -2;
	assert_null(call_result_fd(&call, &opts, &view));
	call.ret = 3;
	call.flags = CT_F_NO_RETURN;
	assert_null(call_result_fd(&call, &opts, &view));
	/* One of another process is none of ours. */
	begin(NR_close, 0, 3, 0);
	FILE_OF("theirs", .fd = 3, .mode = S_IFREG)->idx = CT_FD_OTHERS;
	assert_string_equal(as_text(), "3");
}

static void test_details(void **state)
{
	const struct ct_file_socket tcp = {
		.family = AF_INET, .port = 80, .peer_port = 1234, .address = { 0x0100007f }, .peer_address = { 0x0200007f },
	};
	struct ct_file_socket local = { .family = AF_UNIX, .has_peer = 1, .peer = 8, .path_len = 3 };
	const struct ct_file_eventfd eventfd = { 3, 9, 1 };
	const struct ct_file_signalfd signals = { 1 << 9 };
	char with_path[sizeof(local) + 3];

	(void)state;
	begin(NR_close, 0, 3, 0);
	file((struct ct_file){ .fd = 3, .ino = 7, .mode = S_IFSOCK, .magic = SOCKFS, .flags = CT_FILE_NAMELESS, .detail = CT_FILE_SOCKET },
	     &tcp, sizeof(tcp), "TCP", 4);
	assert_string_equal(as_text(), "3<TCP:[127.0.0.1:80->127.0.0.2:1234]>");
	assert_string_equal(as_json(), "\"fd\":{\"fd\":3,\"kind\":\"socket\",\"inode\":7,\"path\":\"socket:[7]\",\"protocol\":\"TCP\","
				       "\"local\":{\"address\":\"127.0.0.1\",\"port\":80},\"peer\":{\"address\":\"127.0.0.2\",\"port\":1234}}");
	opts.fds = FDS_PATH;
	assert_string_equal(as_text(), "3<socket:[7]>");
	opts.fds = FDS_ALL;
	/* A name with a zero first is no path. */
	memcpy(with_path, &local, sizeof(local));
	memcpy(with_path + sizeof(local), "\0ab", 3);
	begin(NR_close, 0, 3, 0);
	file((struct ct_file){ .fd = 3, .ino = 7, .mode = S_IFSOCK, .magic = SOCKFS, .flags = CT_FILE_NAMELESS, .detail = CT_FILE_SOCKET },
	     with_path, sizeof(with_path), "UNIX-STREAM", 12);
	assert_string_equal(as_text(), "3<UNIX-STREAM:[7->8,@\"ab\"]>");
	begin(NR_close, 0, 3, 0);
	file((struct ct_file){ .fd = 3, .magic = ANON, .flags = CT_FILE_NAMELESS, .detail = CT_FILE_EVENTFD }, &eventfd, sizeof(eventfd), "[eventfd]", 10);
	assert_string_equal(as_text(), "3<{eventfd-count=0x3, eventfd-id=9, eventfd-semaphore=1}>");
	begin(NR_close, 0, 3, 0);
	file((struct ct_file){ .fd = 3, .magic = ANON, .flags = CT_FILE_NAMELESS, .detail = CT_FILE_SIGNALFD }, &signals, sizeof(signals), "[signalfd]", 11);
	assert_string_equal(as_text(), "3<signalfd:[USR1]>");
	begin(NR_close, 0, 3, 0);
	FILE_OF("null\0dev", .fd = 3, .mode = S_IFCHR, .rdev = 1 << 20 | 3);
	assert_string_equal(as_text(), "3</dev/null<char 1:3>>");
	begin(NR_close, 0, 3, 0);
	FILE_OF("", .fd = 3, .ino = 12, .mode = S_IFIFO, .magic = PIPEFS, .flags = CT_FILE_NAMELESS);
	assert_string_equal(as_text(), "3<pipe:[12]>");
}

/* Cut at every length, with a detail longer than the capture, of kinds that do not fit: the number is told in any case. */
static void test_lies(void **state)
{
	const struct ct_file_socket unbelievable = { .family = AF_UNIX, .path_len = UINT16_MAX, .has_peer = 1 };
	static char deep[CT_PATH_ROOM * 2];
	struct capture *c;
	struct ct_file f;

	(void)state;
	for (unsigned detail = 0; detail < 256; detail++) {
		begin(NR_close, 0, 3, 0);
		c = file((struct ct_file){ .fd = 3, .mode = S_IFSOCK, .magic = detail % 2 ? SOCKFS : ANON, .flags = (uint8_t)(detail % 8), .detail = (uint8_t)(detail % 7) },
			 &unbelievable, detail % 3 ? sizeof(unbelievable) : 8, "UNIX\0x", 7);
		if (detail > 128) {
			memcpy(&f, c->data, sizeof(f));
			f.detail_len = (uint16_t)(detail * 257);
			memcpy(taken[0].bytes, &f, sizeof(f));
		}
		for (uint32_t len = 0; len <= taken[0].len; len++) {
			char *copy = test_malloc(len ? len : 1);

			memcpy(copy, taken[0].bytes, len);
			c->data = copy;
			c->len = len;
			assert_true(as_text()[0] == '3');
			assert_true(strstr(as_json(), "\"fd\":") != NULL);
			test_free(copy);
		}
	}
	/* More names than a path has room for, and names without an end. */
	memset(deep, 'x', sizeof(deep));
	for (size_t i = 1; i < 7000; i += 2)
		deep[i] = '\0';
	begin(NR_close, 0, 3, 0);
	file((struct ct_file){ .fd = 3, .mode = S_IFREG }, NULL, 0, deep, 7000);
	assert_true(strlen(as_text()) < CT_PATH_ROOM + 16);
	begin(NR_close, 0, 3, 0);
	file((struct ct_file){ .fd = 3, .mode = S_IFREG }, NULL, 0, "no end", 6);
	assert_string_equal(as_text(), "3</>");
	begin(NR_close, 0, 3, 0);
	FILE_OF("f", .fd = 3)->flags = CT_CAP_FAILED;
	assert_string_equal(as_text(), "3");
}

static struct touch touching(const char *const *paths, size_t n)
{
	struct touch t = { 0 };

	for (size_t i = 0; i < n; i++)
		assert_int_equal(touch_add_path(&t, paths[i]), 0);
	return t;
}

static void test_touch_paths(void **state)
{
	static const char *const paths[] = { "/etc/passwd", "link" };
	struct touch t = touching(paths, 2);
	struct capture *c;

	(void)state;
	assert_true(touch_asks(&t));
	begin(NR_close, 0, 3, 0);
	assert_false(call_touches(&call, &t));
	c = FILE_OF("passwd\0etc", .fd = 3, .mode = S_IFREG);
	assert_true(call_touches(&call, &t));
	/* What a call returns, or leaves, says nothing; nor does a path that is not whole. */
	c->flags = CT_CAP_AT_EXIT;
	assert_false(call_touches(&call, &t));
	c->flags = CT_CAP_AT_EXIT | CT_CAP_RETRIED;
	assert_true(call_touches(&call, &t));
	c->flags = 0;
	c->idx = CT_FD_OTHERS;
	assert_false(call_touches(&call, &t));
	begin(NR_close, 0, 3, 0);
	FILE_OF("passwd\0etc", .fd = 3, .mode = S_IFREG, .flags = CT_FILE_CUT);
	assert_false(call_touches(&call, &t));
	begin(NR_close, 0, 3, 0);
	FILE_OF("passwd2\0etc", .fd = 3, .mode = S_IFREG);
	assert_false(call_touches(&call, &t));
	/* A descriptor that is in memory, or no argument of that kind. */
	begin(NR_close, 0, 4, 0);
	FILE_OF("passwd\0etc", .fd = 3, .mode = S_IFREG);
	assert_false(call_touches(&call, &t));
	/* A path argument, as it stands. */
	begin(NR_openat, -2, 3, 1);
	call.captures[call.n_captures++] = (struct capture){ .arg = 1, .len = 4, .true_len = 4, .data = "link" };
	assert_true(call_touches(&call, &t));
	call.captures[0].flags = CT_CAP_CUT;
	assert_false(call_touches(&call, &t));
	call.captures[0].flags = 0;
	call.captures[0].data = "lonk";
	assert_false(call_touches(&call, &t));
	assert_int_equal(touch_add_resolved(&t, "lonk"), 1);
	assert_int_equal(touch_add_resolved(&t, "lonk"), 0);
	assert_int_equal(touch_add_resolved(&t, "/etc/passwd"), 0);
	assert_true(call_touches(&call, &t));
	/* Calls of no file. */
	call.nr = NR_getpid;
	assert_false(call_touches(&call, &t));
	call.nr = 9999;
	assert_false(call_touches(&call, &t));
	touch_done(&t);
}

static void test_touch_fds(void **state)
{
	struct touch t = { 0 };
	const char *bad;

	(void)state;
	assert_int_equal(fd_set_parse("3,5", &t.fds, &bad), 0);
	begin(NR_close, 0, 3, 0);
	assert_true(call_touches(&call, &t));
	begin(NR_close, 0, 4, 0);
	assert_false(call_touches(&call, &t));
	assert_int_equal(fd_set_parse("!3", &t.fds, &bad), 0);
	assert_true(call_touches(&call, &t));
	begin(NR_close, 0, (uint32_t)-1, 0);
	assert_false(call_touches(&call, &t));
	assert_int_equal(fd_set_parse("1,x", &t.fds, &bad), -22);
	assert_string_equal(bad, "x");
	assert_int_equal(fd_set_parse("4294967296", &t.fds, &bad), -22);
	assert_int_equal(fd_set_parse("none", &t.fds, &bad), 0);
	begin(NR_close, 0, 3, 0);
	assert_false(call_touches(&call, &t));
	assert_int_equal(fd_set_parse("all", &t.fds, &bad), 0);
	assert_true(call_touches(&call, &t));
	touch_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_path), cmocka_unit_test(test_large_inode), cmocka_unit_test(test_cwd), cmocka_unit_test(test_moments),
		cmocka_unit_test(test_details), cmocka_unit_test(test_lies), cmocka_unit_test(test_touch_paths), cmocka_unit_test(test_touch_fds),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
