#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A life of a repository.
set -eu
export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b
git init -q -b main repo
cd repo
for i in 1 2 3; do
	echo "$i" >"file$i"
	git add .
	git commit -q -m "commit $i"
done
git checkout -q -b side HEAD~1
echo side >side
git add side
git commit -q -m side
git checkout -q main
git merge -q -m merge side
git log --oneline --stat | cat
git diff HEAD~1 | cat
git status --short
git gc -q
git fsck
git clone -q . ../clone
git -C ../clone grep side
