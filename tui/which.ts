// The workspace that a command means: the current folder's, or the one that is named.
import { resolve } from 'node:path';
import type { WhichWorkspace } from '../schema/wire.ts';
import type { Context } from './context.ts';

/** @param named as it was typed after `--workspace` */
export const whichWorkspace = ({ cwd }: Context, named: string | undefined): WhichWorkspace => ({
  cwd,
  ...(named === undefined ? {} : { workspace: resolve(cwd, named) }),
});
