#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A master and two workers of another user: requests, a reload, the end.
set -u
mkdir -p www logs tmp
echo page >www/index.html
seq 1 20000 >www/large
cat >nginx.conf <<END
user www-data;
worker_processes 2;
pid $PWD/nginx.pid;
error_log $PWD/logs/error.log;
events { worker_connections 64; }
http {
	access_log $PWD/logs/access.log;
	client_body_temp_path $PWD/tmp/body;
	proxy_temp_path $PWD/tmp/proxy;
	fastcgi_temp_path $PWD/tmp/fastcgi;
	uwsgi_temp_path $PWD/tmp/uwsgi;
	scgi_temp_path $PWD/tmp/scgi;
	sendfile on;
	gzip on;
	types { text/html html; }
	default_type text/plain;
	server {
		listen 127.0.0.1:8080;
		listen unix:$PWD/nginx.sock;
		root $PWD/www;
		location /proxy/ { proxy_pass http://unix:$PWD/nginx.sock:/; }
	}
}
END
nginx -p "$PWD" -c "$PWD/nginx.conf"
curl -sS http://127.0.0.1:8080/ http://127.0.0.1:8080/none >/dev/null
curl -sS --compressed -o /dev/null http://127.0.0.1:8080/large
curl -sS -o /dev/null http://127.0.0.1:8080/proxy/large
curl -sS --unix-socket nginx.sock http://local/ http://local/ http://local/
kill -HUP "$(cat nginx.pid)"
sleep 0.5
curl -sS http://127.0.0.1:8080/
kill -QUIT "$(cat nginx.pid)"
while [ -e nginx.pid ]; do sleep 0.1; done
