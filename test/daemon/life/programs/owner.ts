// The least daemon: takes the lock, binds the socket, answers with its pid, stops in order. Told what to do by lines.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { createCloser } from '../../../../daemon/life/closer.ts';
import { bindSocket } from '../../../../daemon/life/listen.ts';
import { takeLock } from '../../../../daemon/life/lock.ts';
import { onSignals } from '../../../../daemon/life/signals.ts';
import { loadDriver } from '../../../../daemon/sqlite.ts';
import { pathsOf } from '../../../../schema/paths.ts';

const [home = ''] = process.argv.slice(2);
const paths = pathsOf({ home, uid: process.getuid?.() ?? -1, override: home });
const driver = loadDriver();
const say = (text: string) => process.stdout.write(`${text}\n`);

const live = async () => {
  const log = (event: string, fields?: object) => say(`log ${event} ${JSON.stringify(fields ?? {})}`);
  const closer = createCloser({ log });
  onSignals({ process, log, stop: () => closer.close() });
  const lock = takeLock(paths.lock, { driver });
  if (lock === undefined) {
    say('lost');
    process.exit(0);
  }
  closer.add('lock', lock, (held) => held[Symbol.dispose]());
  const server = createServer((_, response) => response.end(String(process.pid)));
  try {
    const socket = await bindSocket(server, paths);
    closer.add('server', server, (one) => one.close());
    closer.add('socket', socket, (one) => one.close());
    say(`bound ${socket.inode}`);
  } catch (error) {
    say(`failed ${error instanceof Error ? error.message : String(error)}`);
    await closer.close();
    process.exit(1);
  }
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const [verb, value] = line.split(' ');
  if (verb === 'go') void live();
  if (verb === 'block') {
    say('blocking');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(value));
    say('unblocked');
  }
  if (verb === 'reject') Promise.reject(new Error('nobody waits for this'));
  if (verb === 'throw')
    setImmediate(() => {
      throw new Error('nobody knows this');
    });
});
say('prepared');
