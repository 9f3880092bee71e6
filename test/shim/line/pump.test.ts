import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFakeDaemon } from '../../helpers/fake-daemon.ts';
import { type Built, buildShim, spawnShim, tempHome, until } from '../../helpers/shim.ts';

let built: Built;
beforeAll(async () => {
  built = await buildShim();
});
afterAll(() => built[Symbol.asyncDispose]());

const TEXT = 'naïve — 漢字 🧪';
const MIB = 1024 * 1024;

const residentMiB = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** CPU time of a process in ticks of 10 ms: unlike wall time it does not depend on what else the machine does. */
const ticksOf = async (pid: number): Promise<number> => {
  const [user, system] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ').slice(11, 13) ?? [];
  return Number(user) + Number(system);
};

/** Bytes that a process has read so far. (A stream's writableLength says little: node:net hands all of it over at once.) */
const bytesReadBy = async (pid: number): Promise<number> =>
  Number(/rchar: (\d+)/.exec(await readFile(`/proc/${pid}/io`, 'utf8'))?.[1]);

/**
 * Waits until a process that was offered much has read some of it and then nothing for a second; gives how much.
 * @param first what it had read before it was offered anything: it may be done before anybody looks again
 */
const settled = async (pid: number, first: number): Promise<number> => {
  await until(async () => (await bytesReadBy(pid)) > first + 64 * 1024, 'something was read');
  let last = -1;
  for (let same = 0; same < 20; same = (await bytesReadBy(pid)) === last ? same + 1 : 0) {
    last = await bytesReadBy(pid);
    await sleep(50);
  }
  return last - first;
};

describe('forwarding', () => {
  test('R016: text written one byte at a time arrives as it was, both ways', async () => {
    await using home = await tempHome();
    await using daemon = await startFakeDaemon(home.path);
    await using shim = spawnShim(built, home.path);
    await shim.open();
    const session = daemon.sessions[0];
    const up = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":"${TEXT}"}}\n`;
    for (const byte of Buffer.from(up)) {
      shim.write(Buffer.of(byte));
      await sleep(1);
    }
    expect((await shim.answerTo(1)).result.content[0].text).toBe(JSON.stringify(TEXT));
    expect(session?.text()).toContain(up);
    const down = `{"jsonrpc":"2.0","method":"x","params":{"text":"${TEXT}"}}\n`;
    for (const byte of Buffer.from(down)) {
      session?.socket.write(Buffer.of(byte));
      await sleep(1);
    }
    expect((await shim.find(({ method }) => method === 'x')).params).toEqual({ text: TEXT });
    expect(shim.text().endsWith(down)).toBe(true);
  });

  test('passes bytes on untouched, also what is no JSON-RPC message', async () => {
    await using home = await tempHome();
    await using daemon = await startFakeDaemon(home.path);
    await using shim = spawnShim(built, home.path);
    const odd = '{ "id" : 1.0,\t"method":"x" }\r\n[{"jsonrpc":"2.0","id":2,"method":"ping"}]\nnot json\n';
    shim.write(odd);
    await until(() => daemon.sessions[0]?.text().includes('not json') ?? false, 'all came');
    expect(daemon.sessions[0]?.text()).toBe(odd);
  });

  test('lines of 12 MB pass both ways, at a cost linear in their size', async () => {
    await using home = await tempHome();
    await using _daemon = await startFakeDaemon(home.path, {
      respond: ({ id = 0, method, params }) =>
        method === 'length' ? { jsonrpc: '2.0', id, result: params.text.length } : undefined,
    });
    await using shim = spawnShim(built, home.path);
    await shim.open();
    const size = 12 * MIB;
    const before = await ticksOf(shim.pid);
    const answer = await shim.ask({ id: 1, method: 'tools/call', params: { name: 'size', arguments: { size } } });
    expect(answer.result.content[0].text).toHaveLength(size);
    expect((await shim.ask({ id: 2, method: 'length', params: { text: 'x'.repeat(size) } })).result).toBe(size);
    expect((await ticksOf(shim.pid)) - before).toBeLessThan(200);
  });

  test('an agent that does not read holds the daemon back, in little memory, and loses nothing', async () => {
    await using home = await tempHome();
    await using daemon = await startFakeDaemon(home.path);
    await using shim = spawnShim(built, home.path, { unread: true });
    await until(() => daemon.sessions.length === 1, 'the session is there');
    const socket = daemon.sessions[0]?.socket;
    const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { text: 'y'.repeat(MIB) } })}\n`;
    const before = await bytesReadBy(shim.pid);
    for (let round = 0; round < 64; round += 1) socket?.write(line);
    expect(await settled(shim.pid, before)).toBeLessThan(16 * MIB);
    expect(await residentMiB(shim.pid)).toBeLessThan(100);
    let bytes = 0;
    shim.child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await until(() => bytes === 64 * line.length, 'all came');
  });

  test('a daemon that does not read holds the agent back, in little memory, and loses nothing', async () => {
    await using home = await tempHome();
    await using daemon = await startFakeDaemon(home.path);
    await using shim = spawnShim(built, home.path);
    await shim.open();
    const socket = daemon.sessions[0]?.socket;
    socket?.pause();
    const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { text: 'y'.repeat(MIB) } })}\n`;
    const before = await bytesReadBy(shim.pid);
    for (let round = 0; round < 64; round += 1) shim.write(line);
    expect(await settled(shim.pid, before)).toBeLessThan(16 * MIB);
    expect(await residentMiB(shim.pid)).toBeLessThan(100);
    socket?.resume();
    await until(
      () => daemon.sessions[0]?.received.filter(({ method }) => method === 'x').length === 64,
      'all came',
      40_000,
    );
  });

  test('without a daemon the agent is held back too, and all goes out in order once there is one', async () => {
    await using home = await tempHome();
    await using daemon = await startFakeDaemon(home.path, {
      refuse: () => (open ? undefined : { status: 503, code: 'unavailable', message: 'Later.' }),
    });
    let open = false;
    await using shim = spawnShim(built, home.path);
    const pad = 'y'.repeat(MIB);
    for (let round = 0; round < 40; round += 1) shim.send({ method: 'x', params: { round, pad } });
    await until(async () => (await bytesReadBy(shim.pid)) > 8 * MIB, 'the queue is full');
    await sleep(1500); // it goes on asking the daemon, so it never stops reading altogether
    expect(await bytesReadBy(shim.pid)).toBeLessThan(24 * MIB);
    open = true;
    await until(() => daemon.sessions[0]?.received.length === 40, 'all came');
    expect(daemon.sessions[0]?.received.map(({ params }) => params.round)).toEqual(
      Array.from({ length: 40 }, (_, i) => i),
    );
  });

  test('R020: a reply of 900 KB reaches a consumer that sleeps 2 s first, though stdin ended long before', async () => {
    await using home = await tempHome();
    await using _daemon = await startFakeDaemon(home.path);
    const request = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'size', arguments: { size: 900_000 } },
    });
    const shell = spawn(
      'sh',
      ['-c', `printf '%s\\n' '${request}' | "${process.execPath}" "${built.launcher}" shim | (sleep 2; cat)`],
      {
        env: { PATH: process.env['PATH'] ?? '', METAD_HOME: home.path },
      },
    );
    let text = '';
    shell.stdout.on('data', (chunk) => {
      text += chunk;
    });
    await new Promise((resolve) => shell.once('close', resolve));
    expect(text.endsWith('\n')).toBe(true);
    expect(JSON.parse(text).result.content[0].text).toHaveLength(900_000);
  });
});
