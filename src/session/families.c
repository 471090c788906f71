/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "session/families.h"

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>

#include "util/macros.h"

#define ANSWER_MAX 32768

struct request {
	struct nlmsghdr h;
	struct genlmsghdr g;
};

/* Attributes of CTRL_CMD_NEWFAMILY. */
static void add_family(struct families *f, const unsigned char *p, size_t len)
{
	char name[FAMILY_NAME] = "";
	uint16_t id = 0;

	while (len >= sizeof(struct nlattr)) {
		struct nlattr a;
		size_t size;

		memcpy(&a, p, sizeof(a));
		if (a.nla_len < sizeof(a) || a.nla_len > len)
			break;
		size = a.nla_len - sizeof(a);
		if (a.nla_type == CTRL_ATTR_FAMILY_ID && size >= sizeof(id))
			memcpy(&id, p + sizeof(a), sizeof(id));
		else if (a.nla_type == CTRL_ATTR_FAMILY_NAME)
			memcpy(name, p + sizeof(a), MIN(size, sizeof(name) - 1));
		size = MIN((size_t)NLA_ALIGN(a.nla_len), len);
		p += size;
		len -= size;
	}
	if (!id || !name[0] || f->n == ARRAY_SIZE(f->v))
		return;
	f->v[f->n].id = id;
	memcpy(f->v[f->n].name, name, sizeof(name));
	f->n++;
}

/* False: there are no more. */
static bool read_answer(struct families *f, const unsigned char *p, size_t len)
{
	while (len >= NLMSG_HDRLEN) {
		struct nlmsghdr h;
		size_t size;

		memcpy(&h, p, sizeof(h));
		if (h.nlmsg_type != GENL_ID_CTRL || h.nlmsg_len < NLMSG_HDRLEN + GENL_HDRLEN || h.nlmsg_len > len)
			return false;
		add_family(f, p + NLMSG_HDRLEN + GENL_HDRLEN, h.nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN);
		size = MIN((size_t)NLMSG_ALIGN(h.nlmsg_len), len);
		p += size;
		len -= size;
	}
	return true;
}

static void ask(struct families *f)
{
	const struct request request = {
		.h = { .nlmsg_len = sizeof(request), .nlmsg_type = GENL_ID_CTRL, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
		.g = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 },
	};
	const struct timeval wait = { .tv_sec = 1 };
	unsigned char answer[ANSWER_MAX];
	ssize_t n;

	f->n = 0;
	/* What an earlier answer left. */
	while (recv(f->fd, answer, sizeof(answer), MSG_DONTWAIT) > 0)
		;
	if (setsockopt(f->fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait)) || send(f->fd, &request, sizeof(request), 0) < 0)
		return;
	do
		n = recv(f->fd, answer, sizeof(answer), 0);
	while (n > 0 && read_answer(f, answer, (size_t)n));
}

static bool find(const struct families *f, uint16_t id, char buf[static FAMILY_NAME])
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->v[i].id == id) {
			memcpy(buf, f->v[i].name, FAMILY_NAME);
			return true;
		}
	}
	return false;
}

bool families_find(struct families *f, uint16_t id, char buf[static FAMILY_NAME])
{
	struct timespec now;

	if (find(f, id, buf))
		return true;
	/* A message may bear any number: once a second is enough. */
	if (f->fd < 0 || clock_gettime(CLOCK_MONOTONIC, &now) || now.tv_sec + 1 == f->asked)
		return false;
	f->asked = now.tv_sec + 1;
	ask(f);
	return find(f, id, buf);
}
