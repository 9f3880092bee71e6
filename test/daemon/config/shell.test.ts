import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, test, vi } from 'vitest';
import { parseAnswer, shellEnvironment } from '../../../daemon/config/shell.ts';
import { type TestFolder, testFolder } from '../../helpers/folder.ts';

/** A shell of our own: `$1` … are the flags, the last argument is the command. */
const fakeShell = async (folder: TestFolder, name: string, body: string): Promise<string> => {
  const path = folder.at(name);
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
  return path;
};
const LAST = 'for command; do :; done';

const take = (
  folder: TestFolder,
  shell: string,
  options: { limitMs?: number; node?: string; signal?: AbortSignal } = {},
) =>
  shellEnvironment({
    shell,
    environment: { HOME: folder.path, PATH: '/usr/bin:/bin', TERM: 'dumb', USER: 'ada' },
    home: folder.path,
    node: process.execPath,
    limitMs: 20_000,
    signal: new AbortController().signal,
    ...options,
  });

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('shellEnvironment() reads what only an interactive bash reads, through noise', async () => {
  using folder = testFolder();
  await writeFile(folder.at('.bash_profile'), 'echo "Welcome, FAKE=1"; export FROM_PROFILE="a b"; . ~/.bashrc\n');
  await writeFile(
    folder.at('.bashrc'),
    'case $- in *i*) ;; *) return;; esac\nprintf "no newline"; export TOKEN=$\'two\\nlines=1\' WORD=漢字\nread -t 30 answer\nf() { :; }; export -f f\n',
  );
  await writeFile(folder.at('.bash_logout'), 'echo bye\n');
  const variables = await take(folder, '/bin/bash');
  expect(variables).toMatchObject({ FROM_PROFILE: 'a b', TOKEN: 'two\nlines=1', WORD: '漢字', HOME: folder.path });
  expect(Object.keys(variables).filter((name) => /^(METAD|BASH_FUNC|_$|PWD|SHLVL|TERM|FAKE)/.test(name))).toEqual([]);
});

test('shellEnvironment() reads the profile of a plain sh', async () => {
  using folder = testFolder();
  await writeFile(folder.at('.profile'), 'export FROM_PROFILE=yes\n');
  expect(await take(folder, '/bin/sh')).toMatchObject({ FROM_PROFILE: 'yes' });
});

test('shellEnvironment() asks again without -i when the interactive shell dies', async () => {
  using folder = testFolder();
  const shell = await fakeShell(
    folder,
    'zsh',
    `${LAST}\n[ "$1" = -i ] && exit 3\nWAY="$*" ; export PLAIN=yes; eval "$command"`,
  );
  expect(await take(folder, shell)).toMatchObject({ PLAIN: 'yes' });
});

test('shellEnvironment() asks again without -i when the interactive shell hangs, and leaves no process', async () => {
  using folder = testFolder();
  const shell = await fakeShell(
    folder,
    'bash',
    `${LAST}\nif [ "$1" = -i ]; then sleep 600 & echo $! > ${folder.at('pid')}; wait; fi\nPLAIN=yes; export PLAIN; eval "$command"`,
  );
  expect(await take(folder, shell, { limitMs: 4000 })).toMatchObject({ PLAIN: 'yes' });
  const pid = Number(await readFile(folder.at('pid'), 'utf8'));
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 5000);
});

test('shellEnvironment() does not wait for what a profile left running, and ends it', async () => {
  using folder = testFolder();
  const shell = await fakeShell(folder, 'sh', `${LAST}\nsleep 600 &\necho $! > ${folder.at('pid')}\neval "$command"`);
  const start = Date.now();
  await take(folder, shell);
  expect(Date.now() - start).toBeLessThan(15_000);
  const pid = Number(await readFile(folder.at('pid'), 'utf8'));
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 5000);
});

test.each([
  ['hangs', 'sleep 600', 'gave no answer within 0.5 s'],
  ['ends', 'exit 7', 'ended with code 7 before it told its environment'],
  ['is killed', 'kill -9 $$', 'ended with SIGKILL before it told its environment'],
  ['prints without end', 'exec cat /dev/zero', 'printed more than 4 MiB'],
])('shellEnvironment() of a shell that %s names shell and reason', async (_, body, reason) => {
  using folder = testFolder();
  const shell = await fakeShell(folder, 'own', `echo SECRET=s3cret\n${body}`);
  const limitMs = body.startsWith('sleep') ? 500 : 20_000;
  await expect(take(folder, shell, { limitMs })).rejects.toThrow(`The login shell ${shell} ${reason}.`);
});

test('shellEnvironment() of a shell that is not there, or is no path, names it', async () => {
  using folder = testFolder();
  await expect(take(folder, folder.at('none'))).rejects.toThrow('cannot be started (ENOENT)');
  await expect(take(folder, 'zsh')).rejects.toThrow('is no absolute path');
});

test('shellEnvironment() ends with its signal', async () => {
  using folder = testFolder();
  const shell = await fakeShell(folder, 'own', `echo $$ > ${folder.at('pid')}; sleep 600`);
  const closing = new AbortController();
  const taken = take(folder, shell, { signal: closing.signal });
  taken.catch(() => {});
  const pid = await vi.waitFor(async () => {
    const found = Number(await readFile(folder.at('pid'), 'utf8'));
    expect(found).toBeGreaterThan(0);
    return found;
  }, 10_000);
  closing.abort();
  await expect(taken).rejects.toThrow('was given up');
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 5000);
});

test('shellEnvironment() falls back to Node where env knows no -0', async () => {
  using folder = testFolder();
  // The question is asked through /usr/bin/env; without it being there the second half is what answers.
  const shell = await fakeShell(
    folder,
    'own',
    `${LAST}\nA=1; export A; eval "$(printf %s "$command" | sed s,/usr/bin/env,/nonexistent/env,)"`,
  );
  const variables = await take(folder, shell);
  expect(variables).toMatchObject({ A: '1', HOME: folder.path });
  expect(basename(variables['HOME'] ?? '')).toBe(basename(folder.path));
});

test('parseAnswer() takes what stands between the marks, and nothing of half an answer', () => {
  expect(parseAnswer('motd\nMARKA=1\0B=x=y\0\0=bad\0MARKbye', 'MARK')).toEqual({ A: '1', B: 'x=y' });
  expect(parseAnswer('MARK{"A":"1"}MARK', 'MARK')).toEqual({ A: '1' });
  for (const half of ['', 'MARK', 'MARKA=1\0B', 'MARKMARK', 'MARK{"A":MARK'])
    expect(parseAnswer(half, 'MARK')).toBeUndefined();
});

test('a profile that is cut short removes its lock file, and nothing of it lives on', async () => {
  using folder = testFolder();
  const lock = folder.at('lock');
  await writeFile(
    folder.at('.profile'),
    `bash -c 'set -o noclobber; echo -n > ${lock}; trap "rm -f ${lock}" EXIT; sleep 600'\n`,
  );
  const closing = new AbortController();
  const endings: Promise<void>[] = [];
  const asked = shellEnvironment({
    shell: '/bin/sh',
    environment: { HOME: folder.path, PATH: '/usr/bin:/bin', TERM: 'dumb', USER: 'ada' },
    home: folder.path,
    node: process.execPath,
    limitMs: 20_000,
    signal: closing.signal,
    onEnding: (gone) => void endings.push(gone),
  });
  await vi.waitFor(() => expect(existsSync(lock)).toBe(true), { timeout: 10_000 });
  closing.abort();
  await expect(asked).rejects.toThrow('was given up');
  await Promise.all(endings);
  expect(existsSync(lock)).toBe(false);
});
