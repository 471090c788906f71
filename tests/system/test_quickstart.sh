#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The first command of the README, in a fresh copy of the sources.
. "$(dirname "$0")/lib.sh"

fresh_copy()
{
	if [ -e "$source_dir/.git" ]; then
		git -c safe.directory='*' clone -q --no-hardlinks "$source_dir" "$T/copy" || fail "git clone"
	else
		mkdir "$T/copy"
		tar -C "$source_dir" --exclude='./build*' -c . | tar -C "$T/copy" -x
	fi
	chown -R 65534:65534 "$T/copy"
}

test_quickstart()
{
	local code=0 calls processes
	fresh_copy
	chmod 755 "$T"
	cd / || exit 1
	SUDO_UID=65534 SUDO_GID=65534 "$T/copy/deploy/quickstart.sh" > "$T/out" 2> "$T/err" < /dev/null || code=$?
	assert_equal "$code" 0 "exit status ($(tail -n 3 "$T/out" "$T/err" | tr '\n' ' '))"
	assert_lines '^quickstart: .*starts a small container with runc' out
	assert_lines '^quickstart: tracing .*/build/ctrace --container ctrace-demo-[0-9]+ --for 5s' out 1
	calls=$(grep -cE '^\[pid +[0-9]+\] [a-z_0-9]+\(' "$T/out")
	processes=$(grep -oE '^\[pid +[0-9]+\]' "$T/out" | sort -u | wc -l)
	[ "$calls" -ge 20 ] && [ "$processes" -ge 3 ] || fail "$calls calls of $processes processes"
	tail -n 1 "$T/out" | grep -q '^quickstart: .*"/etc/app/settings.conf".*ENOENT' || fail "the closing sentence is: $(tail -n 1 "$T/out")"
	assert_lines '^ctrace: coverage complete since' err 1
	# The container is gone, and what was built belongs to the user behind sudo.
	if runc list -q | grep -q '^ctrace-demo-'; then
		fail "a container was left behind"
	fi
	assert_equal "$(stat -c %u "$T/copy/build/ctrace")" 65534 "owner of build/ctrace"
	assert_equal "$(find "$T/copy/build" ! -uid 65534 | wc -l)" 0 "files of build/ that belong to others"
	echo "note: $calls calls of $processes processes"
	interrupted
}

# Its container goes, also when the user gives up in the middle.
interrupted()
{
	local pid
	env --default-signal=INT "$T/copy/deploy/quickstart.sh" > "$T/out" 2> "$T/err" < /dev/null &
	pid=$!
	defer end_process "$pid"
	until_true 60 grep -q '^\[pid' "$T/out" || fail "no trace: $(tail -n 3 "$T/out" | tr '\n' ' ')"
	kill -TERM "$pid"
	until_true 20 gone "$pid" || fail "it does not end"
	if runc list -q | grep -q "^ctrace-demo-$pid\$"; then
		fail "the container was left behind"
	fi
}

# A machine whose packages this script does not know is told what to install.
test_unknown_distribution()
{
	local code=0
	mkdir "$T/bin"
	printf 'ID=plan9\n' > "$T/os-release"
	# A mount namespace with another /etc/os-release, and no clang in PATH.
	for tool in bash sh dirname readlink id sed awk mktemp cat grep uname stat rm chmod printf env true cc gcc cmake make pkg-config; do
		ln -sf "$(command -v "$tool")" "$T/bin/$tool" 2> /dev/null
	done
	# shellcheck disable=SC2016
	unshare -m sh -c 'mount --bind "$1" "$(readlink -f /etc/os-release)" && mount --bind "$2" /usr/sbin && PATH=$2 exec "$2/bash" "$3"' sh \
		"$T/os-release" "$T/bin" "$source_dir/deploy/quickstart.sh" > "$T/out" 2> "$T/err" < /dev/null || code=$?
	assert_equal "$code" 1 "exit status"
	assert_lines '^quickstart: these are missing.* clang' out 1
	refute_lines 'installing' out
}

TEST_TIMEOUT=${TEST_TIMEOUT:-400}
run_tests "$@"
