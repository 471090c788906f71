/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "output/emit_fd.h"

#include <arpa/inet.h>
#include <string.h>

#include "output/json_util.h"

static void put_number(struct strbuf *sb, const struct emit_fd *fd)
{
	if (fd->cwd)
		strbuf_lit(sb, "AT_FDCWD");
	else
		strbuf_dec(sb, fd->fd);
}

/* --- text --- */

void name_text(struct strbuf *sb, const char *name)
{
	strbuf_lit(sb, " /* ");
	/* Nothing in it ends the comment. */
	escape_plain(sb, name, strlen(name), "/");
	strbuf_lit(sb, " */");
}

static void text_endpoint(struct strbuf *sb, int family, const struct emit_endpoint *p)
{
	char buf[INET6_ADDRSTRLEN];

	if (family == AF_INET6)
		strbuf_char(sb, '[');
	if (inet_ntop(family, p->address, buf, sizeof(buf)))
		strbuf_str(sb, buf);
	if (family == AF_INET6)
		strbuf_char(sb, ']');
	strbuf_char(sb, ':');
	strbuf_udec(sb, p->port);
	if (p->name)
		name_text(sb, p->name);
}

static void text_inet(struct strbuf *sb, const struct emit_socket *s)
{
	text_endpoint(sb, s->family, &s->local);
	if (!s->connected)
		return;
	strbuf_lit(sb, "->");
	text_endpoint(sb, s->family, &s->peer);
}

static void text_unix(struct strbuf *sb, const struct emit_fd *fd, enum hex_mode hex)
{
	const struct emit_socket *s = fd->socket;

	strbuf_udec(sb, fd->inode);
	if (s->connected) {
		strbuf_lit(sb, "->");
		strbuf_udec(sb, s->peer_inode);
	}
	if (!s->path)
		return;
	strbuf_str(sb, s->abstract ? ",@\"" : ",\"");
	escape_c(sb, s->path, s->path_len, hex);
	strbuf_char(sb, '"');
}

static void text_netlink(struct strbuf *sb, const struct emit_socket *s)
{
	if (s->netlink)
		strbuf_str(sb, s->netlink);
	else
		strbuf_udec(sb, s->netlink_number);
	strbuf_char(sb, ':');
	strbuf_udec(sb, s->port_id);
}

static void text_socket(struct strbuf *sb, const struct emit_fd *fd, enum hex_mode hex)
{
	const struct emit_socket *s = fd->socket;

	strbuf_str(sb, s->protocol);
	strbuf_lit(sb, ":[");
	if (s->family == AF_UNIX)
		text_unix(sb, fd, hex);
	else if (!s->bound)
		strbuf_udec(sb, fd->inode);
	else if (s->family == AF_NETLINK)
		text_netlink(sb, s);
	else
		text_inet(sb, s);
	strbuf_char(sb, ']');
}

static void text_eventfd(struct strbuf *sb, const struct emit_eventfd *e)
{
	strbuf_lit(sb, "{eventfd-count=");
	strbuf_hex(sb, e->count);
	strbuf_lit(sb, ", eventfd-id=");
	strbuf_udec(sb, e->id);
	strbuf_lit(sb, ", eventfd-semaphore=");
	strbuf_udec(sb, e->semaphore);
	strbuf_char(sb, '}');
}

static void text_dev(struct strbuf *sb, const struct emit_fd *fd)
{
	strbuf_str(sb, fd->is_block ? "<block " : "<char ");
	strbuf_udec(sb, fd->major);
	strbuf_char(sb, ':');
	strbuf_udec(sb, fd->minor);
	if (fd->pts >= 0) {
		strbuf_lit(sb, " @/dev/pts/");
		strbuf_dec(sb, fd->pts);
	}
	strbuf_char(sb, '>');
}

static void text_deleted(struct strbuf *sb, const struct emit_fd *fd, enum hex_mode hex)
{
	struct strbuf path = { 0 };

	strbuf_bytes(&path, fd->path, fd->path_len);
	strbuf_lit(&path, " (deleted)");
	if (path.failed)
		sb->failed = true;
	else
		escape_path(sb, path.buf, path.len, hex);
	strbuf_done(&path);
}

static void text_path(struct strbuf *sb, const struct emit_fd *fd, enum hex_mode hex)
{
	/* The names nearest to the root are the ones that are missing. */
	if (fd->cut)
		strbuf_lit(sb, "...");
	/* What strace looked at for more than a path it shows as it is. */
	if (!strcmp(fd->kind, "pidfd") || !strcmp(fd->kind, "socket"))
		hex = HEX_NONE;
	/* Of the working directory it shows the link as the kernel has it. */
	if (fd->deleted && fd->cwd)
		text_deleted(sb, fd, hex);
	else
		escape_path(sb, fd->path, fd->path_len, hex);
	if (fd->is_dev)
		text_dev(sb, fd);
}

void fd_text(struct strbuf *sb, const struct emit_fd *fd, enum hex_mode hex)
{
	put_number(sb, fd);
	fd_text_detail(sb, fd, hex);
}

void fd_text_detail(struct strbuf *sb, const struct emit_fd *fd, enum hex_mode hex)
{
	if (!fd->kind)
		return;
	strbuf_char(sb, '<');
	if (fd->socket) {
		text_socket(sb, fd, hex);
	} else if (fd->eventfd) {
		text_eventfd(sb, fd->eventfd);
	} else if (fd->signals) {
		strbuf_lit(sb, "signalfd:");
		strbuf_str(sb, fd->signals);
	} else if (fd->pid) {
		strbuf_lit(sb, "pid:");
		strbuf_dec(sb, fd->pid);
	} else {
		text_path(sb, fd, hex);
	}
	strbuf_char(sb, '>');
	if (fd->deleted && !fd->cwd)
		strbuf_lit(sb, "(deleted)");
}

/* --- JSON --- */

static void json_text(struct strbuf *sb, const char *key, const char *value)
{
	strbuf_lit(sb, ",\"");
	strbuf_str(sb, key);
	strbuf_lit(sb, "\":");
	json_quote(sb, value, strlen(value));
}

/* Whatever its size: file systems that are put together of others use all 64 bits of inode numbers. */
static void json_inode(struct strbuf *sb, const char *key, uint64_t v)
{
	if (v <= JSON_INT_MAX) {
		json_count(sb, key, v);
		return;
	}
	strbuf_lit(sb, ",\"");
	strbuf_str(sb, key);
	strbuf_lit(sb, "\":\"");
	strbuf_udec(sb, v);
	strbuf_char(sb, '"');
}

static void json_endpoint(struct strbuf *sb, const char *key, int family, const struct emit_endpoint *p)
{
	char buf[INET6_ADDRSTRLEN] = "";

	inet_ntop(family, p->address, buf, sizeof(buf));
	strbuf_lit(sb, ",\"");
	strbuf_str(sb, key);
	strbuf_lit(sb, "\":{\"address\":\"");
	strbuf_str(sb, buf);
	strbuf_lit(sb, "\",\"port\":");
	strbuf_udec(sb, p->port);
	if (p->name) {
		strbuf_lit(sb, ",\"name\":");
		json_quote(sb, p->name, strlen(p->name));
	}
	strbuf_char(sb, '}');
}

static void json_netlink(struct strbuf *sb, const struct emit_socket *s)
{
	if (s->netlink)
		json_text(sb, "netlink", s->netlink);
	else
		json_count(sb, "netlink", s->netlink_number);
	if (s->bound)
		json_count(sb, "port_id", s->port_id);
}

static void json_unix(struct strbuf *sb, const struct emit_socket *s)
{
	if (s->connected)
		json_inode(sb, "peer_inode", s->peer_inode);
	if (!s->path)
		return;
	strbuf_str(sb, s->abstract ? ",\"abstract\":" : ",\"bound_to\":");
	json_quote(sb, s->path, s->path_len);
}

static void json_socket(struct strbuf *sb, const struct emit_socket *s)
{
	json_text(sb, "protocol", s->protocol);
	if (s->family == AF_UNIX) {
		json_unix(sb, s);
	} else if (s->family == AF_NETLINK) {
		json_netlink(sb, s);
	} else {
		if (s->bound)
			json_endpoint(sb, "local", s->family, &s->local);
		if (s->connected)
			json_endpoint(sb, "peer", s->family, &s->peer);
	}
}

static void json_eventfd(struct strbuf *sb, const struct emit_eventfd *e)
{
	strbuf_lit(sb, ",\"count\":\"0x");
	strbuf_hex_digits(sb, e->count, 1);
	strbuf_char(sb, '"');
	json_count(sb, "id", e->id);
	strbuf_str(sb, e->semaphore ? ",\"semaphore\":true" : ",\"semaphore\":false");
}

static void json_dev(struct strbuf *sb, const struct emit_fd *fd)
{
	json_count(sb, "major", fd->major);
	json_count(sb, "minor", fd->minor);
	if (fd->pts >= 0)
		json_count(sb, "pts", (uint64_t)fd->pts);
}

static void json_details(struct strbuf *sb, const struct emit_fd *fd)
{
	if (fd->path) {
		strbuf_lit(sb, ",\"path\":");
		json_quote(sb, fd->path, fd->path_len);
	}
	if (fd->deleted)
		strbuf_lit(sb, ",\"deleted\":true");
	if (fd->cut)
		strbuf_lit(sb, ",\"cut\":true");
	if (fd->is_dev)
		json_dev(sb, fd);
	if (fd->socket)
		json_socket(sb, fd->socket);
	if (fd->eventfd)
		json_eventfd(sb, fd->eventfd);
	if (fd->signals)
		json_text(sb, "signals", fd->signals);
	if (fd->pid) {
		json_count(sb, "pid", (uint64_t)fd->pid);
		json_count(sb, "host_pid", (uint64_t)fd->host_pid);
	}
}

void fd_json(struct strbuf *sb, const struct emit_fd *fd)
{
	if (fd->kind)
		strbuf_lit(sb, "{\"fd\":");
	if (fd->cwd)
		strbuf_lit(sb, "\"AT_FDCWD\"");
	else
		strbuf_dec(sb, fd->fd);
	if (!fd->kind)
		return;
	json_text(sb, "kind", fd->kind);
	json_inode(sb, "inode", fd->inode);
	json_details(sb, fd);
	strbuf_char(sb, '}');
}
