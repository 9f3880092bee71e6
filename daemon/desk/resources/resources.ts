// The resources that one session sees: those of the servers that run for it.
import { MetadError, messageOf } from '../../../schema/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../schema/tool.ts';
import type { Late } from '../../late.ts';
import type { Log } from '../../log.ts';
import type { AgentResources } from '../../session/resources.ts';
import type { Pool } from '../../upstream/contract.ts';
import type { Resources } from '../../upstream/resources/contract.ts';
import { type Caller, ownerOf } from '../call/callpath.ts';
import { type Offer, ownerOfUri } from './owner.ts';

export interface ResourcesOptions {
  readonly pool: Late<Pool>;
  readonly log: Log;
}

/** A server that takes longer to list what it has is left out. */
const LIST_MS = 5000;
const MOST_PAGES = 100;
const MOST_REMEMBERED = 10_000;

interface Running {
  readonly server: string;
  readonly resources: Resources;
}

const allPages = async (from: Resources, method: string, key: string, signal: AbortSignal): Promise<JsonObject[]> => {
  const found: JsonObject[] = [];
  let cursor: Json | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const result = await from.request(method, cursor === undefined ? {} : { cursor }, signal);
    const entries = result[key];
    if (Array.isArray(entries)) found.push(...(entries as readonly Json[]).filter(isObject));
    const { nextCursor } = result;
    if (typeof nextCursor !== 'string' || nextCursor === '' || nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return found;
};

const textsOf = (entries: readonly JsonObject[], field: string): string[] =>
  entries.flatMap((entry) => (typeof entry[field] === 'string' ? [entry[field]] : []));

export const createAgentResources =
  ({ pool, log }: ResourcesOptions) =>
  (caller: Caller): AgentResources => {
    /** Server of each resource that it was asked for, so that it stays the same, and a server that has stopped is started. */
    const known = new Map<string, string>();

    const running = (): Running[] =>
      [...caller.definitions().values()].flatMap((definition) => {
        if (definition.disabled) return [];
        const resources = pool.now()?.resources(definition, ownerOf(caller), 'running');
        return resources === undefined || resources.offered() === false ? [] : [{ server: definition.name, resources }];
      });

    const collect = (method: string, key: string, signal: AbortSignal) => {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]);
      return Promise.all(
        running().map(async ({ server, resources }) => {
          const entries = await allPages(resources, method, key, limited).catch((error: unknown) => {
            log('resources.failed', { server, method, error: messageOf(error) });
            return [];
          });
          return { server, entries };
        }),
      );
    };
    const listed = (signal: AbortSignal) => collect('resources/list', 'resources', signal);
    const templated = (signal: AbortSignal) => collect('resources/templates/list', 'resourceTemplates', signal);

    const find = async (uri: string, signal: AbortSignal): Promise<string | undefined> => {
      const [lists, templates] = await Promise.all([listed(signal), templated(signal)]);
      const offers = lists.map(({ server, entries }): Offer => {
        const own = templates.find((one) => one.server === server);
        return {
          server,
          uris: new Set(textsOf(entries, 'uri')),
          templates: textsOf(own?.entries ?? [], 'uriTemplate'),
        };
      });
      return ownerOfUri(uri, offers);
    };

    const resourcesOf = async (uri: string, signal: AbortSignal): Promise<Resources> => {
      const server = known.get(uri) ?? (await find(uri, signal));
      const definition = server === undefined ? undefined : caller.definitions().get(server);
      if (server === undefined || definition === undefined || definition.disabled) {
        throw new MetadError(
          'not-found',
          `No server that runs has the resource ${uri}. Servers start with their tools.`,
        );
      }
      if (known.size >= MOST_REMEMBERED) known.clear();
      known.set(uri, server);
      return (await pool()).resources(definition, ownerOf(caller));
    };

    return {
      list: async (signal) => (await listed(signal)).flatMap(({ entries }) => entries),
      templates: async (signal) => (await templated(signal)).flatMap(({ entries }) => entries),
      read: async (uri, signal) => (await resourcesOf(uri, signal)).request('resources/read', { uri }, signal),
      subscribe: async (uri, signal) => (await resourcesOf(uri, signal)).subscribe(uri, caller.id, signal),
      unsubscribe: async (uri) => {
        // What it never asked for it has no subscription to.
        const signal = AbortSignal.timeout(LIST_MS);
        if (known.has(uri)) await (await resourcesOf(uri, signal)).unsubscribe(uri, caller.id);
      },
    };
  };
