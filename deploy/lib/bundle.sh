# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Small OCI bundles around busybox, for the quickstart and the tests.

# A string as JSON; enough for what scripts pass (no control bytes but newline and tab).
json_string()
{
	local s=${1//\\/\\\\}
	s=${s//\"/\\\"}
	s=${s//$'\n'/\\n}
	s=${s//$'\t'/\\t}
	printf '"%s"' "$s"
}

json_strings()
{
	local first=1 s
	printf '['
	for s; do
		[ "$first" = 1 ] || printf ','
		first=0
		json_string "$s"
	done
	printf ']'
}

# rootfs_make DIR: a busybox tree. A busybox that is linked dynamically comes
# with its libraries: busybox-static cannot be installed beside it.
rootfs_make()
{
	local dir=$1 busybox lib applet
	busybox=$(command -v busybox) || return 1
	mkdir -p "$dir"/{bin,dev,etc,proc,root,sys,tmp,shared} || return 1
	chmod 1777 "$dir/tmp"
	cp -L "$busybox" "$dir/bin/busybox" || return 1
	ldd "$busybox" 2>/dev/null | grep -o '/[^ ]*' | while read -r lib; do
		mkdir -p "$dir${lib%/*}" && cp -L "$lib" "$dir$lib"
	done
	for applet in sh cat ls sleep true false echo id kill mkdir rm wc head dd touch seq stat usleep env test date; do
		ln -sf busybox "$dir/bin/$applet"
	done
	echo 'root:x:0:0:root:/root:/bin/sh' > "$dir/etc/passwd"
}

# bundle_make DIR CGROUP-PATH COMMAND...: writes DIR/config.json for DIR/rootfs.
# bundle_mounts, bundle_resources, bundle_seccomp: more JSON, each optional
# ("," and objects; members of linux.resources; the seccomp object).
bundle_make()
{
	local dir=$1 cgroup=$2
	shift 2
	local args caps='["CAP_CHOWN","CAP_DAC_OVERRIDE","CAP_KILL","CAP_SETUID","CAP_SETGID","CAP_SYS_CHROOT","CAP_NET_BIND_SERVICE"]'
	args=$(json_strings "$@")
	mkdir -p "$dir"
	cat > "$dir/config.json" <<-END
	{
	"ociVersion": "1.0.2",
	"process": {
		"terminal": false, "user": {"uid": 0, "gid": 0}, "cwd": "/", "args": $args,
		"env": ["PATH=/bin:/usr/bin", "TERM=dumb"], "noNewPrivileges": true,
		"capabilities": {"bounding": $caps, "effective": $caps, "permitted": $caps, "inheritable": [], "ambient": []}
	},
	"root": {"path": "rootfs", "readonly": false},
	"hostname": "demo",
	"mounts": [
		{"destination": "/proc", "type": "proc", "source": "proc"},
		{"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "mode=755", "size=65536k"]}
		${bundle_mounts:-}
	],
	"linux": {
		"cgroupsPath": $(json_string "$cgroup"),
		"namespaces": [{"type": "pid"}, {"type": "ipc"}, {"type": "uts"}, {"type": "mount"}, {"type": "network"}],
		"resources": {${bundle_resources:-}}
		${bundle_seccomp:+, \"seccomp\": $bundle_seccomp}
	}
	}
	END
}
