/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Landlock and the lsm_* calls. */
#include "newcalls.h"

#include <fcntl.h>
#include <sys/prctl.h>

static void *bad;

struct ruleset { uint64_t fs, net, scoped; };
struct ruleset_more { struct ruleset r; uint64_t more[2]; };

static int rulesets(void)
{
	struct ruleset r = { 0x1fff, 0x3, 0x3 };
	struct ruleset_more more = { { 1, 0, 0 }, { 0, 0 } };

	section("landlock_create_ruleset");
	NEW(landlock_create_ruleset, NULL, 0, 1);
	NEW(landlock_create_ruleset, NULL, 0, 2);
	NEW(landlock_create_ruleset, NULL, 0, 0);
	NEW(landlock_create_ruleset, NULL, 8, 3);
	NEW(landlock_create_ruleset, &r, sizeof(r), 1);
	NEW(landlock_create_ruleset, &r, sizeof(r), 0xff);
	CALL(close, syscall(NEW_landlock_create_ruleset, &r, 8, 0));
	CALL(close, syscall(NEW_landlock_create_ruleset, &r, 16, 0));
	CALL(close, syscall(NEW_landlock_create_ruleset, &more, sizeof(more), 0));
	more.more[1] = 7;
	NEW(landlock_create_ruleset, &more, sizeof(more), 0);
	NEW(landlock_create_ruleset, &r, 7, 0);
	NEW(landlock_create_ruleset, &r, 4, 0);
	NEW(landlock_create_ruleset, &r, 0, 0);
	NEW(landlock_create_ruleset, &r, 12, 0);
	NEW(landlock_create_ruleset, &r, 20, 0);
	NEW(landlock_create_ruleset, bad, sizeof(r), 0);
	NEW(landlock_create_ruleset, NULL, sizeof(r), 0);
	NEW(landlock_create_ruleset, tail(&r, 8), sizeof(r), 0);
	NEW(landlock_create_ruleset, &r, 1ull << 40, 0);
	r = (struct ruleset){ ~0ull, ~0ull, ~0ull };
	NEW(landlock_create_ruleset, &r, sizeof(r), 0);
	r = (struct ruleset){ 0, 0, 0 };
	NEW(landlock_create_ruleset, &r, sizeof(r), 0);
	r = (struct ruleset){ 0xd, 0x1, 0 };
	return syscall(NEW_landlock_create_ruleset, &r, sizeof(r), 0);
}

struct __attribute__((packed)) beneath { uint64_t access; int32_t fd; };
struct port { uint64_t access, port; };

static void rules(int set)
{
	struct beneath b = { 0x5, open("/usr", O_PATH | O_DIRECTORY) };
	struct port p = { 0x1, 8080 };

	section("landlock_add_rule");
	NEW(landlock_add_rule, set, 1, &b, 0);
	b = (struct beneath){ ~0ull, -1 };
	NEW(landlock_add_rule, set, 1, &b, 1);
	b = (struct beneath){ 0, 77 };
	NEW(landlock_add_rule, set, 1, &b, 0xff);
	NEW(landlock_add_rule, set, 1, bad, 0);
	NEW(landlock_add_rule, set, 1, NULL, 0);
	NEW(landlock_add_rule, set, 1, tail(&b, 8), 0);
	NEW(landlock_add_rule, set, 2, &p, 0);
	p = (struct port){ ~0ull, 1ull << 20 };
	NEW(landlock_add_rule, set, 2, &p, 0);
	NEW(landlock_add_rule, set, 2, bad, 0);
	NEW(landlock_add_rule, -1, 2, NULL, 0);
	NEW(landlock_add_rule, set, 0, &p, 0);
	NEW(landlock_add_rule, set, 77, &p, 0);
	section("landlock_restrict_self");
	NEW(landlock_restrict_self, -1, 0);
	NEW(landlock_restrict_self, set, 0x1);
	NEW(landlock_restrict_self, set, 0xff);
	NEW(landlock_restrict_self, 77, 0xffffffff);
	CALL(close, set);
}

static void modules(void)
{
	uint32_t size = 512, zero = 0, small = 8;
	uint64_t ids[64];
	char ctx[512];
	struct { uint64_t id, flags, len, ctx_len; char ctx[16]; } set = { 100, 0, sizeof(set), 5, "label" };

	section("lsm_list_modules");
	NEW(lsm_list_modules, ids, &size, 0);
	NEW(lsm_list_modules, ids, &zero, 0);
	NEW(lsm_list_modules, ids, &small, 0);
	NEW(lsm_list_modules, ids, &size, 0xff);
	NEW(lsm_list_modules, bad, &size, 0);
	NEW(lsm_list_modules, ids, bad, 0);
	NEW(lsm_list_modules, NULL, NULL, 0);
	section("lsm_get_self_attr");
	size = sizeof(ctx);
	NEW(lsm_get_self_attr, 100, ctx, &size, 0);
	size = sizeof(ctx);
	NEW(lsm_get_self_attr, 101, ctx, &size, 1);
	NEW(lsm_get_self_attr, 0, ctx, &zero, 0xff);
	NEW(lsm_get_self_attr, 77, bad, &size, 0);
	NEW(lsm_get_self_attr, 105, ctx, bad, 0);
	NEW(lsm_get_self_attr, 102, NULL, NULL, 0);
	section("lsm_set_self_attr");
	NEW(lsm_set_self_attr, 100, &set, sizeof(set), 0);
	set.id = 77, set.flags = 0xff, set.ctx_len = 1000;
	NEW(lsm_set_self_attr, 103, &set, sizeof(set), 1);
	NEW(lsm_set_self_attr, 104, &set, 8, 0);
	NEW(lsm_set_self_attr, 104, bad, 40, 0);
	NEW(lsm_set_self_attr, 104, NULL, 0, 0xff);
}

int main(void)
{
	resident();
	bad = bad_page();
	modules();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return 1;
	rules(rulesets());
	return 0;
}
