// How serious a log message is (MCP 2025-11-25, server/utilities/logging: the levels of RFC 5424), the most talkative first.

export const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type Level = (typeof LEVELS)[number];

export const isLevel = (value: unknown): value is Level => LEVELS.some((level) => level === value);

/** The level at which nobody of these misses anything; undefined for nobody. */
export const mostTalkative = (levels: Iterable<Level>): Level | undefined => {
  const wanted = new Set(levels);
  return LEVELS.find((level) => wanted.has(level));
};

/** Whether a message of `level` belongs to whoever asked for `wanted` and above. A level that nobody knows is shown. */
export const isShown = (level: unknown, wanted: Level): boolean =>
  !isLevel(level) || LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
