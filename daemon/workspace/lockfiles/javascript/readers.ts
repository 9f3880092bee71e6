// Readers for what JavaScript projects depend on, one a package manager. Of npm's clients at most one counts at a root.

import type { Reader } from '../reader.ts';
import { bun } from './bun.ts';
import { deno } from './deno.ts';
import { npm } from './npm.ts';
import { packageJson } from './package-json.ts';
import { pnpm } from './pnpm.ts';
import { yarn } from './yarn.ts';

export const JAVASCRIPT: readonly Reader[] = [npm, pnpm, yarn, bun, deno, packageJson];
