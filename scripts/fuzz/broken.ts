// Scripts that somebody slipped while writing: valid ones with pieces lost, doubled, swapped or made up.
import type { Random } from '../../test/helpers/random.ts';
import type { FuzzScript } from './script.ts';

const SPLINTERS = [
  '{',
  '}',
  '(',
  ')',
  '`',
  '"',
  "'",
  '${',
  '/*',
  '*/',
  '//',
  '=>',
  '...',
  'await ',
  'return ',
  ';',
  '\n',
  '\0',
  '\u2028',
  '\ud800',
  '#',
  '@',
  '<T>',
  ' as ',
  'import ',
  'export ',
  '```',
];
const SLIPS: readonly (readonly [string | RegExp, string])[] = [
  [/\blab\b/, 'labb'],
  [/\becho\b/, 'ecko'],
  ['await ', ''],
  [/\breturn\b/, 'retrun'],
  [/\bconst\b/, 'cosnt'],
  [/text:/, 'txt:'],
  [/\)$/, ''],
];

const place = (random: Random, text: string): number => random.below(text.length + 1);

const mutate = (random: Random, text: string): string => {
  const at = place(random, text);
  const to = Math.min(text.length, at + random.below(12));
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at) + text.slice(to);
    case 1:
      return text.slice(0, at) + random.pick(SPLINTERS) + text.slice(at);
    case 2:
      return text.slice(0, to) + text.slice(at, to) + text.slice(to);
    case 3:
      return text.slice(0, at);
    case 4: {
      const [from, into] = random.pick(SLIPS);
      return text.replace(from, into);
    }
    default:
      return text.slice(0, at) + String.fromCharCode(random.below(0x3000)) + text.slice(to);
  }
};

export const brokenScript = (random: Random, text: string): FuzzScript => {
  let broken = text;
  for (let times = 1 + random.below(4); times > 0; times -= 1) broken = mutate(random, broken);
  // A lost `;` may leave a loop that never ends.
  return { kind: 'broken', name: 'slip', text: broken, timeoutSeconds: 1 };
};
