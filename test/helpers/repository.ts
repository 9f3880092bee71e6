// A git repository of a test, to be fetched by a file:// address.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Repository {
  readonly path: string;
  readonly url: string;
  /** Writes these (null: removes) and commits everything; gives the commit. */
  commit(files: Readonly<Record<string, string | null>>): string;
  git(...words: readonly string[]): string;
}

/** @param path a folder that is not there yet */
export const createRepository = (path: string): Repository => {
  mkdirSync(path, { recursive: true });
  const env = {
    ...process.env,
    ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    ...{
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    },
  };
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'protocol.file.allow=always', ...words], {
      cwd: path,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  git('init', '-q', '-b', 'main');
  return {
    path,
    url: `file://${path}`,
    git,
    commit: (files) => {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        if (text === null) rmSync(join(path, name));
        else writeFileSync(join(path, name), text);
      }
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', 'change');
      return git('rev-parse', 'HEAD');
    },
  };
};
