// Opens the parts in order and introduces them to each other; closes them in reverse. What main.ts and tests start.
import { createHash, randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Definition } from '../schema/config.ts';
import { MetadError } from '../schema/errors.ts';
import type { Account, Paths } from '../schema/paths.ts';
import type { Hello } from '../schema/wire.ts';
import { createEvents } from './api/events.ts';
import { createServer } from './api/server.ts';
import { createUpgrade } from './api/upgrade.ts';
import { createCallPath } from './callpath.ts';
import { canonical } from './catalog/catalog.ts';
import { createCurrentCatalog } from './catalog/current.ts';
import { createSettings } from './settings.ts';
import { createContact } from './contact.ts';
import { createControl } from './control.ts';
import { createDesk } from './desk.ts';
import { createCloser } from './life/closer.ts';
import { createIdle } from './life/idle.ts';
import { bindSocket } from './life/listen.ts';
import { takeLock } from './life/lock.ts';
import { watchOwnership } from './life/watch.ts';
import type { Log } from './log.ts';
import { createRegistry } from './session/registry.ts';
import { openStore } from './store/open.ts';
import { type Parts, createParts } from './parts.ts';
import { createReception } from './reception.ts';

export interface DaemonOptions {
  readonly account: Account;
  readonly paths: Paths;
  readonly log: Log;
  /** The process's own variables; they reach servers only where a person's shell started the daemon. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly startedByPerson: boolean;
  readonly workerUrl: URL;
  readonly pid: number;
  /** Asks for the orderly end: idle, lost lock, `metad daemon stop`. */
  readonly onEnd: (reason: string) => void;
}

export interface Daemon {
  close(reason: string): Promise<void>;
}

/**
 * Identity of a definition in the catalog: what it reaches, and for whom its list may differ. A hash, since a pasted
 * definition may hold secrets.
 */
export const catalogKeyOf = ({ reach, sharing }: Definition, root: string | null): string =>
  createHash('sha256')
    .update(canonical({ reach, root: sharing === 'user' ? null : root }))
    .digest('hex')
    .slice(0, 32);

const MINUTE = 60_000;
