/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_DECODE_KINDS_FILE_H
#define CTRACE_DECODE_KINDS_FILE_H
/* The part of kinds.h that is of files, mounts, keys and asynchronous I/O; included by it. */

/* dec_mount.c */
KIND(mount_attr) KIND(swap_flags) KIND(mnt_req) KIND(ns_req) KIND(ids64) KIND(statmount)
HOOKS(fsconfig)
/* dec_xattr.c, dec_landlock.c, dec_transfer.c */
KIND(xattr_in) KIND(xattr_out) KIND(xattr_args_in) KIND(xattr_args_out) KIND(file_attr_in) KIND(file_attr_out) KIND(handle_in) KIND(handle_out)
KIND(ruleset_attr) KIND(size_inout) KIND(lsm_ids) KIND(lsm_ctx_in) KIND(lsm_ctx_out)
KIND(residency) KIND(cachestat_range) KIND(cachestat) KIND(int_ptr) KIND(fan_flags) KIND(fan_dirfd)
/* dec_keys.c, dec_quota.c */
KIND(key_serial) KIND(quota_op) KIND(dev)
HOOKS(keyctl) HOOKS(quotactl) HOOKS(quotactl_fd)
/* dec_aio.c */
KIND(iocbs) KIND(iocb) KIND(io_events) KIND(io_event)
/* dec_uring.c, dec_uring_reg.c */
KIND(uring_params)
HOOKS(io_uring_enter) HOOKS(io_uring_register)
HOOKS(landlock_create_ruleset) HOOKS(landlock_add_rule)

#define MOUNT_ATTR(n, s) { .name = #n, .kind = &kind_mount_attr, .a = s }       /* s: register with its size */
#define SWAP_FLAGS(n) K(n, swap_flags)
#define MNT_REQ(n) K(n, mnt_req)
#define MNT_REQ_MASK(n, t) { .name = #n, .kind = &kind_mnt_req, .table = &tab_##t }
#define NS_REQ(n) K(n, ns_req)
#define IDS64(n, c) { .name = #n, .kind = &kind_ids64, .a = c }
#define STATMOUNT(n, s) { .name = #n, .kind = &kind_statmount, .a = s }
#define XATTR_IN(n, s) { .name = #n, .kind = &kind_xattr_in, .a = s }   /* s: register with its size */
#define XATTR_OUT(n, s) { .name = #n, .kind = &kind_xattr_out, .a = s }
#define XATTR_ARGS_IN(n, s) { .name = #n, .kind = &kind_xattr_args_in, .a = s } /* s: register with its size */
#define XATTR_ARGS_OUT(n, s) { .name = #n, .kind = &kind_xattr_args_out, .a = s }
#define FILE_ATTR_IN(n, s) { .name = #n, .kind = &kind_file_attr_in, .a = s }
#define FILE_ATTR_OUT(n, s) { .name = #n, .kind = &kind_file_attr_out, .a = s }
#define HANDLE_IN(n) K(n, handle_in)
#define HANDLE_OUT(n) K(n, handle_out)
#define RULESET_ATTR(n, s) { .name = #n, .kind = &kind_ruleset_attr, .a = s }
#define SIZE_INOUT(n) K(n, size_inout)  /* u32, read and written */
#define LSM_IDS(n) K(n, lsm_ids)
#define LSM_CTX_IN(n, s) { .name = #n, .kind = &kind_lsm_ctx_in, .a = s }
#define LSM_CTX_OUT(n, f) { .name = #n, .kind = &kind_lsm_ctx_out, .a = f }     /* f: register with the flags */
#define RESIDENCY(n, l) { .name = #n, .kind = &kind_residency, .a = l }
#define CACHESTAT_RANGE(n) K(n, cachestat_range)
#define CACHESTAT(n) K(n, cachestat)
#define INT_PTR(n) K(n, int_ptr)         /* an output, as [7] */
#define KEY_SERIAL(n) K(n, key_serial)  /* of a key or keyring */
#define QUOTA_OP(n) K(n, quota_op)
#define DEV(n) K(n, dev)
#define FAN_FLAGS(n) K(n, fan_flags)
#define IOCBS(n, c) { .name = #n, .kind = &kind_iocbs, .a = c }
#define IOCB(n) K(n, iocb)
#define IO_EVENTS(n) K(n, io_events)
#define IO_EVENT(n) K(n, io_event)
#define URING_PARAMS(n) K(n, uring_params)
#define FAN_DIRFD(n) K(n, fan_dirfd)

#endif
