/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Names of errors and signals. */
#include "decode/decode.h"

#include <string.h>

/* The largest number in errno.def is 516. */
#define ERRNO_MAX 531

static const struct {
	const char *name, *text;
} errors[ERRNO_MAX] = {
#define E(number, name_, text_) [number] = { #name_, text_ },
#include "decode/errno.def"
#undef E
};

const char *errno_name(int err)
{
	return err > 0 && err < ERRNO_MAX ? errors[err].name : NULL;
}

const char *errno_text(int err)
{
	return err > 0 && err < ERRNO_MAX ? errors[err].text : NULL;
}

/* The same numbers on x86 and ARM (asm-generic/signal.h). */
static const char *const signals[] = {
	NULL,	   "SIGHUP",  "SIGINT",	   "SIGQUIT", "SIGILL",	  "SIGTRAP", "SIGABRT",	"SIGBUS",
	"SIGFPE",  "SIGKILL", "SIGUSR1",   "SIGSEGV", "SIGUSR2",  "SIGPIPE", "SIGALRM",	"SIGTERM",
	"SIGSTKFLT", "SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP",  "SIGTTIN", "SIGTTOU",	"SIGURG",
	"SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO",   "SIGPWR",	"SIGSYS",
	"SIGRTMIN",
};

#define SIGNALS_NAMED (sizeof(signals) / sizeof(signals[0]))
#define SIGNAL_RTMIN 32
#define SIGNAL_MAX 64

const char *signal_name(int signo, char buf[static 16])
{
	bool rt = signo > SIGNAL_RTMIN && signo <= SIGNAL_MAX;
	unsigned v = rt ? (unsigned)(signo - SIGNAL_RTMIN) : signo < 0 ? 0u - (unsigned)signo : (unsigned)signo;
	char *p = buf + 15;

	if (signo > 0 && (unsigned)signo < SIGNALS_NAMED)
		return signals[signo];
	*p = '\0';
	do {
		*--p = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	if (rt) {
		p -= strlen("SIGRT_");
		memcpy(p, "SIGRT_", strlen("SIGRT_"));
	} else if (signo < 0) {
		*--p = '-';
	}
	return p;
}
