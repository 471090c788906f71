/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Keys: keyctl(2) by command, whose arguments each has (include/uapi/linux/keyctl.h). */
#include "decode/dec_file.h"
#include "decode/kinds.h"
#include "util/macros.h"

static void say_key(struct dec *d, int32_t key)
{
	const char *name = sym_name(&tab_key_specs, (uint64_t)(int64_t)key);

	if (name)
		d->ops->named(d->e, name, (uint64_t)(int64_t)key, EMIT_DEC);
	else
		say_dec(d, key);
}

static void decode_key_serial(struct dec *d, const struct arg *a _unused_, unsigned reg)
{
	say_key(d, (int32_t)dec_reg(d, reg));
}

const struct kind kind_key_serial = { .decode = decode_key_serial };

/* What an argument of a command is. The length of what is BUF_* or IOV stands in the next register. */
enum key_arg {
	A_NONE, A_KEY, A_INT, A_UINT, A_ULONG, A_HEX, A_ID, A_REQKEY, A_ERRNO, A_PERMS, A_MOVE_FLAGS,
	A_STRING, A_BUF_IN, A_BUF_OUT, A_TEXT_OUT, A_IOV, A_CAPS,
	A_DH, A_KDF, A_PKEY, A_PKEY2, A_IN, A_IN2, A_OUT, A_QUERY,
};

#define KEY_ARGS 4

struct key_command {
	struct {
		const char *name;
		enum key_arg kind;
	} args[KEY_ARGS];
};

#define PKEY_ARGS(last, kind) { { { "params", A_PKEY }, { "info", A_STRING }, { "in", A_IN }, { last, kind } } }

static const struct key_command key_commands[] = {
	{ { { "key", A_KEY }, { "create", A_INT } } },
	{ { { "name", A_STRING } } },
	{ { { "key", A_KEY }, { "payload", A_BUF_IN }, { "plen", A_ULONG } } },
	{ { { "key", A_KEY } } },
	{ { { "key", A_KEY }, { "uid", A_ID }, { "gid", A_ID } } },
	{ { { "key", A_KEY }, { "perms", A_PERMS } } },
	{ { { "key", A_KEY }, { "buffer", A_TEXT_OUT }, { "buflen", A_ULONG } } },
	{ { { "key", A_KEY } } },
	{ { { "key", A_KEY }, { "keyring", A_KEY } } },
	{ { { "key", A_KEY }, { "keyring", A_KEY } } },
	{ { { "keyring", A_KEY }, { "type", A_STRING }, { "description", A_STRING }, { "dest_keyring", A_KEY } } },
	{ { { "key", A_KEY }, { "buffer", A_BUF_OUT }, { "buflen", A_ULONG } } },
	{ { { "key", A_KEY }, { "payload", A_BUF_IN }, { "plen", A_ULONG }, { "keyring", A_KEY } } },
	{ { { "key", A_KEY }, { "timeout", A_UINT }, { "keyring", A_KEY } } },
	{ { { "reqkey_defl", A_REQKEY } } },
	{ { { "key", A_KEY }, { "timeout", A_UINT } } },
	{ { { "key", A_KEY } } },
	{ { { "key", A_KEY }, { "buffer", A_TEXT_OUT }, { "buflen", A_ULONG } } },
	{ { { NULL, A_NONE } } },
	{ { { "key", A_KEY }, { "timeout", A_UINT }, { "error", A_ERRNO }, { "keyring", A_KEY } } },
	{ { { "key", A_KEY }, { "payload", A_IOV }, { "plen", A_ULONG }, { "keyring", A_KEY } } },
	{ { { "key", A_KEY } } },
	{ { { "uid", A_ID }, { "keyring", A_KEY } } },
	{ { { "dh_params", A_DH }, { "buffer", A_BUF_OUT }, { "buflen", A_ULONG }, { "kdf_params", A_KDF } } },
	{ { { "key", A_KEY }, { "reserved", A_HEX }, { "params", A_STRING }, { "info", A_QUERY } } },
	PKEY_ARGS("out", A_OUT),
	PKEY_ARGS("out", A_OUT),
	PKEY_ARGS("out", A_OUT),
	{ { { "params", A_PKEY2 }, { "info", A_STRING }, { "in", A_IN }, { "in2", A_IN2 } } },
	{ { { "keyring", A_KEY }, { "type", A_STRING }, { "restriction", A_STRING } } },
	{ { { "key", A_KEY }, { "from_keyring", A_KEY }, { "to_keyring", A_KEY }, { "flags", A_MOVE_FLAGS } } },
	{ { { "buffer", A_CAPS }, { "buflen", A_ULONG } } },
};

/* --- structures --- */

#define DH_SIZE 12
#define PKEY_SIZE 40
#define QUERY_SIZE 52
#define KDF_SIZE(word) (2 * (word) + 4 + 8 * 4)
#define PKEY_REG 1              /* the register with the parameters that tell lengths */

enum { KDF_ALL, KDF_HASH, KDF_INFO };

static void say_dh(struct dec *d, unsigned reg)
{
	static const char *const names[3] = { "private", "prime", "base" };
	struct bytes b;

	if (!struct_at(d, reg, 0, DH_SIZE, &b))
		return;
	for (unsigned i = 0; i < 3; i++) {
		say_field(d, names[i]);
		say_key(d, (int32_t)get32(b, 4 * i));
	}
	d->ops->struct_end(d->e);
}

static void say_kdf(struct dec *d, unsigned reg)
{
	const struct capture *c = dec_good_text(d, reg, KDF_ALL, 0);
	unsigned w = d->word;
	struct bytes b = bytes_of(c);

	/* As in strace it is no structure for -e verbose=. */
	if (!dec_reg(d, reg) || b.len < KDF_SIZE(w)) {
		say_unreadable(d, reg, dec_reg(d, reg) ? dec_text(d, reg, KDF_ALL, 0) : NULL);
		return;
	}
	d->ops->struct_begin(d->e);
	say_field(d, "hashname");
	say_string_at(d, reg, KDF_HASH, get_uint(b, 0, w), false);
	say_field(d, "otherinfo");
	say_bytes_at(d, reg, KDF_INFO, get_uint(b, w, w), get32(b, 2 * w), false);
	field_udec(d, "otherinfolen", get32(b, 2 * w));
	field_spare(d, "__spare", b, 2 * w + 4, 4, 8);
	d->ops->struct_end(d->e);
}

static void say_pkey(struct dec *d, unsigned reg, const char *second)
{
	struct bytes b;

	if (!struct_at(d, reg, 0, PKEY_SIZE, &b))
		return;
	say_field(d, "key_id");
	say_key(d, (int32_t)get32(b, 0));
	field_udec(d, "in_len", get32(b, 4));
	field_udec(d, second, get32(b, 8));
	field_spare(d, "__spare", b, 12, 4, 7);
	d->ops->struct_end(d->e);
}

static bool pkey_known(const struct dec *d)
{
	const struct capture *c = dec_good(d, PKEY_REG, 0, 0);

	return c && c->len >= PKEY_SIZE && dec_reg(d, PKEY_REG);
}

/* Bytes whose length is at off of the parameters; without those, an address. */
static void say_pkey_bytes(struct dec *d, unsigned reg, size_t off, bool here)
{
	if (here && pkey_known(d))
		say_bytes_at(d, reg, 0, dec_reg(d, reg), get32(bytes_of(dec_good(d, PKEY_REG, 0, 0)), off), false);
	else
		say_addr(d, dec_reg(d, reg));
}

static void say_query(struct dec *d, unsigned reg)
{
	static const char *const sizes[4] = { "max_data_size", "max_sig_size", "max_enc_size", "max_dec_size" };
	struct bytes b;

	if (!d->ok) {
		say_addr(d, dec_reg(d, reg));
		return;
	}
	if (!struct_at(d, reg, 0, QUERY_SIZE + 4, &b))
		return;
	field_flags(d, "supported_ops", &tab_key_pkey_ops, get32(b, 0));
	field_udec(d, "key_size", get32(b, 4));
	for (unsigned i = 0; i < 4; i++)
		field_udec(d, sizes[i], get16(b, 8 + 2 * i));
	field_spare(d, "__spare", b, 16, 4, 10);
	d->ops->struct_end(d->e);
}

static void say_caps(struct dec *d, unsigned reg)
{
	const struct capture *c = dec_good(d, reg, 0, 0);
	uint64_t n = (uint64_t)d->call->ret, room = dec_reg(d, reg + 1);

	if (n > room)
		n = room;
	if (!d->ok || !dec_reg(d, reg) || !c || c->len < n) {
		say_unreadable(d, reg, d->ok && dec_reg(d, reg) ? dec_cap(d, reg, 0, 0) : NULL);
		return;
	}
	d->ops->array_begin(d->e);
	for (uint64_t i = 0; i < n; i++) {
		uint8_t v = get8(bytes_of(c), i);

		if (!dec_shows(d, i)) {
			d->ops->more(d->e);
			break;
		}
		if (i < 2)
			say_flags(d, i ? &tab_key_caps1 : &tab_key_caps0, v);
		else
			say_hex(d, v);
	}
	d->ops->array_end(d->e);
}

/* --- arguments --- */

static void say_errno(struct dec *d, uint32_t err)
{
	const char *name = errno_name((int)err);

	if (name)
		d->ops->named(d->e, name, err, EMIT_UDEC);
	else
		say_udec(d, err);
}

static void say_reqkey(struct dec *d, int32_t v)
{
	const char *name = sym_name(&tab_key_reqkeys, (uint64_t)(int64_t)v);

	if (name) {
		d->ops->named(d->e, name, (uint64_t)(int64_t)v, EMIT_DEC);
		return;
	}
	say_dec(d, v);
	d->ops->comment(d->e, tab_key_reqkeys.unknown);
}

static void say_buf_out(struct dec *d, unsigned reg, bool text)
{
	uint64_t n = (uint64_t)d->call->ret, room = dec_reg(d, reg + 1);

	if (n > room)
		n = room;
	if (!d->ok)
		say_addr(d, dec_reg(d, reg));
	else if (text)
		say_text_at(d, reg, 0, dec_reg(d, reg), n);
	else
		say_bytes_at(d, reg, 0, dec_reg(d, reg), n, false);
}

static void say_pointer_arg(struct dec *d, enum key_arg kind, unsigned reg)
{
	const struct arg next = { .a = (unsigned short)(reg + 1) };

	switch (kind) {
	case A_STRING:
		say_string_at(d, reg, 0, dec_reg(d, reg), false);
		break;
	case A_BUF_IN:
		say_bytes_at(d, reg, 0, dec_reg(d, reg), dec_reg(d, reg + 1), false);
		break;
	case A_BUF_OUT:
	case A_TEXT_OUT:
		say_buf_out(d, reg, kind == A_TEXT_OUT);
		break;
	case A_IOV:
		kind_iovec_in.decode(d, &next, reg);
		break;
	case A_CAPS:
		say_caps(d, reg);
		break;
	case A_DH:
		say_dh(d, reg);
		break;
	case A_KDF:
		say_kdf(d, reg);
		break;
	case A_PKEY:
	case A_PKEY2:
		say_pkey(d, reg, kind == A_PKEY ? "out_len" : "in2_len");
		break;
	case A_IN:
		say_pkey_bytes(d, reg, 4, true);
		break;
	case A_IN2:
		say_pkey_bytes(d, reg, 8, true);
		break;
	case A_OUT:
		say_pkey_bytes(d, reg, 8, d->ok);
		break;
	case A_QUERY:
		say_query(d, reg);
		break;
	default:
		say_hex(d, dec_reg(d, reg));
	}
}

static void say_key_arg(struct dec *d, enum key_arg kind, unsigned reg)
{
	uint32_t v = (uint32_t)dec_reg(d, reg);

	switch (kind) {
	case A_KEY:
		say_key(d, (int32_t)v);
		break;
	case A_INT:
		say_dec(d, (int32_t)v);
		break;
	case A_UINT:
		say_udec(d, v);
		break;
	case A_ULONG:
		say_udec(d, dec_reg(d, reg));
		break;
	case A_ID:
		say_id(d, v);
		break;
	case A_REQKEY:
		say_reqkey(d, (int32_t)v);
		break;
	case A_ERRNO:
		say_errno(d, v);
		break;
	case A_PERMS:
		say_flags(d, &tab_key_perms, v);
		break;
	case A_MOVE_FLAGS:
		say_flags(d, &tab_key_move_flags, v);
		break;
	default:
		say_pointer_arg(d, kind, reg);
	}
}

static bool is_output(enum key_arg kind)
{
	return kind == A_BUF_OUT || kind == A_TEXT_OUT || kind == A_CAPS || kind == A_OUT || kind == A_QUERY;
}

static void keyctl_decode(struct dec *d)
{
	uint32_t op = (uint32_t)dec_reg(d, 0);
	const struct key_command *c;

	dec_args(d, 0, 1);
	if (op >= ARRAY_SIZE(key_commands)) {
		dec_args(d, 1, d->sys->nargs);
		return;
	}
	c = &key_commands[op];
	for (unsigned i = 0; i < KEY_ARGS && c->args[i].kind != A_NONE; i++) {
		if (is_output(c->args[i].kind))
			dec_at_end(d);
		/* Without the parameters it is not known what the last one is, strace says. */
		if (c->args[i].kind == A_OUT && !pkey_known(d))
			dec_arg(d, i + 1, "in2");
		else
			dec_arg(d, i + 1, c->args[i].name);
		say_key_arg(d, c->args[i].kind, i + 1);
	}
}

static void capture_kdf(struct cap_builder *b, unsigned reg)
{
	struct cap_op *op;

	cap_fixed(b, reg, KDF_ALL, CAP_ENTER, KDF_SIZE(b->word));
	op = cap_add(b, reg, KDF_HASH, CAP_STR, CAP_ENTER);
	op->via_off = 0;
	op->max = cap_limit(b) + 1;
	op = cap_add(b, reg, KDF_INFO, CAP_BYTES, CAP_ENTER);
	op->via_off = (__u16)b->word;
	op->max = cap_bytes_limit(b);
}

static void capture_key_arg(struct cap_builder *b, enum key_arg kind, unsigned reg)
{
	const struct arg next = { .a = (unsigned short)(reg + 1) };

	switch (kind) {
	case A_STRING:
		cap_string(b, reg, false);
		break;
	case A_BUF_IN:
		cap_block(b, reg, 0, CAP_ENTER, reg + 1, 1, cap_bytes_limit(b));
		break;
	case A_BUF_OUT:
	case A_TEXT_OUT:
		cap_result(b, reg, 1, cap_bytes_limit(b));
		break;
	case A_CAPS:
		cap_result(b, reg, 1, CT_CAP_MAX);
		break;
	case A_IOV:
		kind_iovec_in.capture(b, &next, reg);
		break;
	case A_DH:
		cap_fixed(b, reg, 0, CAP_ENTER, DH_SIZE);
		break;
	case A_KDF:
		capture_kdf(b, reg);
		break;
	case A_PKEY:
	case A_PKEY2:
		cap_fixed(b, reg, 0, CAP_ENTER, PKEY_SIZE);
		break;
	case A_IN:
	case A_IN2:
		/* Their length stands in memory of another argument: as much as is shown is copied, and cut later. */
		cap_fixed(b, reg, 0, CAP_ENTER, cap_bytes_limit(b));
		break;
	case A_OUT:
		cap_fixed(b, reg, 0, CAP_EXIT, cap_bytes_limit(b));
		break;
	case A_QUERY:
		cap_fixed(b, reg, 0, CAP_EXIT, QUERY_SIZE + 4);
		break;
	default:
		break;
	}
}

static bool keyctl_capture_of(struct cap_builder *b, size_t i, uint32_t *ret_value)
{
	if (i >= ARRAY_SIZE(key_commands))
		return false;
	for (unsigned k = 0; k < KEY_ARGS; k++)
		capture_key_arg(b, key_commands[i].args[k].kind, k + 1);
	*ret_value = (uint32_t)i;
	return true;
}

const struct hooks hooks_keyctl = { .decode = keyctl_decode, .capture_of = keyctl_capture_of, .by_arg = 1 };
