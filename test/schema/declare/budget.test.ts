import { describe, expect, test } from 'vitest';
import { estimateTokens, type FitServer, fit as fitServers } from '../../../schema/declare/budget.ts';
import { declareServer } from '../../../schema/declare/declare.ts';
import { named } from '../../helpers/corpus.ts';
import { compile } from '../../helpers/typescript.ts';

const serverOf = (server: string, count: number, text = 'What it does, at some length. '): FitServer => ({
  server,
  namespace: server,
  tools: named(
    Array.from({ length: count }, (_, at) => ({
      name: `${server}_tool_${at}`,
      description: text.repeat(8),
      inputSchema: { type: 'object', properties: { path: { type: 'string', description: text } }, required: ['path'] },
    })),
  ),
});

describe('fit()', () => {
  test('gives everything in full when that fits', () => {
    const fitted = fitServers([serverOf('a', 2), serverOf('b', 2)], 4000);
    expect(fitted.isWhole).toBe(true);
    expect([...fitted.details.values()]).toEqual(['full', 'full']);
    expect(fitted.text).not.toContain('Left out');
  });

  test('gives signatures of all before the full text of some, and says how to get that', () => {
    const fitted = fitServers([serverOf('a', 20), serverOf('b', 20)], 2500);
    expect([...fitted.details.values()]).toEqual(['signatures', 'signatures']);
    expect(fitted.text).toContain(
      '// Left out: the parameter texts of a, b; list_tools({ servers: ["a","b"], detail: "full" }) shows them.',
    );
  });

  test('gives names of all and signatures of the smallest, then counts', () => {
    const some = fitServers([serverOf('big', 80), serverOf('small', 3), serverOf('middle', 20)], 1800);
    expect(Object.fromEntries(some.details)).toEqual({ big: 'names', small: 'signatures', middle: 'signatures' });
    expect(some.text).toContain('list_tools({ servers: ["big"], detail: "signatures" })');
    const few = fitServers([serverOf('big', 2500), serverOf('small', 3)], 1000);
    expect(Object.fromEntries(few.details)).toEqual({ big: 'count', small: 'names' });
    expect(few.text).toContain('// big: 2500 tools');
  });

  test('stays within the budget, notes included, parses, and is the same every time', () => {
    const servers = Array.from({ length: 50 }, (_, at) => serverOf(`server_${at}`, 1 + ((at * 7) % 40)));
    const texts = new Map<string, string>();
    for (const budget of [400, 1000, 2000, 4000, 8000, 16_000, 32_000]) {
      const { text, tokens } = fitServers(servers, budget);
      // Below the counts of all there is nothing shorter to say.
      if (budget > 400) expect(tokens).toBeLessThanOrEqual(budget);
      expect(fitServers(servers, budget).text).toBe(text);
      texts.set(`b${budget}.d.ts`, text.replaceAll('declare namespace ', `declare namespace b${budget}_`));
    }
    expect(compile(texts)).toEqual([]);
  });

  test('makes no declarations that cannot fit', () => {
    const asked: string[] = [];
    const server = serverOf('huge', 5000);
    const declare: FitServer['declare'] = (detail) => {
      asked.push(detail);
      return declareServer({ ...server, detail });
    };
    fitServers([{ ...server, declare }], 4000);
    expect(asked).toEqual([]);
  });
});

test('estimateTokens() counts words, digits, runs of punctuation and other scripts', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('function get_row(params: { id: string }): Promise<any>;')).toBeLessThan(20);
  expect(estimateTokens('获取行')).toBeGreaterThanOrEqual(2);
});
