#!/usr/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What container images without bash run at their start: loops, pipes, here-documents, traps, applets.
set -eu
alias b=busybox
mkdir -p a/b/c
for i in 1 2 3 4 5; do echo "line $i of the file" >"a/b/$i.txt"; done
cat <<END | busybox sed -e 's/x/y/' | busybox awk '{ n += NF } END { print n }' >words
x y z
here is a document
END
busybox find a -name '*.txt' -size -4 | busybox sort -r | while read -r f; do
	busybox wc -c <"$f"
	[ -s "$f" ] && busybox cp -p "$f" "$f.copy"
done
busybox ln -s b/1.txt a/link
busybox ls -lan a/b >listing
busybox stat a/link >/dev/null
busybox tar -c -f all.tar a && busybox gzip all.tar && busybox gunzip -c all.tar.gz | busybox md5sum
busybox grep -rn "of the" a | busybox head -n 3 | busybox cut -d: -f2 | busybox tr 0-9 a-j
trap 'echo ended' EXIT
trap 'echo term' TERM
busybox sleep 0.05 &
wait $!
kill -TERM $$
(exit 3) || echo "status $?"
v=$(busybox expr 6 \* 7)
case $v in 4*) echo "$v" ;; esac
busybox dd if=/dev/zero of=zero bs=4k count=3 2>/dev/null
busybox test -e /none || busybox rm -rf a zero
cd / && pwd
