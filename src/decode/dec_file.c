/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Directory entries, time stamps of files, openat2, uname, sysinfo. */
#include "decode/kinds.h"

#include <string.h>

#include "decode/field.h"
#include "decode/fileconst.h"

/* The output of at least size bytes, or NULL after its address was said. */
static const struct capture *output(struct dec *d, unsigned reg, size_t size)
{
	const struct capture *c = d->ok ? dec_cap(d, reg, 0, 0) : NULL;

	if (c && !(c->flags & CT_CAP_FAILED) && c->len >= size)
		return c;
	say_unreadable(d, reg, c);
	return NULL;
}

/* --- getdents: d_ino, d_off (words of the ABI; 8 bytes in the 64 form), d_reclen, then by form --- */

struct dirent_ref {
	uint64_t ino, off;
	unsigned reclen, type;
	const char *name;
	size_t name_len;
};

/* The entry at pos, or false at the end and where the records make no sense. */
static bool dirent_at(const struct capture *c, size_t pos, size_t word, bool form64, struct dirent_ref *ret)
{
	size_t head = 2 * word + 2 + form64;
	const char *p;
	uint16_t reclen;

	if (pos > c->len || c->len - pos < head)
		return false;
	p = (const char *)c->data + pos;
	memcpy(&reclen, p + 2 * word, 2);
	if (reclen <= head || reclen > c->len - pos)
		return false;
	*ret = (struct dirent_ref){ .reclen = reclen };
	memcpy(&ret->ino, p, word);
	memcpy(&ret->off, p + word, word);
	ret->type = (unsigned char)(form64 ? p[2 * word + 2] : p[reclen - 1]);
	ret->name = p + head;
	ret->name_len = strnlen(ret->name, reclen - head);
	return true;
}

static void say_dirent(struct dec *d, const struct dirent_ref *r, bool form64)
{
	d->ops->struct_begin(d->e);
	say_field(d, "d_ino");
	say_udec(d, r->ino);
	say_field(d, "d_off");
	say_dec(d, (int64_t)r->off);
	say_field(d, "d_reclen");
	say_udec(d, r->reclen);
	if (form64) {
		say_field(d, "d_type");
		say_sym(d, &tab_dirent_types, r->type);
	}
	say_field(d, "d_name");
	d->ops->str(d->e, r->name, r->name_len, EMIT_STR_PATH);
	if (!form64) {
		say_field(d, "d_type");
		say_sym(d, &tab_dirent_types, r->type);
	}
	d->ops->struct_end(d->e);
}

/* Only a count of the entries is shown, as in strace, unless -v asks for all. */
static void decode_entries(struct dec *d, unsigned reg, size_t word, bool form64)
{
	static const struct capture nothing;
	const struct capture *c = d->ok && !d->call->ret ? &nothing : output(d, reg, 0);
	struct words w = { 0 };
	struct dirent_ref r;
	unsigned n = 0;

	if (!c)
		return;
	if (d->opts->addresses) {
		say_addr(d, dec_reg(d, reg));
		return;
	}
	if (d->opts->no_abbrev)
		d->ops->array_begin(d->e);
	for (size_t pos = 0; dirent_at(c, pos, word, form64, &r); pos += r.reclen, n++)
		if (d->opts->no_abbrev)
			say_dirent(d, &r, form64);
	if (d->opts->no_abbrev) {
		d->ops->array_end(d->e);
		return;
	}
	say_addr(d, dec_reg(d, reg));
	if (c->flags & CT_CAP_CUT) {
		dec_note(d, c);
		return;
	}
	words_udec(&w, n);
	words_str(&w, " entries");
	d->ops->comment(d->e, w.buf);
}

static void decode_dents(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	decode_entries(d, reg, d->word, false);
}

static void decode_dents64(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	decode_entries(d, reg, 8, true);
}

static void capture_dents(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_result(b, reg, 1, CT_CAP_MAX);
}

const struct kind kind_dents = { .decode = decode_dents, .capture = capture_dents, .at_end = true };
const struct kind kind_dents64 = { .decode = decode_dents64, .capture = capture_dents, .at_end = true };

/* --- time stamps --- */

#define UTIME_NOW_NSEC ((1l << 30) - 1)
#define UTIME_OMIT_NSEC ((1l << 30) - 2)

static void time_pair(const char *p, unsigned word, int64_t *ret_sec, int64_t *ret_sub)
{
	int32_t v32[2];

	if (word == 8) {
		memcpy(ret_sec, p, 8);
		memcpy(ret_sub, p + 8, 8);
		return;
	}
	memcpy(v32, p, 8);
	*ret_sec = v32[0];
	*ret_sub = v32[1];
}

/* Two time stamps in an array; micro: struct timeval, which knows no UTIME_NOW. */
static void decode_times(struct dec *d, unsigned reg, unsigned word, bool micro)
{
	const struct capture *c = dec_cap(d, reg, 0, 0);
	int64_t sec, sub;

	if (!c || (c->flags & CT_CAP_FAILED) || c->len < 4 * word) {
		say_unreadable(d, reg, c);
		return;
	}
	d->ops->array_begin(d->e);
	for (unsigned i = 0; i < 2 && dec_shows(d, i); i++) {
		const char *p = (const char *)c->data + i * 2 * word, *name = NULL;

		time_pair(p, word, &sec, &sub);
		if (!micro && sub == UTIME_NOW_NSEC)
			name = "UTIME_NOW";
		else if (!micro && sub == UTIME_OMIT_NSEC)
			name = "UTIME_OMIT";
		if (name && d->opts->consts == CONST_ABBREV) {
			d->ops->word(d->e, name);
		} else {
			say_timespec(d, p, word, micro ? "tv_usec" : "tv_nsec");
			if (name && d->opts->consts == CONST_VERBOSE)
				d->ops->comment(d->e, name);
			if (sub >= 0 && sub < (micro ? 1000000 : 1000000000))
				say_time_comment_digits(d, sec, (uint32_t)sub, micro ? 6 : 9);
		}
	}
	if (!dec_shows(d, 1))
		d->ops->more(d->e);
	d->ops->array_end(d->e);
}

static void decode_utimens(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	decode_times(d, reg, d->word, false);
}

static void decode_utimens64(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	decode_times(d, reg, 8, false);
}

static void decode_utimes(struct dec *d, const struct arg *a, unsigned reg)
{
	(void)a;
	decode_times(d, reg, d->word, true);
}

static void decode_utimbuf(struct dec *d, const struct arg *a, unsigned reg)
{
	const struct capture *c = dec_cap(d, reg, 0, 0);
	int64_t actime, modtime;

	(void)a;
	if (!c || (c->flags & CT_CAP_FAILED) || c->len < 2 * d->word) {
		say_unreadable(d, reg, c);
		return;
	}
	time_pair(c->data, d->word, &actime, &modtime);
	d->ops->struct_begin(d->e);
	say_field(d, "actime");
	say_dec(d, actime);
	say_time_comment(d, actime, 0);
	say_field(d, "modtime");
	say_dec(d, modtime);
	say_time_comment(d, modtime, 0);
	d->ops->struct_end(d->e);
}

static void capture_times(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_ENTER, 4 * b->word);
}

static void capture_times64(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_ENTER, 32);
}

static void capture_utimbuf(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_ENTER, 2 * b->word);
}

const struct kind kind_utimens = { .decode = decode_utimens, .capture = capture_times };
const struct kind kind_utimens64 = { .decode = decode_utimens64, .capture = capture_times64 };
const struct kind kind_utimes = { .decode = decode_utimes, .capture = capture_times };
const struct kind kind_utimbuf = { .decode = decode_utimbuf, .capture = capture_utimbuf };

/* --- struct open_how (include/uapi/linux/openat2.h) --- */

#define OPEN_HOW_SIZE 24        /* OPEN_HOW_SIZE_VER0 */

static void decode_open_how(struct dec *d, const struct arg *a, unsigned reg)
{
	uint64_t how[3];

	if (dec_reg(d, a->a) < OPEN_HOW_SIZE || !dec_read(d, reg, 0, how, sizeof(how))) {
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	say_field(d, "flags");
	say_flags(d, &tab_open_flags, how[0]);
	if (how[1] || (how[0] & (O_CREAT_BIT | O_TMPFILE_BIT))) {
		say_field(d, "mode");
		d->ops->num(d->e, how[1], EMIT_OCT);
	}
	say_field(d, "resolve");
	say_flags(d, &tab_resolve_flags, how[2]);
	say_beyond(d, dec_cap(d, reg, 0, 0), OPEN_HOW_SIZE, dec_reg(d, a->a));
	d->ops->struct_end(d->e);
}

static void capture_open_how(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_block(b, reg, 0, CAP_ENTER, a->a, 1, OPEN_HOW_SIZE + BEYOND_MAX);
}

const struct kind kind_open_how = { .decode = decode_open_how, .capture = capture_open_how };

/* --- struct new_utsname: six strings of 65 bytes --- */

#define UTS_LEN 65

static void decode_utsname(struct dec *d, const struct arg *a, unsigned reg)
{
	static const char *const names[6] = { "sysname", "nodename", "release", "version", "machine", "domainname" };
	const struct capture *c = output(d, reg, sizeof(names) / sizeof(names[0]) * UTS_LEN);
	unsigned n = d->opts->no_abbrev ? 6 : 2;

	(void)a;
	if (!c)
		return;
	d->ops->struct_begin(d->e);
	for (unsigned i = 0; i < n; i++) {
		const char *p = (const char *)c->data + i * UTS_LEN;

		say_field(d, names[i]);
		d->ops->str(d->e, p, strnlen(p, UTS_LEN), 0);
	}
	if (n < 6)
		d->ops->more(d->e);
	d->ops->struct_end(d->e);
}

static void capture_utsname(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_EXIT, 6 * UTS_LEN);
}

const struct kind kind_utsname = { .decode = decode_utsname, .capture = capture_utsname, .at_end = true };

/* --- struct sysinfo: words, but procs (u16 and padding to a word) and mem_unit (u32) --- */

/* uptime, loads[3], totalram to freeswap, procs, totalhigh, freehigh, mem_unit */
#define SYSINFO_WORDS 14

static void decode_sysinfo(struct dec *d, const struct arg *a, unsigned reg)
{
	static const char *const names[SYSINFO_WORDS] = {
		"uptime", "loads", NULL, NULL, "totalram", "freeram", "sharedram", "bufferram", "totalswap", "freeswap",
		"procs", "totalhigh", "freehigh", "mem_unit",
	};
	const struct capture *c = output(d, reg, (SYSINFO_WORDS - 1) * d->word + 4);
	const char *p;

	(void)a;
	if (!c)
		return;
	d->ops->struct_begin(d->e);
	for (unsigned i = 0; i < SYSINFO_WORDS; i++) {
		uint32_t v32;
		uint64_t v;

		p = (const char *)c->data + i * d->word;
		memcpy(&v32, p, 4);
		v = i == 10 ? (uint16_t)v32 : i == 13 ? v32 : dec_word(d, p);
		if (names[i])
			say_field(d, names[i]);
		if (i == 1)
			d->ops->array_begin(d->e);
		if (i < 1 || i > 3 || dec_shows(d, i - 1))
			say_udec(d, v);
		else if (i == 1 || dec_shows(d, i - 2))
			d->ops->more(d->e);
		if (i == 3)
			d->ops->array_end(d->e);
	}
	d->ops->struct_end(d->e);
}

static void capture_sysinfo(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	(void)a;
	cap_fixed(b, reg, 0, CAP_EXIT, (SYSINFO_WORDS - 1) * b->word + 4);
}

const struct kind kind_sysinfo = { .decode = decode_sysinfo, .capture = capture_sysinfo, .at_end = true };
