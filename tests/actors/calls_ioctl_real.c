/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * ioctl on objects that answer: interfaces, tunnels, files, block devices on
 * a file, namespaces, counters, virtual machines, page faults. What is not
 * there is called all the same, and fails. In a net namespace of its own.
 */
#include "calls.h"

#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/if_tun.h>
#include <linux/kvm.h>
#include <linux/loop.h>
#include <linux/nsfs.h>
#include <linux/perf_event.h>
#include <linux/random.h>
#include <linux/sockios.h>
#include <linux/userfaultfd.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static void *bad;

#define IO(fd, ...) CALL(ioctl, fd, __VA_ARGS__)
#define OPEN(path, flags) ((int)syscall(SYS_openat, AT_FDCWD, path, flags, 0600))

static struct ifreq named(const char *name)
{
	struct ifreq r;

	memset(&r, 0, sizeof(r));
	strncpy(r.ifr_name, name, IFNAMSIZ - 1);
	return r;
}

static void interfaces(void)
{
	static const unsigned commands[] = {
		SIOCGIFINDEX, SIOCGIFFLAGS, SIOCGIFADDR, SIOCGIFNETMASK, SIOCGIFBRDADDR, SIOCGIFDSTADDR, SIOCGIFMTU, SIOCGIFMETRIC,
		SIOCGIFHWADDR, SIOCGIFTXQLEN, SIOCGIFMAP, SIOCGIFSLAVE, SIOCGIFNAME,
	};
	int s = socket(AF_INET, SOCK_DGRAM, 0), v = 0;
	struct ifreq r, all[4];
	struct ifconf c = { .ifc_len = sizeof(all), .ifc_req = all };

	section("interfaces");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		r = named("lo");
		if (commands[i] == SIOCGIFNAME)
			r.ifr_ifindex = 1;
		IO(s, commands[i], &r);
		r = named("none0");
		IO(s, commands[i], &r);
		IO(s, commands[i], bad);
	}
	IO(s, SIOCGIFCONF, &c);
	c = (struct ifconf){ 0 };
	IO(s, SIOCGIFCONF, &c);
	c = (struct ifconf){ .ifc_len = sizeof(all), .ifc_buf = bad };
	IO(s, SIOCGIFCONF, &c);
	r = named("lo");
	r.ifr_mtu = 1400;
	IO(s, SIOCSIFMTU, &r);
	r.ifr_flags = IFF_UP;
	IO(s, SIOCSIFFLAGS, &r);
	((struct sockaddr_in *)&r.ifr_addr)->sin_family = AF_INET;
	((struct sockaddr_in *)&r.ifr_addr)->sin_addr.s_addr = htonl(0x7f000002);
	IO(s, SIOCSIFADDR, &r);
	r.ifr_hwaddr.sa_family = ARPHRD_LOOPBACK;
	IO(s, SIOCSIFHWADDR, &r);
	IO(s, SIOCATMARK, &v);
	IO(s, FIONREAD, &v);
	IO(s, SIOCOUTQ, &v);
	IO(s, SIOCGPGRP, &v);
	CALL(close, s);
}

static void tunnel(void)
{
	int t = OPEN("/dev/net/tun", O_RDWR), v = 0;
	struct ifreq r = named("");

	section("tunnel");
	IO(t, TUNGETFEATURES, &v);
	IO(t, TUNSETIFF, bad);
	r.ifr_flags = IFF_TAP | IFF_NO_PI;
	IO(t, TUNSETIFF, &r);
	IO(t, TUNGETIFF, &r);
	IO(t, TUNSETPERSIST, 0);
	IO(t, TUNSETOWNER, 0);
	IO(t, TUNSETOFFLOAD, TUN_F_CSUM);
	IO(t, TUNGETSNDBUF, &v);
	IO(t, TUNSETSNDBUF, &v);
	IO(t, TUNGETVNETHDRSZ, &v);
	CALL(close, t);
}

static void namespaces(void)
{
	static const char *const paths[] = { "/proc/self/ns/net", "/proc/self/ns/user", "/proc/self/ns/pid", "/proc/self/ns/mnt" };
	unsigned id[4] = { 0 };

	section("namespaces");
	for (unsigned i = 0; i < 4; i++) {
		int n = OPEN(paths[i], O_RDONLY);

		CALL(close, syscall(SYS_ioctl, n, NS_GET_USERNS));
		CALL(close, syscall(SYS_ioctl, n, NS_GET_PARENT));
		IO(n, NS_GET_NSTYPE);
		IO(n, NS_GET_OWNER_UID, id);
		IO(n, _IOR(NSIO, 0x5, uint64_t), id);   /* NS_GET_MNTNS_ID */
		IO(n, _IOR(NSIO, 0x6, int), getpid());  /* NS_GET_PID_FROM_PIDNS */
		CALL(close, n);
	}
}

static void extents(int f, int other)
{
	union { struct fiemap m; char room[sizeof(struct fiemap) + 4 * sizeof(struct fiemap_extent)]; } map;
	union { struct file_dedupe_range r; char room[sizeof(struct file_dedupe_range) + 2 * sizeof(struct file_dedupe_range_info)]; } same;
	struct file_clone_range clone = { .src_fd = f, .src_length = 4096 };

	memset(&map, 0, sizeof(map));
	map.m.fm_length = ~0ull;
	map.m.fm_flags = FIEMAP_FLAG_SYNC;
	map.m.fm_extent_count = 4;
	IO(f, FS_IOC_FIEMAP, &map);
	IO(f, FS_IOC_FIEMAP, bad);
	IO(other, FICLONERANGE, &clone);
	memset(&same, 0, sizeof(same));
	same.r.src_length = 4096;
	same.r.dest_count = 2;
	same.r.info[0].dest_fd = other;
	same.r.info[1].dest_fd = -1;
	IO(f, FIDEDUPERANGE, &same);
}

static void file(const char *path)
{
	int f = OPEN(path, O_RDWR | O_CREAT | O_TRUNC), other = OPEN("other", O_RDWR | O_CREAT), v = 0;
	char text[8192] = "text";
	struct fsxattr x;

	section("file");
	CALL(write, f, text, sizeof(text));
	IO(f, FS_IOC_GETFLAGS, &v);
	IO(f, FS_IOC_SETFLAGS, &v);
	v |= FS_NOATIME_FL;
	IO(f, FS_IOC_SETFLAGS, &v);
	IO(f, FS_IOC_GETVERSION, &v);
	IO(f, FS_IOC_FSGETXATTR, &x);
	IO(f, FS_IOC_FSSETXATTR, &x);
	IO(f, FS_IOC_GETFSLABEL, text);
	IO(f, _IOR(0x15, 0, char[17]), text);   /* FS_IOC_GETFSUUID */
	IO(f, _IOR(0x15, 1, char[129]), text);  /* FS_IOC_GETFSSYSFSPATH */
	IO(f, FIGETBSZ, &v);
	v = 0;
	IO(f, FIBMAP, &v);
	IO(f, FIONREAD, &v);
	IO(f, FIOQSIZE, text);
	IO(f, FIOASYNC, &v);
	extents(f, other);
	CALL(close, f);
	CALL(close, other);
	CALL(unlink, path);
	CALL(unlink, "other");
}

static void block(int b)
{
	static const unsigned commands[] = {
		BLKROGET, BLKGETSIZE, BLKGETSIZE64, BLKSSZGET, BLKPBSZGET, BLKBSZGET, BLKRAGET, BLKFRAGET, BLKSECTGET, BLKIOMIN, BLKIOOPT,
		BLKALIGNOFF, BLKDISCARDZEROES, BLKROTATIONAL,
	};
	uint64_t range[2] = { 0, 4096 }, v[4];
	struct blkpg_partition part = { .start = 0, .length = 4096, .pno = 1 };
	struct blkpg_ioctl_arg arg = { .op = BLKPG_DEL_PARTITION, .datalen = sizeof(part), .data = &part };

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		memset(v, 0, sizeof(v));
		IO(b, commands[i], v);
		IO(b, commands[i], bad);
	}
	IO(b, BLKFLSBUF);
	IO(b, BLKRASET, 256);
	IO(b, BLKDISCARD, range);
	IO(b, BLKZEROOUT, range);
	IO(b, BLKPG, &arg);
}

/* A block device on a file, if one can be had. */
static void loop(void)
{
	int control = OPEN("/dev/loop-control", O_RDWR), f, n, b;
	struct loop_info64 info;
	struct loop_config config;
	char path[32];

	section("loop");
	f = (int)syscall(SYS_memfd_create, "disk", 0);
	CALL(ftruncate, f, 1 << 20);
	n = (int)syscall(SYS_ioctl, control, LOOP_CTL_GET_FREE);
	snprintf(path, sizeof(path), "/dev/loop%d", n < 0 ? 9999 : n);
	b = OPEN(path, O_RDWR);
	IO(b, LOOP_GET_STATUS64, &info);
	memset(&config, 0, sizeof(config));
	config.fd = (unsigned)f;
	config.block_size = 512;
	config.info.lo_flags = LO_FLAGS_AUTOCLEAR;
	strcpy((char *)config.info.lo_file_name, "disk");
	IO(b, LOOP_CONFIGURE, &config);
	IO(b, LOOP_GET_STATUS64, &info);
	IO(b, LOOP_GET_STATUS, &config);
	IO(b, LOOP_SET_STATUS64, &info);
	IO(b, LOOP_SET_BLOCK_SIZE, 1024);
	IO(b, LOOP_SET_DIRECT_IO, 0);
	IO(b, LOOP_SET_CAPACITY);
	block(b);
	IO(b, LOOP_CLR_FD);
	CALL(close, b);
	CALL(close, f);
	CALL(close, control);
}

static void faults(void)
{
	int u = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	char *area = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char page[4096] __attribute__((aligned(4096)));
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .range = { (uintptr_t)area, 16384 }, .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_copy copy = { .dst = (uintptr_t)area, .src = (uintptr_t)page, .len = 4096 };
	struct uffdio_zeropage zero = { .range = { (uintptr_t)area + 4096, 4096 } };
	struct uffdio_writeprotect wp = { .range = { (uintptr_t)area, 4096 }, .mode = UFFDIO_WRITEPROTECT_MODE_WP };
	struct uffdio_range range = { (uintptr_t)area, 16384 };

	section("page faults");
	memset(page, 1, sizeof(page));
	IO(u, UFFDIO_REGISTER, &reg);
	IO(u, UFFDIO_API, &api);
	IO(u, UFFDIO_API, bad);
	IO(u, UFFDIO_REGISTER, &reg);
	IO(u, UFFDIO_COPY, &copy);
	IO(u, UFFDIO_COPY, &copy);
	IO(u, UFFDIO_ZEROPAGE, &zero);
	IO(u, UFFDIO_WRITEPROTECT, &wp);
	IO(u, UFFDIO_WAKE, &range);
	IO(u, UFFDIO_UNREGISTER, &range);
	CALL(close, u);
}

static void counters(void)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(a), .config = PERF_COUNT_SW_DUMMY, .exclude_kernel = 1 };
	int p = (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
	uint64_t v = 1000;
	struct { uint32_t len, count, ids[4]; } query = { .len = 4 };

	section("counters");
	IO(p, PERF_EVENT_IOC_RESET, 0);
	IO(p, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	IO(p, PERF_EVENT_IOC_DISABLE, 0);
	IO(p, PERF_EVENT_IOC_REFRESH, 1);
	IO(p, PERF_EVENT_IOC_PERIOD, &v);
	IO(p, PERF_EVENT_IOC_PERIOD, bad);
	IO(p, PERF_EVENT_IOC_ID, &v);
	IO(p, PERF_EVENT_IOC_SET_OUTPUT, -1);
	IO(p, PERF_EVENT_IOC_SET_FILTER, "x > 1");
	IO(p, PERF_EVENT_IOC_QUERY_BPF, &query);
	IO(p, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &a);
	IO(p, PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
	CALL(close, p);
}

#ifdef __x86_64__
static void cpu(int kvm, int vcpu)
{
	union { struct kvm_cpuid2 head; char room[sizeof(struct kvm_cpuid2) + 128 * sizeof(struct kvm_cpuid_entry2)]; } ids;
	struct kvm_regs regs;
	struct kvm_sregs sregs;

	memset(&ids, 0, sizeof(ids));
	IO(kvm, KVM_GET_SUPPORTED_CPUID, &ids);
	ids.head.nent = 128;
	IO(kvm, KVM_GET_SUPPORTED_CPUID, &ids);
	IO(vcpu, KVM_SET_CPUID2, &ids);
	IO(vcpu, KVM_GET_REGS, &regs);
	regs.rip = 0x1000;
	IO(vcpu, KVM_SET_REGS, &regs);
	IO(vcpu, KVM_GET_SREGS, &sregs);
	IO(vcpu, KVM_SET_SREGS, &sregs);
	IO(vcpu, KVM_SET_REGS, bad);
}
#endif

static void machine(void)
{
	int kvm = OPEN("/dev/kvm", O_RDWR), vm, vcpu;
	struct kvm_userspace_memory_region region = { .memory_size = 8192, .userspace_addr = 0 };

	section("machine");
	IO(kvm, KVM_GET_API_VERSION, 0);
	IO(kvm, KVM_CHECK_EXTENSION, KVM_CAP_USER_MEMORY);
	IO(kvm, KVM_GET_VCPU_MMAP_SIZE, 0);
	vm = (int)syscall(SYS_ioctl, kvm, KVM_CREATE_VM, 0);
	region.userspace_addr = (uintptr_t)mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	IO(vm, KVM_SET_USER_MEMORY_REGION, &region);
	IO(vm, KVM_SET_USER_MEMORY_REGION, bad);
	vcpu = (int)syscall(SYS_ioctl, vm, KVM_CREATE_VCPU, 0);
#ifdef __x86_64__
	cpu(kvm, vcpu);
#endif
	CALL(close, vcpu);
	CALL(close, vm);
	CALL(close, kvm);
}

/* The numbers that terminals share with sound timers: the name is told by the device. */
static void others(void)
{
	static const char *const paths[] = { "/dev/null", "/dev/random", "/dev/zero", "/proc/self/status", "/", "/dev/net/tun" };
	char k[64] = "";
	int v = 0, fd;
	struct { int count, size; char bytes[16]; } pool = { 0, 16, "0123456789abcde" };

	section("others");
	for (unsigned i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		fd = OPEN(paths[i], O_RDONLY);
		IO(fd, TCGETS, k);
		IO(fd, TCSETS, k);
		IO(fd, TCSETSW, k);
		IO(fd, TCSETSF, k);
		IO(fd, FIONREAD, &v);
		IO(fd, RNDGETENTCNT, &v);
		IO(fd, RNDADDENTROPY, &pool);
		CALL(close, fd);
	}
	fd = (int)syscall(SYS_eventfd2, 0, 0);
	IO(fd, TCSETS, k);
	CALL(close, fd);
	fd = (int)syscall(SYS_epoll_create1, 0);
	memset(k, 0, sizeof(k));
	IO(fd, _IOR(0x8a, 0x02, char[8]), k);   /* EPIOCGPARAMS */
	IO(fd, _IOW(0x8a, 0x01, char[8]), k);   /* EPIOCSPARAMS */
	CALL(close, fd);
	fd = (int)syscall(SYS_timerfd_create, 1, 0);
	IO(fd, _IOW('T', 0, uint64_t), k);      /* TFD_IOC_SET_TICKS */
	CALL(close, fd);
	fd = (int)syscall(SYS_inotify_init1, 0);
	IO(fd, FIONREAD, &v);
	IO(fd, _IOW('I', 0, int32_t), 5);       /* INOTIFY_IOC_SETNEXTWD */
	CALL(close, fd);
	fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
	memset(k, 0, sizeof(k));
	k[0] = 7;
	IO(fd, _IOWR(0xff, 11, char[64]), k);   /* PIDFD_GET_INFO */
	for (unsigned i = 1; i < 11; i++)
		CALL(close, syscall(SYS_ioctl, fd, _IO(0xff, i), 0));
	CALL(close, fd);
}

int main(void)
{
	resident();
	bad = bad_page();
	interfaces();
	tunnel();
	namespaces();
	file("file");
	file("/run/file");
	loop();
	faults();
	counters();
	machine();
	others();
	return 0;
}
