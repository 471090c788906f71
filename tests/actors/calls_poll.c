/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Waiting for descriptors: poll, select, epoll; eventfd, signalfd and timerfd, which are waited for. */
#include "calls.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>

static void *bad;

static void polls(int r, int w)
{
	struct pollfd p[3] = { { r, POLLIN | POLLPRI, 0 }, { w, POLLOUT | POLLERR | POLLHUP, 0 }, { -1, 0, 0 } }, many[40];
	struct timespec ts = { 0, 1000000 };
	uint64_t mask = 1 << (SIGCHLD - 1);

	section("poll");
	CALL(poll, p, 3, 0);
	CALL(poll, p, 1, 0);
	CALL(poll, p, 1, 1);
	CALL(poll, p, 0, 0);
	CALL(poll, NULL, 0, 0);
	CALL(poll, NULL, 1, 0);
	CALL(poll, bad, 1, -1);
	CALL(poll, p, -1, 0);
	CALL(poll, tail(p, 2 * sizeof(p[0])), 3, 0);
	CALL(write, w, "x", 1);
	CALL(poll, p, 3, 1000);
	CALL(poll, p, 2, -1);
	p[2].fd = 999, p[2].events = 0x7fff;
	CALL(poll, p, 3, -1);
	p[0].events = POLLRDNORM | POLLRDBAND | POLLMSG | POLLRDHUP, p[1].events = POLLWRNORM | POLLWRBAND;
	CALL(poll, p, 3, -1);
	for (int i = 0; i < 40; i++)
		many[i] = (struct pollfd){ w, POLLOUT, 0 };
	CALL(poll, many, 40, 0);
	section("ppoll");
	p[0].events = POLLIN, p[2] = (struct pollfd){ -1, 0, 0 };
	CALL(ppoll, p, 3, NULL, NULL, 8);
	CALL(ppoll, p, 3, &ts, &mask, 8);
	CALL(ppoll, p, 1, &ts, &mask, 8);
	CALL(ppoll, p + 2, 1, &ts, &mask, 8);
	CALL(ppoll, p + 2, 1, bad, &mask, 8);
	CALL(ppoll, p + 2, 1, &ts, bad, 8);
	CALL(ppoll, p + 2, 1, &ts, &mask, 4);
	CALL(ppoll, bad, 1, &ts, NULL, 8);
	ts.tv_nsec = 1234567890;
	CALL(ppoll, p, 1, &ts, NULL, 8);
}

static void selects(int r, int w)
{
	fd_set in, out, ex;
	struct timeval tv = { 0, 1000 };
	struct timespec ts = { 0, 1000000 };
	uint64_t mask = 1 << (SIGCHLD - 1) | 1 << (SIGINT - 1);
	struct { const void *set; size_t size; } six = { &mask, 8 };

	section("select");
	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_ZERO(&ex);
	FD_SET(r, &in), FD_SET(w, &out);
	CALL(select, 8, &in, &out, &ex, &tv);
	FD_SET(r, &in), FD_SET(w, &out), FD_SET(r, &ex);
	CALL(select, 8, &in, &out, &ex, NULL);
	FD_ZERO(&in);
	FD_SET(w, &in);
	CALL(select, 8, &in, NULL, NULL, &tv);
	CALL(select, 0, NULL, NULL, NULL, &tv);
	CALL(select, -1, &in, &out, NULL, &tv);
	CALL(select, 8, bad, NULL, NULL, &tv);
	CALL(select, 8, NULL, NULL, NULL, bad);
	FD_SET(r, &in);
	CALL(select, 1, &in, &in, &in, &tv);
	CALL(select, 1024, &in, NULL, NULL, &tv);
	tv.tv_sec = -1, tv.tv_usec = 2000000;
	CALL(select, 8, &in, NULL, NULL, &tv);
	tv.tv_sec = 2, tv.tv_usec = 0;
	FD_SET(30, &in);
	CALL(select, 31, &in, NULL, NULL, &tv);
	section("pselect6");
	FD_ZERO(&in);
	FD_SET(r, &in);
	CALL(pselect6, 8, &in, &out, NULL, &ts, NULL);
	FD_ZERO(&in);
	FD_SET(w, &in);
	ts.tv_nsec = 1000000;
	CALL(pselect6, 8, &in, NULL, NULL, &ts, &six);
	ts.tv_nsec = 0;
	CALL(pselect6, 8, NULL, NULL, NULL, &ts, &six);
	six.set = NULL;
	CALL(pselect6, 0, NULL, NULL, NULL, &ts, &six);
	six.set = bad;
	CALL(pselect6, 0, NULL, NULL, NULL, &ts, &six);
	six.set = &mask, six.size = 4;
	CALL(pselect6, 0, NULL, NULL, NULL, &ts, &six);
	CALL(pselect6, 0, NULL, NULL, NULL, &ts, bad);
	CALL(pselect6, 0, NULL, NULL, NULL, bad, NULL);
	CALL(pselect6, -1, NULL, NULL, NULL, NULL, NULL);
}

static void epolls(int r, int w)
{
	struct epoll_event e = { .events = EPOLLIN | EPOLLET, .data.u64 = 0x1234567887654321 }, got[8];
	uint64_t mask = 1 << (SIGHUP - 1);
	int64_t ts64[2] = { 0, 1000000 };
	int ep;

	section("epoll");
	CALL(epoll_create, 1);
	CALL(epoll_create, 0);
	CALL(epoll_create1, 0x77);
	ep = syscall(SYS_epoll_create1, EPOLL_CLOEXEC);
	CALL(epoll_ctl, ep, EPOLL_CTL_ADD, r, &e);
	e.events = EPOLLOUT | EPOLLRDHUP | EPOLLONESHOT | EPOLLWAKEUP | EPOLLHUP | EPOLLERR | EPOLLPRI | 0x8000, e.data.u64 = 7;
	CALL(epoll_ctl, ep, EPOLL_CTL_ADD, w, &e);
	e.events = EPOLLOUT, e.data.fd = w;
	CALL(epoll_ctl, ep, EPOLL_CTL_MOD, w, &e);
	e.events = EPOLLEXCLUSIVE | EPOLLIN | EPOLLRDNORM | EPOLLWRBAND | EPOLLMSG;
	CALL(epoll_ctl, ep, EPOLL_CTL_MOD, w, &e);
	CALL(epoll_ctl, ep, EPOLL_CTL_ADD, w, &e);
	CALL(epoll_ctl, ep, 77, w, &e);
	CALL(epoll_ctl, ep, EPOLL_CTL_ADD, -1, NULL);
	CALL(epoll_ctl, ep, EPOLL_CTL_ADD, 0, bad);
	CALL(epoll_wait, ep, got, 8, 0);
	CALL(epoll_wait, ep, got, 1, -1);
	CALL(epoll_pwait, ep, got, 8, 10, NULL, 8);
	CALL(epoll_pwait, ep, got, 8, 10, &mask, 8);
	CALL(epoll_pwait, ep, got, 8, 10, bad, 8);
	CALL(epoll_pwait, ep, got, 8, 10, &mask, 4);
	CALL(epoll_ctl, ep, EPOLL_CTL_DEL, w, NULL);
	CALL(epoll_ctl, ep, EPOLL_CTL_DEL, r, &e);
	CALL(epoll_ctl, ep, EPOLL_CTL_DEL, r, bad);
	CALL(epoll_wait, ep, got, 8, 0);
	CALL(epoll_wait, ep, bad, 8, 0);
	CALL(epoll_wait, ep, got, 0, 0);
	CALL(epoll_wait, -1, got, 8, 0);
	CALL(epoll_pwait2, ep, got, 8, &ts64, &mask, 8);
	CALL(epoll_pwait2, ep, got, 8, bad, NULL, 0);
	CALL(epoll_pwait2, -1, got, 8, NULL, NULL, 0);
	CALL(close, ep);
}

static void event_fds(void)
{
	uint64_t v, mask = 1 << (SIGUSR1 - 1);
	int fd;

	section("eventfd");
	fd = syscall(SYS_eventfd2, 5, EFD_CLOEXEC | EFD_NONBLOCK);
	CALL(read, fd, &v, 8);
	CALL(read, fd, &v, 8);
	CALL(close, fd);
	fd = syscall(SYS_eventfd, 0xffffffff);
	CALL(close, fd);
	fd = syscall(SYS_eventfd2, 1, EFD_SEMAPHORE);
	CALL(close, fd);
	CALL(eventfd2, 1, 0x777);
	section("signalfd");
	CALL(rt_sigprocmask, SIG_BLOCK, &mask, NULL, 8);
	fd = syscall(SYS_signalfd4, -1, &mask, 8, SFD_CLOEXEC | SFD_NONBLOCK);
	struct signalfd_siginfo si;
	CALL(read, fd, &si, sizeof(si));
	mask |= 1;
	CALL(signalfd4, fd, &mask, 8, 0);
	CALL(signalfd, fd, &mask, 8);
	CALL(signalfd4, -1, bad, 8, 0);
	CALL(signalfd4, -1, NULL, 8, 0x77);
	CALL(signalfd4, -1, &mask, 4, 0);
	CALL(close, fd);
	section("timerfd");
	struct itimerspec its = { { 1, 500 }, { 2, 999999999 } }, old;
	fd = syscall(SYS_timerfd_create, CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	CALL(timerfd_settime, fd, 0, &its, NULL);
	CALL(timerfd_settime, fd, TFD_TIMER_ABSTIME, &its, &old);
	CALL(timerfd_gettime, fd, &old);
	CALL(timerfd_settime, fd, 0x77, &its, &old);
	CALL(timerfd_settime, fd, 0, bad, &old);
	CALL(timerfd_settime, fd, 0, NULL, bad);
	CALL(timerfd_gettime, -1, &old);
	CALL(timerfd_gettime, fd, bad);
	CALL(timerfd_create, 77, 0x77);
	CALL(timerfd_create, CLOCK_BOOTTIME_ALARM, 0);
	CALL(timerfd_create, CLOCK_REALTIME, 0);
	CALL(close, fd);
}

int main(void)
{
	int p[2];

	resident();
	bad = bad_page();
	CALL(pipe2, p, O_CLOEXEC);
	polls(p[0], p[1]);
	selects(p[0], p[1]);
	epolls(p[0], p[1]);
	event_fds();
	return 0;
}
