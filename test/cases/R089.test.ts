// Sessions and servers that come and go under a low descriptor limit; scripts/soak makes thousands of rounds.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { controlOf } from '../../scripts/chaos-run/control.ts';
import { startLimited } from '../../scripts/chaos-run/limited.ts';
import { holdingOf } from '../../scripts/chaos-run/rest.ts';
import { alarmsOf, comeAndGo, connectSoaker, restartMany, settledGrowth } from '../../scripts/chaos-run/soak.ts';
import { temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';
import { rawAgent } from '../helpers/raw-agent.ts';

const servers = {
  near: { ...fixtureServer('chaos.mjs'), sharing: 'user' },
  other: { ...fixtureServer('chaos.mjs'), sharing: 'user' },
};

test('R089: shims that leave in every way and servers started again leave nothing behind', {
  timeout: 180_000,
}, async () => {
  await using home = temporaryHome({ mcpServers: servers });
  await startLimited(home.home, 256);
  const control = controlOf(home.socket);
  await using agent = await connectSoaker(home, 'stays');
  const options = { home, control, say: () => {} };
  await comeAndGo(options, 4);
  await restartMany(options, agent, 'near', 2);
  const before = await holdingOf(control);
  expect(await restartMany(options, agent, 'near', 4)).toEqual([]);
  expect(await comeAndGo(options, 12)).toEqual([]);
  expect(await settledGrowth(control, before)).toEqual([]);
  const { sessions, daemon } = await control.status({});
  expect(sessions).toHaveLength(1);
  expect(daemon?.descriptors?.limit).toBe(256);
  expect(alarmsOf(home)).toEqual([]);
});

test('R089: near the limit new sessions, servers and connections are refused with a reason, and what runs goes on', async () => {
  await using home = temporaryHome({ mcpServers: servers });
  await startLimited(home.home, 128);
  const control = controlOf(home.socket);
  await using agent = await connectSoaker(home, 'stays');
  expect(await agent.run('return [(await near.echo({ nonce: "1" })).nonce]')).toEqual(['1']);
  const others: Socket[] = [];
  const left = async (): Promise<number> => {
    const { daemon } = await control.status({});
    const { open, limit } = daemon?.descriptors ?? { open: 0, limit: 0 };
    return limit - open;
  };
  const fill = async (rest: number): Promise<void> => {
    // A connection that asks for events is there to stay.
    while ((await left()) > rest) {
      const socket = connect(home.socket);
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write('GET /events HTTP/1.1\r\nhost: metad\r\n\r\n');
      await once(socket, 'data');
      others.push(socket);
    }
  };
  try {
    await fill(50);
    await using refused = rawAgent({ home: home.home });
    const answer = await refused.request(1, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'late', version: '1' },
    });
    expect(answer.error?.message).toMatch(
      /takes no further session: metad has \d+ of at most 128 files and sockets open/,
    );
    await fill(40);
    const result = await agent.call('execute', { script: 'return other.echo({ nonce: "2" })' });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toMatch(/`other` is not started: metad has \d+ of at most 128/);
    await fill(34);
    const more = [connect(home.socket), connect(home.socket), connect(home.socket), connect(home.socket)];
    others.push(...more);
    expect((await Promise.all(more.map((socket) => text(socket)))).join()).toMatch(/413 limit.*takes no connection/s);
    // What ran before runs on.
    expect(await agent.run('return [(await near.echo({ nonce: "3" })).nonce]')).toEqual(['3']);
  } finally {
    for (const socket of others) socket.destroy();
  }
  await until('there is room again', 10_000, async () => (await left()) > 60);
  await until('the server starts', 10_000, () =>
    agent.run('return [(await other.echo({ nonce: "4" })).nonce]').catch(() => false),
  );
  await using later = rawAgent({ home: home.home });
  expect((await later.open()).error).toBeUndefined();
});
