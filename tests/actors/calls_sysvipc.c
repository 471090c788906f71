/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* System V IPC and POSIX message queues, in an IPC namespace of their own where that can be had. */
#include "calls.h"

#include <fcntl.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <time.h>

static void *bad;
static struct timespec soon = { 0, 1000000 };

static void semaphores(void)
{
	struct sembuf ops[40] = { { 0, 1, 0 }, { 1, -1, IPC_NOWAIT }, { 2, 0, SEM_UNDO | IPC_NOWAIT }, { 3, 7, 0x77 } };
	unsigned short all[4] = { 1, 2, 3, 4 };
	struct semid_ds ds;
	struct seminfo info;
	int id;

	section("semaphores");
	id = syscall(SYS_semget, IPC_PRIVATE, 4, IPC_CREAT | 0600);
	CALL(semctl, id, 0, SETALL, all);
	CALL(semctl, id, 0, GETALL, all);
	CALL(semctl, id, 1, SETVAL, 7);
	CALL(semctl, id, 1, GETVAL, 0);
	CALL(semctl, id, 1, GETPID, 0);
	CALL(semctl, id, 1, GETNCNT, 0);
	CALL(semctl, id, 1, GETZCNT, 0);
	CALL(semctl, id, 0, IPC_STAT, &ds);
	CALL(semctl, id, 0, IPC_SET, &ds);
	CALL(semctl, id, 0, IPC_INFO, &info);
	CALL(semctl, 0, 0, SEM_INFO, &info);
	CALL(semctl, 0, 0, SEM_STAT, &ds);
	CALL(semctl, 0, 0, SEM_STAT_ANY, &ds);
	CALL(semctl, -1, 0, IPC_STAT, &ds);
	CALL(semctl, id, 0, IPC_STAT, bad);
	CALL(semctl, id, 0, IPC_STAT, NULL);
	CALL(semctl, id, 0, IPC_SET, bad);
	CALL(semctl, id, 0, SETALL, bad);
	CALL(semctl, id, 0, GETALL, bad);
	CALL(semctl, id, 9, 0x7700, bad);
	CALL(semctl, id, 9, 0x100 | IPC_STAT, &ds);
	CALL(semop, id, ops, 1);
	CALL(semop, id, ops, 3);
	CALL(semop, id, ops, 4);
	CALL(semop, id, ops, 40);
	CALL(semop, id, ops, 0);
	CALL(semop, id, NULL, 1);
	CALL(semop, id, bad, 1);
	CALL(semop, -1, tail(ops, 2 * sizeof(*ops)), 2);
	CALL(semop, -1, tail(ops, 2 * sizeof(*ops)), 3);
	CALL(semop, id, tail(ops, 4 * sizeof(*ops)), -1);
	ops[0] = (struct sembuf){ 0, -100, 0 };
	CALL(semtimedop, id, ops, 1, &soon);
	CALL(semtimedop, id, ops, 1, bad);
	CALL(semtimedop, id, ops + 1, 1, NULL);
	CALL(semtimedop, -1, bad, 2, &soon);
	CALL(semtimedop, -1, NULL, 0, NULL);
	CALL(semctl, id, 0, IPC_RMID, 0);
	CALL(semget, 0x1234, 0, 0);
	CALL(semget, 0x1234, 1, IPC_EXCL | 0x4000 | 07777);
}

static void messages(void)
{
	struct { long type; char text[64]; } m = { 3, "a message of so many bytes, and then some more of them" };
	struct msqid_ds ds;
	struct msginfo info;
	int id;

	section("messages");
	id = syscall(SYS_msgget, IPC_PRIVATE, IPC_CREAT | 0600);
	CALL(msgsnd, id, &m, 10, 0);
	CALL(msgsnd, id, &m, 50, IPC_NOWAIT);
	CALL(msgsnd, id, &m, 0, 0);
	CALL(msgsnd, id, bad, 10, 0);
	CALL(msgsnd, id, NULL, 10, 0);
	m.type = -1;
	CALL(msgsnd, id, &m, 10, 0x7777);
	CALL(msgsnd, -1, tail(&m, 16), 100, 0);
	CALL(msgctl, id, IPC_STAT, &ds);
	CALL(msgctl, id, IPC_SET, &ds);
	CALL(msgctl, id, IPC_INFO, &info);
	CALL(msgctl, id, MSG_INFO, &info);
	CALL(msgctl, 0, MSG_STAT, &ds);
	CALL(msgctl, 0, 13, &ds);
	CALL(msgctl, id, IPC_STAT, bad);
	CALL(msgctl, id, IPC_SET, bad);
	CALL(msgctl, id, IPC_SET, NULL);
	CALL(msgctl, id, 0x77, &ds);
	CALL(msgctl, id, IPC_STAT | 0x100, &ds);
	CALL(msgrcv, id, &m, 64, 3, 0);
	CALL(msgrcv, id, &m, 4, 0, MSG_NOERROR);
	CALL(msgrcv, id, &m, 64, -7, IPC_NOWAIT);
	CALL(msgrcv, id, &m, 64, 0, IPC_NOWAIT | MSG_EXCEPT);
	CALL(msgrcv, id, bad, 64, 0, IPC_NOWAIT);
	CALL(msgrcv, -1, NULL, 64, 0, 0x40777);
	CALL(msgctl, id, IPC_RMID, NULL);
	CALL(msgget, 0x4321, 0);
}

static void memory(void)
{
	struct shmid_ds ds;
	struct shm_info info;
	struct shminfo64 { unsigned long v[9]; } limits;
	void *at;
	int id;

	section("shared memory");
	id = syscall(SYS_shmget, IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	at = (void *)syscall(SYS_shmat, id, NULL, 0);
	CALL(shmat, id, NULL, SHM_RDONLY | SHM_REMAP);
	CALL(shmctl, id, IPC_STAT, &ds);
	CALL(shmctl, id, IPC_SET, &ds);
	CALL(shmctl, id, IPC_INFO, &limits);
	CALL(shmctl, id, SHM_INFO, &info);
	CALL(shmctl, 0, SHM_STAT, &ds);
	CALL(shmctl, 0, 15, &ds);
	CALL(shmctl, id, SHM_LOCK, NULL);
	CALL(shmctl, id, SHM_UNLOCK, NULL);
	CALL(shmctl, id, IPC_STAT, bad);
	CALL(shmctl, id, IPC_SET, bad);
	CALL(shmctl, id, IPC_STAT, NULL);
	CALL(shmctl, -1, 0x77, &ds);
	CALL(shmdt, at);
	CALL(shmdt, bad);
	CALL(shmctl, id, IPC_RMID, NULL);
	CALL(shmget, 0x999, -1, 0);
}

static void queues(void)
{
	struct mq_attr attr = { .mq_maxmsg = 4, .mq_msgsize = 100 }, old;
	struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 7 };
	struct timespec past = { 1, 2 };
	unsigned prio;
	char buf[200];
	int fd;

	section("queues");
	fd = syscall(SYS_mq_open, "calls_sysvipc", O_RDWR | O_CREAT | O_NONBLOCK | O_EXCL, 0600, &attr);
	CALL(mq_open, "calls_sysvipc", O_RDONLY, 0, NULL);
	CALL(mq_open, "calls_sysvipc", O_RDONLY | O_CREAT | O_EXCL, 0600, NULL);
	CALL(mq_open, "calls_sysvipc", O_RDONLY | O_CREAT | O_EXCL, 0600, bad);
	CALL(mq_open, bad, O_RDONLY | O_CREAT, 0600, &attr);
	CALL(mq_open, NULL, 0x70000000, 0600, &attr);
	CALL(mq_getsetattr, fd, NULL, &old);
	CALL(mq_getsetattr, fd, &attr, &old);
	attr.mq_flags = O_NONBLOCK;
	CALL(mq_getsetattr, fd, &attr, NULL);
	attr.mq_flags = 0x7777;
	CALL(mq_getsetattr, fd, &attr, &old);
	CALL(mq_getsetattr, -1, bad, bad);
	CALL(mq_notify, fd, &ev);
	CALL(mq_notify, fd, NULL);
	CALL(mq_notify, fd, bad);
	ev = (struct sigevent){ .sigev_notify = SIGEV_NONE };
	CALL(mq_notify, -1, &ev);
	ev = (struct sigevent){ .sigev_notify = 77, .sigev_signo = 99 };
	CALL(mq_notify, -1, &ev);
	CALL(mq_timedsend, fd, "a message", 9, 5, NULL);
	CALL(mq_timedsend, fd, "another", 7, 77, &past);
	CALL(mq_timedsend, fd, bad, 7, 0, bad);
	CALL(mq_timedsend, fd, NULL, 0, 0, &past);
	CALL(mq_timedreceive, fd, buf, sizeof(buf), &prio, NULL);
	CALL(mq_timedreceive, fd, buf, sizeof(buf), NULL, &past);
	CALL(mq_timedreceive, fd, buf, sizeof(buf), &prio, NULL);
	CALL(mq_timedreceive, fd, buf, sizeof(buf), &prio, &past);
	CALL(mq_timedreceive, fd, bad, 4, bad, bad);
	CALL(mq_unlink, "calls_sysvipc");
	CALL(mq_unlink, bad);
	CALL(close, fd);
}

int main(void)
{
	resident();
	(void)!unshare(CLONE_NEWIPC);
	bad = bad_page();
	semaphores();
	messages();
	memory();
	queues();
	return 0;
}
