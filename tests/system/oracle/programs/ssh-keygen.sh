#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Keys of three kinds, fingerprints, a signature, a certificate.
set -u
ssh-keygen -q -t ed25519 -N '' -C one -f one
ssh-keygen -q -t rsa -b 1024 -N secret -C two -f two
ssh-keygen -q -t ecdsa -N '' -C three -f three
ssh-keygen -l -f one.pub
ssh-keygen -y -P secret -f two >/dev/null
echo text >text
ssh-keygen -q -Y sign -n file -f one text
ssh-keygen -s one -I name -n root -q three.pub
ssh-keygen -L -f three-cert.pub
ssh-keygen -F localhost -f none || echo "status $?"
