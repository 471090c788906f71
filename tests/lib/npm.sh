# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Packages of npm in the tests' cache, outside of the tree.

CTRACE_CACHE=${CTRACE_CACHE:-/var/cache/ctrace-tests}

# npm_packages NAME PACKAGE@VERSION...: installs them, once, without running
# any script of theirs. Prints the folder that NODE_PATH wants.
npm_packages()
{
	local dir=$CTRACE_CACHE/npm-$1 log
	shift
	if [ "$(cat "$dir/.installed" 2> /dev/null)" != "$*" ]; then
		rm -rf "$dir"
		mkdir -p "$dir" && echo '{"private":true}' > "$dir/package.json" || return 1
		log=$(cd "$dir" && npm install --ignore-scripts --no-audit --no-fund --no-save --loglevel=error "$@" 2>&1) ||
			{ echo "$log" | tail -n 3 >&2; return 1; }
		echo "$*" > "$dir/.installed"
	fi
	echo "$dir/node_modules"
}
