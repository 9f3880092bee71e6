// What the host computes for lazy globals.

/** Both sides see JSON only; `null` where it cannot be done. See worker/web.ts. */
export type WebHost = (operation: string, args: readonly unknown[]) => unknown;
