/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_session */
/* --names: answers of name servers and /etc/hosts, of good will and of bad. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "output/emit_json.h"
#include "output/emit_text.h"
#include "session/dns.h"
#include "session/hosts.h"
#include "session/names.h"

/* --- messages made by hand --- */

struct message {
	uint8_t v[4096];
	size_t len;
};

static void put(struct message *m, const void *bytes, size_t len)
{
	assert_true(len <= sizeof(m->v) - m->len);
	memcpy(m->v + m->len, bytes, len);
	m->len += len;
}

static void put16(struct message *m, unsigned v)
{
	put(m, (uint8_t[]){ (uint8_t)(v >> 8), (uint8_t)v }, 2);
}

static void put32(struct message *m, uint32_t v)
{
	put16(m, v >> 16);
	put16(m, v & 0xffff);
}

/* a.b as labels. */
static void put_name(struct message *m, const char *name)
{
	while (*name) {
		uint8_t n = (uint8_t)strcspn(name, ".");

		put(m, &n, 1);
		put(m, name, n);
		name += n + (name[n] == '.');
	}
	put(m, "", 1);
}

#define A     1u
#define CNAME 5u
#define AAAA  28u
#define QUESTION 12u            /* where its name is */

static struct message begin(unsigned flags, unsigned answers, const char *name, unsigned type)
{
	struct message m = { .len = 0 };

	put16(&m, 0x1234);
	put16(&m, flags);
	put16(&m, 1);
	put16(&m, answers);
	put32(&m, 0);
	put_name(&m, name);
	put16(&m, type);
	put16(&m, 1);
	return m;
}

/* A record: its owner by name, or by the place of one. */
static void put_owner(struct message *m, const char *owner, unsigned at)
{
	if (owner)
		put_name(m, owner);
	else
		put16(m, 0xc000 | at);
}

static void put_address(struct message *m, const char *owner, unsigned at, const char *address, uint32_t ttl)
{
	bool six = strchr(address, ':');
	uint8_t bytes[16];

	assert_int_equal(inet_pton(six ? AF_INET6 : AF_INET, address, bytes), 1);
	put_owner(m, owner, at);
	put16(m, six ? AAAA : A);
	put16(m, 1);
	put32(m, ttl);
	put16(m, six ? 16 : 4);
	put(m, bytes, six ? 16 : 4);
}

static void put_alias(struct message *m, const char *owner, unsigned at, const char *to)
{
	struct message name = { .len = 0 };

	put_name(&name, to);
	put_owner(m, owner, at);
	put16(m, CNAME);
	put16(m, 1);
	put32(m, 60);
	put16(m, (unsigned)name.len);
	put(m, name.v, name.len);
}

/* --- what is found in them --- */

static char told[8192];

static void tell(void *data, const char *name, const uint8_t *address, size_t len, uint32_t ttl)
{
	char text[INET6_ADDRSTRLEN];
	size_t at = strlen(told);

	assert_ptr_equal(data, told);
	assert_non_null(inet_ntop(len == 4 ? AF_INET : AF_INET6, address, text, sizeof(text)));
	snprintf(told + at, sizeof(told) - at, "%s=%s/%u ", text, name, ttl);
}

static int read_message(const struct message *m)
{
	/* Of just that size, so that the sanitizers see a byte beyond. */
	uint8_t *copy = test_malloc(m->len ? m->len : 1);
	int r;

	memcpy(copy, m->v, m->len);
	told[0] = '\0';
	r = dns_addresses(copy, m->len, tell, told);
	test_free(copy);
	return r;
}

#define GOOD 0x8180u            /* an answer, without error */

static void test_good(void **state)
{
	struct message m = begin(GOOD, 2, "Db.Internal", A);

	(void)state;
	put_address(&m, NULL, QUESTION, "10.0.0.7", 300);
	put_address(&m, "db.internal", 0, "10.0.0.8", 0);
	assert_int_equal(read_message(&m), 2);
	assert_string_equal(told, "10.0.0.7=db.internal/300 10.0.0.8=db.internal/0 ");
	m = begin(GOOD, 1, "db.internal", AAAA);
	put_address(&m, NULL, QUESTION, "2001:db8::7", 5);
	assert_int_equal(read_message(&m), 1);
	assert_string_equal(told, "2001:db8::7=db.internal/5 ");
}

static void test_aliases(void **state)
{
	struct message m = begin(GOOD, 4, "www.example.com", A);

	(void)state;
	put_alias(&m, NULL, QUESTION, "lb.example.net");
	put_alias(&m, "LB.example.net", 0, "node7.example.net");
	put_address(&m, "node7.example.net", 0, "192.0.2.7", 60);
	/* Nobody asked for that. */
	put_address(&m, "bank.example.org", 0, "192.0.2.66", 60);
	assert_int_equal(read_message(&m), 1);
	assert_string_equal(told, "192.0.2.7=www.example.com/60 ");
	/* In the wrong order. */
	m = begin(GOOD, 3, "www.example.com", A);
	put_address(&m, "node7.example.net", 0, "192.0.2.7", 60);
	put_alias(&m, "lb.example.net", 0, "node7.example.net");
	put_alias(&m, NULL, QUESTION, "lb.example.net");
	assert_int_equal(read_message(&m), 1);
	assert_string_equal(told, "192.0.2.7=www.example.com/60 ");
	/* In a circle. */
	m = begin(GOOD, 3, "a.example", A);
	put_alias(&m, NULL, QUESTION, "b.example");
	put_alias(&m, "b.example", 0, "a.example");
	put_address(&m, "b.example", 0, "192.0.2.8", 60);
	assert_int_equal(read_message(&m), 1);
	assert_string_equal(told, "192.0.2.8=a.example/60 ");
}

static void test_no_answer(void **state)
{
	struct message m = begin(0x0100, 1, "db.internal", A);

	(void)state;
	put_address(&m, NULL, QUESTION, "10.0.0.7", 300);
	assert_int_equal(read_message(&m), 0);          /* a question */
	m.v[2] = 0x81;
	assert_int_equal(read_message(&m), 1);
	m.v[3] = 0x83;
	assert_int_equal(read_message(&m), 0);          /* no such name */
	m.v[3] = 0x80;
	m.v[2] = 0xa8;
	assert_int_equal(read_message(&m), 0);          /* an update */
	m.v[2] = 0x81;
	m.v[5] = 0;
	assert_true(read_message(&m) <= 0);             /* without a question */
}

static void test_names_of_bytes(void **state)
{
	struct message m = { .len = 0 };

	(void)state;
	put(&m, "\x12\x34\x81\x80\0\1\0\1\0\0\0\0" "\6\33[0m*/\3a.b\0\0\1\0\1", 12 + 12 + 4);
	put_address(&m, NULL, QUESTION, "10.0.0.7", 1);
	assert_int_equal(read_message(&m), 1);
	assert_string_equal(told, "10.0.0.7=\\027[0m*/.a\\.b/1 ");
	/* The root. */
	m = (struct message){ .len = 0 };
	put(&m, "\x12\x34\x81\x80\0\1\0\1\0\0\0\0" "\0\0\1\0\1", 12 + 5);
	put_address(&m, NULL, QUESTION, "10.0.0.7", 1);
	assert_int_equal(read_message(&m), 1);
	assert_string_equal(told, "10.0.0.7=./1 ");
}

static void test_hostile(void **state)
{
	struct message good = begin(GOOD, 2, "www.example.com", A), m;

	(void)state;
	put_alias(&good, NULL, QUESTION, "lb.example.net");
	put_address(&good, "lb.example.net", 0, "192.0.2.7", 60);
	for (size_t len = 0; len < good.len; len++) {
		m = good;
		m.len = len;
		assert_int_equal(read_message(&m), -EBADMSG);
	}
	/* Each byte in turn as anything. */
	for (size_t i = 0; i < good.len; i++) {
		for (unsigned v = 0; v < 256; v++) {
			m = good;
			m.v[i] = (uint8_t)v;
			assert_true(read_message(&m) <= 2);
		}
	}
	/* More records than there are. */
	m = good;
	m.v[6] = m.v[7] = 0xff;
	assert_int_equal(read_message(&m), -EBADMSG);
	/* A name that leads to itself, behind itself, and to another that leads back. */
	m = good;
	memcpy(m.v + QUESTION, "\xc0\x0c", 2);
	assert_int_equal(read_message(&m), -EBADMSG);
	memcpy(m.v + QUESTION, "\xff\xff", 2);
	assert_int_equal(read_message(&m), -EBADMSG);
	memcpy(m.v + QUESTION, "\1a\xc0\x0c", 4);
	assert_int_equal(read_message(&m), -EBADMSG);
	memcpy(m.v + QUESTION, "\xc0\x0e\xc0\x0c", 4);
	assert_int_equal(read_message(&m), -EBADMSG);
}

/* An address whose length is not that of one. */
static void test_lengths(void **state)
{
	struct message m = begin(GOOD, 1, "a", A);
	size_t at;

	(void)state;
	put_address(&m, NULL, QUESTION, "192.0.2.7", 60);
	at = m.len - 6;
	m.v[at + 1] = 3;
	m.len--;
	assert_int_equal(read_message(&m), 0);
	m.v[at + 1] = 0;
	m.len -= 3;
	assert_int_equal(read_message(&m), 0);
	m.v[at] = 0xff;
	assert_int_equal(read_message(&m), -EBADMSG);
}

static void test_many(void **state)
{
	struct message m = begin(GOOD, 250, "a", A);

	(void)state;
	for (unsigned i = 0; i < 250; i++)
		put_address(&m, NULL, QUESTION, "192.0.2.7", 60);
	assert_int_equal(read_message(&m), 250);
}

static void test_stream(void **state)
{
	struct message m = begin(GOOD, 1, "db.internal", A), s = { .len = 0 };

	(void)state;
	put_address(&m, NULL, QUESTION, "10.0.0.7", 300);
	told[0] = '\0';
	assert_int_equal(dns_addresses_stream(m.v, m.len, tell, told), 1);
	put16(&s, (unsigned)m.len);
	put(&s, m.v, m.len);
	put(&s, "\0\50abc", 5);
	assert_int_equal(dns_addresses_stream(s.v, s.len, tell, told), 1);
	assert_string_equal(told, "10.0.0.7=db.internal/300 10.0.0.7=db.internal/300 ");
	assert_int_equal(dns_addresses_stream(s.v, 2, tell, told), -EBADMSG);
	assert_int_equal(dns_addresses_stream(s.v, m.len, tell, told), -EBADMSG);
	assert_int_equal(dns_addresses_stream(s.v, 0, tell, told), -EBADMSG);
}

/* --- /etc/hosts --- */

static const char *name_in(const char *text, size_t len, const char *address)
{
	static char name[300];
	struct hosts *h = hosts_parse(text, len);
	uint8_t full[16] = { [10] = 0xff, [11] = 0xff };
	const char *found;

	assert_non_null(h);
	assert_true(inet_pton(AF_INET, address, full + 12) == 1 || inet_pton(AF_INET6, address, full) == 1);
	found = hosts_name(h, full);
	snprintf(name, sizeof(name), "%s", found ? found : "-");
	hosts_free(h);
	return name;
}

#define HOSTS(text, address, name) assert_string_equal(name_in(text, sizeof(text) - 1, address), name)

static void test_hosts(void **state)
{
	static const char file[] = "# comment\n127.0.0.1\tlocalhost other\n\n  10.0.0.7 db.internal db # the database\r\n::1 six\n10.0.0.7 second\n"
				   "10.0.0.9 #none\n10.0.0.10\n1.2.3 short\n300.0.0.1 large\nfe80::1%eth0 scoped\n10.0.0.12 end";

	(void)state;
	HOSTS(file, "127.0.0.1", "localhost");
	HOSTS(file, "10.0.0.7", "db.internal");
	HOSTS(file, "::1", "six");
	HOSTS(file, "::ffff:10.0.0.7", "db.internal");
	HOSTS(file, "10.0.0.9", "-");
	HOSTS(file, "10.0.0.10", "-");
	HOSTS(file, "fe80::1", "-");
	HOSTS(file, "10.0.0.12", "end");
	HOSTS("", "10.0.0.12", "-");
	HOSTS("\n", "10.0.0.12", "-");
	HOSTS("10.0.0.1 a\0b\n10.0.0.2 c", "10.0.0.1", "-");
	HOSTS("10.0.0.1 a\0b\n10.0.0.2 c", "10.0.0.2", "c");
	HOSTS("10.0.0.1 \33[31m*/\xff\r\n", "10.0.0.1", "\33[31m*/\xff");
}

static void test_hosts_size(void **state)
{
	size_t len = HOSTS_MAX;
	char *text = test_malloc(len);

	(void)state;
	memset(text, 'x', len);
	memcpy(text, "10.0.0.1 ", 9);
	assert_string_equal(name_in(text, len, "10.0.0.1"), "-");
	assert_string_equal(name_in(text, 9 + 255, "10.0.0.1") + 250, "xxxxx");
	assert_string_equal(name_in(text, 9 + 256, "10.0.0.1"), "-");
	/* More lines than are kept. */
	for (size_t i = 0; i < len; i++)
		text[i] = "1.1.1.1 a\n"[i % 10];
	assert_string_equal(name_in(text, len, "1.1.1.1"), "a");
	test_free(text);
}

/* --- calls --- */

static struct call call;
static struct ct_sock_id id;
static struct peer_names *names;

enum { NR_read = 0, NR_readv = 19, NR_connect = 42, NR_recvfrom = 45, NR_recvmsg = 47, NR_recvmmsg = 299 };

static struct capture *capture(unsigned arg, unsigned part, unsigned idx, const void *data, size_t len)
{
	struct capture *c = &call.captures[call.n_captures++];

	*c = (struct capture){ .arg = (uint8_t)arg, .part = (uint8_t)part, .idx = (uint16_t)idx, .len = (uint32_t)len, .true_len = (uint32_t)len,
			       .data = data };
	return c;
}

static void make(uint32_t nr, int64_t ret, uint16_t port)
{
	memset(&call, 0, sizeof(call));
	call.abi = ABI_X86_64;
	call.nr = nr;
	call.ret = ret;
	call.enter = call.exit = 1000;
	call.task.target = CT_NO_TARGET;
	for (unsigned i = 1; i < CT_ARGS; i++)
		call.args[i] = 0x7000;
	id = (struct ct_sock_id){ .family = AF_INET, .type = SOCK_DGRAM, .protocol = 17, .netns = 77, .peer_port = port };
	capture(0, 0, 0, &id, sizeof(id));
}

static const char *learned(uint32_t netns, const char *address)
{
	uint8_t bytes[16];
	bool six = strchr(address, ':');
	const char *name;

	inet_pton(six ? AF_INET6 : AF_INET, address, bytes);
	name = names->name(names, &call, netns, bytes, six ? 16 : 4);
	return name ? name : "-";
}

static struct message answer(const char *name, const char *address, uint32_t ttl)
{
	struct message m = begin(GOOD, 1, name, A);

	put_address(&m, NULL, QUESTION, address, ttl);
	return m;
}

static void test_learn(void **state)
{
	struct message m = answer("db.internal", "10.0.0.7", 7200);

	(void)state;
	names = peer_names_new();
	make(NR_read, (int64_t)m.len, 53);
	capture(1, 0, 0, m.v, m.len);
	peer_names_learn(names, &call);
	assert_string_equal(learned(77, "10.0.0.7"), "db.internal");
	assert_string_equal(learned(77, "::ffff:10.0.0.7"), "db.internal");
	assert_string_equal(learned(78, "10.0.0.7"), "-");
	assert_string_equal(learned(0, "10.0.0.7"), "-");
	assert_string_equal(learned(77, "10.0.0.8"), "-");
	/* As long as it counts. */
	call.enter += 7200 * 1000000000ull;
	assert_string_equal(learned(77, "10.0.0.7"), "db.internal");
	call.enter++;
	assert_string_equal(learned(77, "10.0.0.7"), "-");
	/* The last answer is right. */
	m = answer("web.internal", "10.0.0.7", 0);
	make(NR_readv, (int64_t)m.len, 53);
	capture(1, 1, 0, m.v, m.len);
	peer_names_learn(names, &call);
	assert_string_equal(learned(77, "10.0.0.7"), "web.internal");
	peer_names_free(names);
}

/* From whom it came decides. */
static void test_whose(void **state)
{
	struct message m = answer("a", "10.0.0.1", 1);
	struct sockaddr_in from = { .sin_family = AF_INET, .sin_port = htons(53) };

	(void)state;
	names = peer_names_new();
	make(NR_recvfrom, (int64_t)m.len, 0);
	capture(1, 0, 0, m.v, m.len);
	peer_names_learn(names, &call);
	assert_string_equal(learned(77, "10.0.0.1"), "-");
	capture(4, 0, 0, &from, sizeof(from));
	from.sin_port = htons(54);
	peer_names_learn(names, &call);
	assert_string_equal(learned(77, "10.0.0.1"), "-");
	from.sin_port = htons(53);
	call.ret = -11;
	peer_names_learn(names, &call);
	assert_string_equal(learned(77, "10.0.0.1"), "-");
	call.ret = (int64_t)m.len;
	id.family = AF_UNIX;
	peer_names_learn(names, &call);
	assert_string_equal(learned(77, "10.0.0.1"), "-");
	id.family = AF_INET;
	call.captures[2].len = 3;
	peer_names_learn(names, &call);
	assert_string_equal(learned(77, "10.0.0.1"), "-");
	call.captures[2].len = sizeof(from);
	peer_names_learn(names, &call);
	assert_string_equal(learned(77, "10.0.0.1"), "a");
	peer_names_free(names);
}

static void test_messages(void **state)
{
	struct message m = answer("a", "10.0.0.1", 1), n = answer("b", "10.0.0.2", 1);
	struct sockaddr_in from = { .sin_family = AF_INET, .sin_port = htons(53) };
	uint8_t headers[2 * 64] = { 0 };

	(void)state;
	names = peer_names_new();
	make(NR_recvmsg, (int64_t)m.len, 0);
	capture(1, 2, 0, &from, sizeof(from));
	capture(1, 4, 0, m.v, m.len);
	peer_names_learn(names, &call);
	assert_string_equal(learned(77, "10.0.0.1"), "a");
	/* Of an array the second has its data behind the two buffers of the first. */
	make(NR_recvmmsg, 2, 53);
	headers[24] = 2;
	headers[56] = 5;
	headers[64 + 24] = 1;
	headers[64 + 56] = (uint8_t)n.len;
	capture(1, 1, 0, headers, sizeof(headers));
	capture(1, 4, 0, "short", 5);
	capture(1, 4, 2, n.v, n.len);
	peer_names_learn(names, &call);
	assert_string_equal(learned(77, "10.0.0.2"), "b");
	/* A number of messages that are not there. */
	call.ret = INT64_MAX;
	memset(headers, 0xff, sizeof(headers));
	peer_names_learn(names, &call);
	call.captures[1].len = 70;
	peer_names_learn(names, &call);
	peer_names_free(names);
}

/* One namespace's names do not drive out another's. */
static void test_bounds(void **state)
{
	struct message m = answer("kept", "10.0.0.1", 1);

	(void)state;
	names = peer_names_new();
	make(NR_read, (int64_t)m.len, 53);
	capture(1, 0, 0, m.v, m.len);
	peer_names_learn(names, &call);
	id.netns = 78;
	for (unsigned i = 0; i < 20000; i++) {
		char address[32];

		snprintf(address, sizeof(address), "11.0.%u.%u", i >> 8, i & 255);
		m = answer("made-up", address, 1);
		call.ret = (int64_t)m.len;
		call.captures[1].len = (uint32_t)m.len;
		peer_names_learn(names, &call);
	}
	assert_string_equal(learned(78, "11.0.78.31"), "made-up");
	assert_string_equal(learned(77, "10.0.0.1"), "kept");
	for (unsigned i = 0; i < 1000; i++) {
		id.netns = 100 + i;
		peer_names_learn(names, &call);
	}
	assert_string_equal(learned(77, "10.0.0.1"), "-");
	assert_string_equal(learned(1099, "11.0.78.31"), "made-up");
	peer_names_free(names);
}

/* --- how they are shown --- */

static const char *one_name(struct peer_names *p, const struct call *c, uint32_t netns, const void *address, size_t len)
{
	(void)p;
	(void)c;
	assert_int_equal(netns, 77);
	return len == 4 && *(const uint8_t *)address == 10 ? "db*/\33[0m" : NULL;
}

static void check_shown(const void *addr, size_t len, const char *text, const char *json)
{
	struct peer_names p = { one_name };
	struct decode_opts opts = { .string_limit = 32, .names = &p };
	struct strbuf out = { 0 };
	struct emit_text t;
	struct emit_json j;

	make(NR_connect, 0, 0);
	call.args[2] = len;
	capture(1, 0, 0, addr, len);
	emit_text_init(&t);
	emit_text_begin(&t, &out, EMIT_WHOLE);
	decode_args(&call, &opts, &t.e);
	assert_non_null(strstr(strbuf_cstr(&out), text));
	strbuf_reset(&out);
	emit_json_init(&j);
	emit_json_begin(&j, &out);
	decode_args(&call, &opts, &j.e);
	emit_json_end(&j);
	assert_non_null(strstr(strbuf_cstr(&out), json));
	emit_json_done(&j);
	emit_text_done(&t);
	strbuf_done(&out);
}

static void test_shown(void **state)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(80), .sin_addr.s_addr = htonl(0x0a000007) };

	(void)state;
	check_shown(&in, sizeof(in), "sin_addr=inet_addr(\"10.0.0.7\") /* db*\\57\\33[0m */}", "\"sin_addr\":\"10.0.0.7\",\"name\":\"db*/\\u001b[0m\"}");
	in.sin_addr.s_addr = htonl(0x0b000007);
	check_shown(&in, sizeof(in), "sin_addr=inet_addr(\"11.0.0.7\")}", "\"sin_addr\":\"11.0.0.7\"}");
}

/* What is copied: only with the option, and then all of it. */
static void test_capture(void **state)
{
	static const uint32_t calls[] = { NR_read, NR_readv, NR_recvfrom, NR_recvmsg, NR_recvmmsg };
	struct peer_names p = { one_name };
	struct decode_opts opts = { .string_limit = 32 };
	struct cap_spec spec;

	(void)state;
	syscall_capture_spec(ABI_X86_64, NR_read, &opts, &spec);
	assert_int_equal(spec.nops, 1);
	assert_false(spec.ops[0].when & CAP_NETLINK);
	opts.names = &p;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		bool whole = false, socket = false;

		syscall_capture_spec(ABI_X86_64, calls[i], &opts, &spec);
		for (unsigned k = 0; k < spec.nops; k++) {
			whole |= spec.ops[k].when & CAP_NETLINK && spec.ops[k].when & CAP_EXIT;
			socket |= spec.ops[k].kind == CAP_SOCK && !spec.ops[k].elem;
		}
		assert_true(whole && socket);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),     cmocka_unit_test(test_aliases),    cmocka_unit_test(test_no_answer),
		cmocka_unit_test(test_names_of_bytes), cmocka_unit_test(test_hostile), cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_many),     cmocka_unit_test(test_stream),     cmocka_unit_test(test_hosts),
		cmocka_unit_test(test_hosts_size), cmocka_unit_test(test_learn),    cmocka_unit_test(test_whose),
		cmocka_unit_test(test_messages), cmocka_unit_test(test_bounds),     cmocka_unit_test(test_shown),
		cmocka_unit_test(test_capture),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
