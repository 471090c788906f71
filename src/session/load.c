/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loading, selectors, attaching and detaching. */
#include <dirent.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>

#include "ns/nsid.h"
#include "ns/procfs.h"
#include "session/internal.h"
#include "session/narrow.h"
#include "ctrace_lean.skel.h"

/* Executables of container runtimes, by the beginning of their names; a memfd's name is what stands behind "memfd:". */
static const char *const runtimes[] = {
	"runc", "crun", "youki", "runsc", "lxc-start", "lxc-attach", "systemd-nspawn", "containerd-shim", "conmon",
	"memfd:runc", "memfd:crun", "memfd:exe", "exe", "libcrun",
};

/* The last thing that libbpf had to say, for the message. */
static char libbpf_said[256];

static int keep_warning(enum libbpf_print_level level, const char *format, va_list args)
{
	if (level == LIBBPF_WARN && !libbpf_said[0]) {
		vsnprintf(libbpf_said, sizeof(libbpf_said), format, args);
		libbpf_said[strcspn(libbpf_said, "\n")] = 0;
	}
	return 0;
}

static uint32_t next_power_of_two(size_t v)
{
	uint32_t p = 4096;

	while (p < v && p < 1u << 30)
		p <<= 1;
	return p;
}

static void set_runtimes(struct ct_config *cfg)
{
	_Static_assert(ARRAY_SIZE(runtimes) <= CT_RUNTIMES, "too many names of runtimes");
	for (size_t i = 0; i < ARRAY_SIZE(runtimes); i++) {
		size_t len = MIN(strlen(runtimes[i]), sizeof(cfg->runtimes[i].value) - 1);

		memcpy(cfg->runtimes[i].value, runtimes[i], len);
		memset(cfg->runtimes[i].mask, 0xff, len);
	}
}

/* The index of a hierarchy among those that the targets are decided on, added if it is new. */
static int hierarchy_index(struct ct_config *cfg, uint32_t id)
{
	for (int i = 0; i < cfg->n_hierarchies; i++) {
		if (cfg->hierarchies[i] == id)
			return i;
	}
	if (cfg->n_hierarchies == CT_HIERARCHIES)
		return -E2BIG;
	cfg->hierarchies[cfg->n_hierarchies] = id;
	cfg->v1 |= id != 0;
	return cfg->n_hierarchies++;
}

static uint8_t wanted_status(unsigned status)
{
	return (status & STATUS_SUCCESSFUL ? CT_WANT_SUCCESS : 0) | (status & STATUS_FAILED ? CT_WANT_FAILED : 0) |
	       (status & STATUS_UNFINISHED ? CT_WANT_UNFINISHED : 0) | (status & STATUS_DETACHED ? CT_WANT_IN_FLIGHT : 0);
}

#ifdef CT_MUTATION
/* Which paths of coverage this run does without: names out of CTRACE_BREAK, with commas between them. */
static uint32_t broken_paths(void)
{
	static const struct { const char *name; uint32_t bit; } paths[] = {
		{ "fork", CT_BREAK_FORK },   { "adopt", CT_BREAK_ADOPT }, { "move", CT_BREAK_MOVE },
		{ "epoch", CT_BREAK_EPOCH }, { "judge", CT_BREAK_JUDGE }, { "alloc", CT_BREAK_ALLOC },
		{ "rescan", CT_BREAK_RESCAN }, { "audit", CT_BREAK_AUDIT }, { "drain", CT_BREAK_DRAIN },
	};
	const char *text = getenv("CTRACE_BREAK");
	uint32_t bits = 0;

	while (text && *text) {
		size_t len = strcspn(text, ",");

		for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
			if (strlen(paths[i].name) == len && !memcmp(paths[i].name, text, len))
				bits |= paths[i].bit;
		}
		text += len + (text[len] == ',');
	}
	return bits;
}
#endif

bool session_shares_pidns(const struct target *t)
{
	return t->pidns_inum == NS_PID_INITIAL || t->pidns_inum == session_own_pidns();
}

/* --nsenter of a container that has no pid namespace of its own would take in the machine. */
static int check_nsenter(const struct session *s, char *err, size_t err_size)
{
	for (size_t i = 0; s->opts.nsenter && i < s->targets->n; i++) {
		const struct target *t = &s->targets->v[i];

		if (t->kind != TARGET_CONTAINER || t->waiting || !session_shares_pidns(t))
			continue;
		snprintf(err, err_size, "--nsenter: container %s shares the pid namespace of %s, all of whose tasks would be traced", t->label,
			 t->pidns_inum == NS_PID_INITIAL ? "the host" : "ctrace");
		return -EINVAL;
	}
	return 0;
}

static int set_config(struct session *s, struct ct_config *cfg)
{
	const struct session_opts *o = &s->opts;

	for (size_t i = 0; i < s->targets->n; i++) {
		const struct target *t = &s->targets->v[i];

		if (t->kind == TARGET_ALL)
			cfg->all = 1;
		if (is_process_target(t))
			cfg->have_tasks = 1;
		for (size_t k = 0; k < t->n_cgroups; k++) {
			int r = hierarchy_index(cfg, t->cgroups[k].hierarchy_id);

			if (r < 0)
				return r;
		}
		for (size_t k = 0; k < t->n_wanted_hierarchies; k++) {
			int r = hierarchy_index(cfg, t->wanted_hierarchies[k]);

			if (r < 0)
				return r;
		}
	}
	cfg->n_targets = s->targets->n;
	cfg->counts = o->counts || o->counts_only;
	cfg->counts_only = o->counts_only;
	cfg->split = o->split && !o->counts_only;
	cfg->waits = session_waits(s);
	cfg->nsenter = o->nsenter;
	cfg->narrow = o->narrow;
	cfg->pids = o->decode.pid_comm || o->decode.pid_ns;
	cfg->ip = o->ip;
	cfg->names = o->decode.pid_comm;
	cfg->stack = o->stack;
	cfg->peers = o->decode.names != NULL;
	cfg->phase = o->phase;
	cfg->status = wanted_status(o->status);
	cfg->only_pid = o->only_pid;
	cfg->slower = o->slower_ns;
	cfg->syscall_limit = o->syscall_limit;
	if (o->comm[0]) {
		cfg->filter_comm = 1;
		memcpy(cfg->comm, o->comm, sizeof(cfg->comm));
	}
	set_runtimes(cfg);
#ifdef CT_MUTATION
	cfg->broken = broken_paths();
#endif
	return 0;
}

static int set_sizes(struct session *s)
{
	struct ctrace_bpf *k = s->skel;
	int err;

	err = bpf_map__set_max_entries(k->maps.scratches, s->n_cpus);
	if (!err && !k->rodata->cfg.pids)
		err = bpf_map__set_max_entries(k->maps.ended, 1);
	if (!err)
		err = bpf_map__set_max_entries(k->maps.ring, next_power_of_two(s->opts.buffer));
	if (!err)
		err = bpf_map__set_max_entries(k->maps.stats, s->opts.counts || s->opts.counts_only ? s->targets->n * CT_ROWS : 1);
	return err;
}

int session_select_process(struct session *s, uint32_t target, uint32_t pidns, pid_t nr, bool thread, uint64_t start, uint32_t flags)
{
	struct ct_task_key key = { .pidns = pidns, .nr = nr, .thread = thread };
	struct ct_task_selector selector = { .target = target, .flags = flags, .start = start };

	return bpf_map_update_elem(bpf_map__fd(s->skel->maps.sel_tasks), &key, &selector, BPF_NOEXIST);
}

uint32_t session_own_pidns(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) < 0 ? 0 : st.st_ino;
}

static int select_process(struct session *s, uint32_t i, const struct target *t)
{
	struct proc_stat stat = {};
	int err;

	if (t->kind == TARGET_COMMAND)
		return session_select_process(s, i, session_own_pidns(), t->pid, false, 0, CT_SELECT_HELD);
	err = proc_stat_read(s->env->proc_fd, t->pid, t->kind == TARGET_THREAD ? t->pid : 0, &stat);
	/* It is gone; whoever comes with its number is somebody else. */
	if (err)
		return 0;
	return session_select_process(s, i, s->env->pidns_inum, t->pid, t->kind == TARGET_THREAD, stat.start, 0);
}

void session_unselect_command(struct session *s)
{
	struct ct_task_key key = { .pidns = session_own_pidns(), .nr = s->opts.command_pid };

	bpf_map_delete_elem(bpf_map__fd(s->skel->maps.sel_tasks), &key);
}

bool session_cgroup_key(const struct session *s, const struct cgroup_selector *c, struct ct_cgroup_key *ret_key)
{
	const struct ct_config *cfg = &s->skel->rodata->cfg;

	*ret_key = (struct ct_cgroup_key){ .id = c->id };
	while (ret_key->hierarchy < cfg->n_hierarchies && cfg->hierarchies[ret_key->hierarchy] != c->hierarchy_id)
		ret_key->hierarchy++;
	return ret_key->hierarchy < cfg->n_hierarchies;
}

int session_select_cgroups(struct session *s, uint32_t i, const struct target *t)
{
	for (size_t k = 0; k < t->n_cgroups; k++) {
		struct ct_cgroup_key key;
		int err;

		if (!session_cgroup_key(s, &t->cgroups[k], &key))
			continue;
		err = bpf_map_update_elem(bpf_map__fd(s->skel->maps.sel_cgroups), &key, &i, BPF_ANY);
		if (err)
			return err;
	}
	return 0;
}

static int map_targets(struct session *s)
{
	size_t size = (CT_TARGETS * sizeof(struct ct_target) + 4095) & ~(size_t)4095;
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(s->skel->maps.targets), 0);

	if (p == MAP_FAILED)
		return -errno;
	s->live = p;
	return 0;
}

static int write_selectors(struct session *s)
{
	const struct ct_config *cfg = &s->skel->rodata->cfg;
	int err = map_targets(s);

	for (size_t i = 0; !err && i < s->targets->n; i++) {
		const struct target *t = &s->targets->v[i];

		s->live[i].pidns = t->pidns_inum ? t->pidns_inum : session_own_pidns();
		if (t->kind == TARGET_CONTAINER) {
			s->live[i].flags = CT_TARGET_CONTAINER | (cfg->waits ? CT_TARGET_WAITED : 0);
			if (t->waiting)
				s->live[i].pidns = 0;
		}
		if (is_process_target(t))
			err = select_process(s, i, t);
		else
			err = session_select_cgroups(s, i, t);
		if (!err)
			err = session_want(s, i);
		if (!err)
			err = session_hold_pidns(s, i);
	}
	return err;
}

/* A task whose calls are never shown: ctrace itself, and what it starts from now on. */
static int leave_out(struct session *s, pid_t pid)
{
	struct ct_entry entry = { .never = 1, .target = CT_NO_TARGET };
	_cleanup_close_ int fd = syscall(SYS_pidfd_open, pid, 0);

	if (fd < 0)
		return -errno;
	return bpf_map_update_elem(bpf_map__fd(s->skel->maps.tasks), &fd, &entry, BPF_ANY);
}

static void explain_load(int err, char *buf, size_t size)
{
	if (err == -EPERM)
		snprintf(buf, size, "the kernel refuses to load the BPF programs (%s): CAP_BPF and CAP_PERFMON are missing, or a security module (SELinux, AppArmor) refuses it", strerror(-err));
	else if (err == -EACCES)
		snprintf(buf, size, "this kernel's verifier refuses the BPF programs: please report its release (uname -r)%s%s", libbpf_said[0] ? ": " : "", libbpf_said);
	else if (err == -ESRCH || err == -EOPNOTSUPP)
		snprintf(buf, size, "this kernel lacks what ctrace needs (BTF in /sys/kernel/btf/vmlinux, Linux 5.15 or newer)%s%s",
			 libbpf_said[0] ? ": " : "", libbpf_said);
	else
		snprintf(buf, size, "cannot load the BPF programs: %s%s%s%s", strerror(-err), libbpf_said[0] ? " (" : "", libbpf_said,
			 libbpf_said[0] ? ")" : "");
}

/* The maps, variables and programs of both objects are the same; the code of the lean one has no part of what only some options ask for. */
_Static_assert(sizeof(struct ctrace_bpf) == sizeof(struct ctrace_lean), "the objects' skeletons differ");
_Static_assert(sizeof(struct ctrace_bpf__bss) == sizeof(struct ctrace_lean__bss) &&
	       offsetof(struct ctrace_bpf__bss, ctl) == offsetof(struct ctrace_lean__bss, ctl), "the objects' variables differ");
_Static_assert(offsetof(struct ctrace_bpf__rodata, cfg) == offsetof(struct ctrace_lean__rodata, cfg) &&
	       offsetof(struct ctrace_bpf__rodata, off) == offsetof(struct ctrace_lean__rodata, off), "the objects' constants differ");

static bool lean(const struct session_opts *o)
{
	const struct decode_opts *d = &o->decode;

	return !d->fds && !d->match_fds && !d->pid_comm && !d->pid_ns && !d->names && !o->ip && !o->stack;
}

/* The skeleton, not yet loaded; NULL with errno. */
static struct ctrace_bpf *open_object(bool lean)
{
	struct ctrace_bpf *k = calloc(1, sizeof(*k));
	int r;

	if (!k)
		return NULL;
	r = session_open_programs();
	if (!r)
		r = ctrace_bpf__create_skeleton(k);
	if (!r && lean)
		k->skeleton->data = (void *)ctrace_lean__elf_bytes(&k->skeleton->data_sz);
	if (!r)
		r = bpf_object__open_skeleton(k->skeleton, NULL);
	if (!r)
		return k;
	ctrace_bpf__destroy(k);
	errno = -r;
	return NULL;
}

/* What the programs are told before they are loaded, and which of them are. */
static int prepare_object(struct session *s, char *err, size_t err_size)
{
	int r = check_nsenter(s, err, err_size);
	if (!r)
		r = set_config(s, &s->skel->rodata->cfg);
	if (r == -E2BIG)
		snprintf(err, err_size, "the targets lie on more than %d cgroup hierarchies", CT_HIERARCHIES);
	if (!r)
		r = session_make_specs(s);
	if (!r)
		r = session_set_files(s, err, err_size);
	if (!r)
		r = set_sizes(s);
	if (r)
		return r;
	s->skel->bss->ctl.epoch = 1;
	if (s->env->pidns_inum != NS_PID_INITIAL)
		s->skel->bss->ctl.scan_pidns = s->env->pidns_inum;
	s->asks = session_must_ask(s);
	s->skel->bss->ctl.own_pidns = session_own_pidns();
	bpf_program__set_autoload(s->skel->progs.ctrace_ask, s->asks);
	bpf_program__set_autoload(s->skel->progs.ctrace_where, session_has_hidden(s));
	bpf_program__set_autoload(s->skel->progs.ctrace_mkdir, session_waits(s));
	return narrow_prepare(s->narrow, s->skel);
}

int session_load(struct session *s, char *err, size_t err_size)
{
	const struct bpf_program *failed;
	int r;

	libbpf_set_print(keep_warning);
	libbpf_said[0] = 0;
	s->n_cpus = libbpf_num_possible_cpus();
	if (s->n_cpus < 0)
		return s->n_cpus;
	r = s->opts.narrow ? narrow_new(&s->opts, &s->narrow, err, err_size) : 0;
	if (r)
		return r;
	s->skel = open_object(lean(&s->opts));
	if (!s->skel) {
		r = -errno;
		explain_load(r, err, err_size);
		return r;
	}
	r = prepare_object(s, err, err_size);
	if (r)
		return r;
	r = session_load_programs(s->skel, &failed);
	if (r) {
		if (failed && !libbpf_said[0])
			snprintf(libbpf_said, sizeof(libbpf_said), "prog '%s': %s", bpf_program__name(failed), strerror(-r));
		explain_load(r, err, err_size);
		return r;
	}
	r = s->narrow ? narrow_load(s->narrow, err, err_size) : 0;
	if (!r)
		r = session_fill_specs(s);
	if (!r)
		r = session_place(s, err, err_size);
	if (!r)
		r = write_selectors(s);
	if (!r)
		r = leave_out(s, getpid());
	if (r && !err[0])
		snprintf(err, err_size, "cannot set up the BPF maps: %s", strerror(-r));
	/* The command of -o '|cmd' runs already: it reads what we write, and would make more of it. */
	if (s->opts.reader_pid)
		leave_out(s, s->opts.reader_pid);
	return r;
}

int session_attach(struct session *s, char *err, size_t err_size)
{
	struct ctrace_bpf *k = s->skel;
	/* What a task is comes before what it does, and an entry before its exit. */
	struct {
		struct bpf_program *prog;
		struct bpf_link **link;
	} order[] = {
		{ k->progs.ctrace_fork, &k->links.ctrace_fork },
		{ k->progs.ctrace_exec, &k->links.ctrace_exec },
		{ k->progs.ctrace_exit, &k->links.ctrace_exit },
		{ k->progs.ctrace_attach, &k->links.ctrace_attach },
		{ k->progs.ctrace_mkdir, &k->links.ctrace_mkdir },
		{ k->progs.ctrace_signal, &k->links.ctrace_signal },
		{ k->progs.ctrace_sys_enter, &k->links.ctrace_sys_enter },
		{ k->progs.ctrace_sys_exit, &k->links.ctrace_sys_exit },
	};

	k->bss->ctl.attached = boottime_ns();
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		if (!bpf_program__autoload(order[i].prog))
			continue;
		*order[i].link = bpf_program__attach(order[i].prog);
		if (!*order[i].link) {
			int r = -errno;

			snprintf(err, err_size, "cannot attach to %s: %s", bpf_program__name(order[i].prog) + strlen("ctrace_"), strerror(-r));
			return r;
		}
	}
	return s->narrow ? narrow_attach(s->narrow, err, err_size) : 0;
}

static void drop(struct bpf_link **link)
{
	bpf_link__destroy(*link);
	*link = NULL;
}

void session_detach(struct session *s)
{
	struct ctrace_bpf *k = s->skel;

	if (!k || s->detached)
		return;
	s->detached = true;
	/* No call begins any more; those that end meanwhile are still seen. */
	__atomic_store_n(&k->bss->ctl.ending, 1, __ATOMIC_RELEASE);
	narrow_detach(s->narrow);
	drop(&k->links.ctrace_sys_enter);
	drop(&k->links.ctrace_sys_exit);
	drop(&k->links.ctrace_signal);
	drop(&k->links.ctrace_attach);
	drop(&k->links.ctrace_mkdir);
	drop(&k->links.ctrace_fork);
	drop(&k->links.ctrace_exec);
	drop(&k->links.ctrace_exit);
	/* The programs run under RCU: after a grace period the last of them has ended. */
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}
