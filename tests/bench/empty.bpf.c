/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The floor of every BPF tracer: two programs that do nothing, on the hooks
 * that ctrace uses for system calls.
 */
#include <linux/types.h>

#include <bpf/bpf_helpers.h>

SEC("tp_btf/sys_enter")
int empty_enter(void *ctx)
{
	(void)ctx;
	return 0;
}

SEC("tp_btf/sys_exit")
int empty_exit(void *ctx)
{
	(void)ctx;
	return 0;
}

char _license[] SEC("license") = "Dual BSD/GPL";
