// A program in the place of dist/daemon.js for tests of starting: it holds the real kind of lock and serves the script.
// Reads `--home DIR`; DIR/stand-in.json may say {crash, delayMs}. Every start adds a line to DIR/starts.
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { startFakeDaemon } from './fake-daemon.ts';

declare const ROOT: string; // where better-sqlite3 is found; the bundle lies elsewhere

const home = process.argv[process.argv.indexOf('--home') + 1] ?? '';
const told = existsSync(join(home, 'stand-in.json'))
  ? JSON.parse(readFileSync(join(home, 'stand-in.json'), 'utf8'))
  : {};
appendFileSync(
  join(home, 'starts'),
  `${JSON.stringify({ pid: process.pid, env: process.env, cwd: process.cwd(), argv: process.argv.slice(2) })}\n`,
);
if (told.crash) {
  process.stderr.write(`stand-in: ${told.crash}\n`);
  process.exit(3);
}
const Database = createRequire(join(ROOT, 'package.json'))('better-sqlite3');
const lock = new Database(join(home, 'metad.lock'), { timeout: 0 });
try {
  lock.exec('BEGIN EXCLUSIVE');
} catch {
  process.exit(0);
}
await new Promise((resolve) => setTimeout(resolve, told.delayMs ?? 0));
appendFileSync(join(home, 'serving'), `${process.pid}\n`);
const daemon = await startFakeDaemon(home, {
  respond: ({ id = 0, method, params }) => {
    if (method !== 'tools/call') return undefined;
    const answer = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: String(process.pid) }] } };
    if (params?.name === 'pid') return answer;
    if (params?.name === 'exit') return process.exit(1);
    if (params?.name !== 'block') return undefined;
    // As a daemon whose event loop is busy: it listens, the kernel accepts, nobody answers.
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, params.arguments.milliseconds), 20);
    return answer;
  },
});
process.on('SIGTERM', async () => {
  await daemon.stop();
  rmSync(daemon.socketPath, { force: true });
  lock.close();
  process.exit(0);
});
