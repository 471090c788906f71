# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# The suites of tests/run.sh. Each prints a line "ok NAME", "not ok NAME: why"
# or "skip NAME: why" for each of its tests.
# Wants: source_dir, build, work, all, and wanted().

packages()
{
	need_build_packages
	need_command jq jq
	need_command busybox busybox-static
	need_command runc runc
	need_command pgrep procps
	need_command capsh libcap2-bin
	need_library cmocka cmocka.h libcmocka-dev
	# The JSON schema's validator, for Debian's own python.
	/usr/bin/python3 -c 'import jsonschema' 2> /dev/null || need_package python3-jsonschema
	/usr/bin/python3 -c 'import yaml' 2> /dev/null || need_package python3-yaml
	if wanted runtimes all || wanted coverage all; then
		need_command dockerd docker.io
		need_command containerd containerd
		need_command podman podman
		need_command conmon conmon
		# Debian's podman makes a pod's pause container of it.
		need_command catatonit catatonit
		need_command crun crun
		need_command lxc-start lxc
		need_command systemd-nspawn systemd-container
		need_command npm npm
	fi
	if wanted vm all; then
		need_command qemu-system-x86_64 qemu-system-x86
		need_command cpio cpio
	fi
	if wanted lint all; then
		need_command cppcheck cppcheck
		need_command shellcheck shellcheck
		command -v clang-tidy-14 clang-tidy > /dev/null || need_package clang-tidy-14
	fi
	if wanted fuzz all; then
		need_fuzzer
	fi
	if wanted arm64 all; then
		need_command aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
	fi
	if wanted machines all; then
		machines_packages
	fi
	if wanted oracle all; then
		oracle_packages
	fi
	# What is still missing then shows in the suite that needs it.
	install_missing || say "going on with what is there"
}

# libFuzzer and the sanitizers of the clang that is there, or will be.
need_fuzzer()
{
	local cc
	cc=$(fuzz_compiler) || { need_package clang-14; need_package libclang-rt-14-dev; return; }
	[ -e "$("$cc" -print-resource-dir)/lib/linux/libclang_rt.fuzzer-$(uname -m).a" ] ||
		need_package "libclang-rt-$("$cc" -dumpversion | cut -d . -f 1)-dev"
}

fuzz_compiler()
{
	command -v clang-14 || command -v clang
}

# Compilers and machines of other ABIs.
machines_packages()
{
	need_command i686-linux-gnu-gcc gcc-i686-linux-gnu
	need_command aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
	[ -e /usr/i686-linux-gnu/include/stdio.h ] || need_package libc6-dev-i386-cross
	[ -e /usr/aarch64-linux-gnu/include/stdio.h ] || need_package libc6-dev-arm64-cross
	need_command qemu-system-x86_64 qemu-system-x86
	need_command qemu-system-aarch64 qemu-system-arm
	need_command cpio cpio
	need_command xz xz-utils
}

# The ordinary programs that the oracle runs, from Debian.
oracle_packages()
{
	need_command python3 python3
	need_command perl perl
	need_command git git
	need_command openssl openssl
	need_command ss iproute2
	need_command curl curl
	need_command nginx nginx-light
	need_command redis-server redis-server
	need_command redis-benchmark redis-tools
	ls /usr/lib/postgresql/*/bin/pgbench > /dev/null 2>&1 || need_package postgresql
	need_command sqlite3 sqlite3
	need_command nodejs nodejs
	need_command ssh-keygen openssh-client
	need_command sshd openssh-server
	need_command systemd-tmpfiles systemd
	need_command java default-jre-headless
}

# report NAME LOG COMMAND...: one test, whose output goes to LOG.
report()
{
	local name=$1 log=$2
	shift 2
	if "$@" > "$log" 2>&1; then
		echo "ok $name"
		return 0
	fi
	tail -n 15 "$log" | sed 's/^/# /'
	echo "not ok $name: see above"
	return 1
}

build_one()
{
	local dir=$1 target=$2
	shift 2
	build_tree "$dir" "$work/tree.log" "$target" "$@" || { cat "$work/tree.log"; return 1; }
}

suite_build()
{
	report gcc "$work/gcc.report" build_one "$build" all -DCTRACE_TESTS=ON
	if wanted vm all || wanted static all || wanted runtimes all; then
		report static "$work/static.report" build_static
	fi
}

build_static()
{
	build_one "$source_dir/build-static" ctrace -DCTRACE_STATIC=ON -DCTRACE_TESTS=OFF || return 1
	! ldd "$source_dir/build-static/ctrace" || { echo "it is linked dynamically"; return 1; }
}

# The tests of CTest, by name.
suite_ctest()
{
	local dir=$1 log=$work/ctest.log
	shift
	ctest --test-dir "$dir" --output-on-failure --timeout 300 "$@" > "$log" 2>&1
	awk '/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
		name = $0; sub(/^[^:]*: */, "", name); sub(/ .*/, "", name)
		if (/ Passed /) print "ok " name
		else if (/\*\*\*Skipped/) print "skip " name ": skipped itself"
		else print "not ok " name
	}' "$log"
	# Of those that failed: what cmocka and the sanitizers say.
	grep -E '^\[ +(ERROR|LINE|FAILED) |ERROR: |runtime error: |^SUMMARY: |^ +#[0-9] |^  *[^ ]+: (not|differs)|^not ok' "$log" | head -n 60 | sed 's/^/# /'
}

need_root()
{
	[ "$(id -u)" = 0 ] && return
	echo "skip all: needs root"
	return 1
}

suite_system()
{
	local file starts=5
	need_root || return 0
	[ "$all" = 0 ] || starts=20
	for file in "$source_dir"/tests/system/test_*.sh; do
		BUILD=$build STARTS=${STARTS:-$starts} bash "$file"
	done
	return 0
}

suite_runtimes()
{
	local file
	need_root || return 0
	for file in "$source_dir"/tests/system/runtimes/test_*.sh; do
		BUILD=$build STARTS=${STARTS:-20} bash "$file"
	done
	return 0
}

# Workloads that know their own calls; LONG=1 makes thirty million.
suite_coverage()
{
	local file
	need_root || return 0
	report mutation-build "$work/mutation.report" build_one "$source_dir/build-mutation" ctrace -DCTRACE_MUTATION=ON -DCTRACE_TESTS=OFF
	for file in "$source_dir"/tests/system/coverage/test_*.sh; do
		BUILD=$build bash "$file"
	done
	return 0
}

# One test for each actor; the differences are printed.
suite_oracle()
{
	local log=$work/oracle-run.log status=0
	need_root || return 0
	bash "$source_dir/tests/system/oracle/run.sh" "$build" > "$log" 2>&1 || status=$?
	if [ "$status" = 77 ]; then
		echo "skip oracle: $(tail -n 1 "$log")"
		return 0
	fi
	awk '/ known differences aside .* different( |$)/ {
		print (/ FAILED$/ ? "not ok " : "ok ") $1 ": " $2 " lines, " $5 " % equal, " $10 " % without known differences"
		next
	}
	/: could not be traced$/ { print "not ok " $0; next }
	{ print "# " substr($0, 1, 300) }' "$log"
	[ "$status" = 0 ] || grep -q ' FAILED$\|could not be traced' "$log" || echo "not ok oracle: status $status"
}

suite_vm()
{
	bash "$source_dir/tests/vm/run.sh" "$source_dir/build-static/ctrace" "$build/actors/marked"
}

suite_sanitize()
{
	local dir=$source_dir/build-asan
	report build "$work/asan.report" build_one "$dir" all -DCTRACE_SANITIZE=ON -DCTRACE_TESTS=ON || return 0
	UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 suite_ctest "$dir"
}

suite_clang()
{
	local cc
	cc=$(command -v clang-14 || command -v clang)
	report build "$work/clang.report" build_one "$source_dir/build-clang" all -DCMAKE_C_COMPILER="$cc" -DCTRACE_TESTS=ON || return 0
	suite_ctest "$source_dir/build-clang"
}

# What compilers do not see. Needs the build's list of commands.
suite_lint()
{
	report commands "$work/lint.report" build_one "$source_dir/build-lint" ctrace_skeleton_header -DCTRACE_TESTS=OFF \
		-DCMAKE_EXPORT_COMPILE_COMMANDS=ON || return 0
	bash "$source_dir/tests/lint.sh" "$source_dir/build-lint"
}

# Hostile bytes for every reader of them; FUZZ_SECONDS is for how long.
suite_fuzz()
{
	local dir=$source_dir/build-fuzz
	report build "$work/fuzz.report" build_one "$dir" all -DCMAKE_C_COMPILER="$(fuzz_compiler)" -DCTRACE_FUZZ=ON -DCTRACE_TESTS=OFF || return 0
	bash "$source_dir/tests/fuzz/run.sh" "$dir" "${FUZZ_SECONDS:-60}"
	# They would find a bug if there were one: some that are found at once.
	bash "$source_dir/tests/fuzz/planted.sh" "$dir" 60 read quote dirent dnsaddress symname stateid message
	return 0
}

# The cross build: Debian's arm64 libraries, unpacked into the cache.
suite_arm64()
{
	report libraries "$work/arm64.report" arm64_libraries || return 0
	report build "$work/arm64.report" arm64_build || return 0
	report binary "$work/arm64.report" arm64_binary
	report image "$work/arm64.report" arm64_image
}

arm64_libraries()
{
	# shellcheck disable=SC1091
	debian_unpack arm64 arm64 "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$CTRACE_CACHE/arm64" \
		libc6 libc6-dev linux-libc-dev libbpf1 libbpf-dev libelf1 libelf-dev libdw1 libdw-dev liblzma5 liblzma-dev libbz2-1.0 libbz2-dev zlib1g zlib1g-dev \
		libjansson4 libjansson-dev libcap2 libcap-dev libcrypt-dev libcmocka0 libcmocka-dev libseccomp2 libseccomp-dev
}

arm64_build()
{
	local root=$CTRACE_CACHE/arm64 link target
	# Absolute links would lead out of the tree.
	find "$root" -type l -lname '/*' | while read -r link; do
		target=$(readlink "$link")
		ln -sfn "$(realpath -s --relative-to="${link%/*}" "$root$target")" "$link"
	done
	# In the build folder, which remembers it.
	mkdir -p "$source_dir/build-arm64"
	cat > "$source_dir/build-arm64/toolchain.cmake" <<-END
	set(CMAKE_SYSTEM_NAME Linux)
	set(CMAKE_SYSTEM_PROCESSOR aarch64)
	set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
	set(CMAKE_SYSROOT $root)
	set(CMAKE_C_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
	set(CMAKE_FIND_ROOT_PATH $root)
	set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
	set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
	set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
	END
	PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root \
		build_one "$source_dir/build-arm64" all -DCMAKE_TOOLCHAIN_FILE="$source_dir/build-arm64/toolchain.cmake" -DCTRACE_STATIC=ON -DCTRACE_TESTS=OFF
}

arm64_binary()
{
	# ELF64, little endian; machine 183 is aarch64.
	local header
	header=$(od -An -tx1 -N20 "$source_dir/build-arm64/ctrace" | tr -d ' \n')
	[ "${header:0:12}" = 7f454c460201 ] && [ "${header:36:4}" = b700 ] || { echo "not an aarch64 program: $header"; return 1; }
}

arm64_image()
{
	SYSROOT=$CTRACE_CACHE/arm64 "$source_dir/deploy/image.sh" -o "$work/arm64.tar" "$source_dir/build-arm64/ctrace" || return 1
	[ "$(tar -xOf "$work/arm64.tar" index.json | jq -r '.manifests[0].platform.architecture')" = arm64 ] || { echo "an image for another machine"; return 1; }
	tar -xOf "$work/arm64.tar" "$(tar -xOf "$work/arm64.tar" manifest.json | jq -r '.[0].Layers[0]')" | tar -t | grep -q '^licenses/libdw-dev.txt$' ||
		{ echo "no licence of libdw in it"; return 1; }
}

# The oracle on ABIs that this machine's kernel does not run: 32-bit calls and arm64, in
# emulated machines. Every actor runs there, and each of its lines is equal, but:
#   compat denied32 old32         int 0x80 of a 64-bit process, which the oracle traces on x86_64
#   ioctl_all                     34,000 lines of one call, minutes for an emulator
#   netlink                       6,000 lines, each with questions of strace's about the socket: 5,000 of them were
#                                 equal on i386, 3,000 on arm64, before the time was up
#   ioctl_kinds ioctl_video       not compared there yet
# and, on arm64 alone:
#   answered bits denied          not compared there yet
#   sockopt                       12,000 lines of what has one layout on all 64-bit ABIs; equal, and a minute
machines_none="compat denied32 old32 ioctl_all netlink ioctl_kinds ioctl_video"
i386_none="$machines_none"
arm64_none="$machines_none sockopt answered bits denied"

# machine_actors DIR NONE: those of DIR that are not among NONE.
machine_actors()
{
	local actor
	for actor in "$1"/calls_*; do
		actor=${actor##*/calls_}
		[[ " $2 " == *" $actor "* ]] || echo "calls_$actor"
	done
}

# machine_oracle MACHINE TRIPLET CTRACE NONE
machine_oracle()
{
	local machine=$1 triplet=$2 ctrace=$3 none=$4 actors=$source_dir/build-actors-$1 log=$work/actors-$1.report
	cmake -S "$source_dir/tests/actors" -B "$actors" -DCMAKE_C_COMPILER="$triplet-gcc" -DCMAKE_EXE_LINKER_FLAGS=-static > "$log" 2>&1 &&
		make -C "$actors" -j"$(nproc)" >> "$log" 2>&1 || { cat "$log"; echo "not ok $machine-actors: they do not compile"; return; }
	# shellcheck disable=SC2046
	bash "$source_dir/tests/vm/oracle.sh" "$machine" "$ctrace" "$actors/actors" $(machine_actors "$actors/actors" "$none")
}

# Both machines at once: an emulated one waits now and then.
suite_machines()
{
	[ -x "$source_dir/build-static/ctrace" ] || report static "$work/static.report" build_static || return 0
	[ -x "$source_dir/build-arm64/ctrace" ] || { report arm64-libraries "$work/arm64.report" arm64_libraries && report arm64-build "$work/arm64.report" arm64_build; } || return 0
	machine_oracle arm64 aarch64-linux-gnu "$source_dir/build-arm64/ctrace" "$arm64_none" > "$work/arm64.machine" 2>&1 &
	local other=$!
	machine_oracle i386 i686-linux-gnu "$source_dir/build-static/ctrace" "$i386_none"
	wait "$other"
	cat "$work/arm64.machine"
}
