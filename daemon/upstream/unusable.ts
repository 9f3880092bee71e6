// Definitions that cannot even be expanded, and why: they have no instance, and status shows them all the same.
import type { Definition } from '../../schema/config.ts';
import type { InstanceStatus } from './contract.ts';

interface Unusable {
  readonly definition: Definition;
  readonly reason: string;
}

export interface UnusableList {
  add(definition: Definition, reason: string): void;
  /** Whether it was one. */
  delete(definition: Definition): boolean;
  /** All of that name. */
  forget(server: string): void;
  clear(): void;
  rows(): readonly InstanceStatus[];
}

/** Two files may have servers of one name. */
const keyOf = ({ origin, name }: Definition): string => JSON.stringify([origin, name]);

const rowOf = ({ definition, reason }: Unusable): InstanceStatus => ({
  server: definition.name,
  state: 'parked',
  sharing: definition.sharing,
  owner: null,
  origin: definition.origin,
  identity: '',
  sessions: [],
  pid: null,
  readyAt: null,
  calls: 0,
  callsInFlight: 0,
  lastError: reason,
  noiseLines: 0,
});

export const createUnusable = (): UnusableList => {
  const known = new Map<string, Unusable>();
  return {
    add: (definition, reason) => void known.set(keyOf(definition), { definition, reason }),
    delete: (definition) => known.delete(keyOf(definition)),
    forget: (server) => {
      for (const [key, { definition }] of known) if (definition.name === server) known.delete(key);
    },
    clear: () => known.clear(),
    rows: () => [...known.values()].map(rowOf),
  };
};
