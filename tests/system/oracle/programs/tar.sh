#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# GNU tar: special files, links, owners, compression by a child.
set -eu
mkdir tree
cp -a /etc/apt tree/
ln -s apt tree/link
ln tree/apt/sources.list tree/hard 2>/dev/null || echo none >tree/hard
mkfifo tree/fifo
dd if=/dev/zero of=tree/sparse bs=1 count=1 seek=200000 2>/dev/null
tar -c -S -f all.tar tree
tar -c -z -f all.tar.gz tree
tar -tvf all.tar.gz
mkdir out
tar -x -p -f all.tar -C out
tar --compare -f all.tar
tar -r -f all.tar Makefile 2>/dev/null || echo "no such file"
