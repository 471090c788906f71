#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# JSON of every call that the oracle's actors make: each record parses, holds to the schema, has no key twice.
. "$(dirname "$0")/lib.sh"

schema=$(dirname "$0")/../../src/output/ctrace.schema.json
validate="$(dirname "$0")/../golden/schema.py"

test_actors()
{
	python3 -c 'import jsonschema' 2>/dev/null || cannot "python3-jsonschema is not installed"
	local actor n=0 json lines
	for actor in "$BUILD"/actors/calls_*; do
		[ -x "$actor" ] || continue
		# What the calls of all numbers are denied is the same for all of them: thousands of records for little.
		[[ ${actor##*/} != calls_denied* ]] || continue
		json=$T/${actor##*/}.json
		n=$((n + 1))
		ct_timeout=60 ct_run --format json -e read=all -e write=all -o "$json" --status-file "$T/status" -- "$actor"
		assert_complete
		# Of many thousands of records, as of all ioctl commands, one in so many: the validator takes milliseconds for each.
		lines=$(wc -l < "$json")
		[ "$lines" -le 2000 ] || sed -i -n "1~$((lines / 1000))p" "$json"
	done
	[ "$n" -ge 10 ] || fail "only $n actors in $BUILD/actors"
	python3 "$validate" "$schema" --records "$T"/calls_*.json || fail "records that are none"
}

run_tests "$@"
