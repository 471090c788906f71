/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_session */
/* SOURCES: fixtures.c mutate_files.c answer.c json.c */
/*
 * Files that a container can write or have an influence on: of /proc, names
 * of cgroups, and the state of runtimes that may run in a container
 * themselves. Also what name servers answer, whoever they are. The parsers of bytes get a block without a NUL behind it.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup/mounts.h"
#include "cgroup/name.h"
#include "cgroup/runtime.h"
#include "files.h"
#include "fixtures.h"
#include "ns/procfs.h"
#include "session/dns.h"
#include "session/hosts.h"
#include "session/secontext.h"
#include "stack/maps.h"
#include "util/macros.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FIXTURES CTRACE_UNIT_DIR "/fixtures/runtimes"

/* The runtimes' state, a file of which is replaced by the input. */
static char top[PATH_MAX / 2];
static struct state_file {
	char path[PATH_MAX];
	char *bytes;
	size_t len;
} *files;
static size_t n_files;
static struct runtime_env runtimes_env;
static int proc_fd = -1;

/* --- the tree --- */

static void write_file(const char *path, const void *bytes, size_t len)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len) {
		perror(path);
		exit(1);
	}
}

static void make_directories(char *path)
{
	for (char *slash = path + strlen(top) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			abort();
		*slash = '/';
	}
}

static void copy_fixtures(void)
{
	char **from = fixture_files(FIXTURES, &n_files);

	files = calloc(n_files, sizeof(*files));
	for (size_t i = 0; files && i < n_files; i++) {
		struct state_file *f = &files[i];

		if (proc_read_file(AT_FDCWD, from[i], 1u << 20, &f->bytes, &f->len) < 0)
			abort();
		snprintf(f->path, sizeof(f->path), "%s/root%s", top, from[i] + strlen(FIXTURES));
		make_directories(f->path);
		write_file(f->path, f->bytes, f->len);
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char stat[] = "42 (dockerd) S 1 42 42 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 880011 0\n";
	char path[PATH_MAX];

	(void)argc;
	(void)argv;
	snprintf(top, sizeof(top), "%s/ctrace-fuzz-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	if (!mkdtemp(top))
		abort();
	copy_fixtures();
	snprintf(path, sizeof(path), "%s/proc/42/", top);
	make_directories(path);
	write_file(strcat(path, "comm"), "dockerd\n", 8);
	snprintf(path, sizeof(path), "%s/proc/42/stat", top);
	write_file(path, stat, sizeof(stat) - 1);
	snprintf(path, sizeof(path), "%s/proc", top);
	proc_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	snprintf(path, sizeof(path), "%s/root", top);
	if (proc_fd < 0 || runtime_env_open(proc_fd, "/nowhere", path, &runtimes_env) < 0)
		abort();
	return 0;
}

/* --- the readers --- */

static int no_key(const char *key, void *data)
{
	(void)data;
	return strlen(key) > CGROUP_KEY_MAX ? -E2BIG : 0;
}

static void read_name(const char *path)
{
	struct cgroup_name name;
	char uid[64];

	cgroup_name_match(path, &name);
	if (name.end > strlen(path) || name.begin > name.end)
		abort();
	if (cgroup_name_container(path, &name) && (name.end > strlen(path) || name.begin > name.end || !name.id[0]))
		abort();
	cgroup_name_find_id(path, "9c6eb891676c");
	if (cgroup_name_keys(path, no_key, NULL) == -E2BIG)
		abort();
	cgroup_name_pod_uid(path, uid, sizeof(uid));
}

static void read_paths(const struct cgroup_mounts *mounts, const char *a, const char *b)
{
	_cleanup_free_ char *joined = NULL, *above = NULL, *dir = NULL, *back = NULL;

	cgroup_path_join(a, b, &joined);
	cgroup_path_above(a, 2, &above);
	cgroup_path_within(a, b);
	if (cgroup_mounts_dir(mounts, 0, a, &dir) == 0)
		cgroup_mounts_path(mounts, 0, dir, &back);
}

static void read_cgroups(const char *text, size_t len)
{
	struct cgroup_mounts none = { 0 };
	struct proc_cgroups lines;

	if (proc_cgroups_parse(text, len, &lines) < 0)
		return;
	for (size_t i = 0; i < lines.n; i++) {
		read_name(lines.v[i].path);
		read_paths(&none, lines.v[i].path, lines.v[lines.n - 1].path);
	}
	proc_cgroups_done(&lines);
}

/* Mounts and, behind a NUL, the lines of /proc/self/cgroup. */
static void read_mounts(const char *text, size_t len)
{
	static const char usual[] = "5:memory:/a/b\n0::/../x\n";
	const char *second = len ? memchr(text, '\0', len) : NULL;
	_cleanup_free_ char *copy = NULL;
	struct cgroup_mounts mounts;
	struct proc_cgroups lines;
	size_t first = second ? (size_t)(second - text) : len, rest = second ? len - first - 1 : sizeof(usual) - 1;

	copy = malloc(rest + 1);
	if (!copy)
		abort();
	memcpy(copy, second ? second + 1 : usual, rest);
	if (cgroup_mounts_parse(text, first, copy, rest, "/host", false, &mounts) < 0)
		return;
	cgroup_mounts_mode(&mounts);
	if (proc_cgroups_parse(copy, rest, &lines) == 0) {
		if (cgroup_mounts_repair(&mounts, &lines) == 0)
			for (size_t i = 0; i < lines.n; i++)
				read_paths(&mounts, lines.v[i].path, lines.v[0].path);
		proc_cgroups_done(&lines);
	}
	cgroup_mounts_done(&mounts);
}

static void read_cmdline(const char *text, size_t len)
{
	struct runtime_env env;
	char path[PATH_MAX], root[PATH_MAX];

	snprintf(path, sizeof(path), "%s/proc/42/cmdline", top);
	snprintf(root, sizeof(root), "%s/root", top);
	write_file(path, text, len);
	if (runtime_env_open(proc_fd, "/nowhere", root, &env) == 0)
		runtime_env_done(&env);
	unlink(path);
}

static void read_maps(const char *text, size_t len)
{
	struct maps *maps;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/proc/42/maps", top);
	write_file(path, text, len);
	if (maps_read(proc_fd, 42, &maps) == 0) {
		maps_find(maps, maps->v[0].start);
		maps_find(maps, UINT64_MAX);
		maps_free(maps);
	}
}

static void read_state(struct state_file *f, const char *text, size_t len)
{
	struct container_entries entries = { 0 };

	write_file(f->path, text, len);
	if (runtime_list(&runtimes_env, &entries) < 0)
		abort();
	for (size_t i = 0; i < entries.n; i++)
		if (!entries.v[i].id[0] || strchr(entries.v[i].id, '/') || entries.v[i].pid < 0)
			abort();
	container_entries_done(&entries);
	write_file(f->path, f->bytes, f->len);
}

static void read_context(const char *text, size_t len)
{
	char buf[SECONTEXT_MAX];

	secontext_show(text, len, true, buf, sizeof(buf));
	secontext_show(text, len, false, buf, 16);
}

static void read_hosts(const char *text, size_t len)
{
	static const uint8_t some[][16] = { { [10] = 0xff, 0xff, 127, 0, 0, 1 }, { [15] = 1 }, { 0 } };
	struct hosts *h = hosts_parse(text, len);

	for (size_t i = 0; h && i < ARRAY_SIZE(some); i++) {
		const char *name = hosts_name(h, some[i]);

		if (name && (!*name || strlen(name) > 255))
			abort();
	}
	hosts_free(h);
}

/* What it is told it reads to the end. */
static void found_name(void *data, const char *name, const uint8_t *address, size_t len, uint32_t ttl)
{
	uint8_t copy[16];

	(void)ttl;
	if ((len != 4 && len != 16) || strlen(name) > 1100)
		abort();
	memcpy(copy, address, len);
	for (; *name; name++)
		if (*name < ' ' || *name > '~' || (*name >= 'A' && *name <= 'Z'))
			abort();
	for (size_t i = 0; i < len; i++)
		*(unsigned *)data += copy[i];
}

static void read_answer(const char *text, size_t len, bool stream)
{
	unsigned sum = 0;

	if (stream)
		dns_addresses_stream((const uint8_t *)text, len, found_name, &sum);
	else
		dns_addresses((const uint8_t *)text, len, found_name, &sum);
}

static void read_one(unsigned what, const char *text, size_t len)
{
	_cleanup_free_ char *string = strndup(text, len);
	struct proc_status status;
	struct proc_stat stat;
	struct pid_list list = { 0 };

	switch (what) {
	case FILE_STAT:
		proc_stat_parse(text, len, &stat);
		break;
	case FILE_STATUS:
		if (proc_status_parse(text, len, &status) == 0 && status.n_nspid > PROC_NS_LEVELS)
			abort();
		break;
	case FILE_CGROUP:
		read_cgroups(text, len);
		break;
	case FILE_PIDS:
		pid_list_parse(text, len, &list);
		pid_list_done(&list);
		break;
	case FILE_MOUNTINFO:
		read_mounts(text, len);
		break;
	case FILE_NAME:
		read_name(string);
		break;
	case FILE_CONTEXT:
		read_context(text, len);
		break;
	case FILE_CMDLINE:
		read_cmdline(text, len);
		break;
	case FILE_MAPS:
		read_maps(text, len);
		break;
	case FILE_HOSTS:
		read_hosts(text, len);
		break;
	case FILE_DNS:
	case FILE_DNS_STREAM:
		read_answer(text, len, what == FILE_DNS_STREAM);
		break;
	default:
		read_state(&files[(what - FILE_RUNTIMES) % n_files], text, len);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = NULL;

	if (!size)
		return -1;
	text = malloc(size - 1 ? size - 1 : 1);
	if (!text)
		abort();
	memcpy(text, data + 1, size - 1);
	read_one(data[0], text, size - 1);
	return 0;
}
