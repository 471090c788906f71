#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What file descriptors are (-y, -yy), and calls on files (-P, --trace-fds), in containers: as the container sees them,
# at the time of each call, also of files that are closed and processes that have ended since.
. "$(dirname "$0")/lib.sh"

schema=$(dirname "$0")/../../src/output/ctrace.schema.json
validate="$(dirname "$0")/../golden/schema.py"

in_box()
{
	runc_ exec "$(box_id web)" "$@"
}

# files_run WAY: the actor; what it expects is in $T/expected.
files_run()
{
	in_box /bin/files "$1" > "$T/expected" 2> "$T/left_out" || fail "the actor failed: $(cat "$T/left_out")"
}

test_paths_of_container()
{
	box_start web
	ct_start --container "$(box_id web)" -y -e trace=lseek,openat
	files_run y
	ct_stop
	assert_complete
	assert_files
	assert_lines 'lseek\([0-9]+</shared/bound>, ' out
	assert_lines 'lseek\([0-9]+</tmp/files/outside>, ' out
}

test_details()
{
	box_start web
	ct_start --container "$(box_id web)" -yy -e trace=lseek,openat
	files_run yy
	ct_stop
	assert_complete
	assert_files
	grep -q 'no network' "$T/left_out" || assert_lines '<TCP:\[127.0.0.1:[0-9]+->127.0.0.1:[0-9]+\]>, ' out 2
}

# A reader that is stopped: lines are written when all files are closed and all processes gone.
test_late_reader()
{
	box_start web
	ct_start --container "$(box_id web)" -y -e trace=lseek,openat
	kill -STOP "$CT"
	files_run y
	in_box /bin/sh -c 'rm -rf /tmp/files'
	kill -CONT "$CT"
	ct_stop
	assert_complete
	assert_files
}

test_json()
{
	box_start web
	ct_start --container "$(box_id web)" --format json -yy
	files_run yy
	ct_stop
	assert_complete
	jq -se 'any(.[]; .name == "lseek" and .args.fd.path == "/tmp/files/renamed" and .args.fd.deleted == true and .args.fd.kind == "file")' \
		"$T/out" > /dev/null || fail "no deleted file: $(grep -a -m 1 '"lseek"' "$T/out")"
	jq -se 'any(.[]; .name == "openat" and (.args.dirfd | type) == "object" and .args.dirfd.path == "/tmp/files")' "$T/out" > /dev/null ||
		fail "no working directory: $(grep -a -m 1 'mark-' "$T/out")"
	if python3 -c 'import jsonschema' 2>/dev/null; then
		python3 "$validate" "$schema" --records "$T/out" || fail "records that are none"
	fi
}

# What is shown with -P is what the actor says of that file; all else is counted as filtered.
test_touched_path()
{
	box_start web
	ct_start --container "$(box_id web)" -y -P /tmp/files/renamed -e trace=lseek,openat
	files_run y
	ct_stop
	assert_complete
	grep '</tmp/files/renamed>' "$T/expected" > "$T/some"
	mv "$T/some" "$T/expected"
	[ "$(wc -l < "$T/expected")" = 3 ] || fail "the actor names it $(wc -l < "$T/expected") times"
	assert_files 2
	[ "$(grep -c '^[0-9]* *[a-z]*(' "$T/out")" = "$(jq .calls.delivered "$T/status")" ] || fail "not as many lines as delivered calls: $(cat "$T/status")"
	jq -e '.calls.filtered > 100' "$T/status" > /dev/null || fail "nothing was filtered: $(cat "$T/status")"
}

# Links, and paths from the working directory on, lead where they lead in the container.
test_resolved_path()
{
	local way
	box_start web
	echo inside > "$T/web/rootfs/tmp/real"
	ln -s /tmp/real "$T/web/rootfs/tmp/link"
	for way in /tmp/link tmp/real /tmp/../tmp/./link; do
		ct_start --container "$(box_id web)" -y -P "$way" -P /none
		in_box /bin/cat /tmp/real /etc/passwd > "$T/said"
		ct_stop
		assert_complete
		assert_lines "^ctrace: Requested path \"$way\" resolved into \"/tmp/real\"\$" err 1
		assert_lines 'open(at)?\(.*"/tmp/real", O_RDONLY' out 1
		assert_lines '^[0-9]+ +(read|sendfile)\(.*</tmp/real>' out
		refute_lines passwd out
	done
	ct_start --container "$(box_id web)" -P /tmp/link -e quiet=path-resolution
	in_box /bin/cat /tmp/real > "$T/said"
	ct_stop
	refute_lines 'Requested path' err
	assert_lines '"/tmp/real"' out
}

test_trace_fds()
{
	box_start web
	ct_start --container "$(box_id web)" -y --trace-fds=77
	files_run y
	ct_stop
	assert_complete
	assert_lines '^[0-9]+ +lseek\(77</tmp/files/renamed>\(deleted\), ' out 1
	assert_lines '^[0-9]+ +close\(77<' out 1
	refute_lines '^[0-9]+ +lseek\([0-68-9]' out
}

run_tests "$@"
