// A package.json without a lockfile: what is direct is known, what it resolves to is not.

import type { Files, Reader } from '../reader.ts';
import { memberManifests } from './parts/client.ts';
import { dependenciesOf, NO_LOCK } from './parts/lock.ts';
import { chosenLock } from './parts/manager.ts';
import { manifestIn } from './parts/manifest.ts';
import { yaml } from './parts/syntax.ts';
import { fieldOf, textsOf } from './parts/value.ts';

const PNPM = 'pnpm-workspace.yaml';

const pnpmPatterns = (files: Files): readonly string[] => {
  const text = files.text(PNPM);
  return text === undefined ? [] : textsOf(fieldOf(yaml(PNPM, text)[0], 'packages'));
};

export const packageJson: Reader = {
  id: 'package-json',
  title: 'package.json without a lockfile',
  ecosystems: ['npm', 'jsr'],
  files: [
    { file: 'package.json', reads: 'direct dependencies of the root and of each workspace, without versions' },
    { file: PNPM, reads: '`packages`, without a lockfile' },
    { file: 'bun.lockb', reads: 'nothing: it is binary; `bun install --save-text-lockfile` writes bun.lock' },
  ],
  read: (files) => {
    if (chosenLock(files) !== undefined) return undefined;
    const root = manifestIn(files, '');
    if (root === undefined) return undefined;
    const members = memberManifests(files, [...root.workspaces, ...pnpmPatterns(files)]);
    return dependenciesOf(new Map([...members, ['', root]]), NO_LOCK);
  },
};
