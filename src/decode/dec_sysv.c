/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * System V IPC: the structures of semctl, shmctl and msgctl, operations on
 * semaphores, messages. Layouts: asm-generic/{ipcbuf,sembuf,shmbuf,msgbuf}.h,
 * and x86's own sembuf.h.
 */
#include "decode/kinds.h"

#include "decode/dec_array.h"
#include "decode/field.h"
#include "util/macros.h"

enum { OP_SET = 1, OP_STAT, OP_INFO, SHM_STAT_OP = 13, SHM_INFO_OP, SHM_STAT_ANY_OP, SEM_STAT_OP = 18, SEM_INFO_OP, SEM_STAT_ANY_OP,
       MSG_STAT_OP = 11, MSG_INFO_OP, MSG_STAT_ANY_OP };
enum { FAMILY_SEM, FAMILY_SHM, FAMILY_MSG };

#define OP_MASK (UINT32_MAX ^ 0x100u)   /* without IPC_64 */

static const struct family {
	const char *perm;
	uint64_t stat, info;            /* operations that fill in the structure, the limits, the use */
	uint64_t use;
} families[] = {
	[FAMILY_SEM] = { "sem_perm", 1ull << OP_STAT | 1ull << SEM_STAT_OP | 1ull << SEM_STAT_ANY_OP, 1ull << OP_INFO, 1ull << SEM_INFO_OP },
	[FAMILY_SHM] = { "shm_perm", 1ull << OP_STAT | 1ull << SHM_STAT_OP | 1ull << SHM_STAT_ANY_OP, 1ull << OP_INFO, 1ull << SHM_INFO_OP },
	[FAMILY_MSG] = { "msg_perm", 1ull << OP_STAT | 1ull << MSG_STAT_OP | 1ull << MSG_STAT_ANY_OP, 1ull << OP_INFO, 1ull << MSG_INFO_OP },
};

/* struct ipc64_perm: five 32-bit numbers, a mode, a sequence number, two longs. */
#define PERM_SIZE(word) (28 + ((word) == 8 ? 4 : 0) + 2 * (word))

static void field_id(struct dec *d, const char *name, uint32_t id)
{
	say_field(d, name);
	say_id(d, id);
}

static void field_mode(struct dec *d, const char *name, uint32_t mode)
{
	say_field(d, name);
	say_mode(d, mode);
}

/* set: what IPC_SET reads of it. */
static void say_perm(struct dec *d, const char *name, struct bytes b, bool set)
{
	say_field(d, name);
	d->ops->struct_begin(d->e);
	field_id(d, "uid", get32(b, 4));
	field_id(d, "gid", get32(b, 8));
	field_mode(d, "mode", get_uint(b, 20, d->word == 8 ? 4 : 2));
	if (!set) {
		field_udec(d, "key", get32(b, 0));
		field_id(d, "cuid", get32(b, 12));
		field_id(d, "cgid", get32(b, 16));
	}
	d->ops->struct_end(d->e);
}

/* Reads numbers one after the other, each named if it is shown. */
struct reader {
	struct bytes b;
	size_t off;
};

static uint64_t next(struct reader *r, size_t size)
{
	uint64_t v = get_uint(r->b, r->off, size);

	r->off += size;
	return v;
}

/* A time: two words on 32-bit ABIs, of which strace shows the lower one; x86_64 has an unused word behind some. */
static void field_time(struct dec *d, struct reader *r, const char *name, bool padded)
{
	uint64_t v = next(r, d->word);

	if (d->word == 4)
		r->off += 4;
	else if (padded && d->call->abi == ABI_X86_64)
		r->off += 8;
	field_udec(d, name, v);
}

static void sem_stat(struct dec *d, struct reader *r)
{
	field_time(d, r, "sem_otime", true);
	field_time(d, r, "sem_ctime", true);
	field_udec(d, "sem_nsems", next(r, d->word));
}

static void shm_stat(struct dec *d, struct reader *r)
{
	struct reader times;

	field_udec(d, "shm_segsz", next(r, d->word));
	times = *r;
	r->off += 24;
	say_field(d, "shm_cpid");
	say_pid(d, (int32_t)next(r, 4));
	say_field(d, "shm_lpid");
	say_pid(d, (int32_t)next(r, 4));
	field_udec(d, "shm_nattch", next(r, d->word));
	field_time(d, &times, "shm_atime", false);
	field_time(d, &times, "shm_dtime", false);
	field_time(d, &times, "shm_ctime", false);
}

static void msg_stat(struct dec *d, struct reader *r)
{
	field_time(d, r, "msg_stime", false);
	field_time(d, r, "msg_rtime", false);
	field_time(d, r, "msg_ctime", false);
	next(r, d->word);
	field_udec(d, "msg_qnum", next(r, d->word));
	field_udec(d, "msg_qbytes", next(r, d->word));
	field_dec(d, "msg_lspid", (int32_t)next(r, 4));
	field_dec(d, "msg_lrpid", (int32_t)next(r, 4));
}

static void say_stat(struct dec *d, unsigned family, struct bytes b, bool set)
{
	struct reader r = { b, PERM_SIZE(d->word) };

	d->ops->struct_begin(d->e);
	say_perm(d, families[family].perm, b, set);
	if (family == FAMILY_MSG && set)
		field_udec(d, "msg_qbytes", get_uint(b, r.off + (d->word == 8 ? 40 : 32), d->word));
	else if (family == FAMILY_SEM && !set)
		sem_stat(d, &r);
	else if (family == FAMILY_SHM && !set)
		shm_stat(d, &r);
	else if (family == FAMILY_MSG)
		msg_stat(d, &r);
	d->ops->struct_end(d->e);
}

static void say_ints(struct dec *d, struct bytes b, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		field_dec(d, names[i], (int32_t)get32(b, 4 * i));
}

static void say_words(struct dec *d, struct bytes b, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		field_udec(d, names[i], get_uint(b, d->word * i, d->word));
}

static void say_limits(struct dec *d, unsigned family, struct bytes b, bool use)
{
	static const char *const sem[] = { "semmap", "semmni", "semmns", "semmnu", "semmsl", "semopm", "semume", "semusz", "semvmx", "semaem" };
	static const char *const msg[] = { "msgpool", "msgmap", "msgmax", "msgmnb", "msgmni", "msgssz", "msgtql" };
	static const char *const shm[] = { "shmmax", "shmmin", "shmmni", "shmseg", "shmall" };
	static const char *const used[] = { "shm_tot", "shm_rss", "shm_swp", "swap_attempts", "swap_successes" };

	d->ops->struct_begin(d->e);
	if (family == FAMILY_SEM) {
		say_ints(d, b, sem, ARRAY_SIZE(sem));
	} else if (family == FAMILY_MSG) {
		say_ints(d, b, msg, ARRAY_SIZE(msg));
		field_udec(d, "msgseg", get16(b, 28));
	} else if (use) {
		field_dec(d, "used_ids", (int32_t)get32(b, 0));
		say_words(d, bytes_from(b, d->word), used, ARRAY_SIZE(used));
	} else {
		say_words(d, b, shm, ARRAY_SIZE(shm));
	}
	d->ops->struct_end(d->e);
}

/* The bit of the operation in the masks above; 0 for one that is none. */
static uint64_t op_bit(const struct dec *d, const struct arg *a)
{
	uint32_t op = (uint32_t)dec_reg(d, a->a) & OP_MASK;

	return op < 64 ? 1ull << op : 0;
}

static bool ctl_filled_in(const struct dec *d, const struct arg *a, unsigned reg _unused_)
{
	const struct family *f = &families[a->b];

	return op_bit(d, a) & (f->stat | f->info | f->use);
}

/* As much as the kernel writes at least: reading on could fail. */
static uint32_t stat_size(unsigned word, unsigned family, enum abi abi)
{
	static const uint8_t words[] = { [FAMILY_SEM] = 5, [FAMILY_SHM] = 6, [FAMILY_MSG] = 7 };

	if (word == 4)
		return PERM_SIZE(4) + (family == FAMILY_SEM ? 20 : family == FAMILY_SHM ? 40 : 44);
	if (family == FAMILY_SEM && abi != ABI_X86_64)
		return PERM_SIZE(8) + 24;
	return PERM_SIZE(8) + 8 * words[family];
}

static uint32_t info_size(unsigned word, unsigned family, bool use)
{
	return family == FAMILY_SEM ? 40 : family == FAMILY_MSG ? 30 : use ? 6 * word : 5 * word;
}

/* What is not shown as a structure; of semctl by ipc(2) that is what its pointer leads to. */
static void say_ctl_plain(struct dec *d, const struct arg *a, unsigned reg, bool read, const struct capture *c)
{
	bool boxed = a->b == FAMILY_SEM && d->call->flags & CT_F_MULTIPLEXED;

	if (boxed)
		d->ops->array_begin(d->e);
	if (read)
		say_unreadable(d, reg, c);
	else
		say_addr(d, dec_reg(d, reg));
	if (boxed)
		d->ops->array_end(d->e);
}

static void decode_ctl(struct dec *d, const struct arg *a, unsigned reg)
{
	const struct family *f = &families[a->b];
	uint64_t op = op_bit(d, a);
	bool set = op & 1ull << OP_SET;
	size_t need = op & (f->info | f->use) ? info_size(d->word, a->b, op & f->use) : stat_size(d->word, a->b, d->call->abi);
	struct bytes b = bytes_of(dec_good(d, reg, set ? 1 : 0, 0));

	if (!(set || (d->ok && ctl_filled_in(d, a, reg)))) {
		say_ctl_plain(d, a, reg, false, NULL);
	} else if (!dec_reg(d, reg) || b.len < need) {
		say_ctl_plain(d, a, reg, true, dec_cap(d, reg, set ? 1 : 0, 0));
	} else if (op & (f->info | f->use)) {
		say_limits(d, a->b, b, op & f->use);
	} else {
		say_stat(d, a->b, b, set);
	}
}

static void ctl_op(struct cap_builder *b, const struct arg *a, unsigned reg, unsigned part, unsigned when, uint32_t size, uint64_t ops)
{
	struct cap_op *op;

	cap_fixed(b, reg, part, when, size);
	op = &b->spec->ops[b->spec->nops - 1];
	op->cond = CAP_COND_VALUE;
	op->cond_arg = (__u8)a->a;
	op->cond_and = OP_MASK;
	op->cond_mask = ops;
}

/* Who made a segment, and who was the last to use it. */
static void shm_pids(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	unsigned off = PERM_SIZE(b->word) + b->word + 24;

	for (unsigned i = 0; i < 2; i++) {
		struct cap_op *op = cap_pid_at(b, reg, CAP_EXIT, (uint16_t)(off + 4 * i));

		op->cond = CAP_COND_VALUE;
		op->cond_arg = (__u8)a->a;
		op->cond_and = OP_MASK;
		op->cond_mask = families[FAMILY_SHM].stat;
	}
}

static void capture_ctl(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	const struct family *f = &families[a->b];

	if (a->b == FAMILY_SHM)
		shm_pids(b, a, reg);

	ctl_op(b, a, reg, 0, CAP_EXIT, stat_size(b->word, a->b, b->abi), f->stat);
	ctl_op(b, a, reg, 0, CAP_EXIT, info_size(b->word, a->b, false), f->info);
	ctl_op(b, a, reg, 0, CAP_EXIT, info_size(b->word, a->b, true), f->use);
	ctl_op(b, a, reg, 1, CAP_ENTER, stat_size(b->word, a->b, b->abi), 1ull << OP_SET);
}

const struct kind kind_ipc_ctl = { .decode = decode_ctl, .capture = capture_ctl, .at_end = true, .at_end_if = ctl_filled_in };

/* --- struct sembuf[] --- */

#define SEMBUF_SIZE 6

static void say_sembuf(struct dec *d, struct bytes b)
{
	d->ops->struct_begin(d->e);
	field_udec(d, "sem_num", get16(b, 0));
	field_dec(d, "sem_op", (int16_t)get16(b, 2));
	field_flags(d, "sem_flg", &tab_semop_flags, get16(b, 4));
	d->ops->struct_end(d->e);
}

static void decode_sembufs(struct dec *d, const struct arg *a, unsigned reg)
{
	say_array(d, dec_cap(d, reg, 0, 0), dec_reg(d, reg), (uint32_t)dec_reg(d, a->a), SEMBUF_SIZE, say_sembuf);
}

static void capture_sembufs(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	cap_array(b, reg, 0, CAP_ENTER, a->a, SEMBUF_SIZE);
}

const struct kind kind_sembufs = { .decode = decode_sembufs, .capture = capture_sembufs };

/* --- struct msgbuf: a long and as much text as an argument says --- */

static void say_message(struct dec *d, unsigned reg, uint64_t size)
{
	const struct capture *c = dec_good(d, reg, 0, 0), *text = dec_good(d, reg, 1, 0);

	if (!dec_reg(d, reg) || !c || c->len < d->word) {
		say_unreadable(d, reg, dec_cap(d, reg, 0, 0));
		return;
	}
	d->ops->struct_begin(d->e);
	field_dec(d, "mtype", d->word == 4 ? (int32_t)get32(bytes_of(c), 0) : (int64_t)get64(bytes_of(c), 0));
	say_field(d, "mtext");
	if (!size)
		d->ops->str(d->e, "", 0, 0);
	else if (!text || (text->len < size && text->len < d->opts->string_limit))
		say_addr(d, dec_reg(d, reg) + d->word);
	else
		say_buf(d, text->data, MIN(text->len, size), size);
	d->ops->struct_end(d->e);
}

/* a: the register with the size of the text */
static void decode_msg_send(struct dec *d, const struct arg *a, unsigned reg)
{
	say_message(d, reg, dec_reg(d, a->a));
}

static void capture_message(struct cap_builder *b, const struct arg *a, unsigned reg, unsigned when)
{
	cap_fixed(b, reg, 0, when, b->word);
	cap_block(b, reg, 1, when, a->a, 1, cap_limit(b));
	b->spec->ops[b->spec->nops - 1].len_off = (__u16)b->word;
}

static void capture_msg_send(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	capture_message(b, a, reg, CAP_ENTER);
}

const struct kind kind_msg_send = { .decode = decode_msg_send, .capture = capture_msg_send };

/* What lies in the buffer up to its size, as strace shows it: the message that was received is the result's bytes of it. */
static void decode_msg_receive(struct dec *d, const struct arg *a, unsigned reg)
{
	if (d->ok)
		say_message(d, reg, dec_reg(d, a->a));
	else
		say_addr(d, dec_reg(d, reg));
}

static void capture_msg_receive(struct cap_builder *b, const struct arg *a, unsigned reg)
{
	capture_message(b, a, reg, CAP_EXIT);
}

const struct kind kind_msg_receive = { .decode = decode_msg_receive, .capture = capture_msg_receive, .at_end = true };
