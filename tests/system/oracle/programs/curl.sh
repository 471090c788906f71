#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Files, a web server, one that does not answer, a name that does not exist.
set -u
echo content >file
curl -sS "file://$PWD/file"
/usr/bin/python3 -c '
import http.server, sys
server = http.server.HTTPServer(("127.0.0.1", 8080), http.server.SimpleHTTPRequestHandler)
for _ in range(4):
    server.handle_request()' 2>/dev/null &
server=$!
sleep 0.7
curl -sS http://127.0.0.1:8080/file
curl -sS -I http://127.0.0.1:8080/file
curl -sS -o saved -w '%{http_code} %{size_download}\n' http://localhost:8080/none
curl -sS -d a=b http://127.0.0.1:8080/file
wait $server
curl -sS http://127.0.0.1:8081/ || echo "status $?"
curl -sS --connect-timeout 2 http://no-such-name.invalid/ || echo "status $?"
