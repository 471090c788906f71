#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The server, its children before and after the change of user, and clients.
set -u
PATH=$PATH:/usr/sbin
mkdir -p /run/sshd
ssh-keygen -q -t ed25519 -N '' -f host
ssh-keygen -q -t ed25519 -N '' -f key
cp key.pub keys
cat >config <<END
Port 2222
ListenAddress 127.0.0.1
HostKey $PWD/host
PidFile $PWD/pid
AuthorizedKeysFile $PWD/keys
StrictModes no
UsePAM no
PermitRootLogin yes
Subsystem sftp internal-sftp
END
options="-F /dev/null -p 2222 -i key -o StrictHostKeyChecking=no -o UserKnownHostsFile=$PWD/known -o LogLevel=ERROR"
$(command -v sshd) -f "$PWD/config" -E "$PWD/log"
until [ -s pid ]; do sleep 0.1; done
ssh $options root@127.0.0.1 'echo remote; id -u' </dev/null
echo through | ssh $options root@127.0.0.1 cat
ssh $options root@127.0.0.1 'exit 5' || echo "status $?"
echo "ls /etc/hostname" | sftp -q -b - -P 2222 -i key -o StrictHostKeyChecking=no -o UserKnownHostsFile="$PWD/known" root@127.0.0.1
kill "$(cat pid)"
while [ -e pid ]; do sleep 0.1; done
