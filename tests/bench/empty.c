/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Attaches the two empty programs, says "ready", and keeps them until its standard input ends. */
#include <stdio.h>
#include <unistd.h>

#include "empty.skel.h"

int main(void)
{
	struct empty_bpf *skel = empty_bpf__open_and_load();
	char byte;

	if (!skel || empty_bpf__attach(skel)) {
		fprintf(stderr, "the empty programs cannot be loaded\n");
		empty_bpf__destroy(skel);
		return 1;
	}
	printf("ready\n");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	empty_bpf__destroy(skel);
	return 0;
}
