// Where metad keeps things. Pure: the account and the platform are given; nothing is read or created.

/** Longest socket path in bytes that every platform takes (sockaddr_un: 104 on macOS and 108 on Linux, less the NUL). */
export const SOCKET_PATH_LIMIT = 103;

/** What `pathsOf` needs to know of the account. `home` is os.userInfo().homedir, or $HOME where that throws. */
export interface Account {
  readonly home: string;
  /** Numeric user id; -1 where the platform has none. */
  readonly uid: number;
  /**
   * `--home DIR` or METAD_HOME: everything goes below it. Absolute: whoever reads argv and environment (the `main.ts` of
   * shim, tui and daemon) resolves it against its own cwd with `path.resolve`, since the daemon's cwd is another one.
   * Empty counts as not given; do not resolve that, it would become the cwd.
   */
  readonly override?: string | undefined;
}

export interface Paths {
  /** The folder that `--home` named, or undefined for the account's own folders. */
  readonly home: string | undefined;
  readonly config: string;
  readonly configFile: string;
  readonly plugins: string;
  readonly data: string;
  readonly database: string;
  readonly state: string;
  readonly logs: string;
  readonly lock: string;
  readonly socket: string;
  /** The private folder that holds `socket`; it must belong to the user, mode 0700. */
  readonly socketFolder: string;
}

// FNV-1a over 64 bits, twice with different offsets: no crypto here, since node: may not be imported, and
// the result only keeps two homes of one user apart inside a folder that nobody else may write.
const hash = (text: string): string => {
  const bytes = new TextEncoder().encode(text);
  return [0xcbf29ce484222325n, 0x9e3779b97f4a7c15n]
    .map((offset) => {
      let value = offset;
      for (const byte of bytes) value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n);
      return value.toString(36).padStart(13, '0');
    })
    .join('');
};

/** Drops trailing slashes and `.` or empty segments, so that one folder has one name (and one short socket). */
const tidy = (path: string): string => {
  const segments = path.split('/').filter((segment, at) => segment !== '.' && (segment !== '' || at === 0));
  return segments.join('/') || '/';
};

/**
 * All paths of one metad. Shim and daemon call this with the same account and so agree on the socket without talking.
 * A socket path over SOCKET_PATH_LIMIT bytes is replaced by `/tmp/metad-UID/HASH.sock`; two homes never share one.
 */
export const pathsOf = ({ home, uid, override }: Account): Paths => {
  const base = override === undefined || override === '' ? undefined : tidy(override);
  const account = tidy(home);
  const config = base ?? `${account}/.config/metad`;
  const data = base ?? `${account}/.local/share/metad`;
  const state = base ?? `${account}/.local/state/metad`;
  const wanted = `${state}/metad.sock`;
  const fits = new TextEncoder().encode(wanted).length <= SOCKET_PATH_LIMIT;
  const socketFolder = fits ? state : `/tmp/metad-${uid}`;
  return {
    home: base,
    config,
    configFile: `${config}/config.json`,
    plugins: `${config}/plugins`,
    data,
    database: `${data}/metad.db`,
    state,
    logs: `${state}/logs`,
    lock: `${state}/metad.lock`,
    socket: fits ? wanted : `${socketFolder}/${hash(wanted)}.sock`,
    socketFolder,
  };
};
