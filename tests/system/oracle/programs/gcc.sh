#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The driver, the compiler, the assembler and the linker.
set -eu
printf '#include <stdio.h>\nint main(void) { return puts("compiled") < 0; }\n' >a.c
gcc -O2 -Wall -o a a.c
./a
gcc -E a.c | wc -l
gcc -c a.c || exit 1
ar rcs lib.a a.o
! gcc -o b no-such-file.c
