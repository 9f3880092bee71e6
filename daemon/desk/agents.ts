// What the parts ask of open sessions, and tell them.
import type { Registry } from '../session/registry.ts';
import type { PartsOptions } from './parts.ts';

export const agentsOf = (
  registry: Registry,
): Pick<PartsOptions, 'onMessage' | 'onResourceUpdated' | 'levelOf' | 'askerOf' | 'onCatalogChanged'> => ({
  onMessage: (sessions, server, params) => {
    for (const id of sessions) registry.find(id)?.message(server, params);
  },
  onResourceUpdated: (sessions, params) => {
    for (const id of sessions) registry.find(id)?.resourceUpdated(params);
  },
  levelOf: (id) => registry.find(id)?.level(),
  askerOf: (id) => registry.find(id)?.asker(),
  onCatalogChanged: (from, to, change) => {
    for (const session of registry.all()) session.catalogChanged(from, to, change);
  },
});
