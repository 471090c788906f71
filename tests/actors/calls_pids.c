/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Numbers of tasks, groups and sessions wherever calls have them, in a pid
 * namespace of its own: what --decode-pids makes of them.
 * STATIC: it runs in a container, too.
 */
#include "calls.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

#define NOBODY 999999

/* Its end is waited for, and its SIGCHLD has come, before what follows. */
static void reap(int pid)
{
	int status;

	CALL(wait4, pid, &status, __WALL, NULL);
}

static void about_itself(int me)
{
	struct sched_param param = { 0 };
	struct rlimit limit[2];
	struct timespec ts;
	unsigned long cpus[16];
	unsigned attr[14] = { 0 };

	section("itself");
	CALL(getpid);
	CALL(gettid);
	CALL(getppid);
	CALL(setpgid, 0, 0);
	CALL(getpgrp);
	CALL(getpgid, 0);
	CALL(getpgid, me);
	CALL(getsid, 0);
	CALL(getsid, me);
	CALL(getpgid, NOBODY);
	CALL(set_tid_address, NULL);
	CALL(sched_getparam, me, &param);
	CALL(sched_getscheduler, me);
	CALL(sched_getaffinity, me, sizeof(cpus), cpus);
	CALL(sched_getattr, me, attr, 56, 0);
	CALL(sched_rr_get_interval, me, &ts);
	CALL(prlimit64, me, RLIMIT_FSIZE, NULL, limit);
	CALL(getpriority, PRIO_PROCESS, me);
	CALL(getpriority, PRIO_PGRP, me);
	CALL(getpriority, PRIO_USER, me);
	CALL(ioprio_get, 1, me);
	CALL(ioprio_get, 2, me);
	CALL(ioprio_get, 3, me);
	CALL(capget, (&(struct __user_cap_header_struct){ _LINUX_CAPABILITY_VERSION_3, me }), NULL);
	CALL(pidfd_open, NOBODY, 0);
	CALL(prctl, PR_SET_PTRACER, me, 0, 0, 0);
	CALL(get_robust_list, NOBODY, cpus, cpus);
}

static void signals(int me)
{
	siginfo_t info = { .si_signo = SIGUSR1, .si_code = SI_QUEUE };
	sigset_t set;

	section("signals");
	info.si_pid = me;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	CALL(rt_sigprocmask, SIG_BLOCK, &set, NULL, 8);
	CALL(kill, me, 0);
	CALL(kill, -me, 0);
	CALL(kill, 0, 0);
	CALL(kill, 1, 0);
	CALL(kill, NOBODY, 0);
	CALL(kill, -NOBODY, 0);
	CALL(kill, 0x80000000, 0);
	CALL(tkill, me, 0);
	CALL(tgkill, me, me, 0);
	CALL(tgkill, 1, me, 0);
	CALL(rt_sigqueueinfo, me, SIGUSR1, &info);
	CALL(rt_sigtimedwait, &set, &info, NULL, 8);
	CALL(rt_tgsigqueueinfo, me, me, SIGUSR1, &info);
	CALL(rt_sigtimedwait, &set, &info, NULL, 8);
}

static void child(int me)
{
	int pid, status;
	siginfo_t info;

	section("children");
	pid = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (!pid) {
		CALL(getpid);
		CALL(getppid);
		CALL(setsid);
		CALL(getsid, 0);
		CALL(getpgid, 0);
		raw_pause();
	}
	/* Until it has its own session. */
	while (syscall(SYS_getsid, pid) != pid)
		CALL(sched_yield);
	CALL(kill, pid, 0);
	CALL(kill, -pid, 0);
	CALL(getsid, pid);
	CALL(setpgid, pid, pid);
	CALL(setpgid, pid, me);
	CALL(wait4, pid, &status, WNOHANG, NULL);
	CALL(wait4, -pid, &status, WNOHANG, NULL);
	CALL(process_vm_readv, pid, NULL, 0, NULL, 0, 0);
	CALL(kcmp, me, pid, 1, 0, 0);
	CALL(migrate_pages, pid, 0, NULL, NULL);
	CALL(move_pages, pid, 0, NULL, NULL, NULL, 0);
	/* The child waits by then: what is killed on its way into a call is told differently. */
	CALL(nanosleep, &(struct timespec){ 0, 30000000 }, NULL);
	CALL(kill, pid, SIGKILL);
	CALL(waitid, P_PID, pid, &info, WEXITED | WNOWAIT, NULL);
	CALL(kill, pid, 0);
	reap(pid);
	CALL(kill, pid, 0);
}

static void numbers_out(int me)
{
	struct clone_args args = { .flags = CLONE_PARENT_SETTID, .exit_signal = SIGCHLD };
	int pid, tid = 0;

	section("clone");
	CALL(getpid);
	pid = syscall(SYS_clone, CLONE_PARENT_SETTID | SIGCHLD, NULL, &tid, NULL, NULL);
	if (!pid)
		syscall(SYS_exit_group, 0);
	reap(pid);
	args.parent_tid = (uintptr_t)&tid;
	pid = syscall(SYS_clone3, &args, sizeof(args));
	if (!pid)
		syscall(SYS_exit_group, 0);
	reap(pid);
	CALL(clone3, &args, 1);
	CALL(kill, me, 0);
}

static void owners(int me)
{
	struct f_owner_ex owner = { F_OWNER_PID, me };
	struct flock lock = { .l_type = F_WRLCK };
	int pair[2], fd, pid;

	section("owners");
	CALL(socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
	CALL(fcntl, pair[0], F_SETOWN, me);
	CALL(fcntl, pair[0], F_GETOWN);
	CALL(fcntl, pair[0], F_SETOWN, -me);
	CALL(fcntl, pair[0], F_SETOWN, NOBODY);
	CALL(fcntl, pair[0], F_SETOWN_EX, &owner);
	owner.type = F_OWNER_PGRP;
	CALL(fcntl, pair[0], F_SETOWN_EX, &owner);
	CALL(fcntl, pair[0], F_GETOWN_EX, &owner);
	owner.type = F_OWNER_TID;
	CALL(fcntl, pair[0], F_SETOWN_EX, &owner);
	CALL(fcntl, pair[0], F_GETOWN_EX, &owner);
	fd = syscall(SYS_memfd_create, "owners", 0);
	CALL(fcntl, fd, F_SETLK, &lock);
	pid = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (!pid) {
		lock.l_type = F_WRLCK;
		CALL(fcntl, fd, F_GETLK, &lock);
		syscall(SYS_exit_group, 0);
	}
	reap(pid);
	CALL(close, fd);
}

static void credentials(void)
{
	char byte, control[64];
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control) };
	int pair[2], on = 1;
	struct ucred cred;
	socklen_t len = sizeof(cred);

	section("credentials");
	CALL(socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
	CALL(getsockopt, pair[0], SOL_SOCKET, SO_PEERCRED, &cred, &len);
	len = 2;
	CALL(getsockopt, pair[0], SOL_SOCKET, SO_PEERCRED, &cred, &len);
	CALL(setsockopt, pair[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));
	CALL(write, pair[1], "x", 1);
	memset(control, 0, sizeof(control));
	CALL(recvmsg, pair[0], &msg, 0);
	msg.msg_flags = 0;
	CALL(sendmsg, pair[1], &msg, 0);
}

static void segments(void)
{
	struct shmid_ds segment;
	int id;

	section("segments");
	id = syscall(SYS_shmget, IPC_PRIVATE, 4096, 0600);
	CALL(shmctl, id, IPC_STAT, &segment);
	CALL(shmctl, id, IPC_RMID, NULL);
}

static void inside(void)
{
	int me;

	/* Not the first process, whose group and session are not in the namespace. */
	me = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (me) {
		reap(me);
		syscall(SYS_exit_group, 0);
	}
	me = (int)syscall(SYS_getpid);
	about_itself(me);
	signals(me);
	child(me);
	numbers_out(me);
	owners(me);
	credentials();
	segments();
	syscall(SYS_exit_group, 0);
}

int main(void)
{
	int pid;

	resident();
	CALL(unshare, CLONE_NEWPID | CLONE_NEWIPC);
	pid = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (!pid) {
		resident();
		inside();
	}
	CALL(kill, pid, 0);
	reap(pid);
	return 0;
}
