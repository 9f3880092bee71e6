// Servers and tools by the names that agents write, or an error with near ones.
import { MetadError } from '../../schema/errors.ts';
import { nearNames } from '../../schema/near.ts';
import { findServer, findTool, type NamedTool, removedNames, type View, type ViewServer } from '../catalog/view.ts';
import type { SurfacePorts } from './ports.ts';

/** ` Near: a, b.`, or nothing. */
export const near = (wanted: string, known: readonly string[]): string => {
  const names = nearNames(wanted, known);
  return names.length === 0 ? '' : ` Near: ${names.join(', ')}.`;
};

/** @throws MetadError `not-found` with near names. */
export const serverNamed = (view: View, name: string): ViewServer => {
  const server = findServer(view, name);
  if (server !== undefined) return server;
  const known = view.servers.map(({ definition }) => definition.name);
  const list =
    known.length === 0
      ? ' None is configured: servers are added under `mcpServers` in metad’s config.json.'
      : near(name, known) || ` Known: ${known.slice(0, 20).join(', ')}.`;
  throw new MetadError('not-found', `No server is named ${name} here.${list}`);
};

/** @throws MetadError `not-found` with near names, or `unavailable` where the server's tools are unknown. */
export const toolNamed = (ports: SurfacePorts, server: ViewServer, name: string): NamedTool => {
  const tool = findTool(server, name);
  if (tool !== undefined) return tool;
  const { definition, listing, tools } = server;
  if (listing === undefined) throw new MetadError('unavailable', unknownTools(ports, server));
  if (removedNames(listing).includes(name)) throw new MetadError('not-found', removedSentence(server, name));
  const known = tools.map(({ script }) => script);
  const hint = near(name, known) || ` list_tools({servers: ${JSON.stringify([definition.name])}}) lists them.`;
  throw new MetadError('not-found', `${definition.name} has no tool ${name}.${hint}`);
};

/** Names shown of a server's tools to whoever asked for one that is gone: a renamed tool is seldom a near name. */
const NOW_SHOWN = 10;

/** That a tool is gone, and what there is instead. */
export const removedSentence = ({ definition, tools }: ViewServer, name: string): string => {
  const known = tools.map(({ script }) => script);
  const what = `${definition.name}.${name} was removed: its server no longer lists it.`;
  if (known.length > NOW_SHOWN) return `${what}${near(name, known)}`;
  return known.length === 0 ? what : `${what} It has now: ${known.join(', ')}.`;
};

/** Why a server's tools are not known, and what to do. */
export const unknownTools = (ports: SurfacePorts, server: ViewServer): string => {
  const { state, reason } = ports.stateOf(server);
  const name = server.definition.name;
  switch (state) {
    case 'parked':
      return `${name} is parked and is not tried again by itself: ${reason ?? 'it cannot be started'}`;
    case 'dead':
      return `${name} failed: ${reason ?? 'it stopped.'} It is tried again on the next call.`;
    case 'ready':
      return `${name} runs, but has not listed its tools${reason === null ? ' yet; ask again in a few seconds.' : `: ${reason}`}`;
    default:
      return `${name} is still starting; ask again in a few seconds.`;
  }
};
