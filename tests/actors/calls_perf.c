/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* perf_event_open(2): its structure, of any size. */
#include "calls.h"

#include <linux/perf_event.h>

static void *bad;

/* The attributes are refused or not, by machine: they are shown as they are passed. -1 as a process and a CPU is always refused. */
static void open_event(const struct perf_event_attr *attr, unsigned long flags)
{
	CALL(perf_event_open, attr, -1, -1, -1, flags);
}

static struct perf_event_attr attr_of(uint32_t type, uint64_t config)
{
	return (struct perf_event_attr){ .type = type, .size = sizeof(struct perf_event_attr), .config = config };
}

static void types(void)
{
	struct perf_event_attr a;

	section("types");
	for (uint32_t type = 0; type < 8; type++) {
		for (uint64_t config = 0; config < 12; config += 3) {
			a = attr_of(type, config);
			open_event(&a, 0);
		}
	}
	a = attr_of(PERF_TYPE_HW_CACHE, 0x010203);
	open_event(&a, 0);
	a = attr_of(PERF_TYPE_HW_CACHE, 0x770102);
	open_event(&a, 0);
	a = attr_of(PERF_TYPE_HW_CACHE, 0xff00000000777777);
	open_event(&a, 0);
	a = attr_of(PERF_TYPE_HARDWARE, 0x500000003);
	open_event(&a, 0);
	a = attr_of(PERF_TYPE_RAW, 0x1234567890abcdef);
	open_event(&a, 0);
	a = attr_of(PERF_TYPE_BREAKPOINT, 0);
	a.bp_type = 3, a.bp_addr = 0x1234, a.bp_len = 4;
	open_event(&a, 0);
	a.bp_type = 4, a.bp_len = 8;
	open_event(&a, 0);
	a.bp_type = 0x77, a.bp_len = 3;
	open_event(&a, 0);
	a = attr_of(77, -1);
	open_event(&a, 0);
}

static void fields(void)
{
	struct perf_event_attr a = attr_of(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);

	section("fields");
	a.sample_period = 4000, a.sample_type = 0x1ffffff, a.read_format = 0x1f;
	open_event(&a, PERF_FLAG_FD_CLOEXEC);
	a.sample_type = 1ull << 40 | 1, a.read_format = 0x700;
	a.freq = 1, a.disabled = 1, a.inherit = 1, a.pinned = 1, a.exclusive = 1, a.exclude_user = 1, a.exclude_kernel = 1;
	a.exclude_hv = 1, a.exclude_idle = 1, a.mmap = 1, a.comm = 1, a.inherit_stat = 1, a.enable_on_exec = 1, a.task = 1;
	a.watermark = 1, a.wakeup_watermark = 77;
	open_event(&a, PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT | PERF_FLAG_PID_CGROUP | 0x70);
	a.watermark = 0, a.precise_ip = 1, a.mmap_data = 1, a.sample_id_all = 1, a.exclude_host = 1, a.exclude_guest = 1;
	a.exclude_callchain_kernel = 1, a.exclude_callchain_user = 1, a.mmap2 = 1, a.comm_exec = 1, a.use_clockid = 1;
	a.context_switch = 1, a.write_backward = 1, a.namespaces = 1, a.ksymbol = 1, a.bpf_event = 1, a.aux_output = 1;
	a.cgroup = 1, a.text_poke = 1, a.build_id = 1, a.inherit_thread = 1, a.remove_on_exec = 1, a.sigtrap = 1;
	a.clockid = 1, a.config1 = 0x11, a.config2 = 0x22, a.branch_sample_type = 0x1fffff, a.sample_regs_user = 0xff;
	a.sample_stack_user = 8, a.sample_regs_intr = 0xf0, a.aux_watermark = 9, a.sample_max_stack = 10, a.aux_sample_size = 11;
	a.sig_data = 12;
	open_event(&a, 0);
	a.precise_ip = 3, a.clockid = 77, a.branch_sample_type = 1ull << 40;
	open_event(&a, 0);
	a = attr_of(PERF_TYPE_TRACEPOINT, 300);
	a.sample_type = PERF_SAMPLE_BRANCH_STACK, a.branch_sample_type = 8, a.sample_freq = 99, a.freq = 1;
	*((uint64_t *)&a + 5) |= 0xffull << 56;
	open_event(&a, 0);
}

static void sizes(void)
{
	struct perf_event_attr a = attr_of(PERF_TYPE_SOFTWARE, 9);
	char big[512] = { 0 };

	section("sizes");
	for (uint32_t size = 56; size <= 152; size += 8) {
		a.size = size;
		memcpy(big, &a, sizeof(a));
		open_event((void *)big, 0);
	}
	for (uint32_t size = 0; size < 72; size += 4) {
		a.size = size;
		memcpy(big, &a, sizeof(a));
		open_event((void *)big, 0);
	}
	a.size = 512;
	memcpy(big, &a, sizeof(a));
	open_event((void *)big, 0);
	big[200] = 1;
	open_event((void *)big, 0);
	a.size = -1;
	open_event(&a, 0);
	a.size = sizeof(a);
	open_event(tail(&a, 64), 0);
	open_event(tail(&a, 4), 0);
	open_event(bad, 0);
	open_event(NULL, 0x77);
}

int main(void)
{
	resident();
	bad = bad_page();
	types();
	fields();
	sizes();
	return 0;
}
