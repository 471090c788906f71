/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TARGET_LOOKUP_H
#define CTRACE_TARGET_LOOKUP_H
/* Inside src/target: the parts of --container. */
#include <errno.h>
#include <stdlib.h>

#include "ns/array.h"
#include "target/resolver.h"

/* Indexes into the resolver's entries. */
struct matches {
	size_t *v, n, allocated;
};

/* 0 or -ENOMEM. */
static inline int matches_add(struct matches *m, size_t entry)
{
	if (ARRAY_RESERVE(m->v, m->allocated, m->n + 1) < 0)
		return -ENOMEM;
	m->v[m->n++] = entry;
	return 0;
}

static inline void matches_done(struct matches *m)
{
	free(m->v);
}

/* --container pid:N (bypid.c); the number is the caller's. Results as resolve_container(). */
int resolve_container_of_pid(struct resolver *r, pid_t pid, struct target *ret);

/* The same by its number in the env's /proc; shown: as the user wrote it. */
int resolve_container_of_host_pid(struct resolver *r, pid_t pid, pid_t shown, struct target *ret);

/* Whether it runs here, now. */
bool entry_runs(struct resolver *r, const struct container_entry *e);

/* Whether it says what the entry says. c: NULL for nothing. */
bool container_is_known(const struct container_info *c, const struct container_entry *e);

/* Whether it is what stands before the colon of RUNTIME:NAME, k8s and other names of runtimes included. */
bool is_runtime_name(const char *name, size_t len);

/* What the argument stands for by what the runtimes know: at the first step that matches anything, running or not. */
int find_containers(struct resolver *r, const char *arg, struct matches *m);

/* Containers of runtimes whose state is not found: a directory of that very name. -ENOENT: none. */
int resolve_directory_name(struct resolver *r, const char *arg, struct target *ret);

/* Each returns 1, or -ENOMEM. why: -ESRCH, -ENOENT as locate_entry() says. */
int report_dead(struct resolver *r, const char *arg, const struct matches *m, int why);
int report_ambiguous(struct resolver *r, const char *arg, const struct matches *m);
/* Its system calls go to another kernel. */
int report_kernel(struct resolver *r, const char *arg, const char *kernel);
int report_unknown(struct resolver *r, const char *arg);
/* Ends a line that says that nothing was found: what may be the cause. */
int report_not_found(struct resolver *r, struct strbuf *line);

/* NAMESPACE/POD of entries that are in pods, or with pods false CONTAINER; each once, divided by commas. */
void line_pods(struct strbuf *line, const struct resolver *r, const struct matches *m, bool pods);
/* "; running: " and the pods of this machine, or that there is none. 0 or -ENOMEM. */
int line_running_pods(struct strbuf *line, struct resolver *r);
/* How --container names a pod's container: k8s:NAMESPACE/POD/CONTAINER, podman:NAME. malloc'd; NULL: no memory. */
char *pod_container_name(const struct resolver *r, const struct container_entry *e);
/* A container of a pod as the spec of a container. 0 or -ENOMEM. */
int add_pod_spec(const struct resolver *r, const struct container_entry *e, struct target_spec **specs, size_t *n);
/* The containers of the pods that a spec names, running or not; r has its entries. 0, -ENOMEM. */
int find_pod_containers(struct resolver *r, const struct target_spec *pods, struct matches *m);
int find_by_labels(struct resolver *r, const char *arg, struct matches *m);
/* Whether it is a pod's container, and not the one that holds the pod's namespaces. */
bool is_pod_container(const struct container_entry *e);

#endif
