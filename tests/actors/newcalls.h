/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_NEWCALLS_H
#define CTRACE_TESTS_NEWCALLS_H
/* Numbers that the C library's headers may not know yet; the same on every ABI. */
#include "calls.h"

#define NEWCALLS(X)                                                                                              \
	X(open_tree, 428) X(move_mount, 429) X(fsopen, 430) X(fsconfig, 431) X(fsmount, 432) X(fspick, 433)      \
	X(mount_setattr, 442) X(quotactl_fd, 443) X(landlock_create_ruleset, 444) X(landlock_add_rule, 445)      \
	X(landlock_restrict_self, 446) X(cachestat, 451) X(statmount, 457) X(listmount, 458)                     \
	X(lsm_get_self_attr, 459) X(lsm_set_self_attr, 460) X(lsm_list_modules, 461) X(setxattrat, 463)          \
	X(getxattrat, 464) X(listxattrat, 465) X(removexattrat, 466) X(open_tree_attr, 467)                      \
	X(file_getattr, 468) X(file_setattr, 469) X(listns, 470)

#define X(name, number) NEW_##name = number,
enum { NEWCALLS(X) };
#undef X

#define NEW(name, ...) ((void)!syscall(NEW_##name, ##__VA_ARGS__))

#endif
