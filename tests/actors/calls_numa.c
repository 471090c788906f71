/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Memory policy, and the memory of other processes. */
#include "calls.h"

#include <sys/uio.h>

#define NR_process_madvise 440
#define NR_set_mempolicy_home_node 450
#define CALLNR(nr, ...) ((void)!syscall(nr, ##__VA_ARGS__))

static void *bad;

static void policies(void)
{
	unsigned long mask[17] = { 1 }, two[2] = { (unsigned long)0x8000000000000005, 3 };
	int mode;
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	section("mempolicy");
	CALL(set_mempolicy, 0, NULL, 0);
	CALL(set_mempolicy, 1, mask, 64);
	CALL(set_mempolicy, 3, mask, 2);
	CALL(set_mempolicy, 2 | 0x8000, mask, 1024);
	CALL(set_mempolicy, 77, two, 128);
	CALL(set_mempolicy, 5 | 0x2000, two, 65);
	CALL(set_mempolicy, 0x7000, bad, 64);
	CALL(set_mempolicy, 6, tail(two, 8), 128);
	CALL(set_mempolicy, 1, mask, 0);
	CALL(set_mempolicy, 1, mask, 1);
	CALL(set_mempolicy, 1, tail(mask, 24), -1);
	CALL(set_mempolicy, 0, NULL, 0);
	CALL(get_mempolicy, &mode, NULL, 0, NULL, 0);
	CALL(get_mempolicy, &mode, mask, 1024, NULL, 0);
	CALL(get_mempolicy, &mode, mask, 1024, page, 2);
	CALL(get_mempolicy, &mode, NULL, 0, page, 3);
	CALL(get_mempolicy, NULL, mask, 1024, NULL, 4);
	CALL(get_mempolicy, bad, bad, 64, bad, 0x77);
	CALL(get_mempolicy, NULL, NULL, 0, NULL, 0);
	CALL(mbind, page, 4096, 0, NULL, 0, 0);
	CALL(mbind, page, 4096, 2, mask, 64, 1);
	CALL(mbind, page, 4096, 3 | 0x4000, mask, 64, 6);
	CALL(mbind, page, 4096, 77, bad, 64, 0x77);
	CALL(mbind, bad, -1, 1, two, 128, 8);
	CALL(migrate_pages, 0, 64, mask, mask);
	CALL(migrate_pages, -1, 128, two, bad);
	CALL(migrate_pages, 0, 0, NULL, NULL);
	CALLNR(NR_set_mempolicy_home_node, page, 4096, 0, 0);
	CALLNR(NR_set_mempolicy_home_node, NULL, -1, -1, 7);
}

static void pages(void)
{
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *list[40] = { page, page + 4096, NULL, bad };
	int nodes[40] = { 0, 0, 77, -1 }, status[40] = { 0 };

	section("move_pages");
	CALL(move_pages, 0, 2, list, NULL, status, 0);
	CALL(move_pages, 0, 2, list, nodes, status, 2);
	CALL(move_pages, 0, 4, list, nodes, status, 4);
	CALL(move_pages, 0, 4, list, NULL, status, 0);
	CALL(move_pages, 0, 40, list, NULL, status, 0);
	CALL(move_pages, 0, 0, list, nodes, status, 0);
	CALL(move_pages, 0, 0, NULL, NULL, NULL, 0);
	CALL(move_pages, 0, 2, bad, bad, bad, 0x77);
	CALL(move_pages, 0, 2, list, bad, bad, 0);
	CALL(move_pages, -1, 2, tail(list, 8), tail(nodes, 4), status, 0);
	CALL(move_pages, 0, 2, list, NULL, bad, 0);
}

static void other_memory(void)
{
	char a[64] = "what is to be read, and more than is shown", b[64];
	struct iovec local[2] = { { b, 10 }, { b + 10, 40 } }, remote[2] = { { a, 5 }, { a + 5, 45 } };

	section("process_vm");
	CALL(process_vm_readv, getpid(), local, 2, remote, 2, 0);
	CALL(process_vm_readv, getpid(), local, 1, remote, 1, 0);
	CALL(process_vm_writev, getpid(), local, 2, remote, 2, 0);
	CALL(process_vm_writev, -1, local, 2, remote, 2, 0);
	CALL(process_vm_readv, -1, local, 2, remote, 2, 7);
	CALL(process_vm_readv, getpid(), bad, 2, bad, 2, 0);
	CALL(process_vm_readv, getpid(), NULL, 0, NULL, 0, 0);
	CALL(process_vm_writev, getpid(), bad, 2, remote, 1, 0);
	CALL(process_vm_writev, getpid(), local, 0, bad, 0, 0);
	CALL(process_vm_readv, getpid(), tail(local, 16), 2, tail(remote, 16), 2, 0);
	CALLNR(NR_process_madvise, -1, local, 2, 4, 0);
	CALLNR(NR_process_madvise, -1, local, 1, 21, 7);
	CALLNR(NR_process_madvise, -1, bad, 1, 77, 0);
	CALLNR(NR_process_madvise, -1, NULL, 0, 20, 0);
}

int main(void)
{
	resident();
	bad = bad_page();
	policies();
	pages();
	other_memory();
	return 0;
}
