/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Calls of the 32-bit ABI out of a 64-bit program (int 0x80): other numbers,
 * other structures. All that is pointed to lies below 4 GB.
 */
#include "calls.h"

#if defined(__x86_64__)
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>

/* The kernel does not look at the upper halves of the registers; strace does, so they are 0. */
static long call32(long nr, long a, long b, long c, long d, long e)
{
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret)
			 : "0"(nr), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
			 : "memory", "r8", "r9", "r10", "r11");
	return ret;
}

#define CALL5(nr, a, b, c, d, e, ...) call32(nr, (long)(uint32_t)(uintptr_t)(a), (long)(uint32_t)(uintptr_t)(b), \
		(long)(uint32_t)(uintptr_t)(c), (long)(uint32_t)(uintptr_t)(d), (long)(uint32_t)(uintptr_t)(e))
#define CALL32(...) CALL5(__VA_ARGS__, 0, 0, 0, 0, 0)

static char *memory;            /* below 4 GB */
static size_t used;

/* A copy of data there. */
static void *low(const void *data, size_t size)
{
	char *p = memory + used;

	used += (size + 15) & ~15ul;
	memcpy(p, data, size);
	return p;
}

#define LOW(...) low(&(__VA_ARGS__), sizeof(__VA_ARGS__))
#define STRING(s) low(s, sizeof(s))

static void files(void)
{
	struct { uint32_t base, len; } iov[2];
	int fd;

	section("files");
	fd = (int)CALL32(5, STRING("/etc/passwd"), O_RDONLY);
	CALL32(5, STRING("/none/x"), O_RDWR | O_CREAT | O_EXCL, 0600);
	CALL32(3, fd, memory + 8192, 20);
	CALL32(180, fd, memory + 8192, 20, 5, 0);
	CALL32(19, fd, 3, 0);
	CALL32(140, fd, 0, 7, memory + 8192, 0);
	CALL32(197, fd, memory + 8192);
	CALL32(195, STRING("/dev/null"), memory + 8192);
	CALL32(300, AT_FDCWD, STRING("/etc/passwd"), memory + 8192, 0);
	CALL32(295, AT_FDCWD, STRING("/none/x"), O_RDONLY | O_CLOEXEC);
	CALL32(221, fd, 3);
	CALL32(6, fd);
	iov[0].base = (uint32_t)(uintptr_t)STRING("one"), iov[0].len = 3;
	iov[1].base = (uint32_t)(uintptr_t)STRING("two and more"), iov[1].len = 12;
	CALL32(146, -1, LOW(iov), 2);
	CALL32(4, -1, STRING("text"), 4);
	CALL32(33, STRING("/none/x"), 4);
	CALL32(85, STRING("/proc/self"), memory + 8192, 100);
	CALL32(192, 0, 4096, 3, 0x22, -1);
	CALL32(90, LOW((uint32_t[6]){ 0, 4096, 3, 0x22, -1, 0 }));
	CALL32(122, memory + 8192);
	CALL32(183, memory + 8192, 4096);
	CALL32(268, STRING("/proc"), 84, memory + 8192);
}

static void times32(void)
{
	int32_t ts[2] = { 0, 1000 };

	section("times");
	CALL32(265, 1, memory + 8192);
	CALL32(403, 1, memory + 8192);
	CALL32(162, LOW(ts), memory + 8192);
	CALL32(267, 1, 0, LOW(ts), memory + 8192);
	CALL32(78, memory + 8192, 0);
	CALL32(13, memory + 8192);
	CALL32(104, 1, LOW((int32_t[4]){ 1, 2, 3, 4 }), memory + 8192);
	CALL32(104, 1, LOW((int32_t[4]){ 0 }), 0);
	CALL32(43, memory + 8192);
	CALL32(77, 0, memory + 8192);
	CALL32(191, 7, memory + 8192);
	CALL32(340, 0, 7, 0, memory + 8192);
}

static void signals32(void)
{
	struct { uint32_t handler, flags, restorer; uint64_t mask; } __attribute__((packed)) sa = { 1, SA_RESTART, 0, 1 << 9 };
	uint64_t set = 1 << 11;
	struct { int32_t signo, err, code, pid, uid, value; } si = { 10, 0, SI_QUEUE, 5, 6, 7 };
	char info[128] = { 0 };

	memcpy(info, &si, sizeof(si));
	section("signals");
	CALL32(174, 10, LOW(sa), memory + 8192, 8);
	CALL32(174, 10, 0, memory + 8192, 8);
	CALL32(175, 0, LOW(set), memory + 8192, 8);
	CALL32(175, 2, LOW((uint64_t){ 0 }), 0, 8);
	CALL32(176, memory + 8192, 8);
	CALL32(177, LOW(set), 0, LOW((int32_t[2]){ 0, 1000 }), 8);
	CALL32(186, 0, memory + 8192);
	CALL32(178, 0x7fffffff, 10, low(info, sizeof(info)));
	CALL32(37, 0x7fffffff, 0);
}

/* The first select(2): its arguments lie in memory. */
static void old_select(int nfds, const void *in, const void *out, const void *timeout)
{
	uint32_t words[5] = { (uint32_t)nfds, (uint32_t)(uintptr_t)in, (uint32_t)(uintptr_t)out, 0, (uint32_t)(uintptr_t)timeout };

	CALL32(82, LOW(words));
}

static void old_selects(void)
{
	int32_t no_time[2] = { 0, 0 }, second[2] = { 1, 0 };

	section("select");
	old_select(1, LOW((uint32_t){ 1 }), NULL, NULL);
	old_select(8, LOW((uint32_t){ 1 }), LOW((uint32_t){ 2 }), LOW(second));
	old_select(0, NULL, NULL, LOW(no_time));
	old_select(70, LOW((uint32_t[4]){ 0, 0, 1 << 5 }), NULL, LOW(no_time));
	old_select(-1, LOW((uint32_t){ 1 }), NULL, LOW(no_time));
	old_select(8, (void *)16, NULL, (void *)32);
	CALL32(82, 0);
	CALL32(82, 16);
}

static void waiting32(void)
{
	struct pollfd pfd = { -1, POLLIN, 0 };
	uint32_t set[1] = { 2 };

	section("waiting");
	CALL32(168, LOW(pfd), 1, 0);
	CALL32(309, LOW(pfd), 1, LOW((int32_t[2]){ 0, 1000 }), 0, 8);
	CALL32(142, 1, LOW(set), 0, 0, LOW((int32_t[2]){ 0, 1000 }));
	CALL32(114, -1, memory + 8192, 1, memory + 8192);
	CALL32(240, LOW(set), 0, 3, LOW((int32_t[2]){ 0, 1000 }));
	CALL32(240, LOW(set), 1, 1);
	CALL32(255, -1, 1, 0, LOW((struct { uint32_t e; uint64_t d; } __attribute__((packed))){ 1, 7 }));
}

static void others32(void)
{
	struct { uint16_t family, port; uint32_t addr; char zero[8]; } in = { AF_INET, 0x901, 0x100007f, { 0 } };
	int s;

	section("others");
	s = (int)CALL32(359, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	CALL32(361, s, LOW(in), 16);
	CALL32(369, s, STRING("data"), 4, 0, LOW(in));
	CALL32(366, s, SOL_SOCKET, SO_REUSEADDR, LOW((int){ 1 }), 4);
	CALL32(367, s, memory + 8192, LOW((int){ 16 }));
	CALL32(6, s);
	CALL32(20);
	CALL32(199);
	CALL32(205, 4, memory + 8192);
	CALL32(242, 0, 8, memory + 8192);
	CALL32(172, 16, memory + 8192);
	CALL32(54, -1, 0x5401, memory + 8192);
	CALL32(11, STRING("/none/x"), LOW((uint32_t[2]){ 0, 0 }), LOW((uint32_t[1]){ 0 }));
	CALL32(9999, 1, 2, 3, 4, 5);
}

static void messages32(void)
{
	struct { uint32_t base, len; } iov = { (uint32_t)(uintptr_t)STRING("message"), 7 };
	struct { uint32_t len, level, type, fd; } control = { 16, SOL_SOCKET, SCM_RIGHTS, 0 };
	struct msghdr32 { uint32_t name, namelen, iov, iovlen, control, controllen, flags; } m = {
		0, 0, (uint32_t)(uintptr_t)LOW(iov), 1, (uint32_t)(uintptr_t)LOW(control), 16, 0 };
	int *sv = LOW((int[2]){ -1, -1 });

	section("messages");
	CALL32(360, AF_UNIX, SOCK_DGRAM, 0, sv);
	CALL32(370, sv[0], LOW(m), 0);
	CALL32(372, sv[1], LOW(m), 0);
	CALL32(370, sv[0], LOW(m), 0);
	CALL32(371, sv[1], memory + 8192, 100, 0, 0);
	CALL32(371, sv[1], memory + 8192, 100, MSG_DONTWAIT, 0);
	CALL32(345, sv[0], LOW((struct { struct msghdr32 m; uint32_t len; }){ m, 0 }), 1, 0);
	CALL32(337, sv[1], LOW((struct { struct msghdr32 m; uint32_t len; }){ m, 0 }), 1, MSG_DONTWAIT, 0);
	CALL32(6, sv[0]);
	CALL32(6, sv[1]);
}

static void children32(void)
{
	long pid = CALL32(2);

	if (!pid)
		CALL32(252, 3);
	section("children");
	CALL32(284, 1, pid, memory + 8192, 0x01000004, memory + 12288);
	CALL32(114, pid, memory + 8192, 0, memory + 12288);
	pid = CALL32(120, SIGCHLD, 0, 0, 0, 0);
	if (!pid)
		CALL32(1, 4);
	CALL32(7, pid, memory + 8192, 0);
}

static void time64_calls(void)
{
	int64_t ts[2] = { 0, 1000 };
	int fd;

	section("time64");
	CALL32(407, 1, 0, LOW(ts), memory + 8192);
	CALL32(422, LOW((uint32_t){ 2 }), 0, 2, LOW(ts));
	CALL32(414, LOW((struct pollfd){ -1, POLLIN, 0 }), 1, LOW(ts), 0, 8);
	CALL32(413, 0, 0, 0, 0, LOW(ts));
	CALL32(421, LOW((uint64_t){ 1 }), 0, LOW(ts), 8);
	CALL32(406, 1, memory + 8192);
	fd = (int)CALL32(322, 1, 0);
	CALL32(411, fd, 0, LOW((int64_t[4]){ 1, 2, 3, 4 }), memory + 8192);
	CALL32(410, fd, memory + 8192);
	CALL32(325, fd, 0, LOW((int32_t[4]){ 1, 2, 3, 4 }), memory + 8192);
	CALL32(326, fd, memory + 8192);
	CALL32(6, fd);
	CALL32(308, 0, 0, 0, 0, LOW((int32_t[2]){ 0, 1000 }));
}

static void descriptors32(void)
{
	struct { int16_t type, whence; int32_t start, len, pid; } lock = { F_RDLCK, SEEK_SET, 1, 2, 0 };
	struct { int16_t type, whence; int64_t start, len; int32_t pid; } __attribute__((packed)) lock64 = { F_RDLCK, SEEK_SET, 1, 2, 0 };
	int fd = (int)CALL32(5, STRING("/etc/passwd"), O_RDONLY);

	section("descriptors");
	CALL32(55, fd, F_SETLK, LOW(lock));
	CALL32(55, fd, F_GETLK, LOW(lock));
	CALL32(221, fd, 13, LOW(lock64));
	CALL32(221, fd, 12, LOW(lock64));
	CALL32(6, fd);
	fd = (int)CALL32(5, STRING("/proc/self/ns"), O_RDONLY | O_DIRECTORY);
	CALL32(220, fd, memory + 8192, 2048);
	CALL32(141, fd, memory + 8192, 2048);
	CALL32(6, fd);
	CALL32(187, -1, -1, LOW((int32_t){ 3 }), 4);
	CALL32(239, -1, -1, LOW((int64_t){ 3 }), 4);
	CALL32(193, STRING("/none/x"), 1, 2);
	CALL32(320, -1, STRING("x"), LOW((int32_t[4]){ 1, 2, 3, 4 }), 0);
	CALL32(116, memory + 8192);
	CALL32(186, LOW((uint32_t[3]){ 0, 2, 0 }), memory + 8192);
	CALL32(259, 1, 0, memory + 8192);
	CALL32(263, 0);
	CALL32(333, -1, 0, 0, 5, 0);
}

int main(void)
{
	resident();
	memory = mmap(NULL, 20480, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	files();
	times32();
	signals32();
	waiting32();
	old_selects();
	others32();
	messages32();
	children32();
	time64_calls();
	descriptors32();
	return 0;
}
#else
int main(void)
{
	section("none");
	return 0;
}
#endif
