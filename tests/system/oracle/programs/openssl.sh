#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Keys, digests, a certificate, and a conversation over TLS.
set -eu
openssl version -a
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem
openssl req -x509 -new -key key.pem -subj /CN=localhost -days 1 -out cert.pem
openssl x509 -in cert.pem -noout -subject -issuer
echo text | openssl dgst -sha256
echo text | openssl enc -aes-128-cbc -pbkdf2 -pass pass:secret -out sealed
openssl enc -d -aes-128-cbc -pbkdf2 -pass pass:secret -in sealed
openssl rand -hex 8 >/dev/null
openssl s_server -accept 127.0.0.1:4433 -cert cert.pem -key key.pem -www -quiet -naccept 1 &
server=$!
sleep 0.5
echo "GET / HTTP/1.0" | openssl s_client -connect 127.0.0.1:4433 -quiet -verify_quiet -ign_eof >page 2>/dev/null || echo "status $?"
wait $server || echo "server $?"
! openssl x509 -in none.pem
