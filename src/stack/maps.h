/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_STACK_MAPS_H
#define CTRACE_STACK_MAPS_H
/* The files that a process has mapped, as /proc/PID/maps tells them. */
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct mapping {
	uint64_t start, end, offset;
	char *path;                     /* as written there; "" where there is none */
	size_t file;                    /* index into files; SIZE_MAX: none */
};

struct mapped_file {
	uint64_t base;                  /* where its first byte is mapped */
	uint64_t end;                   /* of its last mapping */
	int fd;                         /* of the very file; -1: could not be had */
	uint64_t device, inode;
	const char *path;               /* of its first mapping */
};

struct maps {
	size_t n, n_files;
	struct mapping *v;              /* by address */
	struct mapped_file *files;
	uint64_t hash;                  /* of what is mapped where */
	int root_fd;                    /* the process's root directory; -1: could not be had */
};

/* 0 or a negative errno: -ENOENT, -ESRCH when the process is gone. */
int maps_read(int proc_fd, pid_t pid, struct maps **ret_maps);
void maps_free(struct maps *m);
/* NULL: nothing is mapped there. */
const struct mapping *maps_find(const struct maps *m, uint64_t address);

#endif
