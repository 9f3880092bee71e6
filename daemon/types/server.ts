// One process of TypeScript's language server, from its start to its end. It may die at any time and takes nothing along.
import { spawn } from 'node:child_process';
import { messageOf } from '../../schema/errors.ts';
import type { Log } from '../log.ts';
import { createUnframer, framed } from './frames.ts';

export interface LanguageServer {
  readonly pid: number | undefined;
  readonly isAlive: () => boolean;
  /** Resolves once the process is gone. */
  readonly ended: Promise<void>;
  /** Rejects where the server answers with an error, or ends. */
  request(method: string, params: object | null): Promise<unknown>;
  notify(method: string, params: object): void;
  /** At once: it holds nothing that could be lost. */
  kill(): void;
}

interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message?: string };
}

/**
 * Types can be written that take any memory to look at: the system ends the process there. Address space, in KiB; Go
 * reserves more than it uses. Where the system knows no such limit, the time that a check may take is the only one.
 */
const MOST_ADDRESSES = 1_500_000;
const LIMITED = `ulimit -v ${MOST_ADDRESSES} 2>/dev/null; exec "$0" --lsp --stdio`;

/** @param folder where it runs; what it reads of files beside its own, it reads here */
export const startLanguageServer = (program: string, folder: string, log: Log): LanguageServer => {
  const [command, args] =
    process.platform === 'win32' ? [program, ['--lsp', '--stdio']] : ['/bin/sh', ['-c', LIMITED, program]];
  // Less garbage is kept than by default; and it must not take all cores from the sessions.
  const env = { GOGC: '50', GOMAXPROCS: '2' };
  const child = spawn(command, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (reason: Error) => void }>();
  const kill = () => void child.kill('SIGKILL');
  let isAlive = true;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const over = (reason: string): void => {
    if (!isAlive) return;
    isAlive = false;
    log('types.ended', { pid: child.pid, reason });
    for (const { reject } of waiting.values()) reject(new Error(`The type checker ended: ${reason}`));
    waiting.clear();
    end();
  };
  const send = (message: object): void => {
    if (isAlive) child.stdin.write(framed({ jsonrpc: '2.0', ...message }));
  };
  const take = ({ id, method, result, error }: Message): void => {
    if (method !== undefined) {
      // It asks to be told of settings and files, and hears of none.
      if (id !== undefined && id !== null) send({ id, result: null });
      return;
    }
    const waiter = waiting.get(Number(id));
    waiting.delete(Number(id));
    if (error === undefined) waiter?.resolve(result);
    else waiter?.reject(new Error(`The type checker refused: ${error.message}`));
  };
  const messagesIn = createUnframer();
  child.stdout.on('data', (chunk: Buffer) => {
    try {
      for (const message of messagesIn(chunk)) take(message as Message);
    } catch (error) {
      log('types.unreadable', { error: messageOf(error) });
      kill();
    }
  });
  child.stdin.on('error', () => {}); // told by 'close'
  child.once('error', (error) => over(error.message));
  child.once('close', (code, signal) => over(signal ?? `exit code ${code}`));

  let count = 0;
  return {
    pid: child.pid,
    isAlive: () => isAlive,
    ended,
    request: (method, params) => {
      if (!isAlive) return Promise.reject(new Error('The type checker has ended'));
      count += 1;
      const id = count;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        send({ id, method, ...(params !== null && { params }) });
      });
    },
    notify: (method, params) => send({ method, params }),
    kill,
  };
};
