import { expect, test } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { ALICE, alive, server, testPool } from '../../helpers/upstream.ts';

const signal = () => new AbortController().signal;

test('R022: a line of 2 GB ends that connection at the limit, and caller and status say so', async () => {
  await using up = await testPool();
  const endless = server('endless', ['call']);
  const other = server('slow');
  await up.say(other, 'cancels');
  await up.say(endless, 'ok');
  const beside = up.say(other, 'wait', { ms: 200 });
  const error = await up.say(endless, 'flood').catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'upstream' });
  expect(error.message).toMatch(/Server `endless` sent a line longer than the limit of 64 MiB \(\d+ bytes read\)/);
  const status = up.pool.status().find(({ server: name }) => name === 'endless');
  expect(status?.state).toBe('dead');
  expect(status?.lastError).toMatch(/limit of 64 MiB \(\d+ bytes read\)/);
  expect(await beside).toBe('waited 200');
});

test('R022: a tool list of 2 GB likewise', async () => {
  await using up = await testPool();
  await expect(up.pool.list(server('endless'), ALICE, signal())).rejects.toThrow(/limit of 64 MiB/);
});

test('R022: a server that drips without a newline is disconnected at the limit of the call', async () => {
  await using up = await testPool();
  const drip = server('drip', ['call'], { callTimeoutMs: 2000 });
  await up.say(drip, 'ok');
  const error = await up.say(drip, 'drip').catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'timeout' });
  expect(error.message).toMatch(/did not answer within 2 s .* \d+ bytes of a line without an end were read/);
  expect(up.pool.status()[0]?.lastError).toMatch(/`drip` sent a line without an end \(\d+ bytes read\)/);
  await eventually(async () => expect(await alive(up.mark)).toEqual([]));
});

test('R022: a server that drips instead of starting fails at the start limit with the bytes read', async () => {
  await using up = await testPool();
  const drip = server('drip', ['start'], { startTimeoutMs: 4000 });
  await expect(up.say(drip, 'ok')).rejects.toThrow(
    /did not answer `initialize` within 4 s \(`startTimeoutSeconds` in .*\)\. \d+ bytes of a line without an end were read/,
  );
});
