// Who has subscribed to which resource. Pure, but for what it remembers.

export interface Counts {
  add(uri: string, session: string): void;
  /** False where that session has no such subscription. */
  remove(uri: string, session: string): boolean;
  /** Ends all that a session has; gives their URIs. */
  leave(session: string): readonly string[];
  has(uri: string): boolean;
  uris(): readonly string[];
  /**
   * The sessions that an update of `uri` is for: those with a subscription to it, or to a resource above it (2025-11-25,
   * `ResourceUpdatedNotification`: it may be a sub-resource).
   */
  concerned(uri: string): readonly string[];
}

const isBelow = (uri: string, above: string): boolean => uri.startsWith(above.endsWith('/') ? above : `${above}/`);

export const createCounts = (): Counts => {
  const sessions = new Map<string, Set<string>>();
  const remove = (uri: string, session: string): boolean => {
    const those = sessions.get(uri);
    const had = those?.delete(session) === true;
    if (those?.size === 0) sessions.delete(uri);
    return had;
  };
  return {
    add: (uri, session) => {
      const those = sessions.get(uri) ?? new Set();
      sessions.set(uri, those.add(session));
    },
    remove,
    leave: (session) => [...sessions.keys()].filter((uri) => remove(uri, session)),
    has: (uri) => sessions.has(uri),
    uris: () => [...sessions.keys()],
    concerned: (uri) => [
      ...new Set([...sessions].flatMap(([above, those]) => (above === uri || isBelow(uri, above) ? [...those] : []))),
    ],
  };
};
