/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_session */
/* The wire parser: captures and payloads joined, and every length distrusted. */
#include <errno.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "session/wire.h"
#include "util/macros.h"

DEFINE_CLEANUP(struct wire *, wire_free)

struct buffer {
	union {
		struct rec_hdr h;
		struct rec_syscall call;
		struct rec_payload payload;
		struct rec_signal signal;
		struct rec_exec exec;
		struct rec_exit exit;
		struct rec_left left;
	};
	uint8_t more[1024];
};

static struct rec_hdr header(uint16_t kind, uint32_t tid)
{
	return (struct rec_hdr){ .kind = kind, .cpu = 3, .lost = 7, .time = 2000, .host_tid = tid, .host_tgid = tid,
				 .tid = 5, .tgid = 5, .target = 0, .comm = "0123456789abcde" };
}

/* Appends one capture to len bytes at p. */
static size_t add_flagged(uint8_t *p, size_t len, uint8_t arg, uint8_t flags, const char *text)
{
	struct cap_hdr h = { .arg = arg, .flags = flags, .len = strlen(text), .true_len = strlen(text) };

	memcpy(p + len, &h, sizeof(h));
	memcpy(p + len + sizeof(h), text, h.len);
	return len + sizeof(h) + ((h.len + 3) & ~3u);
}

static size_t add_capture(uint8_t *p, size_t len, uint8_t arg, const char *text)
{
	return add_flagged(p, len, arg, 0, text);
}

static void a_call_with_captures(void **state _unused_)
{
	_cleanup_(wire_freep) struct wire *w = NULL;
	struct buffer b = { .call = { .h = header(CT_REC_SYSCALL, 10), .enter_time = 1000, .ret = -2, .nr = 257 } };
	uint8_t *caps = (uint8_t *)(&b.call + 1);
	struct wire_record rec;
	size_t len;

	assert_int_equal(wire_new(&w), 0);
	len = add_capture(caps, 0, 1, "/etc/none");
	len = add_capture(caps, len, 3, "");
	b.call.caps_len = len;
	assert_int_equal(wire_parse(w, &b, sizeof(b.call) + len, &rec), 0);
	assert_int_equal(rec.kind, WIRE_CALL);
	assert_int_equal(rec.cpu, 3);
	assert_int_equal(rec.lost, 7);
	assert_int_equal(rec.call->n_captures, 2);
	assert_int_equal(rec.call->captures[0].arg, 1);
	assert_memory_equal(rec.call->captures[0].data, "/etc/none", 9);
	assert_int_equal(rec.call->captures[1].len, 0);
	assert_int_equal(rec.call->ret, -2);
	assert_string_equal(rec.call->task.comm, "0123456789abcde");
}

static void a_payload_goes_with_its_call(void **state _unused_)
{
	_cleanup_(wire_freep) struct wire *w = NULL;
	struct buffer p = { .payload = { .h = header(CT_REC_PAYLOAD, 10), .seq = 4 } };
	struct buffer c = { .call = { .h = header(CT_REC_SYSCALL, 10), .seq = 4 } };
	struct wire_record rec;

	c.call.h.flags = CT_F_PAYLOAD;
	assert_int_equal(wire_new(&w), 0);
	p.payload.caps_len = add_capture((uint8_t *)(&p.payload + 1), 0, 0, "first");
	assert_int_equal(wire_parse(w, &p, sizeof(p.payload) + p.payload.caps_len, &rec), 0);
	assert_int_equal(rec.kind, WIRE_NONE);
	p.payload.caps_len = add_capture((uint8_t *)(&p.payload + 1), 0, 1, "second");
	assert_int_equal(wire_parse(w, &p, sizeof(p.payload) + p.payload.caps_len, &rec), 0);
	c.call.caps_len = add_capture((uint8_t *)(&c.call + 1), 0, 2, "own");
	assert_int_equal(wire_parse(w, &c, sizeof(c.call) + c.call.caps_len, &rec), 0);
	assert_int_equal(rec.call->n_captures, 3);
	assert_memory_equal(rec.call->captures[0].data, "first", 5);
	assert_memory_equal(rec.call->captures[1].data, "second", 6);
	assert_memory_equal(rec.call->captures[2].data, "own", 3);
	assert_int_equal(rec.call->flags & CT_F_PAYLOAD_LOST, 0);
}

static void a_payload_of_another_call_is_not_taken(void **state _unused_)
{
	_cleanup_(wire_freep) struct wire *w = NULL;
	struct buffer p = { .payload = { .h = header(CT_REC_PAYLOAD, 10), .seq = 4 } };
	struct buffer c = { .call = { .h = header(CT_REC_SYSCALL, 10), .seq = 5 } };
	struct wire_record rec;

	c.call.h.flags = CT_F_PAYLOAD;
	assert_int_equal(wire_new(&w), 0);
	p.payload.caps_len = add_capture((uint8_t *)(&p.payload + 1), 0, 0, "old");
	assert_int_equal(wire_parse(w, &p, sizeof(p.payload) + p.payload.caps_len, &rec), 0);
	assert_int_equal(wire_parse(w, &c, sizeof(c.call), &rec), 0);
	assert_int_equal(rec.call->n_captures, 0);
	assert_int_not_equal(rec.call->flags & CT_F_PAYLOAD_LOST, 0);
}

static void the_end_of_a_task_drops_its_payload(void **state _unused_)
{
	_cleanup_(wire_freep) struct wire *w = NULL;
	struct buffer p = { .payload = { .h = header(CT_REC_PAYLOAD, 10), .seq = 4 } };
	struct buffer e = { .exit = { .h = header(CT_REC_EXIT, 10), .code = 0x100 } };
	struct buffer c = { .call = { .h = header(CT_REC_SYSCALL, 10), .seq = 4 } };
	struct wire_record rec;

	c.call.h.flags = CT_F_PAYLOAD;
	assert_int_equal(wire_new(&w), 0);
	p.payload.caps_len = add_capture((uint8_t *)(&p.payload + 1), 0, 0, "old");
	assert_int_equal(wire_parse(w, &p, sizeof(p.payload) + p.payload.caps_len, &rec), 0);
	assert_int_equal(wire_parse(w, &e, sizeof(e.exit), &rec), 0);
	assert_int_equal(rec.kind, WIRE_EXIT);
	assert_int_equal(rec.exit.status, 0x100);
	assert_int_equal(wire_parse(w, &c, sizeof(c.call), &rec), 0);
	assert_int_equal(rec.call->n_captures, 0);
}

static void what_is_read_again_stands_for_the_first(void **state _unused_)
{
	_cleanup_(wire_freep) struct wire *w = NULL;
	struct buffer c = { .call = { .h = header(CT_REC_SYSCALL, 10) } };
	uint8_t *caps = (uint8_t *)(&c.call + 1);
	const uint8_t again = CT_CAP_AT_EXIT | CT_CAP_RETRIED;
	struct wire_record rec;
	size_t len;

	assert_int_equal(wire_new(&w), 0);
	len = add_flagged(caps, 0, 0, CT_CAP_CUT, "pa");
	len = add_flagged(caps, len, 1, CT_CAP_FAILED | CT_CAP_CUT, "");
	len = add_flagged(caps, len, 2, CT_CAP_CUT, "kept");
	len = add_flagged(caps, len, 0, again, "partial");
	len = add_flagged(caps, len, 1, again, "there");
	/* It went away meanwhile. */
	len = add_flagged(caps, len, 2, again | CT_CAP_FAILED | CT_CAP_CUT, "");
	/* Output of the same argument is another thing. */
	len = add_flagged(caps, len, 2, CT_CAP_AT_EXIT, "output");
	len = add_flagged(caps, len, 3, again, "new");
	c.call.caps_len = len;
	assert_int_equal(wire_parse(w, &c, sizeof(c.call) + len, &rec), 0);
	assert_int_equal(rec.call->n_captures, 5);
	assert_memory_equal(rec.call->captures[0].data, "partial", 7);
	assert_int_equal(rec.call->captures[0].flags, again);
	assert_memory_equal(rec.call->captures[1].data, "there", 5);
	assert_int_equal(rec.call->captures[2].flags, CT_CAP_CUT);
	assert_memory_equal(rec.call->captures[2].data, "kept", 4);
	assert_memory_equal(rec.call->captures[3].data, "output", 6);
	assert_memory_equal(rec.call->captures[4].data, "new", 3);
}

static void late_arguments_are_of_a_beginning(void **state _unused_)
{
	_cleanup_(wire_freep) struct wire *w = NULL;
	struct buffer c = { .call = { .h = header(CT_REC_ENTER, 10), .late = 1u << 1 } };
	struct wire_record rec;

	assert_int_equal(wire_new(&w), 0);
	assert_int_equal(wire_parse(w, &c, sizeof(c.call), &rec), 0);
	assert_int_equal(rec.kind, WIRE_ENTER);
	assert_int_equal(rec.call->late, 1u << 1);
	c.call.h.kind = CT_REC_SYSCALL;
	assert_int_equal(wire_parse(w, &c, sizeof(c.call), &rec), 0);
	assert_int_equal(rec.call->late, 0);
}

static void every_prefix_is_refused_or_whole(void **state _unused_)
{
	_cleanup_(wire_freep) struct wire *w = NULL;
	static const uint16_t kinds[] = { CT_REC_SYSCALL, CT_REC_PAYLOAD, CT_REC_SIGNAL, CT_REC_EXEC, CT_REC_EXIT, CT_REC_LEFT, 99 };
	static const size_t sizes[] = { sizeof(struct rec_syscall), sizeof(struct rec_payload), sizeof(struct rec_signal),
					sizeof(struct rec_exec), sizeof(struct rec_exit), sizeof(struct rec_left), SIZE_MAX };

	assert_int_equal(wire_new(&w), 0);
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		for (size_t len = 0; len < 256; len++) {
			_cleanup_free_ uint8_t *exact = calloc(1, len ? len : 1);
			struct rec_hdr h = header(kinds[k], 10);
			struct wire_record rec;
			int r;

			memcpy(exact, &h, MIN(len, sizeof(h)));
			r = wire_parse(w, exact, len, &rec);
			assert_int_equal(r, len < sizes[k] ? -EBADMSG : 0);
		}
	}
}

static void lengths_that_lie_are_refused(void **state _unused_)
{
	_cleanup_(wire_freep) struct wire *w = NULL;
	struct buffer b = { .call = { .h = header(CT_REC_SYSCALL, 10) } };
	struct cap_hdr h = { .arg = 1, .len = 0xfff0 };
	struct wire_record rec;

	assert_int_equal(wire_new(&w), 0);
	b.call.caps_len = 0xffffffff;
	assert_int_equal(wire_parse(w, &b, sizeof(b.call), &rec), -EBADMSG);
	b.call.caps_len = sizeof(h);
	memcpy(&b.call + 1, &h, sizeof(h));
	assert_int_equal(wire_parse(w, &b, sizeof(b.call) + sizeof(h), &rec), -EBADMSG);
	b.call.caps_len = sizeof(h) - 1;
	assert_int_equal(wire_parse(w, &b, sizeof(b.call) + sizeof(h), &rec), -EBADMSG);
	h = (struct cap_hdr){ .arg = 200 };
	b.call.caps_len = sizeof(h);
	memcpy(&b.call + 1, &h, sizeof(h));
	assert_int_equal(wire_parse(w, &b, sizeof(b.call) + sizeof(h), &rec), -EBADMSG);
	memset(&b, 0, sizeof(b));
	b.exec.h = header(CT_REC_EXEC, 10);
	b.exec.filename_len = 0x80000000;
	assert_int_equal(wire_parse(w, &b, sizeof(b.exec) + 4, &rec), -EBADMSG);
}

#define MANY (CALL_CAPTURES + 100)

static void more_captures_than_there_is_room_for(void **state _unused_)
{
	_cleanup_(wire_freep) struct wire *w = NULL;
	size_t size = sizeof(struct rec_syscall) + MANY * sizeof(struct cap_hdr);
	_cleanup_free_ uint8_t *p = calloc(1, size);
	struct rec_syscall r = { .h = header(CT_REC_SYSCALL, 10), .caps_len = MANY * sizeof(struct cap_hdr) };
	struct wire_record rec;

	memcpy(p, &r, sizeof(r));
	assert_int_equal(wire_new(&w), 0);
	assert_int_equal(wire_parse(w, p, size, &rec), 0);
	assert_int_equal(rec.call->n_captures, CALL_CAPTURES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_with_captures),
		cmocka_unit_test(a_payload_goes_with_its_call),
		cmocka_unit_test(a_payload_of_another_call_is_not_taken),
		cmocka_unit_test(the_end_of_a_task_drops_its_payload),
		cmocka_unit_test(what_is_read_again_stands_for_the_first),
		cmocka_unit_test(late_arguments_are_of_a_beginning),
		cmocka_unit_test(every_prefix_is_refused_or_whole),
		cmocka_unit_test(lengths_that_lie_are_refused),
		cmocka_unit_test(more_captures_than_there_is_room_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
