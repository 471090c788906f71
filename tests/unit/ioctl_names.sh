#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The commands of ioctl_cmds.def against the kernel's headers: of each header,
# the names that it defines as macros, with the number that the compiler makes
# of them. Two headers that cannot be included together do not have to be.
#     ioctl_names.sh COMPILER SOURCE_DIR
# UAPI=DIRECTORY: other headers than /usr/include.
set -u
cc=$1 table=$2/src/decode/ioctl_cmds.def
include=${UAPI:-/usr/include}
least=1000      # fewer compared would mean that the headers were not taken
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
machine=$("$cc" -dumpmachine | sed 's/-[a-z]*-linux/-linux/')
case $machine in
x86_64*) ours='ALL|X86|W8|X64[A-Z0-9_]*' ;;
aarch64*) ours='ALL|ARMS|W8|A64[A-Z0-9_]*|X64_A64[A-Z0-9_]*' ;;
*) echo "no table for $machine"; exit 77 ;;
esac

# "NAME NUMBER", of those that this machine has.
sed 's/) C(/)\nC(/g' "$table" | sed -nE "s/^C\((0x[0-9a-f]+), ($ours), \"(.*)\"\)\$/\1 \3/p" |
	awk '{ n = $1; for (i = 2; i <= NF; i++) if ($i != "or") print $i, n }' | sort -u > "$work/ours"
cut -d ' ' -f 1 "$work/ours" | sort -u > "$work/names"

# check HEADER: "NAME NUMBER HEADER" for each name that it defines; nothing if it cannot be compiled.
check()
{
	local header=$1 base
	base=$work/$(echo "$header" | tr / _)
	grep -ohE '^[[:space:]]*#[[:space:]]*define[[:space:]]+[A-Z_0-9a-z]+' "$include/$header" | awk '{ print $NF }' | sort -u |
		comm -12 - "$work/names" > "$base.names"
	[ -s "$base.names" ] || return 0
	{
		printf '#include <%s>\n' stdio.h stdint.h time.h sys/types.h sys/socket.h sys/time.h net/if.h "$header"
		echo 'int main(void) {'
		while read -r name; do
			printf '#ifdef %s\nprintf("%s %%#x\\n", (unsigned)(%s));\n#endif\n' "$name" "$name" "$name"
		done < "$base.names"
		echo 'return 0; }'
	} > "$base.c"
	"$cc" -w -isystem "$include" -isystem "$include/$machine" -o "$base.exe" "$base.c" 2> /dev/null && "$base.exe" | sed "s|\$| $header|"
}
export -f check
export cc include machine work

(cd "$include" && grep -rlE 'define[[:space:]]+[A-Z_0-9a-z]+[[:space:]]+(_?_IO[A-Z]*\(|[A-Z]+_IO[A-Z]*\(|\(?[A-Z_]*IOC[A-Z_]*|0x)' \
	linux asm-generic sound mtd rdma drm scsi misc video 2> /dev/null) | sort |
	xargs -P 2 -I {} bash -c 'check "$1"' sh {} | sort -u > "$work/theirs"

# Of two numbers that headers give to one name, one has to be ours.
join "$work/ours" "$work/theirs" | awk '
	{ seen[$1] = 1; if ($2 == $3) good[$1] = 1; else text[$1] = text[$1] "  " $1 " is " $3 " in " $4 ", " $2 " in our table\n" }
	END {
		for (name in seen) { n++; if (!(name in good)) { bad++; printf "%s", text[name] } }
		print n + 0, "commands compared," , bad + 0, "differ"
		exit bad > 0 || n < least
	}' least=$least
