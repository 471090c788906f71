/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Keys. In a session keyring of its own, which ends with the process. */
#include "calls.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <sys/wait.h>

static void *bad;

static void adding(void)
{
	section("add_key");
	CALL(add_key, "user", "ctrace:one", "payload", 7, -3);
	CALL(add_key, "user", "a description of more than thirty-two bytes", "payload of more than thirty-two bytes", 37, -3);
	CALL(add_key, "nokey", "x", "", 0, -1);
	CALL(add_key, "user", "x", bad, 5, -2);
	CALL(add_key, "user", "x", NULL, 5, -4);
	CALL(add_key, bad, bad, bad, 1 << 21, -5);
	CALL(add_key, NULL, NULL, NULL, 0, -6);
	CALL(add_key, "user", "x", "y", 1, -7);
	CALL(add_key, "user", "x", "y", 1, -8);
	CALL(add_key, "user", "x", "y", 1, 0);
	CALL(add_key, "user", "x", "y", 1, 0x7ffffffe);
	CALL(add_key, "user", "x", "y", 1, -99);
	section("request_key");
	CALL(request_key, "user", "ctrace:one", NULL, 0);
	CALL(request_key, "user", "ctrace:none", NULL, -3);
	CALL(request_key, bad, bad, bad, -99);
	CALL(request_key, NULL, NULL, "callout", 12);
}

static void simple(int key)
{
	char b[100];

	section("keyctl");
	CALL(keyctl, 0, -3, 0);
	CALL(keyctl, 0, -4, 1);
	CALL(keyctl, 0, 77, 5);
	CALL(keyctl, 1, bad);
	CALL(keyctl, 2, key, "updated", 7);
	CALL(keyctl, 2, -1, bad, 3);
	CALL(keyctl, 2, key, NULL, 0);
	CALL(keyctl, 3, 0x7ffffffe);
	CALL(keyctl, 4, key, 0, -1);
	CALL(keyctl, 4, 0x7ffffffe, -1, 7);
	CALL(keyctl, 5, key, 0x3f3f0000);
	CALL(keyctl, 5, 0x7ffffffe, 0xffffffff);
	CALL(keyctl, 5, 0x7ffffffe, 0x1);
	CALL(keyctl, 5, 0x7ffffffe, 0);
	CALL(keyctl, 6, key, b, sizeof(b));
	CALL(keyctl, 6, key, b, 5);
	CALL(keyctl, 6, key, NULL, 0);
	CALL(keyctl, 6, key, bad, sizeof(b));
	CALL(keyctl, 6, 0x7ffffffe, b, sizeof(b));
	CALL(keyctl, 7, 0x7ffffffe);
	CALL(keyctl, 8, key, -3);
	CALL(keyctl, 8, 0x7ffffffe, 0x7ffffffd);
	CALL(keyctl, 9, 0x7ffffffe, -3);
	CALL(keyctl, 10, -3, "user", "ctrace:one", 0);
	CALL(keyctl, 10, -3, bad, NULL, -3);
	CALL(keyctl, 11, key, b, sizeof(b));
	CALL(keyctl, 11, key, b, 3);
	CALL(keyctl, 11, key, NULL, 0);
	CALL(keyctl, 11, key, bad, sizeof(b));
	CALL(keyctl, 11, 0x7ffffffe, b, sizeof(b));
}

static void instantiating(int key)
{
	struct iovec v[2] = { { "pay", 3 }, { "load", 4 } };

	section("keyctl instantiate");
	CALL(keyctl, 12, key, "payload", 7, -3);
	CALL(keyctl, 12, 0x7ffffffe, bad, 7, 0);
	CALL(keyctl, 12, 0x7ffffffe, NULL, 0, -1);
	CALL(keyctl, 13, key, 10, -3);
	CALL(keyctl, 13, 0x7ffffffe, -1, 0);
	CALL(keyctl, 14, -1);
	CALL(keyctl, 14, 3);
	CALL(keyctl, 14, 77);
	CALL(keyctl, 15, key, 1000);
	CALL(keyctl, 15, 0x7ffffffe, -1);
	CALL(keyctl, 16, 0);
	CALL(keyctl, 16, 0x7ffffffe);
	char b[64];
	CALL(keyctl, 17, key, b, sizeof(b));
	CALL(keyctl, 17, 0x7ffffffe, bad, 10);
	/* A child's parent is the actor itself. */
	if (!fork()) {
		CALL(keyctl, 18, 1, 2, 3, 4);
		_exit(0);
	}
	wait(NULL);
	CALL(keyctl, 19, key, 10, 126, -3);
	CALL(keyctl, 19, 0x7ffffffe, 10, 9999, 0);
	CALL(keyctl, 20, key, v, 2, -3);
	CALL(keyctl, 20, 0x7ffffffe, bad, 2, 0);
	CALL(keyctl, 20, 0x7ffffffe, NULL, 0, -1);
	CALL(keyctl, 20, 0x7ffffffe, v, 0, -1);
	CALL(keyctl, 21, 0x7ffffffe);
	CALL(keyctl, 22, 12345, 0x7ffffffe);
	CALL(keyctl, 22, -1, 0x7ffffffe);
}

struct dh { int32_t private, prime, base; };
struct kdf { const char *hash, *other; uint32_t other_len, spare[8]; };
struct pkey { int32_t key; uint32_t in, out, spare[7]; };

static void crypto(int key)
{
	struct dh dh = { 1, 2, -3 };
	struct kdf kdf = { "sha256", "other info", 10, { 0 } };
	struct pkey pk = { key, 5, 64, { 0 } };
	uint32_t query[10];
	char b[64];

	section("keyctl crypto");
	CALL(keyctl, 23, &dh, b, sizeof(b), NULL);
	CALL(keyctl, 23, &dh, b, sizeof(b), &kdf);
	kdf.spare[3] = 7;
	CALL(keyctl, 23, &dh, NULL, 0, &kdf);
	kdf = (struct kdf){ bad, bad, 10, { 0 } };
	CALL(keyctl, 23, &dh, b, 0, &kdf);
	kdf = (struct kdf){ NULL, NULL, 0, { 0 } };
	CALL(keyctl, 23, &dh, b, 0, &kdf);
	CALL(keyctl, 23, &dh, b, 0, bad);
	CALL(keyctl, 23, bad, bad, 10, NULL);
	CALL(keyctl, 23, NULL, NULL, 0, NULL);
	CALL(keyctl, 24, key, 0, "enc=pkcs1 hash=sha256", query);
	CALL(keyctl, 24, 0x7ffffffe, 7, bad, bad);
	CALL(keyctl, 24, -1, 0, NULL, NULL);
	CALL(keyctl, 25, &pk, "enc=pkcs1", "input", b);
	CALL(keyctl, 26, &pk, "enc=pkcs1", "input", b);
	CALL(keyctl, 27, &pk, "hash=sha256", "input", b);
	CALL(keyctl, 28, &pk, "hash=sha256", "input", "signature");
	pk.spare[2] = 3;
	CALL(keyctl, 25, &pk, bad, bad, bad);
	pk.in = 0, pk.out = 0;
	CALL(keyctl, 28, &pk, NULL, NULL, NULL);
	CALL(keyctl, 27, bad, "x", "y", "z");
	CALL(keyctl, 26, NULL, NULL, NULL, NULL);
	section("keyctl new");
	CALL(keyctl, 29, 0x7ffffffe, "asymmetric", "builtin_trusted");
	CALL(keyctl, 29, 0x7ffffffe, bad, NULL);
	CALL(keyctl, 29, -1, NULL, bad);
	CALL(keyctl, 30, key, -3, -2, 1);
	CALL(keyctl, 30, 0x7ffffffe, 0x7ffffffd, -1, 0xff);
	CALL(keyctl, 31, b, sizeof(b));
	CALL(keyctl, 31, b, 1);
	CALL(keyctl, 31, b, 2);
	CALL(keyctl, 31, NULL, 0);
	CALL(keyctl, 31, bad, 2);
	CALL(keyctl, 32, key, -1, 77);
	CALL(keyctl, 32, -3, 1000, 0x100);
	CALL(keyctl, 33, 1, 2, 3, 4);
	CALL(keyctl, -1, 1, 2, bad, 4);
	CALL(keyctl, 9, key, -3);
	CALL(keyctl, 3, key);
}

int main(void)
{
	int key;

	resident();
	bad = bad_page();
	CALL(keyctl, 1, "ctrace-calls_keys");
	adding();
	key = syscall(SYS_add_key, "user", "ctrace:one", "payload", 7, -3);
	simple(key);
	instantiating(key);
	crypto(key);
	return 0;
}
