#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What bash alone has: process substitution, coprocesses, arrays, traps, job control.
trap 'echo usr1' USR1
kill -USR1 $$
mapfile -t lines < <(printf '%s\n' one two three)
echo "${#lines[@]} ${lines[*]}"
coproc cat
echo through >&"${COPROC[1]}"
read -r word <&"${COPROC[0]}"
echo "$word"
exec {COPROC[1]}>&-
wait
set -m
sleep 0.05 &
wait %1
set +m
declare -A map=([a]=1 [b]=2)
for key in "${!map[@]}"; do printf '%s=%s\n' "$key" "${map[$key]}"; done | sort >sorted
diff <(sort sorted) <(cat sorted) && echo same
read -r -t 0.05 nothing < <(sleep 0.1)
echo "status $?"
wait
while read -r line; do [[ $line =~ ^b=(.*)$ ]] && echo "${BASH_REMATCH[1]}"; done <sorted
cat <<<"a here string" >here
ulimit -n
umask
exec 5<>here
read -r -u 5 text
echo "$text"
exec 5>&-
cd /tmp && pwd -P
type -a ls >/dev/null
(trap 'exit 7' TERM; kill -TERM $BASHPID; sleep 1) || echo "status $?"
