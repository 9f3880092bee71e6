// What the surveyor and its worker say to each other.
import type { Finding } from './survey.ts';

export interface Order {
  readonly number: number;
  /** Absolute, without links. */
  readonly root: string;
  readonly kept: readonly Finding[];
}

export interface Answer {
  readonly number: number;
  /** An id alone stands for what was kept under it: a large list need not travel twice. */
  readonly findings: readonly (Finding | string)[];
}
