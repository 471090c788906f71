/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cgroup/http.h"

#include <errno.h>

#ifdef CTRACE_CURL
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/macros.h"
#include "util/strbuf.h"

/* What is used of the library, see libcurl-easy(3). */
static struct {
	bool tried;
	CURLcode (*global_init)(long flags);
	CURL *(*easy_init)(void);
	CURLcode (*easy_setopt)(CURL *curl, CURLoption option, ...);
	CURLcode (*easy_perform)(CURL *curl);
	CURLcode (*easy_getinfo)(CURL *curl, CURLINFO info, ...);
	void (*easy_cleanup)(CURL *curl);
	bool loaded;
} lib;

struct http {
	CURL *curl;
	char socket[32];
	uint64_t end_ms;
	struct strbuf text;     /* the answer so far */
	int failed;             /* negative errno of what took it in */
};

static bool find_symbol(void *handle, const char *name, void *ret)
{
	void *symbol = dlsym(handle, name);

	memcpy(ret, &symbol, sizeof(symbol));
	return symbol;
}

/* It stays for the rest of the run: unloading it is not safe once it was used. */
static void load(void)
{
	static const char *const names[] = { "libcurl-gnutls.so.4", "libcurl.so.4", "libcurl-nss.so.4" };
	void *handle = NULL;

	lib.tried = true;
	for (size_t i = 0; i < ARRAY_SIZE(names) && !handle; i++)
		handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	lib.loaded = handle && find_symbol(handle, "curl_global_init", &lib.global_init) &&
		     find_symbol(handle, "curl_easy_init", &lib.easy_init) &&
		     find_symbol(handle, "curl_easy_setopt", &lib.easy_setopt) &&
		     find_symbol(handle, "curl_easy_perform", &lib.easy_perform) &&
		     find_symbol(handle, "curl_easy_getinfo", &lib.easy_getinfo) &&
		     find_symbol(handle, "curl_easy_cleanup", &lib.easy_cleanup) &&
		     /* Without TLS, which takes milliseconds. */
		     lib.global_init(CURL_GLOBAL_NOTHING) == CURLE_OK;
}

const char *http_missing(void)
{
	if (!lib.tried)
		load();
	return lib.loaded ? NULL : "libcurl.so.4 is not installed";
}

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static size_t take_in(char *bytes, size_t size, size_t n, void *data)
{
	struct http *h = data;

	n *= size;
	if (n > HTTP_ANSWER_MAX - h->text.len) {
		h->failed = -EFBIG;
		return 0;
	}
	strbuf_bytes(&h->text, bytes, n);
	if (h->text.failed)
		h->failed = -ENOMEM;
	return h->text.failed ? 0 : n;
}

static bool set_options(struct http *h)
{
	return lib.easy_setopt(h->curl, CURLOPT_UNIX_SOCKET_PATH, h->socket) == CURLE_OK &&
	       /* Whatever http_proxy says. */
	       lib.easy_setopt(h->curl, CURLOPT_PROXY, "") == CURLE_OK &&
	       /* No SIGALRM: signals are ctrace's own. */
	       lib.easy_setopt(h->curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
	       lib.easy_setopt(h->curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) == CURLE_OK &&
	       lib.easy_setopt(h->curl, CURLOPT_WRITEFUNCTION, take_in) == CURLE_OK &&
	       lib.easy_setopt(h->curl, CURLOPT_WRITEDATA, h) == CURLE_OK;
}

int http_open(int socket_fd, struct http **ret_http)
{
	struct http *h;

	if (http_missing())
		return -ENOSYS;
	h = calloc(1, sizeof(*h));
	if (!h)
		return -ENOMEM;
	/* By the descriptor: a path may be too long for an address, or lead out of a container's root. */
	snprintf(h->socket, sizeof(h->socket), "/proc/self/fd/%d", socket_fd);
	h->end_ms = now_ms() + HTTP_TOTAL_MS;
	h->curl = lib.easy_init();
	if (!h->curl || !set_options(h)) {
		http_close(h);
		return -ENOMEM;
	}
	*ret_http = h;
	return 0;
}

void http_close(struct http *h)
{
	if (!h)
		return;
	if (h->curl)
		lib.easy_cleanup(h->curl);
	strbuf_done(&h->text);
	free(h);
}

/* What the library's error stands for. */
static int error_of(struct http *h, CURLcode code)
{
	long os = 0;

	switch (code) {
	case CURLE_OK:
		return 0;
	case CURLE_OPERATION_TIMEDOUT:
		return -ETIMEDOUT;
	case CURLE_OUT_OF_MEMORY:
		return -ENOMEM;
	case CURLE_WRITE_ERROR:
		return h->failed ? h->failed : -EPROTO;
	case CURLE_COULDNT_CONNECT:
		if (lib.easy_getinfo(h->curl, CURLINFO_OS_ERRNO, &os) == CURLE_OK && os > 0)
			return -(int)os;
		return -ECONNREFUSED;
	default:
		return -EPROTO;
	}
}

static int ask(struct http *h, const char *url)
{
	uint64_t now = now_ms();
	long status = 0;
	CURLcode code;

	if (now >= h->end_ms)
		return -ETIMEDOUT;
	strbuf_reset(&h->text);
	h->failed = 0;
	if (lib.easy_setopt(h->curl, CURLOPT_URL, url) != CURLE_OK ||
	    lib.easy_setopt(h->curl, CURLOPT_TIMEOUT_MS, (long)MIN(h->end_ms - now, (uint64_t)HTTP_WAIT_MS)) != CURLE_OK)
		return -ENOMEM;
	code = lib.easy_perform(h->curl);
	if (code != CURLE_OK)
		return error_of(h, code);
	if (lib.easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &status) != CURLE_OK || status != 200)
		return -EBADMSG;
	return 0;
}

int http_get(struct http *h, const char *path, char **ret_text, size_t *ret_len)
{
	_cleanup_free_ char *url = NULL;
	int r;

	if (asprintf(&url, "http://localhost%s", path) < 0)
		return -ENOMEM;
	r = ask(h, url);
	if (r < 0)
		return r;
	(void)strbuf_cstr(&h->text);
	if (h->text.failed)
		return -ENOMEM;
	*ret_text = h->text.buf;
	*ret_len = h->text.len;
	h->text = (struct strbuf){ 0 };
	return 0;
}

#else

const char *http_missing(void)
{
	return "this ctrace was built without libcurl, as the static one always is";
}

int http_open(int socket_fd, struct http **ret_http)
{
	(void)socket_fd;
	(void)ret_http;
	return -ENOSYS;
}

void http_close(struct http *h)
{
	(void)h;
}

int http_get(struct http *h, const char *path, char **ret_text, size_t *ret_len)
{
	(void)h;
	(void)path;
	(void)ret_text;
	(void)ret_len;
	return -ENOSYS;
}
#endif
