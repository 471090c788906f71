/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_CGROUP_NAME_H
#define CTRACE_CGROUP_NAME_H
/*
 * What the path of a cgroup says about containers. Paths are those of
 * /proc/PID/cgroup: from the root of a hierarchy, never with a mount point
 * before them (an ID in the mount point would be taken for the container's).
 */
#include <stdbool.h>
#include <stddef.h>

enum cgroup_role { ROLE_NONE, ROLE_PAYLOAD, ROLE_AUX, ROLE_GROUP };

#define CGROUP_ID_MAX 256

struct cgroup_name {
	enum cgroup_role role;
	const char *runtime;            /* "" where several use this shape */
	char id[CGROUP_ID_MAX];         /* "" for rows without one */
	size_t end;                     /* path[0, end) is the cgroup that the row matched */
	size_t begin;                   /* where the matched components begin */
};

/* What the cgroup itself is, by its own name; ROLE_NONE. */
void cgroup_name_match(const char *path, struct cgroup_name *ret);

/* In which container the cgroup lies: the innermost one. False: in none. */
bool cgroup_name_container(const char *path, struct cgroup_name *ret);

/*
 * The outermost component that carries this ID, by the grammar, else by being
 * the ID itself. Returns the length of the path up to its end; 0: none does.
 */
size_t cgroup_name_find_id(const char *path, const char *id);

/*
 * By which keys the cgroup of a container that is yet to be made is known, by the rows above, each once: "NAME" is
 * the directory's own name, "PARENT/NAME" that with the name of the one around it, ":ID" the end of a name. The ID
 * itself is the first. Keys longer than CGROUP_KEY_MAX, and names that hold more than the ID (libvirt's), are left out.
 * A result of each other than 0 ends it and is returned. -EINVAL: no directory can have this name.
 */
#define CGROUP_KEY_MAX 255
int cgroup_name_keys(const char *id, int (*each)(const char *key, void *data), void *data);

/* "PARENT/NAME" of what is the runtime's own and named as the container (LXC's lxc.monitor/NAME). Results as before. */
int cgroup_name_refused_keys(const char *id, int (*each)(const char *key, void *data), void *data);

/* Whether rows name this runtime. */
bool cgroup_name_runtime(const char *runtime);

/* The uid of the pod, with dashes, whose cgroup encloses the path. */
bool cgroup_name_pod_uid(const char *path, char *ret, size_t size);

#endif
