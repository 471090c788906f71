#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# --names: names of addresses, by answers of name servers in the trace and by the container's own /etc/hosts.
. "$(dirname "$0")/lib.sh"

# A container whose init is a name server, with a network namespace of its own.
named_box()
{
	mkdir -p "$T/shared"
	cp "$ACTORS/resolve" "$T/shared/"
	box_start "$1" /shared/resolve serve
	nsenter -t "$BOX_PID" -n "$ACTORS/resolve" up || fail "no loopback"
	until_true 10 grep -q ready "$T/$1.answers" || fail "no name server: $(cat "$T/$1.err")"
}

inside()
{
	runc_ exec "$(box_id "$1")" "${@:2}" > "$T/exec" 2>&1 || fail "${*:2} in $1: $(cat "$T/exec")"
}

# shown NAME ADDRESS: a connection to the address has the name.
shown()
{
	grep -q "connect([0-9]*, {sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr(\"$2\") /\* $1 \*/}, 16) = 0" "$T/out" ||
		fail "no $1 for $2: $(grep "connect.*htons(9)" "$T/out")"
}

# However it is received; -s is too short for any answer.
test_answers()
{
	named_box web
	ct_start --container "$(box_id web)" --names -s 4 -e trace=%network,read,readv
	local way n=10
	for way in read readv recvfrom recvmsg recvmmsg tcp tcp-whole; do
		n=$((n + 1))
		inside web /shared/resolve ask "$way" "n$n.$way.Internal"
	done
	# A client that is not ours.
	inside web /bin/busybox nslookup n5.busybox.internal 127.0.0.1
	inside web /shared/resolve say 127.0.0.5
	ct_stop
	assert_complete
	n=10
	for way in read readv recvfrom recvmsg recvmmsg tcp tcp-whole; do
		n=$((n + 1))
		shown "n$n.$way.internal" "127.0.0.$n"
	done
	shown n5.busybox.internal 127.0.0.5
	# -s holds for what is shown.
	grep -E '(read|recvfrom)\([0-9]+, "' "$T/out" | grep -v -E '^[^"]*"(\\x?[0-9a-z]+|[^\\"]|\\"|\\\\){0,4}"' && fail "more than -s 4"
	grep -q 'read([0-9]*, "\\0224\\201\\200"\.\.\., 512)' "$T/out" || fail "an answer is not cut at -s: $(grep 'read(' "$T/out")"
}

test_hosts()
{
	named_box web
	named_box other
	printf '127.0.0.9 db.internal db\n::1 six\n127.0.0.8 \033[31m*/evil\xff\n' > "$T/web/rootfs/etc/hosts"
	ln -s /../../../../../../../../../../shared/hosts "$T/other/rootfs/etc/hosts"
	echo "127.0.0.9 elsewhere" > "$T/shared/hosts"
	ct_start --container "$(box_id web)" --container "$(box_id other)" --names -yy -e trace=connect,write
	inside web /shared/resolve say 127.0.0.9
	inside web /shared/resolve say ::1
	inside web /shared/resolve say 127.0.0.8
	inside other /shared/resolve say 127.0.0.9
	# It is read again when it has changed.
	echo "127.0.0.9 moved" > "$T/web/rootfs/etc/hosts"
	inside web /shared/resolve say 127.0.0.9
	ct_stop
	assert_complete
	assert_equal "$(grep -c '/\* db.internal \*/}, 16) = 0' "$T/out")" 1
	assert_equal "$(grep -c '/\* moved \*/}, 16) = 0' "$T/out")" 1
	assert_equal "$(grep -c '/\* elsewhere \*/}, 16) = 0' "$T/out")" 1
	grep -q 'inet_pton(AF_INET6, "::1", &sin6_addr) /\* six \*/, sin6_scope_id=0' "$T/out" || fail "no name of ::1"
	grep -q '"127.0.0.8") /\* \\33\[31m\*\\57evil\\377 \*/}' "$T/out" || fail "odd bytes: $(grep 127.0.0.8 "$T/out" | cat -v)"
	grep -q 'write([0-9]*<UDP:\[127.0.0.1:[0-9]*->127.0.0.9:9 /\* db.internal \*/\]>, "x", 1)' "$T/out" || fail "no name in -yy"
}

test_json()
{
	named_box web
	echo "127.0.0.9 db.internal" > "$T/web/rootfs/etc/hosts"
	ct_start --container "$(box_id web)" --names -yy --format json -e trace=connect,sendto,recvmsg,write
	inside web /shared/resolve ask recvmsg n7.seven.internal
	inside web /shared/resolve say 127.0.0.9
	ct_stop
	assert_complete
	assert_equal "$(jq -r 'select(.name == "connect" and .ret == 0) | .args.addr | select(.name) | "\(.sin_addr) \(.name)"' "$T/out")" \
		$'127.0.0.7 n7.seven.internal\n127.0.0.9 db.internal'
	assert_equal "$(jq -r 'select(.name == "write") | .args.fd.peer | select(.name) | "\(.address) \(.name)"' "$T/out")" \
		$'127.0.0.7 n7.seven.internal\n127.0.0.9 db.internal'
	if python3 -c 'import jsonschema' 2>/dev/null; then
		python3 "$source_dir/tests/golden/schema.py" "$source_dir/src/output/ctrace.schema.json" --records "$T/out" > "$T/schema" || fail "records that are none: $(head -3 "$T/schema")"
	fi
}

# Without the option a line is strace's.
test_without()
{
	named_box web
	echo "127.0.0.9 db.internal" > "$T/web/rootfs/etc/hosts"
	ct_start --container "$(box_id web)" -yy -e trace=%network,write
	inside web /shared/resolve ask recvmsg n7.seven.internal
	inside web /shared/resolve say 127.0.0.9
	ct_stop
	grep -q 'inet_addr("127.0.0.9")}, 16) = 0' "$T/out" || fail "no connection"
	! grep -q '/\*' "$T/out" || fail "a name: $(grep '/\*' "$T/out")"
}

# What an /etc/hosts may be that is no file: nothing waits for it.
test_no_file()
{
	named_box web
	ct_start --container "$(box_id web)" --names -e trace=connect
	inside web /shared/resolve say 127.0.0.9
	mkfifo "$T/web/rootfs/etc/hosts"
	inside web /shared/resolve say 127.0.0.9
	rm "$T/web/rootfs/etc/hosts"
	mkdir "$T/web/rootfs/etc/hosts"
	inside web /shared/resolve say 127.0.0.9
	rmdir "$T/web/rootfs/etc/hosts"
	ln -s /proc/self/root/proc/kmsg "$T/web/rootfs/etc/hosts"
	inside web /shared/resolve say 127.0.0.9
	ct_stop
	assert_complete
	assert_equal "$(grep -c 'inet_addr("127.0.0.9")}, 16) = 0' "$T/out")" 4
}

run_tests "$@"
