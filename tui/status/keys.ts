// Which key means what on the live screen.
import type { ScreenEvent } from './state.ts';

/** The part of Ink's `Key` that is looked at. */
export interface KeyPress {
  readonly ctrl: boolean;
  readonly shift: boolean;
  readonly tab: boolean;
  readonly upArrow: boolean;
  readonly downArrow: boolean;
  readonly pageUp: boolean;
  readonly pageDown: boolean;
}

/** Rows that Page Up and Page Down move by. */
const PAGE = 10;

export const HELP = 'q quit · Tab next table · ↑ ↓ scroll';

export const meaningOf = (input: string, key: KeyPress): ScreenEvent | 'quit' | undefined => {
  if (input === 'q' || (key.ctrl && input === 'c')) return 'quit';
  if (key.tab) return { kind: 'focus', step: key.shift ? -1 : 1 };
  if (key.upArrow || input === 'k') return { kind: 'scroll', by: -1 };
  if (key.downArrow || input === 'j') return { kind: 'scroll', by: 1 };
  if (key.pageUp) return { kind: 'scroll', by: -PAGE };
  if (key.pageDown) return { kind: 'scroll', by: PAGE };
  return undefined;
};
