// The package runners that are looked behind, and which of them a command line is.
import { bunx } from './bunx.ts';
import { npx } from './npx.ts';
import type { Asked, Runner } from './runner.ts';
import { uvx } from './uvx.ts';

const RUNNERS: readonly Runner[] = [npx, bunx, uvx];

/** Undefined for what is no runner that is known here, and for any form that is not surely understood. */
export const runOf = (
  command: string,
  args: readonly string[],
): { readonly runner: Runner; readonly asked: Asked } | undefined => {
  for (const runner of RUNNERS) {
    const asked = runner.asked(command, args);
    if (asked !== undefined) return { runner, asked };
  }
  return undefined;
};
