/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_cgroup */
/* Paths as a reader in a cgroup namespace of its own sees them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

#include "tree.h"

#include "cgroup/mounts.h"

static void test_join(void **state)
{
	static const struct {
		const char *base, *path, *want;
	} rows[] = {
		{ "/docker/me", "/", "/docker/me" },
		{ "/docker/me", "/sub", "/docker/me/sub" },
		{ "/docker/me", "/..", "/docker" },
		{ "/docker/me", "/../web", "/docker/web" },
		{ "/docker/me", "/../..", "/" },
		{ "/docker/me", "/../../web/x", "/web/x" },
		{ "/docker/me", "/../../../web", NULL },
		{ "/", "/web", "/web" },
		{ "/", "/..", NULL },
		/* A name that only begins so. */
		{ "/docker/me", "/..web", "/docker/me/..web" },
		{ "/docker/me", "/../..web", "/docker/..web" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *path = NULL;
		int r = cgroup_path_join(rows[i].base, rows[i].path, &path);

		assert_int_equal(r, rows[i].want ? 0 : -ENOENT);
		if (rows[i].want)
			assert_string_equal(path, rows[i].want);
		free(path);
	}
}

static void test_above(void **state)
{
	static const struct {
		const char *path;
		unsigned levels;
		const char *want;
	} rows[] = {
		{ "/a/b", 0, "/a/b" }, { "/a/b", 1, "/a" }, { "/a/b", 2, "/" }, { "/a/b", 3, "/.." },
		{ "/", 0, "/" }, { "/", 1, "/.." }, { "/../x", 1, "/.." }, { "/../x", 2, "/../.." }, { "/../x/y", 1, "/../x" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *path;

		assert_int_equal(cgroup_path_above(rows[i].path, rows[i].levels, &path), 0);
		assert_string_equal(path, rows[i].want);
		free(path);
	}
}

static void test_within(void **state)
{
	static const struct {
		const char *path, *outer;
		bool want;
	} rows[] = {
		{ "/a", "/a", true }, { "/a/b", "/a", true }, { "/ab", "/a", false }, { "/a", "/a/b", false },
		{ "/a", "/", true }, { "/", "/", true }, { "/../a", "/", false }, { "/..", "/", false },
		{ "/../a", "/../a", true }, { "/../a/b", "/../a", true }, { "/../ab", "/../a", false },
		/* All of what lies above the root has the root below it. */
		{ "/a", "/..", true }, { "/../a", "/..", true }, { "/", "/../..", true }, { "/../../a", "/..", false },
		{ "/../a", "/../../a", false }, { "/a", "/../a", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(cgroup_path_within(rows[i].path, rows[i].outer), rows[i].want);
}

/* Our own cgroup is found by the file that lists us; its path tells where the namespace's root is. */
static void read_tree(const char *own, struct cgroup_mounts *ret)
{
	struct stat st;
	int fd;

	tree_make();
	assert_int_equal(stat(tree, &st), 0);
	tree_file("proc/self/mountinfo",
		  "31 1 %2$u:%3$u /../.. %1$s/cg/unified rw - cgroup2 x rw\n"
		  "32 1 %2$u:%3$u / %1$s/own rw - cgroup2 x rw\n"
		  "33 1 %2$u:%3$u / %1$s/cg/memory rw - cgroup x rw,memory\n",
		  tree, major(st.st_dev), minor(st.st_dev));
	tree_file("proc/self/cgroup", "5:memory:/\n0::%s\n", own);
	tree_file("cg/unified/cgroup.procs", "%s", "1\n");
	tree_file("cg/unified/docker/cgroup.procs", "%s", "");
	tree_file("cg/unified/docker/web/cgroup.procs", "%s", "100\n");
	/* In no directory of another depth than the one that our path has. */
	tree_file("cg/unified/other/cgroup.procs", "%d\n", (int)getpid());
	tree_file("cg/unified/docker/me/cgroup.procs", "7\n%d\n", (int)getpid());
	tree_file("cg/unified/docker/me/sub/cgroup.procs", "8\n");
	tree_dir("own");
	tree_file("cg/memory/cgroup.procs", "%d\n", (int)getpid());
	fd = open(tree_path("proc"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(cgroup_mounts_read(fd, "", tree_path("cg"), ret), 0);
	close(fd);
}

static void test_repair(void **state)
{
	static const char text[] = "5:memory:/../x\n0::/../web\n";
	struct proc_cgroups lines;
	struct cgroup_mounts m;
	char *dir, *path;

	(void)state;
	read_tree("/", &m);
	assert_int_equal(m.n_bases, 1);
	assert_int_equal(m.bases[0].hierarchy, 0);
	assert_string_equal(m.bases[0].path, "/docker/me");
	assert_int_equal(proc_cgroups_parse(text, strlen(text), &lines), 0);
	assert_int_equal(cgroup_mounts_repair(&m, &lines), 0);
	assert_string_equal(lines.v[0].controllers, "memory");
	assert_string_equal(lines.v[0].path, "/../x");
	assert_string_equal(lines.v[1].controllers, "");
	assert_string_equal(lines.v[1].path, "/docker/web");
	assert_int_equal(cgroup_mounts_dir(&m, 0, "/docker/web", &dir), 0);
	assert_string_equal(dir, tree_path("cg/unified/docker/web"));
	assert_int_equal(cgroup_mounts_path(&m, 0, dir, &path), 0);
	assert_string_equal(path, "/docker/web");
	free(dir);
	free(path);
	/* What our own mount shows is below our own root. */
	assert_int_equal(cgroup_mounts_path(&m, 0, tree_path("own"), &path), 0);
	assert_string_equal(path, "/docker/me");
	free(path);
	/* Another hierarchy, that is mounted whole, says nothing of a namespace. */
	assert_int_equal(cgroup_mounts_dir(&m, 5, "/../x", &dir), -ENOENT);
	proc_cgroups_done(&lines);
	cgroup_mounts_done(&m);
	tree_remove();
}

/* Moved to above the namespace's root we cannot say where that is. */
static void test_no_base(void **state)
{
	static const char *const own[] = { "/../you", "/sub", "/a/b/c" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(own); i++) {
		struct cgroup_mounts m;

		read_tree(own[i], &m);
		assert_int_equal(m.n_bases, 0);
		cgroup_mounts_done(&m);
		tree_remove();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_join), cmocka_unit_test(test_above), cmocka_unit_test(test_within),
		cmocka_unit_test(test_repair), cmocka_unit_test(test_no_base),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
