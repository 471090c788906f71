/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Quotas, file systems: quotactl, ustat, sysfs, statfs. */
#include "newcalls.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statfs.h>

static void *bad;

#define Q(cmd, type) ((int)((unsigned)(cmd) << 8 | (type)))

static void one(unsigned cmd, const void *data)
{
	CALL(quotactl, Q(cmd, 0), "/dev/none", 1000, data);
	CALL(quotactl, Q(cmd, 1), NULL, -1, bad);
	NEW(quotactl_fd, -1, Q(cmd, 2), 0, NULL);
}

static void quotas(void)
{
	uint64_t data[32];
	uint32_t format = 2, flags = 0xffff;

	section("quotactl");
	memset(data, 0x5a, sizeof(data));
	for (unsigned cmd = 0x800001; cmd <= 0x800009; cmd++)
		one(cmd, cmd == 0x800004 ? (void *)&format : data);
	for (unsigned cmd = 0x5801; cmd <= 0x5809; cmd++)
		one(cmd, cmd == 0x5801 || cmd == 0x5802 || cmd == 0x5806 ? (void *)&flags : data);
	for (unsigned cmd = 0x100; cmd <= 0x1100; cmd += 0x100)
		one(cmd, data);
	CALL(quotactl, Q(0x800002, 0), "/dev/none", 2, "aquota.user");
	CALL(quotactl, Q(0x800002, 1), bad, 4, bad);
	CALL(quotactl, Q(0x800002, 2), "/dev/none", 77, NULL);
	CALL(quotactl, Q(0x800001, 77), NULL, 0, NULL);
	CALL(quotactl, 0, NULL, 0, NULL);
	CALL(quotactl, -1, bad, 5, data);
	flags = 0x3f;
	CALL(quotactl, Q(0x5801, 0), "/dev/none", 0, &flags);
	flags = 0;
	CALL(quotactl, Q(0x5802, 0), "/dev/none", 0, &flags);
	memset(data, 0, sizeof(data));
	CALL(quotactl, Q(0x800008, 0), "/dev/none", 5, data);
	CALL(quotactl, Q(0x800006, 0), "/dev/none", 5, data);
	CALL(quotactl, Q(0x5804, 2), "/dev/none", 5, data);
	CALL(quotactl, Q(0x800008, 0), "/dev/none", 5, tail(data, 64));
}

static void systems(void)
{
	struct stat st;
	struct statfs s;
	char name[64];
	char u[64];

	section("ustat");
	if (stat("/", &st))
		exit(1);
	CALL(ustat, (unsigned)st.st_dev, u);
	CALL(ustat, (unsigned)st.st_dev, bad);
	CALL(ustat, 0xffffffff, u);
	CALL(ustat, 0, NULL);
	section("sysfs");
	CALL(sysfs, 1, "tmpfs");
	CALL(sysfs, 1, "none");
	CALL(sysfs, 1, bad);
	CALL(sysfs, 1, NULL);
	CALL(sysfs, 2, 0, name);
	CALL(sysfs, 2, 1, name);
	CALL(sysfs, 2, 7777, name);
	CALL(sysfs, 2, 0, bad);
	CALL(sysfs, 3);
	CALL(sysfs, 4, 5, 6);
	CALL(sysfs, 0x7fffffff, 5, 6);
	section("statfs");
	CALL(statfs, "/dev/shm", &s);
	CALL(statfs, "/sys", &s);
	CALL(statfs, "/proc", &s);
	CALL(statfs, "/dev/pts", &s);
	CALL(statfs, "/none", &s);
	CALL(statfs, NULL, NULL);
	CALL(statfs, "/proc", tail(NULL, 50));
}

int main(void)
{
	resident();
	bad = bad_page();
	quotas();
	systems();
	return 0;
}
