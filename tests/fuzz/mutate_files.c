/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdbool.h>
#include <string.h>

#include "files.h"
#include "make.h"
#include "util/macros.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);

static size_t new_answer(struct rnd *r, uint8_t *p, size_t max, bool stream)
{
	uint8_t answer[ANSWER_MAX];
	size_t n = make_answer(r, answer), head = stream && rnd_below(r, 8) ? 2 : 0, told = rnd_below(r, 4) ? n : n + rnd_below(r, 20) - 10;

	if (max < head)
		return 0;
	if (head)
		memcpy(p, (uint8_t[]){ (uint8_t)(told >> 8), (uint8_t)told }, 2);
	n = MIN(n, max - head);
	memcpy(p + head, answer, n);
	return head + n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	struct rnd r = rnd_from(seed);
	unsigned what = size ? data[0] : 0;
	size_t now;

	if (what >= FILE_RUNTIMES && rnd_below(&r, 4)) {
		now = change_json(&r, (char *)data + 1, size - 1, max - 1);
		if (now)
			return 1 + now;
	}
	if ((what == FILE_DNS || what == FILE_DNS_STREAM) && rnd_below(&r, 4) == 0)
		return 1 + new_answer(&r, data + 1, max - 1, what == FILE_DNS_STREAM);
	return LLVMFuzzerMutate(data, size, max);
}
