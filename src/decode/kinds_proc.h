/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Part of kinds.h: System V IPC, queues, scheduling, memory policy, administration. */

/* dec_sysv.c */
KIND(ipc_ctl) KIND(sembufs) KIND(msg_send) KIND(msg_receive)
/* dec_mq.c */
KIND(mq_mode_if_creat) KIND(mq_attr_in) KIND(mq_attr_if_creat) KIND(mq_attr_out)
/* dec_sched.c */
KIND(sched_attr_in) KIND(sched_attr_out) KIND(ioprio) KIND(futex_waiters) KIND(futex_mask)
HOOKS(ioprio_get) HOOKS(kcmp) HOOKS(membarrier)
/* dec_caps.c */
KIND(cap_header) KIND(cap_data_in) KIND(cap_data_out)
/* dec_numa.c */
KIND(nodes_in) KIND(nodes_out) KIND(policy_ptr) KIND(pages_in) KIND(page_nodes) KIND(page_status) KIND(iovec_addr) KIND(mempolicy)
/* dec_admin.c */
KIND(kexec_segments) KIND(timex) KIND(sysctl_args)
HOOKS(reboot) HOOKS(syslog) HOOKS(modify_ldt) HOOKS(set_thread_area) HOOKS(get_thread_area) HOOKS(timex)
/* dec_bpf.c */
HOOKS(bpf)
/* dec_ptrace.c */
HOOKS(ptrace)
/* dec_perf.c */
KIND(perf_attr)

/* dec_compat.c: of i386 */
KIND(old_mask) KIND(old_set_in) KIND(old_set_out) KIND(old_action_in) KIND(old_action_out) KIND(handler) KIND(socketcall) KIND(ipc_call)
HOOKS(signal) HOOKS(sgetmask) HOOKS(ssetmask) HOOKS(sigsuspend) HOOKS(readdir)

/* o: the register with the operation, c: with the count, l: with the length */
#define SEM_CTL(n, o) { .name = #n, .kind = &kind_ipc_ctl, .a = o, .b = 0 }
#define SHM_CTL(n, o) { .name = #n, .kind = &kind_ipc_ctl, .a = o, .b = 1 }
#define MSG_CTL(n, o) { .name = #n, .kind = &kind_ipc_ctl, .a = o, .b = 2 }
#define SEMBUFS(n, c) { .name = #n, .kind = &kind_sembufs, .a = c }
#define MSG_SEND(n, l) { .name = #n, .kind = &kind_msg_send, .a = l }
#define MSG_RECEIVE(n, l) { .name = #n, .kind = &kind_msg_receive, .a = l }
#define MQ_MODE_IF_CREAT(n, f) { .name = #n, .kind = &kind_mq_mode_if_creat, .a = f }
#define MQ_ATTR_IN(n) K(n, mq_attr_in)
#define MQ_ATTR_IF_CREAT(n, f) { .name = #n, .kind = &kind_mq_attr_if_creat, .a = f }
#define MQ_ATTR_OUT(n) K(n, mq_attr_out)
#define SCHED_ATTR_IN(n) K(n, sched_attr_in)
#define SCHED_ATTR_OUT(n, l) { .name = #n, .kind = &kind_sched_attr_out, .a = l }
#define IOPRIO(n) K(n, ioprio)
#define FUTEX_WAITERS(n, c) { .name = #n, .kind = &kind_futex_waiters, .a = c }
#define FUTEX_TWO_WAITERS(n) { .name = #n, .kind = &kind_futex_waiters, .b = 2 }
#define FUTEX_MASK(n) K(n, futex_mask)
#define CAP_HEADER(n) K(n, cap_header)
#define CAP_DATA_IN(n) K(n, cap_data_in)
#define CAP_DATA_OUT(n) K(n, cap_data_out)
#define NODES_IN(n, l) { .name = #n, .kind = &kind_nodes_in, .a = l }
#define NODES_OUT(n, l) { .name = #n, .kind = &kind_nodes_out, .a = l }
#define MEMPOLICY(n) K(n, mempolicy)
#define MEMPOLICYL(n) { .name = #n, .kind = &kind_mempolicy, .a = 1 }   /* unsigned long */
#define HOSTNAME(n, l) { .name = #n, .kind = &kind_buf_in, .a = l, .b = 64 }    /* __NEW_UTS_LEN */
#define POLICY_PTR(n) K(n, policy_ptr)
#define PAGES_IN(n, c) { .name = #n, .kind = &kind_pages_in, .a = c }
#define PAGE_NODES(n, c) { .name = #n, .kind = &kind_page_nodes, .a = c }
#define PAGE_STATUS(n, c) { .name = #n, .kind = &kind_page_status, .a = c }
#define IOVEC_ADDR(n, c) { .name = #n, .kind = &kind_iovec_addr, .a = c }
#define SYSCTL_ARGS(n) K(n, sysctl_args)
#define KEXEC_SEGMENTS(n, c) { .name = #n, .kind = &kind_kexec_segments, .a = c }
#define TIMEX(n) K(n, timex)
#define TIMEX64(n) { .name = #n, .kind = &kind_timex, .b = 8 }
#define PERF_ATTR(n) K(n, perf_attr)
#define OLD_MASK(n) K(n, old_mask)      /* a signal set of one word, as a number */
#define OLD_SET_IN(n) K(n, old_set_in)
#define OLD_SET_OUT(n) K(n, old_set_out)
#define OLD_ACTION_IN(n) K(n, old_action_in)
#define OLD_ACTION_OUT(n) K(n, old_action_out)
#define HANDLER(n) K(n, handler)
#define SOCKETCALL(n) { .name = #n, .kind = &kind_socketcall, .table = &tab_socketcalls }
#define IPC_CALL(n) K(n, ipc_call)
