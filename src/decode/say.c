/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Values that many system calls share, said to the emitter in strace's words. */
#include "decode/kind.h"

#include <string.h>
#include <time.h>

#include "decode/fileconst.h"

static void words_bytes(struct words *w, const char *s, size_t n)
{
	if (n > sizeof(w->buf) - 1 - w->len)
		n = sizeof(w->buf) - 1 - w->len;
	memcpy(w->buf + w->len, s, n);
	w->len += n;
	w->buf[w->len] = '\0';
}

void words_str(struct words *w, const char *s)
{
	words_bytes(w, s, strlen(s));
}

static void words_number(struct words *w, uint64_t v, unsigned base, const char *prefix, unsigned digits)
{
	char tmp[72], *end = tmp + sizeof(tmp), *p = end;

	do {
		*--p = "0123456789abcdef"[v % base];
		v /= base;
	} while (v || p > end - digits);
	words_str(w, prefix);
	words_bytes(w, p, (size_t)(end - p));
}

void words_udec(struct words *w, uint64_t v)
{
	words_number(w, v, 10, "", 1);
}

void words_hex(struct words *w, uint64_t v)
{
	words_number(w, v, 16, v ? "0x" : "", 1);
}

void words_oct(struct words *w, uint64_t v)
{
	words_number(w, v, 8, "0", 2);
}

void words_named(const struct dec *d, struct words *w, const char *name, uint64_t v)
{
	if (!name || d->opts->consts != CONST_ABBREV)
		words_hex(w, v);
	if (!name || d->opts->consts == CONST_RAW)
		return;
	words_str(w, d->opts->consts == CONST_VERBOSE ? " /* " : "");
	words_str(w, name);
	words_str(w, d->opts->consts == CONST_VERBOSE ? " */" : "");
}

void words_comment(struct words *w, const char *text)
{
	words_str(w, " /* ");
	words_str(w, text);
	words_str(w, " */");
}

void words_sym(const struct dec *d, struct words *w, const struct symtab *t, uint64_t v)
{
	const char *name = sym_name(t, v);

	words_named(d, w, name, v);
	if (!name && d->opts->consts != CONST_RAW)
		words_comment(w, t->unknown);
}

void words_name(struct words *w, const struct symtab *t, uint64_t v, bool comment)
{
	const char *name = sym_name(t, v);

	if (name)
		words_str(w, name);
	else
		words_hex(w, v);
	if (!name && comment)
		words_comment(w, t->unknown);
}

static void words_or(struct words *w, size_t start, const char *name, uint64_t v)
{
	if (w->len > start)
		words_str(w, "|");
	if (name)
		words_str(w, name);
	else
		words_hex(w, v);
}

void words_flags(const struct dec *d, struct words *w, const struct symtab *t, uint64_t v)
{
	size_t start = w->len;

	t = symtab_for(t, d->call->abi);
	if (t->base) {
		words_or(w, start, sym_name(t->base, v & t->base_mask), v & t->base_mask);
		v &= ~t->base_mask;
	}
	for (size_t i = 0; v && i < t->n; i++) {
		uint64_t mask = t->v[i].v;

		if (!mask || (v & mask) != mask)
			continue;
		words_or(w, start, t->v[i].name, mask);
		v &= ~mask;
	}
	if (v || w->len == start)
		words_or(w, start, NULL, v);
}

void say_addr(struct dec *d, uint64_t v)
{
	if (v)
		d->ops->addr(d->e, v);
	else
		d->ops->null(d->e);
}

void say_unreadable(struct dec *d, unsigned reg, const struct capture *c)
{
	say_addr(d, dec_reg(d, reg));
	d->retried &= (unsigned char)~(1u << reg);
	/* Also of what can be read in part: nothing of it is shown. */
	if (c)
		d->ops->note(d->e, NOTE_UNREADABLE, 0);
	else
		dec_note(d, NULL);
}

uint64_t say_flag_names(struct dec *d, const struct symtab *t, uint64_t v)
{
	for (size_t i = 0; v && i < t->n; i++) {
		uint64_t mask = t->v[i].v;

		if (mask && (v & mask) == mask) {
			d->ops->flag(d->e, t->v[i].name, mask);
			v &= ~mask;
		}
	}
	return v;
}

/* O_RDONLY|O_CLOEXEC and MAP_PRIVATE|MAP_FIXED are one number to strace, SOCK_STREAM|SOCK_CLOEXEC two. */
static bool base_is_joint(const struct symtab *t)
{
	return t->base == &tab_open_access || t->base == &tab_mmap_types || t->base == &tab_futex2_sizes;
}

/* The constant that the lowest or highest bits are. */
static void say_flags_base(struct dec *d, const struct symtab *t, uint64_t v)
{
	const char *name = sym_name(t->base, v);

	if (base_is_joint(t))
		d->ops->flag(d->e, name, v);
	else
		d->ops->flag_apart(d->e, name, v, EMIT_HEX);
	if (!name && t->base->unknown)
		d->ops->comment(d->e, t->base->unknown);
}

/* strace leaves this zero out. */
static bool base_is_unsaid(const struct dec *d, const struct symtab *t, uint64_t v)
{
	return d->opts->consts == CONST_RAW && t == &tab_statx_flags && !(v & t->base_mask);
}

static void say_without_base(struct dec *d, uint64_t v)
{
	struct words w = { 0 };

	if (v) {
		words_str(&w, "|");
		words_hex(&w, v);
	}
	d->ops->word(d->e, w.buf);
}

void say_flags_and(struct dec *d, const struct symtab *t, uint64_t v, const struct flags_more *more)
{
	uint64_t rest = v;
	const char *name;
	bool unknown, within = more->name || more->nested;

	t = symtab_for(t, d->call->abi);
	if (base_is_unsaid(d, t, v)) {
		say_without_base(d, v);
		return;
	}
	d->ops->flags_begin(d->e, (t->base && !base_is_joint(t) ? v & ~t->base_mask : v) | more->bits | more->unsaid);
	if (t->base) {
		say_flags_base(d, t, v & t->base_mask);
		rest &= ~t->base_mask;
	} else if (!v && !more->name) {
		name = sym_name(t, 0);
		if (name)
			d->ops->flag(d->e, name, 0);
	}
	rest = say_flag_names(d, t, rest);
	if (rest)
		d->ops->flag(d->e, NULL, rest);
	unknown = rest && rest == (v & ~t->base_mask) && t->unknown;
	if (within && unknown)
		d->ops->comment(d->e, t->unknown);
	if (more->name)
		d->ops->flag(d->e, more->name, more->bits);
	d->ops->flags_end(d->e);
	if (!within && unknown)
		d->ops->comment(d->e, t->unknown);
}

void say_flags(struct dec *d, const struct symtab *t, uint64_t v)
{
	say_flags_and(d, t, v, &(struct flags_more){ 0 });
}

void say_sym(struct dec *d, const struct symtab *t, uint64_t v)
{
	const char *name;

	t = symtab_for(t, d->call->abi);
	name = sym_name(t, v);
	d->ops->sym(d->e, name, v);
	if (!name && t->unknown)
		d->ops->comment(d->e, t->unknown);
}

void say_signal(struct dec *d, int signo)
{
	char buf[16];
	const char *name = signal_name(signo, buf);

	if (*name != 'S')
		say_dec(d, signo);
	else
		d->ops->named(d->e, name, (uint64_t)signo, EMIT_DEC);
}

static bool set_has(const unsigned char *set, unsigned signo)
{
	return set[(signo - 1) / 8] >> ((signo - 1) % 8) & 1;
}

/* As strace: a set of two thirds of all signals or more is written as what it lacks. */
static bool set_inverted(const void *set, unsigned nsig)
{
	unsigned n = 0;

	for (unsigned s = 1; s <= nsig; s++)
		n += set_has(set, s);
	return n && n >= nsig * 2 / 3;
}

static unsigned set_signals(size_t nbytes)
{
	return 8 * (unsigned)(nbytes < 8 ? nbytes : 8);
}

void words_sigset(struct words *w, const void *set, size_t nbytes, enum const_style consts)
{
	unsigned nsig = set_signals(nbytes);
	bool invert = set_inverted(set, nsig), first = true;
	char buf[16];

	words_str(w, invert ? "~[" : "[");
	for (unsigned s = 1; s <= nsig; s++) {
		const char *name;

		if (set_has(set, s) == invert)
			continue;
		if (!first)
			words_str(w, " ");
		first = false;
		name = signal_name((int)s, buf);
		if (consts != CONST_ABBREV)
			words_udec(w, s);
		if (consts == CONST_RAW)
			continue;
		words_str(w, consts == CONST_VERBOSE ? " /* " : "");
		words_str(w, strncmp(name, "SIG", 3) ? name : name + 3);
		words_str(w, consts == CONST_VERBOSE ? " */" : "");
	}
	words_str(w, "]");
}

void say_sigset(struct dec *d, const void *set, size_t nbytes)
{
	unsigned nsig = set_signals(nbytes);
	bool invert = set_inverted(set, nsig);
	char buf[16];

	d->ops->members_begin(d->e, invert);
	for (unsigned s = 1; s <= nsig; s++) {
		const char *name = signal_name((int)s, buf);

		if (set_has(set, s) != invert)
			d->ops->member(d->e, name, strncmp(name, "SIG", 3) ? 0 : 3, s);
	}
	d->ops->members_end(d->e);
}

void say_id(struct dec *d, uint32_t id)
{
	if (id == UINT32_MAX)
		say_dec(d, -1);
	else
		say_udec(d, id);
}

void say_mode(struct dec *d, uint32_t mode)
{
	d->ops->num(d->e, mode, EMIT_OCT);
}

void say_mode_type(struct dec *d, uint32_t mode)
{
	const char *type = sym_name(&tab_file_types, mode & 0170000);
	struct words w = { 0 };

	if (!type && mode & 0170000) {
		d->ops->num(d->e, mode, EMIT_OCT);
		return;
	}
	words_str(&w, type ? type : "");
	if (type)
		words_str(&w, "|");
	if (mode & 04000)
		words_str(&w, "S_ISUID|");
	if (mode & 02000)
		words_str(&w, "S_ISGID|");
	if (mode & 01000)
		words_str(&w, "S_ISVTX|");
	words_oct(&w, mode & ~(uint32_t)0177000);
	d->ops->named(d->e, w.buf, mode, EMIT_OCT);
}

void say_dev(struct dec *d, unsigned major, unsigned minor)
{
	struct words w = { 0 };

	words_str(&w, "makedev(");
	words_hex(&w, major);
	words_str(&w, ", ");
	words_hex(&w, minor);
	words_str(&w, ")");
	/* The number is glibc's gnu_dev_makedev(). */
	d->ops->named(d->e, w.buf, (minor & 0xff) | (uint64_t)(major & 0xfff) << 8 | (uint64_t)(minor & ~0xffu) << 12 |
					   (uint64_t)(major & ~0xfffu) << 32, EMIT_HEX);
}

/* glibc's gnu_dev_major() and gnu_dev_minor() of the kernel's 64-bit encoding. */
void say_dev64(struct dec *d, uint64_t dev)
{
	say_dev(d, (unsigned)((dev >> 8 & 0xfff) | (dev >> 32 & ~0xfffu)),
		(unsigned)((dev & 0xff) | (dev >> 12 & ~0xffu)));
}

static void say_bytes(struct dec *d, const void *p, size_t have, uint64_t len, unsigned flags)
{
	size_t n = have < d->opts->string_limit ? have : d->opts->string_limit;

	d->ops->str(d->e, p, n, flags | (n < len ? EMIT_STR_CUT : 0));
	if (n < len)
		d->ops->note(d->e, NOTE_CUT, len);
}

void say_buf(struct dec *d, const void *p, size_t have, uint64_t len)
{
	say_bytes(d, p, have, len, 0);
}

void say_hex_bytes(struct dec *d, const void *p, size_t have, uint64_t len)
{
	say_bytes(d, p, have, len, EMIT_STR_HEX);
}

bool call_fd_secontext(const struct call *call, struct secontexts *s, int fd, char *buf, size_t size)
{
	struct ct_file file;

	/* The last one: of what the call made, not of what was there before. */
	for (unsigned i = call->n_captures; i > 0; i--) {
		const struct capture *c = &call->captures[i - 1];

		if (c->part != CT_PART_FD || c->len < sizeof(file))
			continue;
		memcpy(&file, c->data, sizeof(file));
		if (file.fd == fd)
			return s->fd(s, &call->task, fd, file.ino, buf, size);
	}
	return false;
}

void say_fd_secontext(struct dec *d, int fd)
{
	char context[SECONTEXT_MAX];

	if (d->opts->secontexts && d->call && call_fd_secontext(d->call, d->opts->secontexts, fd, context, sizeof(context)))
		d->ops->secontext(d->e, context);
}

static void say_path_secontext(struct dec *d, const struct capture *c)
{
	struct secontexts *s = d->opts->secontexts;
	char path[PATH_LONGEST + 1], context[SECONTEXT_MAX];

	if (!s || !d->call || (c->flags & CT_CAP_CUT) || c->len > PATH_LONGEST || memchr(c->data, 0, c->len))
		return;
	/* A descriptor that is another file by now leads elsewhere. */
	if (d->has_dirfd && (!c->len || *(const char *)c->data != '/') &&
	    !call_fd_secontext(d->call, s, d->dirfd, context, sizeof(context)))
		return;
	memcpy(path, c->data, c->len);
	path[c->len] = '\0';
	if (s->path(s, &d->call->task, d->has_dirfd ? d->dirfd : CT_FD_CWD, path, context, sizeof(context)))
		d->ops->secontext(d->e, context);
}

void say_str(struct dec *d, const struct capture *c, bool path)
{
	size_t n = c->len;
	bool cut = c->flags & CT_CAP_CUT;

	size_t limit = path ? PATH_LONGEST : d->opts->string_limit;

	if (n > limit) {
		n = limit;
		cut = true;
	}
	d->ops->str(d->e, c->data, n, (cut ? EMIT_STR_CUT : 0) | (path ? EMIT_STR_PATH : 0));
	if (cut)
		d->ops->note(d->e, NOTE_CUT, c->true_len == CT_LEN_UNKNOWN ? 0 : c->true_len);
	if (path)
		say_path_secontext(d, c);
}

void say_timespec(struct dec *d, const void *p, unsigned word, const char *sub)
{
	int64_t v[2];
	int32_t v32[2];

	if (word == 4) {
		memcpy(v32, p, sizeof(v32));
		v[0] = v32[0];
		v[1] = (uint32_t)v32[1];
	} else {
		memcpy(v, p, sizeof(v));
	}
	d->ops->struct_begin(d->e);
	say_field(d, "tv_sec");
	say_dec(d, v[0]);
	say_field(d, sub);
	say_udec(d, (uint64_t)v[1]);
	d->ops->struct_end(d->e);
}

bool words_time(struct words *w, int64_t sec, uint32_t fraction, unsigned digits)
{
	char buf[64];
	time_t t = sec;
	struct tm tm;

	if ((!sec && !fraction) || !localtime_r(&t, &tm) || !strftime(buf, sizeof(buf), "%FT%T", &tm))
		return false;
	words_str(w, buf);
	if (fraction) {
		words_str(w, ".");
		words_number(w, fraction, 10, "", digits);
	}
	if (strftime(buf, sizeof(buf), "%z", &tm))
		words_str(w, buf);
	return true;
}

void say_time_comment_digits(struct dec *d, int64_t sec, uint32_t fraction, unsigned digits)
{
	struct words w = { 0 };

	if (words_time(&w, sec, fraction, digits))
		d->ops->comment(d->e, w.buf);
}

void say_time_comment(struct dec *d, int64_t sec, uint32_t nsec)
{
	if (nsec > 999999999)
		return;
	say_time_comment_digits(d, sec, nsec, 9);
}

void say_kernel_version(struct dec *d, uint32_t version)
{
	struct words w = { 0 };

	words_str(&w, "KERNEL_VERSION(");
	words_udec(&w, version >> 16);
	words_str(&w, ", ");
	words_udec(&w, version >> 8 & 0xff);
	words_str(&w, ", ");
	words_udec(&w, version & 0xff);
	words_str(&w, ")");
	d->ops->named(d->e, w.buf, version, EMIT_HEX);
}
