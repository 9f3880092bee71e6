// Reaches the daemon: dial its socket; else start it and dial again. A stand-in with the final signatures.
import { spawn } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { resolve as resolvePath } from 'node:path';
import { type Paths, pathsOf } from '../schema/paths.ts';

export interface StartOptions {
  readonly program: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly execPath?: string;
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

export const pathsHere = (override: string | undefined, cwd: string): Paths => {
  const { uid, homedir } = userInfo();
  return pathsOf({ home: homedir, uid, override: override ? resolvePath(cwd, override) : undefined });
};

export const dial = (paths: Paths, _signal?: AbortSignal): Promise<Socket | undefined> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(paths.socket);
    const failed = (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined);
      else reject(error);
    };
    socket.once('error', failed);
    socket.once('connect', () => {
      socket.off('error', failed);
      resolve(socket);
    });
  });

export const dialOrStart = async (paths: Paths, options: StartOptions): Promise<Socket> => {
  const { program, environment, execPath = process.execPath, deadlineMs = 20_000 } = options;
  const until = Date.now() + deadlineMs;
  let started = false;
  while (Date.now() < until) {
    const socket = await dial(paths);
    if (socket) return socket;
    if (!started) {
      started = true;
      mkdirSync(paths.logs, { recursive: true });
      const log = openSync(`${paths.logs}/daemon-start.log`, 'a');
      const args = paths.home === undefined ? [program] : [program, '--home', paths.home];
      spawn(execPath, args, { detached: true, cwd: '/', env: environment, stdio: ['ignore', log, log] }).unref();
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The metad daemon did not listen on ${paths.socket} within ${deadlineMs / 1000} s.`);
};
