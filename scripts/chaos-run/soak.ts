// Much of the same: calls through one connection, shims that come and go, servers that are started again; and whether
// the daemon holds afterwards what it held before. The short forms are the tests of R088 and R089.
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contract } from '../../schema/wire.ts';
import { type Agent, connectAgent, textOf } from '../../test/helpers/agent.ts';
import type { TestHome } from '../../test/helpers/home.ts';
import { until, untilGone } from '../../test/helpers/processes.ts';
import { rawAgent } from '../../test/helpers/raw-agent.ts';
import { growthOf, type Holding, holdingOf } from './rest.ts';

export interface SoakOptions {
  readonly home: TestHome;
  readonly control: Contract;
  readonly say: (text: string) => void;
}

/** Bytes that the daemon may have grown by. */
const GROWTH = 20 * 2 ** 20;
const SETTLE_MS = 90_000;
/** Calls of one script. */
const SHARE = 50;

/** Looks until nothing has grown, or the time is over. @returns what has grown, a sentence each */
export const settledGrowth = async (
  control: Contract,
  before: Holding,
  { bytes = GROWTH, milliseconds = SETTLE_MS }: { bytes?: number; milliseconds?: number } = {},
): Promise<readonly string[]> => {
  for (const end = performance.now() + milliseconds; ; await sleep(250)) {
    const grown = growthOf(before, await holdingOf(control), bytes);
    if (grown.length === 0 || performance.now() > end) return grown;
  }
};

/** Lines of the daemon's logs that tell of a leak or of something that nobody caught. */
export const alarmsOf = (home: TestHome): string[] => {
  const folder = join(home.home, 'logs');
  const names = readdirSync(folder).filter((name) => name.endsWith('.log'));
  const lines = names.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  return lines.filter((line) => /MaxListenersExceeded|uncaught|unhandled/i.test(line));
};

/**
 * `count` calls of `server.echo`, a tenth of them cancelled or timed out (those two in turn).
 * @returns how many had their answer, and what was wrong
 */
export const callMany = async (
  agent: Agent,
  server: string,
  count: number,
): Promise<{ readonly answered: number; readonly faults: readonly string[] }> => {
  const faults: string[] = [];
  let answered = 0;
  for (let round = 0; round * SHARE < count; round += 1) {
    // Nine of ten answer; they go one after the other, as a script makes them.
    const good = SHARE - SHARE / 10;
    const first = `let n = 0; for (let at = 0; at < ${good}; at += 1) { const said = await ${server}.echo({ nonce: \`\${at}\` }); if (said.nonce === \`\${at}\`) n += 1; } return n;`;
    const result = await agent.call('execute', { script: first });
    const text = textOf(result);
    if (result.isError || Number(text) !== good) faults.push(`round ${round}: ${text.slice(0, 300)}`);
    else answered += good;
    const rest = SHARE / 10;
    const calls = `${Array.from({ length: rest }, () => `${server}.never({ nonce: 'never' })`).join(', ')}`;
    if (round % 2 === 0) {
      const stop = new AbortController();
      const waiting = agent.call('execute', { script: `return Promise.all([${calls}])` }, { signal: stop.signal });
      setTimeout(() => stop.abort(new Error('taken back')), 20);
      await waiting.then(
        () => faults.push(`round ${round}: a call that never ends has ended`),
        () => {},
      );
    } else {
      const late = await agent.call('execute', {
        script: `return (await Promise.allSettled([${calls}])).map((one) => one.status)`,
      });
      if (!textOf(late).includes('rejected')) faults.push(`round ${round}: ${textOf(late).slice(0, 300)}`);
    }
  }
  return { answered, faults };
};

const opened = (path: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket)).once('error', reject);
  });

/** Shims that come and go: in order, killed, half-open, and connections without a word, in turn. */
export const comeAndGo = async ({ home, say }: SoakOptions, rounds: number, width = 4): Promise<readonly string[]> => {
  const faults: string[] = [];
  const mute: Socket[] = [];
  let done = 0;
  const one = async (round: number): Promise<void> => {
    if (round % 4 === 3) {
      const socket = await opened(home.socket);
      socket.on('error', () => {});
      socket.resume(); // it may be told that there is no room, and nobody sees the end behind an answer left unread
      mute.push(socket);
      return;
    }
    const agent = rawAgent({ home: home.home });
    try {
      await agent.open();
      if (round % 4 === 1) {
        agent.child.kill('SIGKILL');
        return void (await untilGone([agent.pid]));
      }
      if (round % 4 === 2) {
        // Its agent says no more and reads no more, and the shim still lives.
        agent.child.stdin.end();
        agent.child.stdout.destroy();
      }
    } finally {
      await agent[Symbol.asyncDispose]();
    }
  };
  const worker = async (from: number): Promise<void> => {
    for (let round = from; round < rounds; round += width) {
      await one(round).catch((error: unknown) => faults.push(`round ${round}: ${String(error)}`));
      done += 1;
      if (done % 200 === 0) say(`${done} shims have come and gone`);
    }
  };
  await Promise.all(Array.from({ length: width }, (_, at) => worker(at)));
  await until('silent connections are closed', 20_000, () => mute.every(({ closed }) => closed)).catch(
    (error: unknown) => faults.push(String(error)),
  );
  for (const socket of mute) socket.destroy();
  return faults;
};

/** A server that is stopped and called again, `count` times. */
export const restartMany = async (
  { control, say }: SoakOptions,
  agent: Agent,
  server: string,
  count: number,
): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (let round = 0; round < count; round += 1) {
    const { stopped } = await control['server.restart']({ server });
    if (stopped !== 1 && round > 0) faults.push(`round ${round}: ${stopped} instances were stopped`);
    const result = await agent.call('execute', { script: `return (await ${server}.echo({ nonce: 'again' })).nonce` });
    if (result.isError) faults.push(`round ${round}: ${textOf(result).slice(0, 300)}`);
    if (round % 100 === 99) say(`${server} was started ${round + 1} times`);
  }
  return faults;
};

export const connectSoaker = (home: TestHome, name: string): Promise<Agent> =>
  connectAgent({ home: home.home, name, client: 'v2-legacy' });
