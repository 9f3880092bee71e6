// The bare relay that metad is compared with: stdio → Unix socket → process → stdio server, whole lines, nothing else.
// Usage: relay.mjs daemon SOCKET COMMAND ARGS…   |   relay.mjs shim SOCKET
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';

const [, , role, socketPath, command, ...args] = process.argv;

/** Forwards whole lines, as anything must that shares one pipe between several speakers. */
const forward = (from, to) => createInterface({ input: from }).on('line', (line) => to.write(`${line}\n`));

if (role === 'daemon') {
  // A server for each agent: nothing on the way knows whose answer a line is.
  createServer((socket) => {
    const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    forward(socket, server.stdin).on('close', () => server.stdin.end());
    forward(server.stdout, socket);
    socket.on('error', () => {});
  }).listen(socketPath, () => process.stderr.write('listening\n'));
  process.stdin.resume().on('end', () => process.exit(0));
} else {
  const socket = connect(socketPath);
  forward(process.stdin, socket).on('close', () => process.exit(0));
  forward(socket, process.stdout);
}
