// Which definitions one session has: those that apply at its root, or with `autoSync` off those that it began with.
import type { Definition } from '../../schema/config.ts';

export type Definitions = ReadonlyMap<string, Definition>;

export interface Selection {
  /** The same object while nothing changed. */
  now(root: string | null): Definitions;
  /** From now on those that apply now. */
  sync(): void;
}

export const createSelection = (at: (root: string | null) => Definitions, isFollowing: () => boolean): Selection => {
  let held: { readonly root: string | null; readonly definitions: Definitions } | undefined;
  return {
    now: (root) => {
      // Another root is another session as far as this goes.
      if (held === undefined || held.root !== root || isFollowing()) held = { root, definitions: at(root) };
      return held.definitions;
    },
    sync: () => {
      held = undefined;
    },
  };
};

/** What an agent is told of servers that came and went, as `+sqlx −next`; undefined where none did. */
export const serversLine = (before: readonly string[], after: readonly string[]): string | undefined => {
  const came = after.filter((name) => !before.includes(name)).map((name) => `+${name}`);
  const went = before.filter((name) => !after.includes(name)).map((name) => `−${name}`);
  return came.length + went.length === 0 ? undefined : `servers: ${[...came, ...went].join(' ')}`;
};

/** Names of those that are not disabled, in order. */
export const namesOf = (definitions: Definitions): readonly string[] =>
  [...definitions.values()].filter(({ disabled }) => !disabled).map(({ name }) => name);
