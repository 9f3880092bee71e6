// The readers of all ecosystems but JavaScript's and Python's.

import type { Reader } from '../reader.ts';
import { cargo } from './cargo.ts';
import { composer } from './composer.ts';
import { gemfile } from './gemfile.ts';
import { go } from './go.ts';
import { gradle } from './gradle.ts';
import { mix } from './mix.ts';
import { nuget } from './nuget.ts';
import { pom } from './pom.ts';
import { pub } from './pub.ts';
import { swift } from './swift.ts';

export const OTHERS: readonly Reader[] = [cargo, go, gemfile, composer, nuget, mix, swift, pub, gradle, pom];
