// A TypeScript program as a process of its own that speaks lines: what it printed, what it is told, how it ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
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

/** Bundled first: ten at once start three times faster than ten that translate for themselves. */
const bundleOf = (program: URL): string => {
  const source = fileURLToPath(program);
  const { outputFiles } = buildSync({
    entryPoints: [source],
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['better-sqlite3'],
    write: false,
    logLevel: 'warning',
  });
  const text = outputFiles[0]?.text ?? '';
  const name = `${basename(source, '.ts')}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`;
  // Inside node_modules, so that native packages are found from there; named by content, so that test files share it.
  const folder = fileURLToPath(new URL('../../node_modules/.cache/metad-test/', import.meta.url));
  const file = join(folder, name);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
  return file;
};

export const startChild = (program: URL, args: readonly string[] = []): Child => {
  const child = spawn(process.execPath, [bundleOf(program), ...args], {
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
