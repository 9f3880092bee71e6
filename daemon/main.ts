// The daemon's process: reads argv, environment and account; everything below gets what it needs from here.
import { homedir, userInfo } from 'node:os';
import { resolve } from 'node:path';
import { messageOf } from '../schema/errors.ts';
import { pathsOf } from '../schema/paths.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import { openJournal } from './journal.ts';
import { makeFolder } from './life/folder.ts';
import { onSignals } from './life/signals.ts';
import { WAIT_FLAG, WAITING } from './life/successor.ts';

/**
 * `[--home DIR] [--terminal] [--wait]`: the second says that a person's shell started it, whose environment counts; the
 * third that the daemon before it hands over and will free the lock.
 */
const argument = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};

/** How long a daemon that hands over may go on with calls and scripts, and then take to close. */
const HANDOVER_MS = 12 * 60_000;

/** Without an entry in the password database userInfo() throws; then $HOME decides. */
const accountOf = () => {
  const uid = process.getuid?.() ?? -1;
  try {
    const { homedir: home, username, shell } = userInfo();
    return { home, uid, username, shell };
  } catch {
    return { home: homedir(), uid, username: process.env['USER'] ?? String(uid), shell: null };
  }
};

const main = async (): Promise<void> => {
  const account = accountOf();
  const override = argument('--home') ?? (process.env['METAD_HOME'] || undefined);
  const paths = pathsOf({ ...account, override: override === undefined ? undefined : resolve(override) });
  makeFolder(paths.state);

  const journal = openJournal({ folder: paths.logs, stderr: process.stderr, pid: process.pid });
  const { log } = journal;
  let opening: Promise<Daemon | undefined> = Promise.resolve(undefined);
  let abandon = (): void => {};
  const signals = onSignals({
    process,
    log,
    stop: async () => {
      // A daemon that is told to go while it opens is closed as soon as it is open.
      await (await opening.catch(() => undefined))?.close();
      await journal.close();
    },
    onExit: () => {
      abandon();
      journal.flushSync();
    },
  });
  const waits = process.argv.includes(WAIT_FLAG);
  if (waits) process.send?.(WAITING, () => process.disconnect?.());
  opening = startDaemon({
    account,
    paths,
    log,
    environment: process.env,
    startedByPerson: process.argv.includes('--terminal'),
    lockWaitMs: waits ? HANDOVER_MS : 0,
    workerUrl: new URL('./worker.js', import.meta.url),
    surveyUrl: new URL('./survey.js', import.meta.url),
    pid: process.pid,
    onEnd: signals.stop,
  });
  const daemon = await opening;
  if (daemon === undefined) {
    log('start.another-daemon', { lock: paths.lock });
    return signals.stop('another daemon holds the lock');
  }
  abandon = daemon.abandon;
};

main().catch((error: unknown) => {
  // Whoever started us quotes the end of this stream.
  process.stderr.write(`metad could not start: ${messageOf(error)}\n`);
  process.exit(1);
});
