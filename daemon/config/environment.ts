// What `${VAR}` may name and what every backing server gets: a person's environment, never an agent's.
import { dirname } from 'node:path';
import { messageOf } from '../../schema/errors.ts';
import type { Log } from '../log.ts';
import { defaultPath, type EnvironmentAccount, safeBase } from './base.ts';
import { type ShellOptions, shellEnvironment } from './shell.ts';

type Variables = Readonly<Record<string, string>>;

export interface EnvironmentOptions {
  readonly account: EnvironmentAccount;
  /** The daemon's own environment. Of an agent's, only language, time zone and macOS' own TMPDIR are used. */
  readonly processEnv: Readonly<Record<string, string | undefined>>;
  /** True when a person started the daemon: then its own environment is that person's. */
  readonly trusted: boolean;
  readonly log: Log;
  /** Path of Node. Default: the running one. */
  readonly node?: string;
  /** Whether the login shell may be asked. Default: yes. */
  readonly asksShell?: () => boolean;
  /** For the login shell, all tries together. Default 5000. */
  readonly limitMs?: number;
  /** Default: the real one. */
  readonly ask?: (options: ShellOptions) => Promise<Record<string, string>>;
}

/** Disposed of when no shell that it asked lives any more, at most a second later. */
export interface Environment extends AsyncDisposable {
  /**
   * Resolves when a person's environment is known, or it is clear that it cannot be had; takes the login shell's when
   * nobody has asked before. Never rejects. Await it before anything is expanded or started.
   */
  ready(): Promise<void>;
  /** For `${VAR}`. Frozen; never log it. */
  variables(): Variables;
  /** The safe base for backing servers. Frozen. */
  base(): Variables;
  /**
   * With an environment: that of a command which a person runs in a terminal. It counts before the login shell's, name
   * by name, and takes the place of any given before. Without: the login shell is asked again, and `ready` waits for it.
   */
  refresh(environment?: Readonly<Record<string, unknown>>): void;
  /** One line for status, where the login shell could not be read. */
  warning(): string | undefined;
}

/** A person's environment as it was sent, without what is not text and what only concerns metad itself. */
const cleaned = (environment: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && !entry[0].startsWith('METAD_'),
    ),
  );

/** Shells that let nobody in. */
const isShut = (shell: string): boolean => /\/(nologin|false|true|sync|halt|shutdown)$/.test(shell);

export const createEnvironment = (options: EnvironmentOptions): Environment => {
  const { account, processEnv, trusted, log, asksShell = () => true, limitMs = 5000, ask = shellEnvironment } = options;
  const node = options.node ?? process.execPath;
  const closing = new AbortController();
  const { signal } = closing;
  const endings = new Set<Promise<void>>();
  const onEnding = (gone: Promise<void>): void => {
    endings.add(gone);
    void gone.finally(() => endings.delete(gone));
  };
  const place = { account, execFolder: dirname(node) };

  const shell =
    [account.shell, processEnv['SHELL']].find((path) => typeof path === 'string' && path !== '' && !isShut(path)) ??
    '/bin/sh';
  /** Where a person lives, in words and time. The session sets these, not the shell, so an agent has them from there. */
  const locale = Object.fromEntries(
    Object.entries(processEnv).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined &&
        (/^(LANG|LANGUAGE|TZ|LC_[A-Z]+)$/.test(entry[0]) ||
          (entry[0] === 'TMPDIR' && entry[1].startsWith('/var/folders/'))),
    ),
  );
  const seed: Variables = {
    ...locale,
    HOME: account.home,
    USER: account.username,
    LOGNAME: account.username,
    SHELL: shell,
    PATH: defaultPath(account.home, place.execFolder),
    TERM: 'dumb',
  };

  let terminal: Variables | undefined = trusted ? cleaned(processEnv) : undefined;
  let fromShell: Variables | undefined;
  let warning: string | undefined;
  let asking: Promise<void> | undefined;
  let known: { readonly variables: Variables; readonly base: Variables } | undefined;

  const take = async (): Promise<void> => {
    try {
      fromShell = await ask({ shell, environment: seed, home: account.home, node, limitMs, signal, onEnding });
      warning = undefined;
      log('environment.shell', { shell, variables: Object.keys(fromShell).length });
    } catch (error) {
      warning = `${messageOf(error)} Backing servers get a plain environment: run \`metad daemon restart\` in a terminal to give them yours.`;
      log('environment.shell', { shell, error: messageOf(error) });
    }
    known = undefined;
  };

  const now = () => {
    if (known !== undefined) return known;
    const variables = { ...locale, ...fromShell, ...terminal };
    const base = safeBase(variables, place);
    known = { variables: Object.freeze({ ...base, ...variables }), base: Object.freeze(base) };
    return known;
  };

  return {
    ready: async () => {
      if (asking === undefined && !asksShell()) return;
      if (terminal !== undefined && asking === undefined) return; // the shell would say the same, and less
      asking ??= take();
      await asking;
    },
    variables: () => now().variables,
    base: () => now().base,
    refresh: (environment) => {
      known = undefined;
      if (environment !== undefined) terminal = cleaned(environment);
      else if (asksShell()) {
        const before = asking ?? Promise.resolve();
        asking = before.then(take);
      }
    },
    warning: () => (terminal === undefined ? warning : undefined),
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await asking;
      await Promise.all(endings);
    },
  };
};
