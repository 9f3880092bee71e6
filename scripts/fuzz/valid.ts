// Scripts that must work: programs over numbers, texts, lists and two tools, with their values worked out beside them.
import type { Json } from '../../schema/tool.ts';
import type { Random } from '../../test/helpers/random.ts';
import type { FuzzScript } from './script.ts';

/** Source and the value that it has. */
interface Term {
  readonly code: string;
  readonly value: Json;
}

const WORDS = ['ash', 'birch', 'cedar', "d'oak", 'élan', '松', '🌲', '`', '${x}', '\\n', '</script>', ''];

const literal = (value: Json): Term => ({ code: JSON.stringify(value), value });

const numberTerm = (random: Random, depth: number): { code: string; value: number } => {
  if (depth <= 0 || random.chance(0.3)) {
    const value = random.below(1000);
    return { code: String(value), value };
  }
  const left = numberTerm(random, depth - 1);
  const right = numberTerm(random, depth - 1);
  const [operator, value] = random.pick([
    ['+', left.value + right.value],
    ['-', left.value - right.value],
    ['*', left.value * right.value],
    ['%', right.value === 0 ? undefined : left.value % right.value],
    ['>', left.value > right.value ? 1 : 0],
  ] as const);
  if (value === undefined || !Number.isSafeInteger(value) || Object.is(value, -0)) return left;
  const code = `(${left.code} ${operator} ${right.code})`;
  return { code: operator === '>' ? `Number${code}` : code, value };
};

const textTerm = (random: Random): { code: string; value: string } => {
  const value = Array.from({ length: random.below(4) }, () => random.pick(WORDS)).join(' ');
  return { code: JSON.stringify(value), value };
};

/** A call of the echo server: its text comes back, parsed where it is JSON of an object or list. */
const callTerm = (random: Random): Term => {
  const { value } = textTerm(random);
  const text = `said ${value}`;
  const name = random.pick(['lab.echo', 'lab["echo"]', 'tools.lab.echo', 'tools["lab"]["echo"]']);
  return { code: `await ${name}({ text: ${JSON.stringify(text)} })`, value: text };
};

const term = (random: Random, depth: number): Term => {
  const inner = () => term(random, depth - 1);
  if (depth <= 0) return random.chance(0.5) ? numberTerm(random, 2) : textTerm(random);
  switch (random.below(8)) {
    case 0:
      return callTerm(random);
    case 1: {
      const items = Array.from({ length: random.below(4) }, inner);
      return { code: `[${items.map(({ code }) => code).join(', ')}]`, value: items.map(({ value }) => value) };
    }
    case 2: {
      const entries = Array.from({ length: random.below(4) }, (_, at) => [`k${at}`, inner()] as const);
      return {
        code: `({ ${entries.map(([key, { code }]) => `${key}: ${code}`).join(', ')} })`,
        value: Object.fromEntries(entries.map(([key, { value }]) => [key, value])),
      };
    }
    case 3: {
      const items = Array.from({ length: 1 + random.below(5) }, () => numberTerm(random, 1));
      return {
        code: `[${items.map(({ code }) => code).join(', ')}].map((n) => n * 2).filter((n) => n > 100)`,
        value: items.map(({ value }) => value * 2).filter((n) => n > 100),
      };
    }
    case 4: {
      const some = Array.from({ length: 1 + random.below(6) }, () => callTerm(random));
      return {
        code: `await Promise.all([${some.map(({ code }) => code.replace(/^await /, '')).join(', ')}])`,
        value: some.map(({ value }) => value),
      };
    }
    case 5: {
      const made = inner();
      return { code: `await (async () => { try { null.x } catch { return ${made.code} } })()`, value: made.value };
    }
    case 6: {
      const made = inner();
      return {
        code: `await new Promise((done) => setTimeout(done, 1)).then(async () => ${made.code})`,
        value: made.value,
      };
    }
    default:
      return numberTerm(random, depth);
  }
};

type Frame = (made: Term, random: Random) => string;

/** Ways to hand in the same value. */
const FRAMES: readonly Frame[] = [
  ({ code }) => `return ${code}`,
  ({ code }) => `const made = ${code};\nmade`,
  ({ code }) => `\`\`\`js\nreturn ${code}\n\`\`\``,
  ({ code }) => `async () => (${code})`,
  ({ code }) => `export default async () => { return ${code} }`,
  ({ code }) => `const keep = <T,>(value: T): T => value;\nreturn keep<unknown>(${code})`,
  ({ code }) => `type Box = { held: unknown };\nconst box: Box = { held: ${code} };\nreturn box.held as unknown;`,
  ({ code }) =>
    `enum Level { Low = 3 }\nclass Holder<T> { private held?: T; set(held: T) { this.held = held; return this } get() { return this.held } }\nif (Level.Low === 3) { return new Holder<unknown>().set(${code}).get() }`,
  ({ code }, random) => `console.log(${JSON.stringify(random.pick(WORDS))}, { a: [1, 2n] });\nreturn ${code} // done`,
  ({ code }) =>
    `for (let at = 0; at < 3; at++) { await lab.add({ by: 1 }) }\nconst { made } = { made: ${code} };\nreturn made`,
];

export const validScript = (random: Random): FuzzScript => {
  const made = random.chance(0.1) ? literal(random.below(100)) : term(random, 1 + random.below(3));
  return { kind: 'valid', name: 'program', text: random.pick(FRAMES)(made, random), value: made.value };
};
