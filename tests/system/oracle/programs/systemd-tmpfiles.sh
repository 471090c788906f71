#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Files of every kind in a folder, their attributes, their cleaning and removal.
set -u
cat >conf <<END
d $PWD/dir 0755 www-data www-data 1h
f $PWD/dir/file 0640 root adm - content
w $PWD/dir/file - - - - more
L $PWD/dir/link - - - - file
p $PWD/dir/fifo 0600
c $PWD/dir/null 0666 - - - 1:3
C $PWD/dir/copy - - - - /etc/apt
D $PWD/temporary 0700 - - 0
Z $PWD/dir 0755 - -
t $PWD/dir/file - - - - user.note=text
r! $PWD/none
R $PWD/dir/copy
END
systemd-tmpfiles --create "$PWD/conf" || echo "status $?"
touch temporary/old
systemd-tmpfiles --clean "$PWD/conf" || echo "status $?"
systemd-tmpfiles --remove "$PWD/conf" || echo "status $?"
systemd-tmpfiles --cat-config "$PWD/conf" >/dev/null || echo "status $?"
