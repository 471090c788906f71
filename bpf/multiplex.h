/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_BPF_MULTIPLEX_H
#define CTRACE_BPF_MULTIPLEX_H
/*
 * socketcall(2) and ipc(2) of i386: one number for many calls. A call that
 * comes through them is given the number and the arguments of the one that it
 * is, so that filters, counts and decoders know one form of it. So is the first
 * select(2), whose arguments are where its only one leads.
 */
#include "bpf/capture.h"

#if defined(__TARGET_ARCH_x86)

#define NR_SELECT     82
#define NR_SOCKETCALL 102
#define NR_IPC        117
#define NR_SHMAT      397

/* The direct call of each, by include/uapi/linux/net.h, with how many words there are at the pointer. */
static const struct {
	__u16 nr;
	__u8 words, pad;
} socketcalls[32] = {
	[1] = { 359, 3, 0 }, [2] = { 361, 3, 0 }, [3] = { 362, 3, 0 }, [4] = { 363, 2, 0 }, [5] = { CT_NR_PSEUDO, 3, 0 },
	[6] = { 367, 3, 0 }, [7] = { 368, 3, 0 }, [8] = { 360, 4, 0 }, [9] = { CT_NR_PSEUDO + 1, 4, 0 }, [10] = { CT_NR_PSEUDO + 2, 4, 0 },
	[11] = { 369, 6, 0 }, [12] = { 371, 6, 0 }, [13] = { 373, 2, 0 }, [14] = { 366, 5, 0 }, [15] = { 365, 5, 0 },
	[16] = { 370, 3, 0 }, [17] = { 372, 3, 0 }, [18] = { 364, 4, 0 }, [19] = { 337, 5, 0 }, [20] = { 345, 4, 0 },
};

/* By include/uapi/linux/ipc.h: the places of the direct call's arguments among first, second, third, ptr, fifth (1 to 5; 0: none, which is 0). */
static const struct {
	__u16 nr;
	__u8 from[5], pad;
} ipcs[32] = {
	[1] = { CT_NR_PSEUDO + 3, { 1, 4, 2 }, 0 }, [2] = { 393, { 1, 2, 3 }, 0 }, [3] = { 394, { 1, 2, 3, 4 }, 0 },
	[4] = { CT_NR_PSEUDO + 4, { 1, 4, 2, 5 }, 0 },
	[11] = { 400, { 1, 4, 2, 3 }, 0 }, [12] = { 401, { 1, 4, 2, 5, 3 }, 0 }, [13] = { 399, { 1, 2 }, 0 }, [14] = { 402, { 1, 2, 4 }, 0 },
	[21] = { NR_SHMAT, { 1, 4, 2, 3 }, 0 }, [22] = { 398, { 4 }, 0 }, [23] = { 395, { 1, 2, 3 }, 0 }, [24] = { 396, { 1, 2, 4 }, 0 },
};
#define IPC_SEMCTL 3
#define IPC_MSGRCV 12

#define NR_SELECT_READ (CT_NR_PSEUDO + 5)
/* What they are where their pointer could not be read. */
#define NR_MSGRCV_UNREAD (CT_NR_PSEUDO + 6)
#define NR_SEMCTL_UNREAD (CT_NR_PSEUDO + 7)

__noinline int demultiplex_socketcall(struct ct_entry *e)
{
	__u32 call, words[CT_ARGS] = {}, n, nr;

	if (!e)
		return 0;
	call = e->args[0];
	if (call >= 32)
		return 0;
	nr = socketcalls[call & 31].nr;
	n = socketcalls[call & 31].words;
	if (!nr || n > CT_ARGS || bpf_probe_read_user(words, n * 4, (void *)e->args[1]))
		return 0;
	e->nr = nr;
	e->flags |= CT_F_MULTIPLEXED;
	for (int i = 0; i < CT_ARGS; i++)
		e->args[i] = words[i];
	return 0;
}

__noinline int demultiplex_ipc(struct ct_entry *e)
{
	__u32 call, old[8] = {}, kludge[2], nr;

	if (!e)
		return 0;
	call = e->args[0] & 0xffff;
	if (call >= 32)
		return 0;
	nr = ipcs[call & 31].nr;
	if (!nr)
		return 0;
	for (int i = 1; i < CT_ARGS; i++)
		old[i] = e->args[i];
	/* Version 0 of msgrcv has its pointer and type in memory. */
	if (call == IPC_MSGRCV && !(e->args[0] >> 16)) {
		if (bpf_probe_read_user(kludge, sizeof(kludge), (void *)(__u64)old[4])) {
			nr = NR_MSGRCV_UNREAD;
			old[5] = old[3];
		} else {
			old[4] = kludge[0];
			old[5] = kludge[1];
		}
	}
	/* The fourth argument of semctl is where ptr leads. */
	if (call == IPC_SEMCTL) {
		if (bpf_probe_read_user(kludge, 4, (void *)(__u64)old[4]))
			nr = NR_SEMCTL_UNREAD;
		else
			old[4] = kludge[0];
	}
	e->nr = nr;
	e->flags |= CT_F_MULTIPLEXED;
	e->args[5] = 0;
	for (int i = 0; i < 5; i++) {
		__u64 from = ipcs[call & 31].from[i] & 7;

		bound(from);
		from &= 7;
		e->args[i] = old[from];
	}
	return 0;
}

__noinline int demultiplex_select(struct ct_entry *e)
{
	__u32 words[5] = {};

	if (!e || bpf_probe_read_user(words, sizeof(words), (void *)e->args[0]))
		return 0;
	e->nr = NR_SELECT_READ;
	e->flags |= CT_F_MULTIPLEXED;
	for (int i = 0; i < 5; i++)
		e->args[i] = words[i];
	return 0;
}

static __always_inline void demultiplex(struct ct_entry *e)
{
	if (!e->compat)
		return;
	if (e->nr == NR_SELECT)
		demultiplex_select(e);
	else if (e->nr == NR_SOCKETCALL)
		demultiplex_socketcall(e);
	else if (e->nr == NR_IPC)
		demultiplex_ipc(e);
}

/* shmat by ipc(2) returns 0, and its address where third leads: here that is the direct call's fourth argument, which it has not. */
static __always_inline __s64 direct_result(const struct ct_entry *e, __s64 ret)
{
	__u32 address = 0;

	if (ret || !(e->flags & CT_F_MULTIPLEXED) || e->nr != NR_SHMAT)
		return ret;
	bpf_probe_read_user(&address, sizeof(address), (void *)e->args[3]);
	return address;
}

#else

static __always_inline void demultiplex(struct ct_entry *e)
{
}

static __always_inline __s64 direct_result(const struct ct_entry *e, __s64 ret)
{
	return ret;
}

#endif
#endif
