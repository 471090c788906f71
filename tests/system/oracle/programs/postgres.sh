#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The server of a user of its own, its background processes, and four clients of pgbench.
set -u
PATH=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1):$PATH
export PATH
setpriv --reuid=postgres --regid=postgres --clear-groups \
	postgres -D data -k "$PWD" -c listen_addresses=127.0.0.1 -c shared_buffers=16MB 2>log &
server=$!
until pg_isready -q -h "$PWD"; do sleep 0.2; done
psql -X -U postgres -h 127.0.0.1 bench -c 'select count(*) from pgbench_accounts'
pgbench -n -U postgres -h "$PWD" -c 4 -j 2 -t 15 bench
psql -X -U postgres -h "$PWD" bench -c vacuum -c checkpoint
kill -INT $server
wait $server
