/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Running the task iterators. One goes over the tasks of its reader's pid
 * namespace; of a ctrace in a container that reads the host's /proc the targets
 * are elsewhere, and the kernel is asked for them by their numbers.
 */
#include <errno.h>
#include <bpf/btf.h>

#include "ns/nsid.h"
#include "session/internal.h"

#define READ_AT_LEAST 32768
#define GROW 262144

/* Reads all that the iterator writes. */
static int read_all(int fd, struct rows *rows)
{
	ssize_t n;

	do {
		if (rows->allocated - rows->len < READ_AT_LEAST) {
			uint8_t *more = realloc(rows->data, rows->allocated + GROW);

			if (!more)
				return -ENOMEM;
			rows->data = more;
			rows->allocated += GROW;
		}
		n = read(fd, rows->data + rows->len, rows->allocated - rows->len);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return -errno;
		if (n > 0)
			rows->len += n;
	} while (n);
	return 0;
}

int session_iterate(struct session *s, struct bpf_program *prog, struct rows *rows)
{
	struct bpf_link *link = bpf_program__attach_iter(prog, NULL);
	_cleanup_close_ int fd = -1;
	bool hurried = s->hurried;
	int err;

	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	bpf_link__destroy(link);
	if (fd < 0)
		return fd;
	/*
	 * On 6.1 a scan that is preempted keeps the tasks of its CPU from their
	 * entries (bpf_task_storage_busy): it goes through in one piece.
	 */
	if (!hurried)
		session_hurry(true);
	err = read_all(fd, rows);
	if (!hurried)
		session_hurry(false);
	return err;
}

bool session_must_ask(const struct session *s)
{
	struct btf *btf;
	bool can;

	if (s->env->pidns_inum != NS_PID_INITIAL || session_own_pidns() == NS_PID_INITIAL)
		return false;
	btf = btf__load_vmlinux_btf();
	can = btf && btf__find_by_name_kind(btf, "bpf_task_from_pid", BTF_KIND_FUNC) > 0;
	btf__free(btf);
	return can;
}

/* The rows of these tasks, as many at a time as one step of an iterator may write. */
static int ask(struct session *s, const struct task_refs *refs, struct rows *rows)
{
	volatile struct ct_asked *asked = &s->skel->bss->asked;
	int err = 0;

	for (size_t k = 0; !err && k < refs->n; k += asked->n) {
		asked->n = MIN(refs->n - k, (size_t)CT_ASKED);
		for (uint32_t i = 0; i < asked->n; i++)
			asked->tids[i] = refs->v[k + i].tid;
		err = session_iterate(s, s->skel->progs.ctrace_ask, rows);
	}
	return err;
}

int session_scan(struct session *s, uint32_t kind, const struct task_refs *refs, struct rows *rows)
{
	int err;

	s->skel->bss->ctl.scan = kind;
	err = session_iterate(s, s->skel->progs.ctrace_scan, rows);
	for (size_t i = 0; !err && s->asks && i < s->targets->n; i++)
		err = ask(s, &refs[i], rows);
	return err;
}
