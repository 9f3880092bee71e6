// The environment that every backing server gets before its own `env`: small, and without secrets.

/** The account that the daemon runs for, as os.userInfo() gives it. */
export interface EnvironmentAccount {
  readonly home: string;
  readonly username: string;
  /** Login shell; null where the account has none. */
  readonly shell: string | null;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Where a person's words, time and temporary files are. None of them tells a secret. */
const KEPT = ['HOME', 'USER', 'LOGNAME', 'SHELL', 'PATH', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR'];
const PROXIES = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'];

/** Whether a variable of the environment belongs to the safe base; a proxy does as long as no password is in it. */
const isSafe = (name: string, value: string): boolean =>
  KEPT.includes(name) || /^LC_[A-Z]+$/.test(name) || (PROXIES.includes(name.toLowerCase()) && !value.includes('@'));

/**
 * Folders in which programs are looked for when nobody's PATH is known: beside the running Node first, so that `npx`
 * is of the same installation.
 */
export const defaultPath = (home: string, execFolder: string): string =>
  [
    execFolder,
    `${home}/.local/bin`,
    '/opt/homebrew/bin',
    '/usr/local/bin',
    '/usr/bin',
    '/bin',
    '/usr/sbin',
    '/sbin',
  ].join(':');

/**
 * The safe base out of an environment: HOME, USER, LOGNAME, SHELL and PATH always, LANG, LC_*, LANGUAGE, TZ, TMPDIR and
 * proxies without a password where they are set. Anything else reaches a server only when its definition names it.
 */
export const safeBase = (
  variables: Variables,
  { account, execFolder }: { readonly account: EnvironmentAccount; readonly execFolder: string },
): Record<string, string> => {
  const base: Record<string, string> = {
    HOME: account.home,
    USER: account.username,
    LOGNAME: account.username,
    SHELL: account.shell ?? '/bin/sh',
    PATH: defaultPath(account.home, execFolder),
  };
  for (const [name, value] of Object.entries(variables))
    if (value !== undefined && value !== '' && isSafe(name, value)) base[name] = value;
  return base;
};
