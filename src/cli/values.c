/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/values.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <strings.h>

#include "decode/decode.h"
#include "util/macros.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The digits at *text, which is moved behind them; at least one. */
static int read_digits(const char **text, uint64_t *ret)
{
	const char *s = *text;
	uint64_t v = 0;

	if (!is_digit(*s))
		return -EINVAL;
	for (; is_digit(*s); s++)
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, (uint64_t)(*s - '0'), &v))
			return -EINVAL;
	*text = s;
	*ret = v;
	return 0;
}

int value_unsigned(const char *text, uint64_t max, uint64_t *ret)
{
	uint64_t v;

	if (read_digits(&text, &v) < 0 || *text || v > max)
		return -EINVAL;
	*ret = v;
	return 0;
}

static uint64_t duration_unit(const char *unit)
{
	static const struct { const char *name; uint64_t ns; } units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "\xc2\xb5s", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
		{ "m", 60 * 1000000000ull }, { "min", 60 * 1000000000ull }, { "h", 3600 * 1000000000ull },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(unit, units[i].name))
			return units[i].ns;
	return 0;
}

int value_duration(const char *text, bool need_unit, uint64_t *ret_ns)
{
	uint64_t whole, part = 0, scale = 1, unit, ns;

	if (read_digits(&text, &whole) < 0)
		return -EINVAL;
	if (*text == '.') {
		if (!is_digit(*++text))
			return -EINVAL;
		/* Nine digits are nanoseconds of a second; what follows them changes nothing. */
		for (; is_digit(*text); text++) {
			if (scale == 1000000000)
				continue;
			part = part * 10 + (uint64_t)(*text - '0');
			scale *= 10;
		}
	}
	unit = *text || need_unit ? duration_unit(text) : 1000000000;
	if (!unit || __builtin_mul_overflow(whole, unit, &ns))
		return -EINVAL;
	part = (uint64_t)((unsigned __int128)part * unit / scale);
	if (__builtin_add_overflow(ns, part, &ns) || !ns)
		return -EINVAL;
	*ret_ns = ns;
	return 0;
}

int value_size(const char *text, uint64_t *ret)
{
	static const char letters[] = "KMG";
	uint64_t v, unit = 1;

	if (read_digits(&text, &v) < 0)
		return -EINVAL;
	if (*text) {
		const char *l = strchr(letters, *text == 'k' ? 'K' : *text);

		if (!l)
			return -EINVAL;
		unit <<= 10 * (l - letters + 1);
		text++;
		if (*text && strcmp(text, "B") != 0 && strcmp(text, "iB") != 0)
			return -EINVAL;
	}
	if (__builtin_mul_overflow(v, unit, &v) || !v)
		return -EINVAL;
	*ret = v;
	return 0;
}

int value_word(const char *text, size_t len, const char *words, unsigned *ret_index)
{
	for (unsigned i = 0;; i++) {
		size_t n = strcspn(words, " ");

		if (n == len && !memcmp(words, text, n)) {
			*ret_index = i;
			return 0;
		}
		if (!words[n])
			return -EINVAL;
		words += n + 1;
	}
}

/* Calls add for each word of the list; handles !, all and none. */
static int read_set(const char *text, uint64_t all, int (*add)(const char *word, size_t len, const void *data, uint64_t *set),
		    const void *data, uint64_t *ret_set, const char **ret_bad)
{
	bool others = *text == '!';
	uint64_t set = 0;

	text += others;
	for (;;) {
		size_t len = strcspn(text, ",");

		if (len == 3 && !memcmp(text, "all", 3)) {
			set = all;
		} else if (len == 4 && !memcmp(text, "none", 4)) {
			/* adds nothing */
		} else if (add(text, len, data, &set) < 0) {
			*ret_bad = text;
			return -EINVAL;
		}
		if (!text[len])
			break;
		text += len + 1;
	}
	*ret_set = others ? all & ~set : set;
	return 0;
}

static int add_word(const char *word, size_t len, const void *words, uint64_t *set)
{
	unsigned i;

	if (value_word(word, len, words, &i) < 0)
		return -EINVAL;
	*set |= 1ull << i;
	return 0;
}

int value_word_set(const char *text, const char *words, uint32_t *ret_set, const char **ret_bad)
{
	uint64_t set;
	unsigned n_all;

	/* Every list ends with "all none": the words before it are the set. */
	if (value_word("all", 3, words, &n_all) < 0)
		return -EINVAL;
	if (read_set(text, (1ull << n_all) - 1, add_word, words, &set, ret_bad) < 0)
		return -EINVAL;
	*ret_set = (uint32_t)set;
	return 0;
}

static int add_signal(const char *word, size_t len, const void *data _unused_, uint64_t *set)
{
	char text[24], buf[16];
	uint64_t number;

	if (!len || len >= sizeof(text))
		return -EINVAL;
	memcpy(text, word, len);
	text[len] = '\0';
	if (!value_unsigned(text, 64, &number)) {
		if (number)
			*set |= 1ull << (number - 1);
		return 0;
	}
	for (int signo = 1; signo <= 64; signo++) {
		const char *name = signal_name(signo, buf);

		if (!strcasecmp(text, name) || (!strncmp(name, "SIG", 3) && !strcasecmp(text, name + 3))) {
			*set |= 1ull << (signo - 1);
			return 0;
		}
	}
	return -EINVAL;
}

int value_signal_set(const char *text, uint64_t *ret_set, const char **ret_bad)
{
	return read_set(text, ~0ull, add_signal, NULL, ret_set, ret_bad);
}
