#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The constants of symbols*.def against the kernel's headers, also those that
# are members of an enum: of each header, the names that stand in it, each in a
# static assertion. A name that the header does not define is none of its.
#     constants.sh COMPILER SOURCE_DIR
# UAPI=DIRECTORY: other headers than /usr/include.
set -u
cc=$1 decode=$2/src/decode
include=${UAPI:-/usr/include}
least=3000      # fewer compared would mean that the headers were not taken
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
triple=$("$cc" -dumpmachine)
machine=$(echo "$triple" | sed 's/-[a-z]*-linux/-linux/')
case $machine in
x86_64*) foreign='_arm$' ;;
aarch64*) foreign=arm ;;
*) echo "no table for $machine"; exit 77 ;;
esac

# "TABLE NAME VALUE" of each constant: no header is included, so nothing is expanded.
{
	echo '#define SYMBOLS(id, unknown, ...) TABLE id __VA_ARGS__'
	echo '#define SYMBOLS_WITH(id, unknown, more, ...) TABLE id __VA_ARGS__'
	echo '#define S(name, value) CONSTANT name (value)'
	echo '#include "decode/symbols.def"'
} | "$cc" -E -P -undef -x c -I"$decode/.." - | tr '\n' ' ' | sed 's/TABLE /\n&/g; s/CONSTANT /\n&/g' |
	awk '$1 == "TABLE" { table = $2 }
	$1 == "CONSTANT" && $2 ~ /^[A-Za-z_][A-Za-z0-9_]*$/ { name = $2; $1 = $2 = ""; print table, name, $0 }' > "$work/all"
# Values of ARM have a table of their own; the other machine has then no use for the first.
if [ "$foreign" = arm ]; then
	awk 'NR == FNR { if (sub(/_arm$/, "", $1)) other[$1] = 1; next } !($1 in other)' "$work/all" "$work/all" > "$work/ours"
else
	grep -v "^[^ ]*$foreign " "$work/all" | grep -v "^[^ ]*_arm " > "$work/ours"
fi
cut -d ' ' -f 2 "$work/ours" | sort -u > "$work/names"

# check HEADER: "ok NAME", "undefined NAME" or "differs TABLE NAME VALUE HEADER", a line each.
check()
{
	local header=$1 base path=$include/$1
	base=$work/$(echo "$header" | tr / _)
	[ -e "$path" ] || path=$include/$machine/$header
	grep -owhF -f "$work/names" "$path" | sort -u > "$base.names"
	[ -s "$base.names" ] || return 0
	awk -v header="$header" 'BEGIN {
			print "#include <stddef.h>\n#include <stdint.h>\n#include <sys/types.h>\n#include <sys/socket.h>\n#include <" header ">"
			line = 5
		}
		NR == FNR { here[$1] = 1; next }
		$2 in here {
			table = $1; name = $2; $1 = $2 = ""
			line++
			printf "_Static_assert((unsigned)(%s) == (unsigned)(%s), \"differs\"); /* %s %s */\n", name, $0, table, name
		}' "$base.names" "$work/ours" > "$base.c"
	"$cc" -w -fsyntax-only $limit -isystem "$include" -isystem "$include/$machine" "$base.c" > "$base.log" 2>&1
	# Only messages about the assertions count.
	awk -v header="$header" 'NR == FNR { text[FNR] = $0; last = FNR; next }
		match($0, /_[^:]*\.c:[0-9]+:[0-9]+: error: /) {
			split(substr($0, RSTART), part, ":")
			if (part[2] + 0 > 5 && !(part[2] in said))
				said[part[2] + 0] = /differs/ ? "differs" : "undefined"
		}
		END {
			for (i = 6; i <= last; i++) {
				what = text[i]
				sub(/.*\/\* /, "", what); sub(/ \*\/$/, "", what)
				value = text[i]
				sub(/.* == \(unsigned\)\(/, "", value); sub(/\), "differs.*/, "", value)
				print (i in said ? said[i] : "ok"), what, said[i] == "differs" ? value " " header : ""
			}
		}' "$base.c" "$base.log" > "$base.result"
}
# gcc tells all errors unless it is told otherwise.
limit=
! "$cc" --version | grep -q clang || limit=-ferror-limit=0
export -f check
export cc include machine work limit

(cd "$include" && find linux asm-generic rdma sound drm misc mtd scsi xen video cxl fwctl "$machine/asm" -name '*.h' 2> /dev/null) |
	sed "s,^$machine/,," | sort > "$work/headers"
xargs -P "$(nproc)" -n 1 bash -c 'check "$1"' check < "$work/headers"
cat "$work"/*.result > "$work/results" 2> /dev/null

# Linux 6.x has numbered these anew; strace, and so we, have the old numbers.
renumbered=ip_mib

# One header may use a name for something else; no header may be the only one that has it, and have another value.
awk -v renumbered="$renumbered" '$2 == renumbered { next }
	$1 == "ok" { ok[$2 " " $3] = 1 }
	$1 == "differs" { what = $2 ": " $3; sub(/^differs [^ ]* [^ ]* */, ""); differs[what] = $0 }
	END {
		for (what in differs) {
			key = what
			sub(/: /, " ", key)
			if (!(key in ok)) print "not ok " what " is " differs[what]
		}
	}' "$work/results" | sort > "$work/bad"
sed 's/ \([^ ]*\)$/ here, something else in \1/' "$work/bad"
compared=$(awk '$1 == "ok" { print $2, $3 }' "$work/results" | sort -u | wc -l)
echo "$compared of $(wc -l < "$work/ours") constants compared"
[ -z "${UNKNOWN:-}" ] || awk 'NR == FNR { if ($1 == "ok" || $1 == "differs") seen[$2 " " $3] = 1; next } !(($1 " " $2) in seen) { print "unknown", $1, $2, $3 }' "$work/results" "$work/ours"
[ "$compared" -ge "$least" ] || { echo "fewer than $least"; exit 1; }
[ ! -s "$work/bad" ]
