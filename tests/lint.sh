#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# lint.sh BUILD: clang-tidy (.clang-tidy says what it looks for), cppcheck and shellcheck over the product.
# BUILD was configured with CMAKE_EXPORT_COMPILE_COMMANDS and has been built: the skeletons are in it.
set -u
cd "$(dirname "$(readlink -f "$0")")/.." || exit 1
build=${1:?usage: lint.sh BUILD}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mapfile -t sources < <(find src ns cgroup -name '*.c' | sort)

# result NAME COMMAND...: COMMAND succeeds and says nothing.
result()
{
	local name=$1
	shift
	if "$@" > "$work/out" 2> "$work/err" && [ ! -s "$work/out" ]; then
		echo "ok $name"
		return
	fi
	cat "$work/out" "$work/err" | head -n 40 | sed 's/^/# /'
	echo "not ok $name: see above"
}

tidy()
{
	printf '%s\0' "${sources[@]}" | xargs -0 -P "$(nproc)" -n 6 "$clang_tidy" --quiet -p "$build"
}

# What is left out: memory leaks (it knows no __attribute__((cleanup)); ASan looks for them); limits that are
# compared after the byte before them was looked at; memchr() of an array's used part; macros of libbpf.
check_c()
{
	cppcheck -j "$(nproc)" --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
		-I . -I src -I bpf -I "$build/include/skeleton" -D__x86_64__ '-DLIBBPF_OPTS(t,n,...)=struct t n = { __VA_ARGS__ }' \
		--suppress=missingIncludeSystem --suppress=memleak --suppress=uninitvar:src/output/summary.c \
		--suppress=arrayIndexOutOfBoundsCond:src/decode/names.c "${sources[@]}" 2>&1
}

if clang_tidy=$(command -v clang-tidy-14 || command -v clang-tidy); then
	result clang-tidy tidy
else
	echo "skip clang-tidy: it is not installed"
fi
if command -v cppcheck > /dev/null; then
	result cppcheck check_c
else
	echo "skip cppcheck: it is not installed"
fi
if command -v shellcheck > /dev/null; then
	# Programs of the oracle are as odd as programs are. What is sourced sets what the others use (SC2034, SC2154);
	# "a= b=" are empty (SC1007); ls lists names of our own (SC2010); options are split where they are put in (SC2046).
	mapfile -t scripts < <(find deploy tests .ci -path tests/system/oracle/programs -prune -o \
		\( -name '*.sh' -o -path .ci/run -o -name 'kubectl-*' \) -type f -print | sort)
	result shellcheck shellcheck -e SC1091,SC2034,SC2154,SC1007,SC2010,SC2046,SC2054 -S warning "${scripts[@]}"
else
	echo "skip shellcheck: it is not installed"
fi
