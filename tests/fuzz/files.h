/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_TESTS_FUZZ_FILES_H
#define CTRACE_TESTS_FUZZ_FILES_H

/* The first byte of fuzz_files' input: for whom the rest is. From FILE_RUNTIMES on it is a file of the fixtures. */
enum { FILE_STAT, FILE_STATUS, FILE_CGROUP, FILE_PIDS, FILE_MOUNTINFO, FILE_NAME, FILE_CONTEXT, FILE_CMDLINE, FILE_MAPS, FILE_HOSTS, FILE_DNS,
       FILE_DNS_STREAM, FILE_RUNTIMES };

/* fuzz_stack's input: registers and stack in so many bytes, then the program. */
#define STACK_HEADER 512

/* Of fuzz_bolt's input. */
#define BOLT_PAGE 512

#endif
