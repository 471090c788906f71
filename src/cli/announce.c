/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/announce.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "cli/message.h"
#include "session/lossless.h"
#include "util/macros.h"

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void label_container(struct target_label *l, const struct container_info *info)
{
	l->id = info->id;
	l->runtime = info->runtime;
	l->image = info->image;
	l->pod_namespace = info->pod_namespace;
	l->pod = info->pod;
	l->pod_uid = info->pod_uid;
	l->pod_container = info->pod_container;
	l->pod_kind = info->pod_kind;
}

/* k8s:NAMESPACE/POD/CONTAINER is what --pod becomes: known also before the container is. */
static const char *pod_path(const struct target *t)
{
	const char *arg = t->kind == TARGET_CONTAINER ? t->spec.arg : NULL;

	return arg && !strncmp(arg, "k8s:", 4) && strchr(arg, '/') ? arg + 4 : NULL;
}

void label_update(struct target_label *l, const struct target *t, const struct config *c)
{
	*l = (struct target_label){
		.name = t->kind == TARGET_COMMAND && c->command ? base_name(c->command[0]) : t->label,
		.is_container = t->kind == TARGET_CONTAINER,
		.plain_prefix = t->kind == TARGET_PROCESS || t->kind == TARGET_THREAD || t->kind == TARGET_COMMAND,
		.init_host_pid = (uint32_t)t->init_pid,
		.pod_path = pod_path(t),
		.vacant = target_is_vacant(t),
		.many_pods = t->pods.arg && t->pods.kind == TARGET_PODS,
	};
	if (t->container)
		label_container(l, t->container);
	if (t->n_cgroups)
		snprintf(l->cgroup, sizeof(l->cgroup), "%s", t->cgroups[0].path);
}

struct target_label *labels_make(const struct target_list *targets, const struct config *c)
{
	struct target_label *labels = calloc(MAX(targets->n, (size_t)1), sizeof(*labels));

	if (!labels)
		return NULL;
	for (size_t i = 0; i < targets->n; i++)
		label_update(&labels[i], &targets->v[i], c);
	return labels;
}

static void append(char *buf, size_t size, const char *format, ...) _printf_(3, 4);

static void append(char *buf, size_t size, const char *format, ...)
{
	size_t len = strlen(buf);
	va_list ap;

	va_start(ap, format);
	vsnprintf(buf + len, size - len, format, ap);
	va_end(ap);
}

static void describe_container(const struct target *t, char *buf, size_t size)
{
	const struct container_info *info = t->container;

	if (info && info->runtime)
		append(buf, size, "%s ", info->runtime);
	append(buf, size, "container %s", t->label);
	if (!info)
		return;
	/* The label is the ID where there is no name. */
	if (info->id && strncmp(info->id, t->label, container_short_id(info->id)) != 0)
		append(buf, size, " (%.*s)", (int)container_short_id(info->id), info->id);
	if (info->pod)
		append(buf, size, " of pod %s%s%s", info->pod_namespace ? info->pod_namespace : "", info->pod_namespace ? "/" : "", info->pod);
	if (info->pod_kind && strcmp(info->pod_kind, "container") != 0)
		append(buf, size, ", %s container", info->pod_kind);
}

static void describe_init(const struct target *t, const struct target_env *env, char *buf, size_t size)
{
	if (t->kind != TARGET_CONTAINER || t->init_pid <= 0)
		return;
	if (t->pidns_inum == env->pidns_inum)
		append(buf, size, "; its first process is %d", t->init_pid);
	else
		append(buf, size, "; its pid 1 is %d on the host", t->init_pid);
}

void target_describe(const struct target *t, const struct target_env *env, char *buf, size_t size)
{
	buf[0] = '\0';
	switch (t->kind) {
	case TARGET_CONTAINER:
		describe_container(t, buf, size);
		break;
	case TARGET_CGROUP:
		append(buf, size, "cgroup %s", t->n_cgroups ? t->cgroups[0].path : t->label);
		break;
	case TARGET_PROCESS:
		append(buf, size, "process %s", t->label);
		break;
	case TARGET_THREAD:
		append(buf, size, "thread %s and what it forks", t->label);
		return;
	case TARGET_ALL:
		append(buf, size, "every task of this machine");
		return;
	case TARGET_COMMAND:
		append(buf, size, "command %s", t->label);
		return;
	case TARGET_POD:
	case TARGET_PODS:
		return;
	}
	append(buf, size, ": %u task%s", t->n_tasks, t->n_tasks == 1 ? "" : "s");
	describe_init(t, env, buf, size);
}

void time_zone_name(char *buf, size_t size)
{
	const char *name = getenv("TZ");
	char link[PATH_MAX];
	struct tm tm;
	time_t now;
	ssize_t n;

	if (name && *name && *name != ':' && *name != '/') {
		snprintf(buf, size, "%s", name);
		return;
	}
	n = name ? -1 : readlink("/etc/localtime", link, sizeof(link) - 1);
	if (n > 0) {
		link[n] = '\0';
		name = strstr(link, "/zoneinfo/");
		if (name && name[strlen("/zoneinfo/")]) {
			snprintf(buf, size, "%s", name + strlen("/zoneinfo/"));
			return;
		}
	}
	now = time(NULL);
	if (!localtime_r(&now, &tm) || !strftime(buf, size, "%Z", &tm))
		snprintf(buf, size, "UTC");
}

void target_wanted(const struct target *t, char *buf, size_t size)
{
	buf[0] = '\0';
	if (target_is_vacant(t))
		append(buf, size, "%s %s", t->pods.kind == TARGET_PODS ? "containers of pods with labels" : "containers of pod", t->pods.arg);
	else if (t->kind == TARGET_CGROUP)
		append(buf, size, "cgroup %s", t->spec.arg ? t->spec.arg : t->label);
	else
		describe_container(t, buf, size);
}

/* One of several seats for the same pods is enough. */
static bool is_told(const struct target_list *targets, size_t i)
{
	const struct target *t = &targets->v[i], *before = i ? t - 1 : NULL;

	return before && target_is_vacant(t) && target_is_vacant(before) && !strcmp(t->pods.arg, before->pods.arg);
}

void announce(const struct target_list *targets, const struct target_env *env, const struct config *c)
{
	char zone[96], text[512];
	bool first = true;

	time_zone_name(zone, sizeof(zone));
	for (size_t i = 0; i < targets->n; i++) {
		if (targets->v[i].kind == TARGET_COMMAND || is_told(targets, i))
			continue;
		if (targets->v[i].waiting)
			target_wanted(&targets->v[i], text, sizeof(text));
		else
			target_describe(&targets->v[i], env, text, sizeof(text));
		say("%s %s%s%s", targets->v[i].waiting ? "waiting for" : "tracing", text, first ? "; times are " : "", first ? zone : "");
		first = false;
	}
	if (c->session.narrow)
		say("--narrow: only the named calls are seen and counted, but not by int 0x80, nor when seccomp denies them");
	if (c->session.lossless)
		say("--lossless: the target is frozen when the buffer fills, for %d ms at most and a fifth of the time; its epoll_wait and semop can return EINTR then",
		    LOSSLESS_MAX_MS);
}
