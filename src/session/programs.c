/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loading the programs on two CPUs: the verifier is most of a start, and takes one program per caller. */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "session/internal.h"
#include "session/narrow.h"
#include "util/thread.h"

#define TP_BTF "tp_btf"

const struct bpf_insn empty_program[EMPTY_INSNS] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
	{ .code = BPF_JMP | BPF_EXIT },
};

/*
 * One program that a thread loads, while libbpf loads the next ones. libbpf
 * gets an empty one in its place, whose descriptor then becomes this one's.
 */
struct handed_over {
	struct bpf_program *prog;
	struct bpf_insn *insns;
	size_t n_insns;
	struct bpf_prog_load_opts opts;
	pthread_t thread;
	atomic_bool done;
	int fd;                         /* or a negative errno */
};

static struct {
	struct handed_over v[8];
	size_t n;
	bool two_cpus;
} handed;

static void *load_one(void *arg)
{
	struct handed_over *h = arg;

	/* How the thread that made this one is scheduled is not inherited. */
	session_hurry(true);
	h->fd = bpf_prog_load(bpf_program__type(h->prog), bpf_program__name(h->prog), PROGRAM_LICENSE, h->insns, h->n_insns, &h->opts);
	if (h->fd < 0)
		h->fd = -errno;
	atomic_store(&h->done, true);
	return NULL;
}

int program_load_empty(struct bpf_program *prog, struct bpf_prog_load_opts *opts)
{
	opts->func_info_cnt = opts->line_info_cnt = 0;
	return bpf_program__set_insns(prog, (struct bpf_insn *)empty_program, EMPTY_INSNS);
}

uint64_t program_misses(int fd)
{
	struct bpf_prog_info info = { 0 };
	__u32 len = sizeof(info);

	return fd >= 0 && !bpf_obj_get_info_by_fd(fd, &info, &len) ? info.recursion_misses : 0;
}

/* What libbpf calls before it loads a program: all is relocated, and opts is what goes to the kernel. */
static int before_load(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long cookie __attribute__((unused)))
{
	struct handed_over *h = &handed.v[handed.n];
	size_t size = bpf_program__insn_cnt(prog) * sizeof(*h->insns);
	bool free_cpu = handed.two_cpus && handed.n < ARRAY_SIZE(handed.v) && (!handed.n || atomic_load(&h[-1].done));

	/* fd_array is freed with the load: no program needs it now. */
	if (!free_cpu || opts->fd_array || size < 1000 * sizeof(*h->insns))
		return 0;
	*h = (struct handed_over){ .prog = prog, .n_insns = bpf_program__insn_cnt(prog), .opts = *opts, .fd = -ECANCELED };
	h->insns = malloc(size);
	if (!h->insns)
		return -ENOMEM;
	memcpy(h->insns, bpf_program__insns(prog), size);
	if (thread_start(&h->thread, load_one, h) < 0) {
		free(h->insns);
		return 0;
	}
	handed.n++;
	return program_load_empty(prog, opts);
}

static int attach(const struct bpf_program *prog, long cookie __attribute__((unused)), struct bpf_link **ret_link)
{
	*ret_link = bpf_program__attach_trace(prog);
	return *ret_link ? 0 : -errno;
}

int session_open_programs(void)
{
	static bool registered;
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .prog_prepare_load_fn = before_load, .prog_attach_fn = attach);
	int r;

	if (registered)
		return 0;
	/* For the process's life: the programs point at it. */
	r = libbpf_register_prog_handler(TP_BTF "+", BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, &opts);
	if (r >= 0)
		r = narrow_register();
	registered = r >= 0;
	return r < 0 ? r : 0;
}

/* Ends the threads, and puts what they loaded in its place. */
static int take_back(const struct bpf_program **ret_failed)
{
	int err = 0;

	for (size_t i = 0; i < handed.n; i++) {
		struct handed_over *h = &handed.v[i];
		int fd;

		pthread_join(h->thread, NULL);
		free(h->insns);
		fd = bpf_program__fd(h->prog);
		if (h->fd >= 0 && fd >= 0 && dup3(h->fd, fd, O_CLOEXEC) < 0)
			h->fd = -errno;
		if (h->fd >= 0)
			close(h->fd);
		else if (!err) {
			err = h->fd;
			*ret_failed = h->prog;
		}
	}
	return err;
}

int session_load_programs(struct ctrace_bpf *skel, const struct bpf_program **ret_failed)
{
	struct bpf_program *prog;
	cpu_set_t cpus;
	int r, r2;

	*ret_failed = NULL;
	handed.n = 0;
	/* More than 1024 CPUs: EINVAL. */
	handed.two_cpus = sched_getaffinity(0, sizeof(cpus), &cpus) < 0 || CPU_COUNT(&cpus) > 1;
	bpf_object__for_each_program(prog, skel->obj) {
		const char *section = bpf_program__section_name(prog);

		if (!bpf_program__autoload(prog) || strncmp(section, TP_BTF "/", strlen(TP_BTF "/")))
			continue;
		r = bpf_program__set_attach_target(prog, 0, section + strlen(TP_BTF "/"));
		if (r)
			return r;
	}
	r = ctrace_bpf__load(skel);
	r2 = take_back(ret_failed);
	return r ? r : r2;
}
