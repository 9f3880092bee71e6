// What the client makes of peers that are not quite what it expects.
import { createServer, type RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { createClient } from '../../tui/client.ts';
import { connectTo } from '../../tui/reach.ts';
import { tempHome } from '../helpers/control-daemon.ts';

const statusFrom = async (listener: RequestListener) => {
  await using home = await tempHome();
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(home.paths.socket, resolve));
  try {
    return await createClient(connectTo(home.paths)).status({});
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
};

const ours = { 'metad-version': '0.1.0', 'metad-protocol': '1' };

test('createClient() names a daemon of another protocol', async () => {
  const asked = statusFrom((_request, response) => {
    response.writeHead(200, { 'metad-version': '7.0.0', 'metad-protocol': '9' }).end('{"result":{}}');
  });
  await expect(asked).rejects.toMatchObject({
    code: 'unsupported',
    message:
      'The daemon is metad 7.0.0 (protocol 9), this command metad 0.1.0 (protocol 1). Run `metad daemon restart`.',
  });
});

test('createClient() can stop a daemon of another protocol', async () => {
  await using home = await tempHome();
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'metad-version': '7.0.0', 'metad-protocol': '9' }).end('{"result":{"pid":7}}');
  });
  await new Promise<void>((resolve) => server.listen(home.paths.socket, resolve));
  expect(await createClient(connectTo(home.paths)).stop({})).toEqual({ pid: 7 });
  await new Promise((resolve) => server.close(resolve));
});

test('createClient() knows a peer that is no metad', async () => {
  const asked = statusFrom((_request, response) => void response.end('{"result":{}}'));
  await expect(asked).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('other than metad'),
  });
});

test.each(['', '<html>', '[]', '{}', '{"error":{"code":"made-up","message":"x"}}', '{"error":"x"}'])(
  'createClient() makes one error of the unreadable answer %j',
  async (body) => {
    const asked = statusFrom((_request, response) => void response.writeHead(500, ours).end(body));
    await expect(asked).rejects.toMatchObject({ code: 'internal' });
  },
);

test('createClient() says so when the daemon dies before or during its answer', async () => {
  const silent = statusFrom((request) => void request.socket.destroy());
  await expect(silent).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('went away') });
  const half = statusFrom((request, response) => {
    response.writeHead(200, { ...ours, 'content-length': '100' }).write('{"result":', () => request.socket.destroy());
  });
  await expect(half).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('went away') });
});

test('createClient() says so when nobody listens', async () => {
  await using home = await tempHome();
  await expect(createClient(connectTo(home.paths)).status({})).rejects.toMatchObject({ code: 'unavailable' });
});
