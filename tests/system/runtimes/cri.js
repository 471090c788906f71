// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Calls a container runtime as the kubelet does: node cri.js SOCKET. Each line
// of standard input is "METHOD JSON"; for each there is one line of output,
// the answer as JSON, or "error: ...".
'use strict';
const path = require('path');
const readline = require('readline');
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const definition = loader.loadSync(path.join(__dirname, 'cri.proto'), { keepCase: true, longs: Number, enums: String, bytes: String, defaults: true });
const { RuntimeService } = grpc.loadPackageDefinition(definition).runtime.v1;
const client = new RuntimeService(`unix:${process.argv[2]}`, grpc.credentials.createInsecure());

function call(method, request)
{
	return new Promise((resolve) => {
		client[method](request, { deadline: Date.now() + 60000 }, (error, answer) => {
			resolve(error ? `error: ${String(error.details || error.message).replace(/\s+/g, ' ')}` : JSON.stringify(answer));
		});
	});
}

async function serve()
{
	for await (const line of readline.createInterface({ input: process.stdin })) {
		const space = line.indexOf(' ');
		console.log(await call(line.slice(0, space), JSON.parse(line.slice(space + 1))));
	}
	client.close();
}

serve();
