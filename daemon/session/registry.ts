// All sessions that are open now.
import type { Session } from './session.ts';

export interface Registry {
  add(session: Session): void;
  remove(session: Session): void;
  find(id: string): Session | undefined;
  all(): readonly Session[];
  size(): number;
}

export const createRegistry = (onChange: (open: number) => void): Registry => {
  const open = new Set<Session>();
  return {
    add: (session) => {
      open.add(session);
      onChange(open.size);
    },
    remove: (session) => {
      if (open.delete(session)) onChange(open.size);
    },
    find: (id) => [...open].find((session) => session.id === id),
    all: () => [...open],
    size: () => open.size,
  };
};
