// Reaches the daemon: dial its socket; else start it and dial again.
import { spawn } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import type { Paths } from '../schema/paths.ts';

/** Resolves with undefined when nobody listens there. */
export const dial = (paths: Paths): Promise<Socket | undefined> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(paths.socket);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined);
      else reject(error);
    });
  });

export interface StartOptions {
  /** The daemon's program, a JavaScript file. */
  readonly daemon: string;
  readonly args: readonly string[];
  readonly timeoutMs?: number;
}

export const dialOrStart = async (
  paths: Paths,
  { daemon, args, timeoutMs = 15_000 }: StartOptions,
): Promise<Socket> => {
  const until = Date.now() + timeoutMs;
  let started = false;
  while (Date.now() < until) {
    const socket = await dial(paths);
    if (socket) return socket;
    if (!started) {
      started = true;
      mkdirSync(paths.logs, { recursive: true });
      const log = openSync(`${paths.logs}/daemon.stderr.log`, 'a');
      const stdio = ['ignore', log, log] as const;
      spawn(process.execPath, [daemon, ...args], { detached: true, cwd: '/', stdio: [...stdio] }).unref();
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`the daemon did not answer at ${paths.socket} in time`);
};
