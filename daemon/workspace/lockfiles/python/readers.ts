// All readers of Python's files. A root may have several kinds: what each finds counts.

import type { Reader } from '../reader.ts';
import { pdm } from './pdm.ts';
import { pipfile } from './pipfile.ts';
import { poetry } from './poetry.ts';
import { pylock } from './pylock.ts';
import { pyproject } from './pyproject.ts';
import { requirements } from './requirements.ts';
import { uv } from './uv.ts';

export const PYTHON: readonly Reader[] = [uv, poetry, pdm, pipfile, pylock, requirements, pyproject];
