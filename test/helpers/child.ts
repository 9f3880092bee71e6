// A TypeScript program as a process of its own that speaks lines: what it printed, what it is told, how it ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';

export interface Child extends AsyncDisposable {
  readonly process: ChildProcess;
  /** Every line of stdout up to now. */
  readonly lines: readonly string[];
  stderr(): string;
  tell(line: string): void;
  /** The first line that begins with one of `words`, once it is there. */
  said(...words: readonly string[]): Promise<string>;
  /** The exit code or the signal. */
  readonly ended: Promise<number | string>;
}

const tsx = import.meta.resolve('tsx');

export const startChild = (program: URL, args: readonly string[] = []): Child => {
  const child = spawn(process.execPath, ['--import', tsx, fileURLToPath(program), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let stderr = '';
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return {
    process: child,
    lines,
    stderr: () => stderr,
    tell: (line) => void child.stdin.write(`${line}\n`),
    said: (...words) =>
      vi.waitFor(
        () => {
          const line = lines.find((one) => words.some((word) => one.startsWith(word)));
          if (line === undefined) throw new Error(`never said ${words}; said ${JSON.stringify(lines)}, and ${stderr}`);
          return line;
        },
        { timeout: 30_000, interval: 10 },
      ),
    ended,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
};
