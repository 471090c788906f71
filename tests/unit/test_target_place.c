/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_target */
/* Which cgroup is the container, by what the kernel tells of a process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tree.h"

#include "target/target.h"

#define WEB "9c6eb8919c6eb8919c6eb8919c6eb8919c6eb8919c6eb8919c6eb8919c6eb891"

static struct target_env env;

/* Steps of a path, as the kernel tells them: upwards. The id of a level is 100 * (hierarchy + 1) + level. */
static size_t steps_of(const char *path, uint32_t hierarchy, struct cgroup_step *v)
{
	const char *names[16];
	size_t n = 0, used = 0;
	char *copy = strdup(path), *save = NULL;

	assert_non_null(copy);
	for (char *p = strtok_r(copy, "/", &save); p; p = strtok_r(NULL, "/", &save))
		names[n++] = p;
	for (size_t level = n + 1; level-- > 0;) {
		struct cgroup_step s = { .hierarchy = hierarchy, .level = (unsigned)level, .id = 100 * (hierarchy + 1) + level };

		if (level)
			snprintf(s.name, sizeof(s.name), "%s", names[level - 1]);
		v[used++] = s;
	}
	free(copy);
	return used;
}

static void write_process(int pid, int ppid, const char *cgroup)
{
	char path[64];

	snprintf(path, sizeof(path), "proc/%d/stat", pid);
	tree_file(path, "%d (x) S %d 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %d 0 0\n", pid, ppid, pid * 10);
	snprintf(path, sizeof(path), "proc/%d/status", pid);
	tree_file(path, "Name:\tx\nState:\tS (x)\nTgid:\t%d\nPid:\t%d\nPPid:\t%d\nNSpid:\t%d\n", pid, pid, ppid, pid);
	snprintf(path, sizeof(path), "proc/%d/cgroup", pid);
	tree_file(path, "4:memory:%s\n0::%s\n", cgroup, cgroup);
	snprintf(path, sizeof(path), "proc/%d/task/%d/stat", pid, pid);
	tree_file(path, "%d (x) S %d 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %d 0 0\n", pid, ppid, pid * 10);
	snprintf(path, sizeof(path), "proc/%d/task/%d/cgroup", pid, pid);
	tree_file(path, "4:memory:%s\n0::%s\n", cgroup, cgroup);
}

/* A container with a sub-cgroup beside ours, read from a cgroup namespace that is rooted at our cgroup. */
static int setup(void **state)
{
	(void)state;
	tree_make();
	write_process(1, 0, "/../web/init");
	write_process(7, 1, "/../web/init");
	write_process(9, 0, "/../web/exec/deep");
	write_process(30, 0, "/");
	write_process(31, 0, "/../webster");
	env = (struct target_env){ .proc_path = (char *)"/proc", .root_prefix = (char *)"", .cgroupfs_path = (char *)"/nowhere" };
	env.proc_fd = open(tree_path("proc"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return env.proc_fd < 0;
}

static int teardown(void **state)
{
	(void)state;
	close(env.proc_fd);
	tree_remove();
	return 0;
}

static int place(pid_t pid, const char *v2, const char *memory, const char *init, struct target *ret)
{
	struct cgroup_step of_pid[64], of_init[32];
	struct cgroup_steps p = { .v = of_pid }, i = { .v = of_init };

	*ret = (struct target){ .kind = TARGET_CONTAINER, .by_kernel = true, .place_pid = pid, .init_pid = 1,
				.n_wanted_hierarchies = 2, .wanted_hierarchies = { 0, 4 } };
	ret->label = strdup("pid:1");
	p.n = steps_of(v2, 0, of_pid);
	p.n += steps_of(memory, 4, of_pid + p.n);
	if (init) {
		i.n = steps_of(init, 0, of_init);
		i.n += steps_of("/", 4, of_init + i.n);
	}
	return target_place(&env, ret, &p, &i);
}

static void done(struct target *t)
{
	struct target_list list = { .v = malloc(sizeof(*t)), .n = 1 };

	list.v[0] = *t;
	target_list_done(&list);
}

static void expect(const struct target *t, uint32_t hierarchy, uint64_t id, const char *path, const char *shown, const char *label)
{
	assert_int_equal(t->n_cgroups, 1);
	assert_int_equal(t->cgroups[0].hierarchy_id, hierarchy);
	assert_true(t->cgroups[0].id == id);
	assert_string_equal(t->cgroups[0].path, path);
	assert_string_equal(t->cgroups[0].shown_path, shown);
	assert_string_equal(t->label, label);
}

static void test_by_name(void **state)
{
	struct task_refs refs;
	struct target t;

	(void)state;
	assert_int_equal(place(1, "/kubepods/burstable/pod6f8a2d1e-3c4b-4a5d-9e8f-001122334455/" WEB "/init", "/", NULL, &t), 0);
	expect(&t, 0, 104, "/kubepods/burstable/pod6f8a2d1e-3c4b-4a5d-9e8f-001122334455/" WEB, "/../web", "9c6eb8919c6e");
	assert_string_equal(t.container->id, WEB);
	assert_string_equal(t.container->pod_uid, "6f8a2d1e-3c4b-4a5d-9e8f-001122334455");
	/* The init and the exec session, and neither ctrace nor a neighbour whose name begins alike. */
	assert_int_equal(t.n_tasks, 3);
	assert_int_equal(t.init_pid, 1);
	assert_int_equal(t.init_start, 10);
	assert_int_equal(target_read_tasks(&env, &t, &refs), 0);
	assert_int_equal(refs.n, 3);
	assert_int_equal(refs.v[0].tid, 1);
	assert_int_equal(refs.v[1].tid, 7);
	assert_int_equal(refs.v[2].tid, 9);
	task_refs_done(&refs);
	assert_true(target_exists(&t));
	assert_false(target_init_ended(&env, &t));
	t.init_start++;
	assert_true(target_init_ended(&env, &t));
	done(&t);
}

/* The names of one hierarchy say nothing: those of the next may. */
static void test_other_hierarchy(void **state)
{
	struct target t;

	(void)state;
	assert_int_equal(place(1, "/", "/docker/" WEB "/init", NULL, &t), 0);
	expect(&t, 4, 502, "/docker/" WEB, "/../web", "9c6eb8919c6e");
	done(&t);
}

static void test_shapeless(void **state)
{
	struct target t;

	(void)state;
	/* A process in the cgroup of its namespace's init: what that one is in. */
	assert_int_equal(place(7, "/box/web/init", "/", "/box/web/init", &t), 0);
	expect(&t, 0, 103, "/box/web/init", "/../web/init", "init");
	done(&t);
	/* In another one (a pod with a pid namespace for all): its own. */
	assert_int_equal(place(9, "/box/web/exec/deep", "/", "/box/pause", &t), 0);
	expect(&t, 0, 104, "/box/web/exec/deep", "/../web/exec/deep", "deep");
	done(&t);
}

static void test_no_container(void **state)
{
	struct cgroup_step step = { .hierarchy = 0, .level = 3, .id = 1, .name = WEB };
	struct cgroup_steps half = { &step, 1 }, none = { 0 };
	struct target t;

	(void)state;
	assert_int_equal(place(1, "/", "/", "/", &t), -ENOENT);
	done(&t);
	assert_int_equal(place(1, "/system.slice/cron.service", "/", "/", &t), -ENOENT);
	done(&t);
	/* The kernel told only the lower half. */
	t = (struct target){ .kind = TARGET_CONTAINER, .by_kernel = true, .place_pid = 1, .n_wanted_hierarchies = 1 };
	assert_int_equal(target_place(&env, &t, &half, &none), -ENOENT);
	done(&t);
}

/* What a runtime says: its ID, or the path that it gave. */
static void test_known(void **state)
{
	struct cgroup_step v[16];
	struct cgroup_steps steps = { .v = v, .n = steps_of("/odd/place/leaf", 0, v) }, none = { 0 };
	struct target t = { .kind = TARGET_CONTAINER, .by_kernel = true, .place_pid = 9, .n_wanted_hierarchies = 1 };

	(void)state;
	t.container = calloc(1, sizeof(*t.container));
	t.container->id = strdup("box");
	t.label = strdup("box");
	t.place_path = strdup("/odd/place");
	assert_int_equal(target_place(&env, &t, &steps, &none), 0);
	expect(&t, 0, 102, "/odd/place", "/../web/exec", "box");
	done(&t);
	/* A number that was taken by another: its cgroups do not carry the ID. */
	t = (struct target){ .kind = TARGET_CONTAINER, .by_kernel = true, .place_pid = 9, .n_wanted_hierarchies = 1 };
	t.container = calloc(1, sizeof(*t.container));
	t.container->id = strdup(WEB);
	t.label = strdup("web");
	assert_int_equal(target_place(&env, &t, &steps, &none), -ENOENT);
	done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_name), cmocka_unit_test(test_other_hierarchy), cmocka_unit_test(test_shapeless),
		cmocka_unit_test(test_no_container), cmocka_unit_test(test_known),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
