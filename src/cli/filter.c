/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The system calls that a run makes once it traces. Three answers: those of
 * the lists below are made; what a C library may try, and do without, is
 * refused (ENOSYS: it takes the older way; EPERM: with these arguments not);
 * what nothing of ours ever calls and an intruder would begin with ends the process.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/netlink.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/armour.h"
#include "util/macros.h"

#define OPEN_WRITES (O_ACCMODE | O_CREAT | O_TRUNC)

/* Calls that one ABI does not have are no error: libseccomp has pseudo numbers for them. */
static const int always[] = {
	/* input and output on what is open */
	SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(lseek), SCMP_SYS(close),
	SCMP_SYS(fstat), SCMP_SYS(fstatfs), SCMP_SYS(getdents64), SCMP_SYS(fcntl), SCMP_SYS(dup), SCMP_SYS(dup3), SCMP_SYS(close_range),
	/* looking at files */
	SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(statfs), SCMP_SYS(readlink), SCMP_SYS(readlinkat),
	SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(getcwd),
	/* waiting */
	SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait),
	SCMP_SYS(epoll_pwait2), SCMP_SYS(timerfd_create), SCMP_SYS(timerfd_settime), SCMP_SYS(timerfd_gettime), SCMP_SYS(signalfd4),
	SCMP_SYS(eventfd2), SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep), SCMP_SYS(restart_syscall), SCMP_SYS(wait4), SCMP_SYS(waitid),
	SCMP_SYS(pidfd_open),
	/* memory */
	SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(membarrier),
	/* time, identity, chance */
	SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(gettid),
	SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(uname), SCMP_SYS(sysinfo), SCMP_SYS(getrandom),
	SCMP_SYS(getrlimit), SCMP_SYS(setrlimit), SCMP_SYS(getrusage),
	/* signals and threads */
	SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
	SCMP_SYS(rt_sigtimedwait), SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(sched_yield),
	SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getscheduler), SCMP_SYS(sched_getparam), SCMP_SYS(getpriority), SCMP_SYS(getcpu),
	SCMP_SYS(exit), SCMP_SYS(exit_group),
};

/* Roots of containers, links in them, and what these lead to. */
static const int below_roots[] = { SCMP_SYS(openat2), SCMP_SYS(getxattr), SCMP_SYS(fgetxattr), SCMP_SYS(lgetxattr) };

/* The runtimes' files are watched, and daemons are asked over their sockets. */
static const int watching[] = {
	SCMP_SYS(openat2), SCMP_SYS(inotify_init1), SCMP_SYS(inotify_add_watch), SCMP_SYS(inotify_rm_watch), SCMP_SYS(connect),
	SCMP_SYS(sendto), SCMP_SYS(recvfrom), SCMP_SYS(sendmsg), SCMP_SYS(recvmsg), SCMP_SYS(shutdown), SCMP_SYS(getsockopt), SCMP_SYS(setsockopt),
	SCMP_SYS(getsockname), SCMP_SYS(getpeername), SCMP_SYS(pipe2), SCMP_SYS(socketpair),
};

/* A cgroup is frozen by a file that is open, and marked. */
static const int freezing[] = { SCMP_SYS(pwrite64), SCMP_SYS(fsetxattr), SCMP_SYS(fremovexattr), SCMP_SYS(fgetxattr), SCMP_SYS(flock) };

/* Names of interfaces and of generic netlink's families, of sockets that are open. */
static const int netlink[] = {
	SCMP_SYS(sendto), SCMP_SYS(recvfrom), SCMP_SYS(sendmsg), SCMP_SYS(recvmsg), SCMP_SYS(bind), SCMP_SYS(setsockopt),
	SCMP_SYS(getsockname),
};

/* The status file takes the place of an older one. */
static const int replacing[] = { SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(rename), SCMP_SYS(renameat), SCMP_SYS(renameat2) };

static const int ioctls[] = {
	TCGETS, TIOCGWINSZ, FIONREAD,
	0x8910 /* SIOCGIFNAME */,
};

/* What is open already is used; nothing is loaded or made. LINK_CREATE and ITER_CREATE start a reading of tasks. */
static const int bpf_commands[] = {
	BPF_MAP_LOOKUP_ELEM, BPF_MAP_UPDATE_ELEM, BPF_MAP_DELETE_ELEM, BPF_MAP_GET_NEXT_KEY, BPF_MAP_LOOKUP_AND_DELETE_ELEM, BPF_MAP_LOOKUP_BATCH,
	BPF_MAP_LOOKUP_AND_DELETE_BATCH, BPF_MAP_UPDATE_BATCH, BPF_MAP_DELETE_BATCH, BPF_OBJ_GET_INFO_BY_FD, BPF_LINK_CREATE, BPF_ITER_CREATE,
};

static const int deadly_bpf_commands[] = {
	BPF_PROG_LOAD, BPF_MAP_CREATE, BPF_BTF_LOAD, BPF_OBJ_PIN, BPF_OBJ_GET, BPF_PROG_ATTACH, BPF_RAW_TRACEPOINT_OPEN, BPF_PROG_GET_FD_BY_ID,
	BPF_MAP_GET_FD_BY_ID, BPF_LINK_GET_FD_BY_ID,
};

static const int deadly[] = {
	SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_getfd),
	SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(reboot),
	SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(fsopen),
	SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fspick), SCMP_SYS(mount_setattr), SCMP_SYS(unshare), SCMP_SYS(open_by_handle_at),
	SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
	SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(keyctl), SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(modify_ldt), SCMP_SYS(mknod),
	SCMP_SYS(mknodat),
};

/* A filter that is being made; the first error stays. */
struct filter {
	scmp_filter_ctx ctx;
	int error;
};

static void add(struct filter *f, uint32_t action, int call, unsigned n, const struct scmp_arg_cmp *args)
{
	int r;

	if (f->error)
		return;
	r = seccomp_rule_add_array(f->ctx, action, call, n, args);
	/* EEXIST: two duties ask for it. EDOM: this ABI has no such call. */
	if (r < 0 && r != -EEXIST && r != -EDOM)
		f->error = r;
}

static void add_all(struct filter *f, uint32_t action, const int *calls, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add(f, action, calls[i], 0, NULL);
}

#define ALLOW_ALL(f, calls) add_all(f, SCMP_ACT_ALLOW, calls, ARRAY_SIZE(calls))
/* The call is made if the comparison holds, and refused if not. */
#define ALLOW_IF(f, call, ...) add(f, SCMP_ACT_ALLOW, SCMP_SYS(call), 1, &(struct scmp_arg_cmp)__VA_ARGS__)
#define REFUSE_IF(f, call, ...) add(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(call), 1, &(struct scmp_arg_cmp)__VA_ARGS__)

/* Files are opened to be read; written are those that are open already, unless a duty opens more. */
static void add_files(struct filter *f, const struct duties *d)
{
	static const int writes[] = { O_WRONLY, O_RDWR };

	/* The files of a cgroup that was waited for. */
	if (d->new_files || d->status_file || (d->lossless && d->waits)) {
		add(f, SCMP_ACT_ALLOW, SCMP_SYS(openat), 0, NULL);
		add(f, SCMP_ACT_ALLOW, SCMP_SYS(open), 0, NULL);
	} else {
		ALLOW_IF(f, openat, { 2, SCMP_CMP_MASKED_EQ, OPEN_WRITES, O_RDONLY });
		ALLOW_IF(f, open, { 1, SCMP_CMP_MASKED_EQ, OPEN_WRITES, O_RDONLY });
		for (size_t i = 0; i < ARRAY_SIZE(writes); i++) {
			REFUSE_IF(f, openat, { 2, SCMP_CMP_MASKED_EQ, O_ACCMODE, (unsigned)writes[i] });
			REFUSE_IF(f, open, { 1, SCMP_CMP_MASKED_EQ, O_ACCMODE, (unsigned)writes[i] });
		}
	}
	if (d->status_file)
		ALLOW_ALL(f, replacing);
}

/* Nothing that was written to memory is ever executed. */
static void add_memory(struct filter *f)
{
	ALLOW_IF(f, mmap, { 2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0 });
	ALLOW_IF(f, mprotect, { 2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0 });
	REFUSE_IF(f, mmap, { 2, SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC });
	REFUSE_IF(f, mprotect, { 2, SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC });
}

static void add_processes(struct filter *f, const struct duties *d)
{
	/* abort(3), and the end by COMMAND's signal */
	ALLOW_IF(f, kill, { 0, SCMP_CMP_EQ, (scmp_datum_t)d->own_pid, 0 });
	ALLOW_IF(f, tgkill, { 0, SCMP_CMP_EQ, (scmp_datum_t)d->own_pid, 0 });
	if (d->command_pid)
		ALLOW_IF(f, kill, { 0, SCMP_CMP_EQ, (scmp_datum_t)d->command_pid, 0 });
	ALLOW_IF(f, prlimit64, { 0, SCMP_CMP_EQ, 0, 0 });
	ALLOW_IF(f, sched_setscheduler, { 0, SCMP_CMP_EQ, 0, 0 });
	ALLOW_IF(f, sched_setparam, { 0, SCMP_CMP_EQ, 0, 0 });
}

static void add_bpf(struct filter *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(bpf_commands); i++)
		ALLOW_IF(f, bpf, { 0, SCMP_CMP_EQ, (scmp_datum_t)bpf_commands[i], 0 });
	for (size_t i = 0; i < ARRAY_SIZE(deadly_bpf_commands); i++)
		add(f, SCMP_ACT_KILL_PROCESS, SCMP_SYS(bpf), 1, &(struct scmp_arg_cmp){ 0, SCMP_CMP_EQ, (scmp_datum_t)deadly_bpf_commands[i], 0 });
}

static void add_network(struct filter *f, const struct duties *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(ioctls); i++)
		ALLOW_IF(f, ioctl, { 1, SCMP_CMP_MASKED_EQ, UINT32_MAX, (scmp_datum_t)ioctls[i] });
	ALLOW_ALL(f, netlink);
	if (d->waits) {
		ALLOW_ALL(f, watching);
		ALLOW_IF(f, socket, { 0, SCMP_CMP_EQ, AF_UNIX, 0 });
	}
	if (d->strangers) {
		ALLOW_IF(f, socket, { 0, SCMP_CMP_EQ, AF_INET, 0 });
		ALLOW_IF(f, socket, { 0, SCMP_CMP_EQ, AF_NETLINK, 0 });
		ALLOW_IF(f, setns, { 1, SCMP_CMP_EQ, CLONE_NEWNET, 0 });
	} else {
		add(f, SCMP_ACT_KILL_PROCESS, SCMP_SYS(setns), 0, NULL);
	}
}

static void add_rules(struct filter *f, const struct duties *d)
{
	ALLOW_ALL(f, always);
	add_files(f, d);
	add_memory(f);
	add_processes(f, d);
	add_bpf(f);
	add_network(f, d);
	if (d->lossless)
		ALLOW_ALL(f, freezing);
	if (d->stacks || d->names || d->secontexts || d->paths)
		ALLOW_ALL(f, below_roots);
	add_all(f, SCMP_ACT_KILL_PROCESS, deadly, ARRAY_SIZE(deadly));
}

int armour_filter(const struct duties *d)
{
	struct filter f = { .ctx = ARMOUR_FILTERS ? seccomp_init(SCMP_ACT_ERRNO(ENOSYS)) : NULL };

	if (!ARMOUR_FILTERS)
		return 0;
	if (!f.ctx)
		return -ENOMEM;
	add_rules(&f, d);
	/* Calls by another ABI's numbers would pass by the rules. */
	if (!f.error)
		f.error = seccomp_attr_set(f.ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (!f.error)
		f.error = seccomp_attr_set(f.ctx, SCMP_FLTATR_CTL_TSYNC, 1);
	/* Without it Linux before 5.16 slows the process down; that is a means against code that it runs for others. libseccomp 2.5 */
	if (!f.error)
		f.error = seccomp_attr_set(f.ctx, SCMP_FLTATR_CTL_SSB, 1);
	/* A tree in place of a list. */
	if (!f.error)
		f.error = seccomp_attr_set(f.ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	/* It sets no_new_privs as well. */
	if (!f.error)
		f.error = seccomp_load(f.ctx);
	seccomp_release(f.ctx);
	return f.error;
}
