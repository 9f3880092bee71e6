// Two ends of one real socket inside this process.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SocketPair extends AsyncDisposable {
  readonly near: Socket;
  readonly far: Socket;
}

export const socketPair = async (): Promise<SocketPair> => {
  const folder = mkdtempSync(join(tmpdir(), 'metad-pair-'));
  const path = join(folder, 's');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const near = connect(path);
  const far = await accepted;
  for (const socket of [near, far]) socket.on('error', () => {});
  return {
    near,
    far,
    [Symbol.asyncDispose]: async () => {
      near.destroy();
      far.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
