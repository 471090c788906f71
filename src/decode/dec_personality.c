/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* personality(2): the same words for its argument and for its result, the last personality. */
#include "decode/kinds.h"

#define PERSONA_QUERY 0xffffffffu       /* only asks */

static void decode_persona(struct dec *d, const struct arg *a, unsigned reg)
{
	uint32_t v = (uint32_t)dec_reg(d, reg);

	(void)a;
	if (v == PERSONA_QUERY)
		say_hex(d, v);
	else
		say_flags(d, &tab_personality, v);
}

static void detail_personality(struct dec *d)
{
	if (!d->ok)
		return;
	d->ops->result_detail(d->e);
	say_flags(d, &tab_personality, (uint32_t)d->call->ret);
}

const struct kind kind_persona = { .decode = decode_persona };
const struct hooks hooks_personality = { .detail = detail_personality };
