/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "session/narrow.h"

#include <bpf/btf.h>
#include <errno.h>
#include <linux/btf.h>
#include <stdio.h>
#include <string.h>

#include "session/internal.h"
#include "util/thread.h"

#if defined(__x86_64__)
#define PREFIX "__x64_sys_"
#elif defined(__aarch64__)
#define PREFIX "__arm64_sys_"
#else
#define PREFIX "sys_"
#endif

/* What one of the two programs is, as libbpf has relocated it. */
struct template {
	struct bpf_program *prog;
	enum bpf_attach_type type;
	struct bpf_insn *insns;
	size_t n_insns;
	struct bpf_prog_load_opts opts;
	void *func_info;                /* owned; opts points to it */
};

struct hooked {
	char call[32];
	uint32_t btf_id;
	int prog[2], link[2];           /* enter, exit */
};

struct narrow {
	struct template template[2];
	struct hooked v[NARROW_MAX];
	size_t n;
};

/* The one whose object is being loaded: libbpf's callback knows the program alone. */
static struct narrow *loading;

/* include/linux/syscalls.h: calls whose function is called otherwise. */
static const struct { const char *call, *function; } renamed[] = {
	{ "stat", "newstat" }, { "lstat", "newlstat" }, { "fstat", "newfstat" }, { "uname", "newuname" }, { "sendfile", "sendfile64" },
	{ "umount2", "umount" },
};

static const char *function_of(const char *call, char buf[static 64])
{
	const char *name = call;

	for (size_t i = 0; i < ARRAY_SIZE(renamed); i++) {
		if (!strcmp(renamed[i].call, call))
			name = renamed[i].function;
	}
	snprintf(buf, 64, PREFIX "%s", name);
	return buf;
}

/* The end of what never returns cannot be hooked, nor does anything miss it (kernel/bpf/verifier.c, noreturn_deny; Linux 6.12.24). */
static bool never_returns(const struct hooked *h)
{
	return !strcmp(h->call, "exit") || !strcmp(h->call, "exit_group");
}

static int add_call(struct narrow *n, struct btf *btf, const char *call, char *err, size_t err_size)
{
	char function[64];
	int id;

	if (n->n == NARROW_MAX) {
		snprintf(err, err_size, "--narrow: more than %d calls; name fewer by -e trace=", NARROW_MAX);
		return -E2BIG;
	}
	id = btf__find_by_name_kind(btf, function_of(call, function), BTF_KIND_FUNC);
	if (id < 0) {
		snprintf(err, err_size, "--narrow: this kernel does not tell of a function of %s, as of all calls without arguments: leave it out, or --narrow", call);
		return -ENOENT;
	}
	n->v[n->n] = (struct hooked){ .btf_id = (uint32_t)id, .prog = { -1, -1 }, .link = { -1, -1 } };
	snprintf(n->v[n->n].call, sizeof(n->v[n->n].call), "%s", call);
	n->n++;
	return 0;
}

static int find_calls(struct narrow *n, const struct session_opts *o, char *err, size_t err_size)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int r = btf ? 0 : -errno;

	if (r)
		snprintf(err, err_size, "--narrow: this kernel has no BTF: %s", strerror(-r));
	for (uint32_t nr = 0; !r && nr < CT_NR_NATIVE; nr++) {
		const struct syscall *s = o->trace.rows[nr] ? syscall_get(ABI_NATIVE, nr) : NULL;

		if (s)
			r = add_call(n, btf, syscall_name(s), err, err_size);
	}
	if (!r && !n->n) {
		snprintf(err, err_size, "--narrow: -e trace= names no call of this machine's own ABI");
		r = -ENOENT;
	}
	btf__free(btf);
	return r;
}

/* Loading alone does not tell: the trampoline is made when it is attached. */
static int probe(const struct hooked *h)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY, .attach_btf_id = h->btf_id);
	_cleanup_close_ int prog = bpf_prog_load(BPF_PROG_TYPE_TRACING, "ctrace_probe", PROGRAM_LICENSE, empty_program, EMPTY_INSNS, &opts);
	_cleanup_close_ int link = -1;

	if (prog < 0)
		return -errno;
	link = bpf_raw_tracepoint_open(NULL, prog);
	return link < 0 ? -errno : 0;
}

int narrow_new(const struct session_opts *o, struct narrow **ret, char *err, size_t err_size)
{
	struct narrow *n = calloc(1, sizeof(*n));
	int r;

	if (!n)
		return -ENOMEM;
	r = find_calls(n, o, err, err_size);
	if (!r) {
		r = probe(&n->v[0]);
		if (r)
			snprintf(err, err_size, "--narrow: this kernel lets no function be hooked (fentry: %s); trace without --narrow", strerror(-r));
	}
	if (r) {
		narrow_free(n);
		return r;
	}
	*ret = n;
	return 0;
}

/* Keeps what would be loaded, all relocated, and gives libbpf an empty program in its place. */
static int keep_template(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long cookie)
{
	struct template *t = loading ? &loading->template[cookie] : NULL;
	size_t info = (size_t)opts->func_info_cnt * opts->func_info_rec_size;

	if (!t)
		return -EINVAL;
	t->n_insns = bpf_program__insn_cnt(prog);
	t->insns = malloc(t->n_insns * sizeof(*t->insns));
	t->func_info = malloc(info + 1);
	if (!t->insns || !t->func_info)
		return -ENOMEM;
	memcpy(t->insns, bpf_program__insns(prog), t->n_insns * sizeof(*t->insns));
	memcpy(t->func_info, opts->func_info, info);
	t->opts = *opts;
	t->opts.func_info = t->func_info;
	/* Of use for the verifier's log alone, and libbpf's own. */
	t->opts.line_info = NULL;
	t->opts.line_info_cnt = 0;
	return program_load_empty(prog, opts);
}

int narrow_register(void)
{
	LIBBPF_OPTS(libbpf_prog_handler_opts, enter, .cookie = 0, .prog_prepare_load_fn = keep_template);
	LIBBPF_OPTS(libbpf_prog_handler_opts, exit, .cookie = 1, .prog_prepare_load_fn = keep_template);
	int r = libbpf_register_prog_handler("narrow_enter", BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, &enter);

	if (r >= 0)
		r = libbpf_register_prog_handler("narrow_exit", BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT, &exit);
	return r < 0 ? r : 0;
}

int narrow_prepare(struct narrow *n, struct ctrace_bpf *k)
{
	char function[64];
	int r = 0;

	bpf_program__set_autoload(k->progs.ctrace_narrow_enter, n != NULL);
	bpf_program__set_autoload(k->progs.ctrace_narrow_exit, n != NULL);
	if (!n)
		return 0;
	bpf_program__set_autoload(k->progs.ctrace_sys_enter, false);
	bpf_program__set_autoload(k->progs.ctrace_sys_exit, false);
	loading = n;
	n->template[0].prog = k->progs.ctrace_narrow_enter;
	n->template[0].type = BPF_TRACE_FENTRY;
	n->template[1].prog = k->progs.ctrace_narrow_exit;
	n->template[1].type = BPF_TRACE_FEXIT;
	for (int i = 0; !r && i < 2; i++)
		r = bpf_program__set_attach_target(n->template[i].prog, 0, function_of(n->v[0].call, function));
	return r;
}

static int load_one(const struct template *t, const struct hooked *h)
{
	struct bpf_prog_load_opts opts = t->opts;
	int fd;

	opts.expected_attach_type = t->type;
	opts.attach_btf_id = h->btf_id;
	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, bpf_program__name(t->prog), PROGRAM_LICENSE, t->insns, t->n_insns, &opts);
	return fd < 0 ? -errno : fd;
}

/* The verifier takes one program per caller: one thread loads those for the beginnings, another those for the ends. */
struct share {
	struct narrow *n;
	int which;
	size_t failed;                  /* with error: which call's */
	int error;
};

static void *load_share(void *arg)
{
	struct share *s = arg;

	for (size_t i = 0; !s->error && i < s->n->n; i++) {
		struct hooked *h = &s->n->v[i];
		int fd;

		if (s->which && never_returns(h))
			continue;
		fd = load_one(&s->n->template[s->which], h);
		if (fd >= 0) {
			h->prog[s->which] = fd;
			continue;
		}
		s->error = fd;
		s->failed = i;
	}
	return NULL;
}

int narrow_load(struct narrow *n, char *err, size_t err_size)
{
	struct share enters = { .n = n }, exits = { .n = n, .which = 1 };
	const struct share *failed;
	pthread_t thread;
	int r;

	loading = NULL;
	r = thread_start(&thread, load_share, &exits);
	load_share(&enters);
	if (r)
		load_share(&exits);
	else
		pthread_join(thread, NULL);
	failed = enters.error ? &enters : &exits;
	if (failed->error)
		snprintf(err, err_size, "--narrow: the kernel refuses the program for %s: %s", n->v[failed->failed].call, strerror(-failed->error));
	return failed->error;
}

/* The ends first: a call whose beginning is seen has an end. */
int narrow_attach(struct narrow *n, char *err, size_t err_size)
{
	for (int k = 1; k >= 0; k--) {
		for (size_t i = 0; i < n->n; i++) {
			int fd = n->v[i].prog[k] < 0 ? 0 : bpf_raw_tracepoint_open(NULL, n->v[i].prog[k]);

			if (!fd)
				continue;
			if (fd < 0) {
				int r = -errno;

				snprintf(err, err_size, "--narrow: the function of %s cannot be hooked: %s", n->v[i].call, strerror(-r));
				return r;
			}
			n->v[i].link[k] = fd;
		}
	}
	return 0;
}

void narrow_detach(struct narrow *n)
{
	for (int k = 0; n && k < 2; k++) {
		for (size_t i = 0; i < n->n; i++)
			closep(&n->v[i].link[k]);
	}
}

void narrow_free(struct narrow *n)
{
	if (!n)
		return;
	narrow_detach(n);
	for (size_t i = 0; i < n->n; i++) {
		closep(&n->v[i].prog[0]);
		closep(&n->v[i].prog[1]);
	}
	for (int k = 0; k < 2; k++) {
		free(n->template[k].insns);
		free(n->template[k].func_info);
	}
	if (loading == n)
		loading = NULL;
	free(n);
}

uint64_t narrow_misses(const struct narrow *n)
{
	uint64_t sum = 0;

	for (size_t i = 0; n && i < n->n; i++) {
		for (int k = 0; k < 2; k++)
			sum += program_misses(n->v[i].prog[k]);
	}
	return sum;
}
