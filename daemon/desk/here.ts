// What a person asks of one workspace: what applies there, what might, and what of other people's words may run.
import type { Definition } from '../../schema/config.ts';
import type { ListedServer, WhichWorkspace } from '../../schema/wire.ts';
import type { Ports } from '../api/handlers.ts';
import type { Environment } from '../config/environment.ts';
import { variablesOf } from '../config/expand.ts';
import type { ConfigSource } from '../config/source.ts';
import type { Log } from '../log.ts';
import { settledWithin } from '../scope.ts';
import type { Registry } from '../session/registry.ts';
import type { Trusts } from '../store/store.ts';
import type { InstanceStatus } from '../upstream/contract.ts';
import type { Decision } from '../workspace/applied.ts';
import { createTrust } from '../workspace/trust/trust.ts';
import type { Places } from './places.ts';

export interface HereOptions {
  readonly places: Places;
  readonly registry: Registry;
  readonly environment: Environment;
  readonly config: ConfigSource;
  readonly instances: () => readonly InstanceStatus[];
  /** The workspace that a person means, as a shim would say it. */
  readonly workspaceOf: (which: WhichWorkspace) => Promise<string | null>;
  readonly trusts: Trusts;
  /** Sessions may have other definitions now. */
  readonly onSync: () => void;
  readonly log: Log;
}

export interface Here extends Pick<Ports, 'list' | 'suggest' | 'sync' | 'trust'> {
  /** What plugins say of a server, in open workspaces and in this one. */
  offered(
    server: string,
    root: string | null,
  ): Promise<readonly { readonly root: string; readonly decision: Decision }[]>;
}

/** What a person waits for the lockfiles of a folder to be read, or for predicates that are programs. */
const KNOWN_MS = 5000;

const listed = (
  { name, origin, sharing, disabled, reach }: Definition,
  instances: readonly InstanceStatus[],
): ListedServer => ({
  ...{ name, origin, sharing, disabled },
  state: (instances.find(({ state }) => state === 'ready') ?? instances[0])?.state ?? 'cold',
  runs: reach.kind === 'stdio' ? [reach.command, ...reach.args] : [reach.url],
});

export const createHere = (options: HereOptions): Here => {
  const { places, registry, environment, config, instances, workspaceOf, onSync, log } = options;
  const trust = createTrust({
    kept: options.trusts,
    variablesOf,
    onChange: (root) => {
      log('trust.changed', { root });
      return places.refresh(root);
    },
    now: Date.now,
  });
  return {
    offered: async (server, root) => {
      if (root !== null) await places.known(root, KNOWN_MS);
      const roots = new Set([...places.held(), ...(root === null ? [] : [root])]);
      return [...roots].flatMap((one) =>
        places
          .applied(one)
          .decisions.filter(({ definition: { name } }) => name === server)
          .map((decision) => ({ root: one, decision })),
      );
    },
    list: async (which) => {
      const workspace = await workspaceOf(which);
      await places.known(workspace, KNOWN_MS);
      const here = instances().filter(
        ({ owner }) => owner === null || owner === workspace || registry.find(owner)?.root() === workspace,
      );
      const servers = [...places.definitions(workspace).values()].map((definition) =>
        listed(
          definition,
          here.filter(({ server, origin }) => server === definition.name && origin === definition.origin),
        ),
      );
      return { workspace, servers };
    },
    suggest: async (which) => {
      const workspace = await workspaceOf(which);
      if (workspace !== null) await places.refresh(workspace);
      return { workspace, suggestions: workspace === null ? [] : places.suggestions(workspace) };
    },
    sync: {
      look: async (signal) => {
        await environment.ready();
        await config.reload();
        return { registries: await places.registries.look(signal) };
      },
      accept: async (registries) => {
        await places.registries.accept(registries);
        await places.reload();
        await settledWithin(KNOWN_MS, Promise.all(places.held().map(places.settled)));
        const changed = registry.all().filter((session) => session.sync()).length;
        onSync();
        return { sessions: changed };
      },
    },
    trust: {
      report: async (which) => trust.report(await workspaceOf(which)),
      accept: async (which, servers) => trust.accept(await workspaceOf(which), servers),
      revoke: async (which) => {
        const workspace = await workspaceOf(which);
        return { workspace, revoked: await trust.revoke(workspace) };
      },
    },
  };
};
