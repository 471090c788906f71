#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The server with its background threads, an append-only file and a snapshot by a child; the benchmark.
set -u
redis-server --bind 127.0.0.1 --port 6379 --unixsocket "$PWD/redis.sock" --dir "$PWD" --appendonly yes --save '' \
	--daemonize no --logfile "$PWD/log" &
server=$!
until redis-cli -s redis.sock ping 2>/dev/null | grep -q PONG; do sleep 0.1; done
redis-cli set key value
redis-benchmark -h 127.0.0.1 -p 6379 -n 500 -c 8 -q -t set,get,lpush,mset
redis-benchmark -s redis.sock -n 300 -c 4 -P 4 -q -t incr,sadd
redis-cli bgsave
sleep 0.5
redis-cli shutdown
wait $server
