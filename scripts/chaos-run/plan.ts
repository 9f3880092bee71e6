// What a chaos run does: steps drawn from a seed, and from nothing else.
import { CLIENTS, type ClientKind } from '../../test/helpers/agent.ts';
import { type Random, randomOf } from '../../test/helpers/random.ts';

/** The servers of the fleet that are always there; `spare` comes and goes. */
export const SERVERS = ['hub', 'desk', 'own', 'mule', 'late', 'web'] as const;
export type ServerName = (typeof SERVERS)[number] | 'spare';

export const TOOLS = ['echo', 'effect', 'report', 'ask', 'noise', 'never'] as const;

/** One `execute`: so many calls of one tool side by side. */
export interface Action {
  readonly slot: number;
  readonly server: ServerName;
  readonly tool: (typeof TOOLS)[number] | 'list_tools';
  readonly count: number;
  /** Milliseconds that the server takes. */
  readonly ms: number;
  /** Characters of the answer. */
  readonly size: number;
  /** Milliseconds after which the agent takes it back. */
  readonly cancelMs?: number;
}

export type Trouble =
  | { readonly kind: 'none' }
  | { readonly kind: 'kill daemon' | 'restart daemon' | 'restart daemon now' }
  | { readonly kind: 'freeze daemon'; readonly ms: number }
  | { readonly kind: 'kill server' | 'restart server'; readonly server: ServerName }
  | { readonly kind: 'freeze server'; readonly server: ServerName; readonly ms: number }
  | {
      readonly kind: 'kill shim' | 'leave';
      readonly slot: number;
      readonly client: ClientKind;
      readonly workspace: number;
    }
  | { readonly kind: 'upgrade'; readonly slot: number; readonly client: ClientKind }
  | { readonly kind: 'config'; readonly change: 'spare' | 'rename' | 'broken' }
  | { readonly kind: 'clock'; readonly jumpMs: number };

export interface Step {
  readonly number: number;
  readonly actions: readonly Action[];
  readonly trouble: Trouble;
  /** Milliseconds from the first action to the trouble. */
  readonly afterMs: number;
}

export interface PlanOptions {
  readonly seed: number;
  /** Sessions at a time. */
  readonly slots: number;
  readonly workspaces: number;
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const JUMPS = [90 * SECOND, HOUR, 26 * HOUR, 400 * 24 * HOUR];

const actionOf = (random: Random, slots: number): Action => {
  const slot = random.below(slots);
  const server = random.chance(0.05) ? 'spare' : random.pick(SERVERS);
  const plain = { slot, server, count: 1, ms: 0, size: 0 } as const;
  const draw = random.below(100);
  const cancelMs = 5 + random.below(300);
  const ms = random.chance(0.5) ? random.below(400) : 0;
  if (draw < 30) return { ...plain, tool: 'echo', count: 1 + random.below(4), ms };
  if (draw < 55) return { ...plain, tool: 'effect', count: 1 + random.below(3), ms };
  if (draw < 62) return { ...plain, tool: 'echo', size: 1 + random.below(400_000) };
  if (draw < 69) return { ...plain, tool: 'echo', count: 20 + random.below(60) };
  if (draw < 75) return { ...plain, tool: 'report', count: 1 + random.below(3) };
  if (draw < 81) return { ...plain, tool: 'ask' };
  if (draw < 85) return { ...plain, tool: 'noise' };
  if (draw < 88) return { ...plain, tool: 'list_tools' };
  if (draw < 92) return { ...plain, tool: 'never', cancelMs };
  if (draw < 93) return { ...plain, tool: 'never' };
  return { ...plain, tool: random.chance(0.5) ? 'echo' : 'effect', count: 1 + random.below(5), ms: 300, cancelMs };
};

const troubleOf = (random: Random, { slots, workspaces }: PlanOptions): Trouble => {
  const server = random.pick(SERVERS);
  const slot = random.below(slots);
  const client = random.pick(CLIENTS);
  const workspace = random.below(workspaces);
  const ms = 100 + random.below(1500);
  const draw = random.below(100);
  if (draw < 22) return { kind: 'none' };
  if (draw < 34) return { kind: 'kill daemon' };
  if (draw < 42) return { kind: 'freeze daemon', ms };
  if (draw < 47) return { kind: 'restart daemon' };
  if (draw < 50) return { kind: 'restart daemon now' };
  if (draw < 60) return { kind: 'kill server', server };
  if (draw < 66) return { kind: 'freeze server', server, ms };
  if (draw < 70) return { kind: 'restart server', server };
  if (draw < 77) return { kind: 'kill shim', slot, client, workspace };
  if (draw < 83) return { kind: 'leave', slot, client, workspace };
  if (draw < 87) return { kind: 'upgrade', slot, client };
  if (draw < 94) return { kind: 'config', change: random.pick(['spare', 'rename', 'broken'] as const) };
  return { kind: 'clock', jumpMs: random.pick(JUMPS) * (random.chance(0.5) ? 1 : -1) };
};

/** All steps of a seed, one after the other, without an end. Pure: the same options give the same steps. */
export function* stepsOf(options: PlanOptions): Generator<Step, never> {
  const random = randomOf(options.seed);
  for (let number = 1; ; number += 1) {
    const many = random.chance(0.1);
    const actions = Array.from({ length: (many ? 20 : 2) + random.below(many ? 30 : 8) }, () =>
      actionOf(random, options.slots),
    );
    yield { number, actions, trouble: troubleOf(random, options), afterMs: random.below(250) };
  }
}

export const troubleText = (trouble: Trouble): string =>
  Object.entries(trouble)
    .map(([name, value]) => (name === 'kind' ? String(value) : `${name} ${value}`))
    .join(', ');

export const actionText = ({ slot, server, tool, count, ms, size, cancelMs }: Action): string =>
  [
    `${slot}: ${tool === 'list_tools' ? tool : `${server}.${tool}`}`,
    count > 1 && `× ${count}`,
    ms > 0 && `${ms} ms`,
    size > 0 && `${size} chars`,
    cancelMs !== undefined && `taken back after ${cancelMs} ms`,
  ]
    .filter(Boolean)
    .join(' ');
