// First contact: a server whose tools the catalog never saw is started when something needs them.
import { setMaxListeners } from 'node:events';
import type { Definition } from '../../schema/config.ts';
import { messageOf } from '../../schema/errors.ts';
import type { InstanceState } from '../../schema/wire.ts';
import type { Log } from '../log.ts';
import { childOf, settledWithin, unlessAborted } from '../scope.ts';
import type { ServerState } from '../surface/ports.ts';
import type { InstanceStatus, Owner, Pool } from '../upstream/pool.ts';

export interface ContactOptions {
  readonly pool: () => Promise<Pool>;
  readonly waitSeconds: () => number;
  readonly log: Log;
}

/**
 * Starts those servers side by side and waits until each is listed or has failed, at most `listTools.waitSeconds`.
 * The starts go on after that: they belong to the pool, and `tools/list_changed` follows.
 */
export const createContact =
  ({ pool, waitSeconds, log }: ContactOptions) =>
  async (definitions: readonly Definition[], owner: Owner, signal: AbortSignal): Promise<void> => {
    // One listener on the caller's signal, however many servers: each wait listens to this one, and it ends with them.
    const scope = childOf(signal);
    setMaxListeners(0, scope.signal);
    // The wait begins before the pool is there: it may have to ask the login shell first.
    const listings = pool().then((servers) =>
      Promise.all(
        definitions.map((definition) =>
          servers.list(definition, owner, scope.signal).catch((error: unknown) => {
            if (!scope.signal.aborted) log('contact.failed', { server: definition.name, error: messageOf(error) });
          }),
        ),
      ),
    );
    listings.catch((error: unknown) => log('contact.failed', { error: messageOf(error) }));
    try {
      // Awaited again where it ended in time: without a pool there is nothing to go on with.
      if (await unlessAborted(settledWithin(waitSeconds() * 1000, listings), signal)) await listings;
    } finally {
      scope.abort();
    }
  };

/** The instance of a definition that serves this owner, where there is one. */
export const instanceFor = (
  statuses: readonly InstanceStatus[],
  { name, origin }: Definition,
  { session, root }: Owner,
): InstanceStatus | undefined =>
  statuses.find(
    ({ server, origin: from, owner }) =>
      server === name && from === origin && (owner === null || owner === root || owner === session),
  );

export const stateFor = (status: InstanceStatus | undefined): ServerState => ({
  state: status?.state ?? ('cold' satisfies InstanceState),
  reason: status?.lastError ?? null,
});
