# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Made from src/cli/options.def by 'make docs'; do not edit.

# The last of several words that commas separate.
_ctrace_list()
{
	local before=
	[[ $cur == *,* ]] && before=${cur%,*},
	compopt -o nospace
	COMPREPLY=($(compgen -P "$before" -W "$1" -- "${cur##*,}"))
}

_ctrace()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} equals= i
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		if [[ ${COMP_WORDS[i]} == -- ]]; then
			compopt -o filenames
			if ((i == COMP_CWORD - 1)); then COMPREPLY=($(compgen -c -- "$cur"))
			else COMPREPLY=($(compgen -f -- "$cur")); fi
			return
		fi
	done
	# Bash takes --option=value apart at the '='.
	if [[ $cur == '=' ]]; then cur= equals=1
	elif [[ $prev == '=' ]]; then prev=${COMP_WORDS[COMP_CWORD-2]} equals=1; fi
	case $prev in
	--container|--pod|--pod-selector|--signal|--trace-fds|--comm|--only-pid|--slower|-s|--string-limit|--read|--write|-a|--columns|--stack-trace-frame-limit|-E|--env|--argv0|--for|--syscall-limit|--buffer|--ready-fd)
		return ;;
	--cgroup)
		compopt -o filenames; COMPREPLY=($(compgen -d -- "$cur"))
		return ;;
	-p|--attach)
		COMPREPLY=($(compgen -W "$(cd /proc && echo [0-9]*)" -- "$cur"))
		return ;;
	--tid)
		COMPREPLY=($(compgen -W "$(cd /proc && echo [0-9]*)" -- "$cur"))
		return ;;
	--proc)
		compopt -o filenames; COMPREPLY=($(compgen -d -- "$cur"))
		return ;;
	--cgroupfs)
		compopt -o filenames; COMPREPLY=($(compgen -d -- "$cur"))
		return ;;
	-e)
		compopt -o nospace; COMPREPLY=($(compgen -W 'trace= signal= status= quiet=' -- "$cur"))
		return ;;
	--trace)
		_ctrace_list '%file %process %network %signal %ipc %desc %memory %creds %stat %lstat %fstat %%stat %statfs %fstatfs %%statfs %clock %pure all none'
		return ;;
	--status)
		_ctrace_list 'successful failed unfinished unavailable detached all none'
		return ;;
	-P|--trace-path)
		compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur"))
		return ;;
	--phase)
		COMPREPLY=($(compgen -W 'container runtime all' -- "$cur"))
		return ;;
	-o|--output)
		compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur"))
		return ;;
	--format)
		COMPREPLY=($(compgen -W 'text json' -- "$cur"))
		return ;;
	--abbrev)
		_ctrace_list '%file %process %network %signal %ipc %desc %memory %creds %stat %lstat %fstat %%stat %statfs %fstatfs %%statfs %clock %pure all none'
		return ;;
	--verbose)
		_ctrace_list '%file %process %network %signal %ipc %desc %memory %creds %stat %lstat %fstat %%stat %statfs %fstatfs %%statfs %clock %pure all none'
		return ;;
	--raw)
		_ctrace_list '%file %process %network %signal %ipc %desc %memory %creds %stat %lstat %fstat %%stat %statfs %fstatfs %%statfs %clock %pure all none'
		return ;;
	--strings-in-hex) if [[ $equals ]]; then
		COMPREPLY=($(compgen -W 'none non-ascii-chars non-ascii all' -- "$cur"))
		return; fi ;;
	-X|--const-print-style)
		COMPREPLY=($(compgen -W 'abbrev raw verbose' -- "$cur"))
		return ;;
	--relative-timestamps) if [[ $equals ]]; then
		COMPREPLY=($(compgen -W 's ms us ns' -- "$cur"))
		return; fi ;;
	--syscall-times) if [[ $equals ]]; then
		COMPREPLY=($(compgen -W 's ms us ns' -- "$cur"))
		return; fi ;;
	--stack-trace) if [[ $equals ]]; then
		COMPREPLY=($(compgen -W 'symbol' -- "$cur"))
		return; fi ;;
	--decode-fds) if [[ $equals ]]; then
		_ctrace_list 'path socket dev eventfd pidfd signalfd all none'
		return; fi ;;
	--decode-pids)
		_ctrace_list 'comm pidns all none'
		return ;;
	--secontext) if [[ $equals ]]; then
		_ctrace_list 'full all none'
		return; fi ;;
	--pids)
		COMPREPLY=($(compgen -W 'container host both' -- "$cur"))
		return ;;
	--color) if [[ $equals ]]; then
		COMPREPLY=($(compgen -W 'auto always never' -- "$cur"))
		return; fi ;;
	--quiet) if [[ $equals ]]; then
		_ctrace_list 'attach exit path-resolution personality thread-execve all none'
		return; fi ;;
	-S|--summary-sort-by)
		COMPREPLY=($(compgen -W 'time min-time max-time avg-time calls errors name nothing' -- "$cur"))
		return ;;
	-U|--summary-columns)
		_ctrace_list 'time-percent total-time min-time max-time avg-time wall-total wall-min wall-max wall-avg calls errors name'
		return ;;
	-u|--user)
		COMPREPLY=($(compgen -u -- "$cur"))
		return ;;
	--status-file)
		compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur"))
		return ;;
	--pid)
		COMPREPLY=($(compgen -W "$(cd /proc && echo [0-9]*)" -- "$cur"))
		return ;;
	esac
	COMPREPLY=($(compgen -W '--container --pod --pod-selector --cgroup -p --attach --tid --all -f --follow-forks --nsenter --wait --follow-restarts --proc --cgroupfs -e --trace --signal --status -z --successful-only -Z --failed-only -P --trace-path --trace-fds --comm --only-pid --phase --slower -o --output --output-separately -A --output-append-mode --format --split -s --string-limit --abbrev --verbose --raw --read --write -v --no-abbrev -x --strings-in-hex -X --const-print-style -a --columns -t --absolute-timestamps -r --relative-timestamps -T --syscall-times -i --instruction-pointer -k --stack-trace --stack-trace-frame-limit -n --syscall-number -N --arg-names -y --decode-fds -Y --decode-pids --pidns-translation --names --secontext --pids --always-show-pid --always-show-pod --color -q --quiet -c --summary-only -C --summary -S --summary-sort-by -U --summary-columns -w --summary-wall-clock -u --user -E --env --argv0 --until-exit --for --syscall-limit --buffer --narrow --lossless --ready-fd --status-file --strict --pid --print-pod-spec -h --help -V --version --' -- "$cur"))
}

complete -F _ctrace ctrace
