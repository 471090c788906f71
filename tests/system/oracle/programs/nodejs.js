#!/usr/bin/nodejs
// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Files in the thread pool, a web server and its client, a worker, a child.
'use strict';
const fs = require('fs');
const http = require('http');
const { Worker, isMainThread } = require('worker_threads');
const { execFileSync, spawn } = require('child_process');

async function files() {
	await fs.promises.mkdir('dir/sub', { recursive: true });
	await Promise.all([1, 2, 3, 4].map((i) => fs.promises.writeFile('dir/' + i, 'x'.repeat(i * 1000))));
	for (const name of await fs.promises.readdir('dir'))
		await fs.promises.stat('dir/' + name);
	fs.copyFileSync('dir/1', 'dir/copy');
	await fs.promises.rm('dir', { recursive: true });
}

function web() {
	return new Promise((resolve) => {
		const server = http.createServer((request, answer) => answer.end('hello'));
		server.listen(0, '127.0.0.1', () => {
			http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (answer) => {
				answer.on('data', (text) => console.log(String(text)));
				answer.on('end', () => server.close(resolve));
			});
		});
	});
}

function child() {
	return new Promise((resolve) => {
		const cat = spawn('/bin/cat', [], { stdio: ['pipe', 'inherit', 'inherit'] });
		cat.on('close', resolve);
		cat.stdin.end('through cat\n');
	});
}

async function main() {
	await files();
	await web();
	console.log(String(execFileSync('/bin/echo', ['echo'])));
	await child();
	await new Promise((resolve) => new Worker(__filename).on('exit', resolve));
	setTimeout(() => console.log('later'), 20);
}

if (isMainThread)
	main();
