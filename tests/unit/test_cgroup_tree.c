/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_cgroup */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

#include "tree.h"

#include "cgroup/dir.h"
#include "cgroup/mounts.h"

static void read_fixture(const char *name, char *buf, size_t size, size_t *ret_len)
{
	char path[PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%s/fixtures/cgroup/%s", CTRACE_UNIT_DIR, name);
	f = fopen(path, "r");
	assert_non_null(f);
	*ret_len = fread(buf, 1, size, f);
	fclose(f);
}

static void parse_fixture(const char *name, const char *prefix, struct cgroup_mounts *ret)
{
	char file[64], info[8192], lines[1024];
	size_t info_len, lines_len;

	snprintf(file, sizeof(file), "%s.mountinfo", name);
	read_fixture(file, info, sizeof(info), &info_len);
	snprintf(file, sizeof(file), "%s.cgroup", name);
	read_fixture(file, lines, sizeof(lines), &lines_len);
	assert_int_equal(cgroup_mounts_parse(info, info_len, lines, lines_len, prefix, false, ret), 0);
}

static void expect_dir(const struct cgroup_mounts *m, uint32_t hierarchy, const char *path, const char *want)
{
	char *dir = NULL;
	int r = cgroup_mounts_dir(m, hierarchy, path, &dir);

	if (!want) {
		assert_int_equal(r, -ENOENT);
		return;
	}
	assert_int_equal(r, 0);
	assert_string_equal(dir, want);
	free(dir);
}

static void expect_path(const struct cgroup_mounts *m, uint32_t hierarchy, const char *dir, const char *want)
{
	char *path = NULL;

	assert_int_equal(cgroup_mounts_path(m, hierarchy, dir, &path), 0);
	assert_string_equal(path, want);
	free(path);
}

static void test_hybrid(void **state)
{
	struct cgroup_mounts m;
	char *path = NULL;

	(void)state;
	parse_fixture("hybrid", "", &m);
	assert_int_equal(m.n, 7);
	assert_int_equal(cgroup_mounts_mode(&m), CGROUP_MODE_HYBRID);
	expect_dir(&m, 0, "/docker/y", "/sys/fs/cgroup/unified/docker/y");
	expect_dir(&m, 0, "/", "/sys/fs/cgroup/unified");
	expect_dir(&m, 5, "/process_api/x", "/sys/fs/cgroup/memory/process_api/x");
	expect_dir(&m, 12, "/a", "/sys/fs/cgroup/cpu,cpuacct/a");
	expect_dir(&m, 1, "/a", "/sys/fs/cgroup/systemd/a");
	expect_dir(&m, 0, "/../x", NULL);
	expect_dir(&m, 9, "/a", NULL);
	expect_path(&m, 0, "/sys/fs/cgroup/unified/docker/y", "/docker/y");
	expect_path(&m, 0, "/sys/fs/cgroup/unified", "/");
	expect_path(&m, 0, "/mnt/with blank/z", "/docker/x/z");
	expect_path(&m, 0, "/mnt/with blank", "/docker/x");
	assert_int_equal(cgroup_mounts_path(&m, 0, "/sys/fs/cgroup/unifiedx", &path), -ENOENT);
	assert_int_equal(cgroup_mounts_path(&m, 5, "/sys/fs/cgroup/unified/x", &path), -ENOENT);
	/* no line names hugetlb, so its number is not known */
	assert_false(m.v[6].known);
	cgroup_mounts_done(&m);
}

static void test_v2_below_prefix(void **state)
{
	struct cgroup_mounts m;

	(void)state;
	parse_fixture("v2", "/host/proc/1/root", &m);
	assert_int_equal(m.n, 1);
	assert_int_equal(cgroup_mounts_mode(&m), CGROUP_MODE_V2);
	expect_dir(&m, 0, "/x", "/host/proc/1/root/sys/fs/cgroup/x");
	expect_path(&m, 0, "/host/proc/1/root/sys/fs/cgroup/x", "/x");
	cgroup_mounts_done(&m);
}

/* As seen in a container's own mount: only what lies below its root. */
static void test_partial_mount(void **state)
{
	static const char info[] = "1 2 0:38 /docker/x /sys/fs/cgroup rw - cgroup2 cgroup rw\n";
	struct cgroup_mounts m;

	(void)state;
	assert_int_equal(cgroup_mounts_parse(info, sizeof(info) - 1, "0::/\n", 5, "", false, &m), 0);
	expect_dir(&m, 0, "/docker/x/y", "/sys/fs/cgroup/y");
	expect_dir(&m, 0, "/docker/x", "/sys/fs/cgroup");
	expect_dir(&m, 0, "/docker/xy", NULL);
	expect_dir(&m, 0, "/", NULL);
	cgroup_mounts_done(&m);
}

static void test_hostile_mountinfo(void **state)
{
	static const char *const rows[] = {
		"", "\n\n", " - ", " - cgroup", " - cgroup x", "1 2 3 - cgroup2 x rw", "1 2 0:x / /m rw - cgroup2 x rw",
		"1 2 0:1 m m rw - cgroup2 x rw", "1 2 0:1 / rw - cgroup2 x rw", "- - - - -", "1 2 0:1 / /m rw - cgroup2",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct cgroup_mounts m;

		assert_int_equal(cgroup_mounts_parse(rows[i], strlen(rows[i]), "", 0, "", false, &m), 0);
		if (m.n)
			fail_msg("taken for a mount: %s", rows[i]);
		cgroup_mounts_done(&m);
	}
}

/* A mount point that is now another file system is not used. */
static void test_mounted_over(void **state)
{
	struct cgroup_mounts m;
	struct stat st;
	char info[PATH_MAX + 64];

	(void)state;
	tree_make();
	assert_int_equal(stat(tree, &st), 0);
	snprintf(info, sizeof(info), "1 2 %u:%u / %s rw - cgroup2 x rw", major(st.st_dev), minor(st.st_dev), tree);
	assert_int_equal(cgroup_mounts_parse(info, strlen(info), "", 0, "", true, &m), 0);
	assert_int_equal(m.n, 1);
	cgroup_mounts_done(&m);
	snprintf(info, sizeof(info), "1 2 4095:77 / %s rw - cgroup2 x rw", tree);
	assert_int_equal(cgroup_mounts_parse(info, strlen(info), "", 0, "", true, &m), 0);
	assert_int_equal(m.n, 0);
	cgroup_mounts_done(&m);
	tree_remove();
}

struct seen {
	char paths[4096];
	struct pid_list tasks;
	const char *skip;
};

static int see(int dir_fd, const char *path, void *data)
{
	struct seen *s = data;

	strcat(s->paths, path + strlen(tree));
	strcat(s->paths, ";");
	assert_int_equal(cgroup_tasks_read(dir_fd, &s->tasks), 0);
	return s->skip && strstr(path, s->skip) ? 1 : 0;
}

static void test_walk(void **state)
{
	struct seen s = { .paths = "" };

	(void)state;
	tree_make();
	tree_file("t/cgroup.threads", "1\n2\n");
	tree_file("t/a/tasks", "3\n");
	tree_file("t/a/b/cgroup.threads", "%s", "");
	tree_file("t/a/b/c/cgroup.threads", "4\n");
	assert_int_equal(symlink("..", tree_path("t/a/loop")), 0);
	assert_int_equal(cgroup_walk(tree_path("t"), see, &s), 0);
	assert_string_equal(s.paths, "/t;/t/a;/t/a/b;/t/a/b/c;");
	assert_int_equal(s.tasks.n, 4);
	pid_list_done(&s.tasks);
	s = (struct seen){ .skip = "/b" };
	assert_int_equal(cgroup_walk(tree_path("t"), see, &s), 0);
	assert_string_equal(s.paths, "/t;/t/a;/t/a/b;");
	pid_list_done(&s.tasks);
	assert_int_equal(cgroup_walk(tree_path("none"), see, &s), -ENOENT);
	assert_true(cgroup_is_populated(tree_path("t/a/b")));
	tree_file("t/a/b/c/cgroup.threads", "%s", "");
	assert_false(cgroup_is_populated(tree_path("t/a/b")));
	assert_false(cgroup_is_populated(tree_path("none")));
	tree_remove();
}

static int count_dirs(int dir_fd, const char *path, void *data)
{
	(void)dir_fd;
	(void)path;
	++*(int *)data;
	return 0;
}

static void test_walk_depth(void **state)
{
	char path[4 * (CGROUP_DEPTH_MAX + 2)] = "t";
	int dirs = 0;

	(void)state;
	tree_make();
	for (int i = 0; i < CGROUP_DEPTH_MAX; i++)
		strcat(path, "/d");
	tree_dir(path);
	assert_int_equal(cgroup_walk(tree_path("t"), count_dirs, &dirs), -ELOOP);
	dirs = 0;
	assert_int_equal(cgroup_walk(tree_path("t/d"), count_dirs, &dirs), 0);
	assert_int_equal(dirs, CGROUP_DEPTH_MAX);
	tree_remove();
}

static void test_dir_id(void **state)
{
	struct stat st;
	uint64_t id;

	(void)state;
	tree_make();
	assert_int_equal(stat(tree, &st), 0);
	assert_int_equal(cgroup_dir_id(tree, &id), 0);
	assert_true(id == st.st_ino);
	assert_int_equal(cgroup_dir_id(tree_path("none"), &id), -ENOENT);
	tree_file("file", "x");
	assert_int_equal(cgroup_dir_id(tree_path("file"), &id), -ENOTDIR);
	tree_remove();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hybrid), cmocka_unit_test(test_v2_below_prefix), cmocka_unit_test(test_partial_mount),
		cmocka_unit_test(test_hostile_mountinfo), cmocka_unit_test(test_mounted_over), cmocka_unit_test(test_walk),
		cmocka_unit_test(test_walk_depth), cmocka_unit_test(test_dir_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
