#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
set -eu
seq 1 50000 >numbers
gzip -k -9 numbers
gzip -l numbers.gz
gzip -t numbers.gz
gunzip -c numbers.gz | cmp - numbers
zcat numbers.gz | head -n 1
gzip -d <numbers.gz | tail -n 1
! gzip numbers </dev/null
! gunzip numbers
rm numbers
gunzip -v numbers.gz
