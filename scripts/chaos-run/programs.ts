// Copies of the built program: each of a higher version, and with a clock that can be set from outside.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { versionAt } from '../../test/helpers/versions.ts';

export interface Programs {
  /** The newest one's `metad`. */
  readonly newest: () => string;
  readonly version: () => string;
  /** Makes a newer one. */
  readonly next: () => string;
  /** Sets the wall clock of daemons that start from now on, and of `pid` once it has noticed. */
  readonly setClock: (offsetMs: number, pid: number | undefined) => void;
}

/** Runs before all else in the daemon: timers stay as they are, as when a person or NTP sets the clock. */
const clockText = (file: string): string => `
import { readFileSync } from 'node:fs';
const Real = Date;
let offset = 0;
const read = () => { try { offset = Number(readFileSync(${JSON.stringify(file)}, 'utf8')) || 0; } catch {} };
read();
process.on('SIGUSR2', read);
const now = () => Real.now() + offset;
globalThis.Date = new Proxy(Real, {
  construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [now()] : given, as),
  apply: () => new Real(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
`;

/** @param folder where the copies go */
export const createPrograms = (folder: string): Programs => {
  const clock = join(folder, 'clock');
  let minor = 0;
  let newest = '';
  const version = () => `0.1.${100 + minor}`;
  const next = (): string => {
    minor += 1;
    newest = versionAt(folder, version());
    const daemon = join(dirname(newest), 'daemon.js');
    writeFileSync(join(dirname(newest), 'clock.js'), clockText(clock));
    writeFileSync(daemon, `import './clock.js';\n${readFileSync(daemon, 'utf8')}`);
    return newest;
  };
  next();
  return {
    newest: () => newest,
    version,
    next,
    setClock: (offsetMs, pid) => {
      writeFileSync(`${clock}~`, String(offsetMs));
      renameSync(`${clock}~`, clock);
      if (pid !== undefined) process.kill(pid, 'SIGUSR2');
    },
  };
};
