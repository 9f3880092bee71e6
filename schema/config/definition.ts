// One checked entry of mcpServers to the Definition that the rest of metad reads.
import type { Definition, Reach, ServerEntry } from '../config.ts';
import { chooseSharing } from './sharing.ts';

/** A value that nobody can change any more, at any depth. Maps are not covered. */
export const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const child of Object.values(value)) frozen(child);
  return Object.freeze(value);
};

const reachOf = (entry: ServerEntry): Reach =>
  'command' in entry
    ? {
        kind: 'stdio',
        command: entry.command,
        args: entry.args,
        env: entry.env,
        ...(entry.cwd === undefined ? {} : { cwd: entry.cwd }),
      }
    : { kind: entry.type === 'sse' ? 'sse' : 'http', url: entry.url, headers: entry.headers };

/**
 * Defaults: sharing as `chooseSharing` says; 60 s a call, 60 s a start, 15 min idle.
 * @param entry as `serverSchema` gives it
 * @param origin the file that declares it
 */
export const definitionOf = (name: string, entry: ServerEntry, origin: string): Definition => {
  const reach = reachOf(entry);
  return frozen({
    name,
    reach,
    ...chooseSharing(entry.sharing, reach, origin),
    disabled: entry.disabled,
    ...(entry.includeTools === undefined ? {} : { includeTools: entry.includeTools }),
    ...(entry.excludeTools === undefined ? {} : { excludeTools: entry.excludeTools }),
    ...(entry.maxConcurrent === undefined ? {} : { maxConcurrent: entry.maxConcurrent }),
    ...(entry.serial === undefined ? {} : { serial: entry.serial }),
    ...(entry.prewarm === undefined ? {} : { prewarm: entry.prewarm }),
    ...(entry.directStart === undefined ? {} : { directStart: entry.directStart }),
    callTimeoutMs: entry.timeout ?? 60_000,
    startTimeoutMs: entry.startTimeoutSeconds * 1000,
    idleMs: entry.idleMinutes * 60_000,
    origin,
  });
};
