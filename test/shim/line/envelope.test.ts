import { describe, expect, test } from 'vitest';
import { envelopeOf, withId } from '../../../shim/line/envelope.ts';

const read = (text: string) => envelopeOf(Buffer.from(`${text}\n`));

describe('envelopeOf()', () => {
  test('tells requests, notifications and answers apart in any order of keys', () => {
    expect(read('{"params":{"id":9,"method":"x"},"method":"tools/call","id":1,"jsonrpc":"2.0"}')).toMatchObject({
      kind: 'request',
      method: 'tools/call',
      id: '1',
    });
    expect(read('{"params":{"id":9},"jsonrpc":"2.0","method":"notifications/x"}')).toMatchObject({
      kind: 'notification',
      method: 'notifications/x',
    });
    expect(read('{"result":{"id":9,"method":"x","error":{}},"jsonrpc":"2.0","id":"a"}')).toMatchObject({
      kind: 'answer',
      id: '"a"',
      failed: false,
    });
    expect(read('{"error":{"code":1,"message":"no"},"id":3}')).toMatchObject({ kind: 'answer', id: '3', failed: true });
  });

  test('is not fooled by what strings hold', () => {
    const tricky = '"}],\\"id\\":7,\\\\"';
    expect(read(`{"result":{"t":${tricky}},"id":1}`)).toMatchObject({ kind: 'answer', id: '1' });
    expect(read(`{ "result" : [ ${tricky} , {"a":[]} ] , "id" : 1 }`)).toMatchObject({ kind: 'answer', id: '1' });
  });

  test('knows one id in several spellings, and escaped names', () => {
    expect(read('{"id":1.0,"result":1}')?.id).toBe('1');
    expect(read('{"id":"\\u0061\\/","result":null}')?.id).toBe(JSON.stringify('a/'));
    expect(read('{"\\u0069d":4,"method":"tools\\/call"}')).toMatchObject({ id: '4', method: 'tools/call' });
    expect(read('{"id":"漢字","method":"x"}')?.id).toBe('"漢字"');
  });

  test('leaves alone what is no message', () => {
    for (const text of [
      '',
      '[]',
      '[{"id":1,"method":"x"}]',
      'noise',
      '{',
      '{"id":1',
      '{"id":null,"error":{}}',
      '{}',
      '"id"',
      '{"a"}',
    ]) {
      expect(read(text), text).toBeUndefined();
    }
  });

  test('agrees with JSON.parse on random messages', () => {
    let seed = 42;
    const random = (n: number) => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      return seed % n;
    };
    const strings = ['id', 'method', 'result', '"', '\\', '\\"', '}', '[', '漢', '\n', 'a,b:c', ''];
    const value = (depth: number): unknown => {
      const kind = random(depth > 3 ? 4 : 6);
      if (kind === 0) return strings[random(strings.length)];
      if (kind === 1) return random(1000) - 500;
      if (kind === 2) return [null, true, false][random(3)];
      if (kind === 3) return random(100) / 7;
      if (kind === 4) return Array.from({ length: random(4) }, () => value(depth + 1));
      return Object.fromEntries(
        Array.from({ length: random(4) }, () => [strings[random(strings.length)], value(depth + 1)]),
      );
    };
    for (let round = 0; round < 3000; round += 1) {
      const id = random(2) === 0 ? random(50) : `${strings[random(strings.length)]}`;
      const kind = random(3);
      const entries: [string, unknown][] = [
        ['jsonrpc', '2.0'],
        ['x', value(0)],
      ];
      if (kind !== 1) entries.push(['id', id]);
      if (kind !== 2) entries.push(['method', 'm"\\'], ['params', value(0)]);
      else entries.push([random(2) === 0 ? 'result' : 'error', value(0)]);
      entries.sort(() => random(3) - 1);
      const text = JSON.stringify(Object.fromEntries(entries), null, random(3) === 0 ? 1 : 0);
      const found = read(text);
      expect(found?.kind, text).toBe(['request', 'notification', 'answer'][kind]);
      if (kind !== 1) {
        expect(found?.id, text).toBe(JSON.stringify(id));
        const line = Buffer.from(text);
        const relabelled = found && JSON.parse(withId(line, found, '"new"').toString());
        expect(relabelled).toEqual({ ...JSON.parse(text), id: 'new' });
      }
    }
  });

  test('reads a large result in one pass', () => {
    const line = Buffer.from(JSON.stringify({ result: { text: '{"a":"b"}\n'.repeat(200_000) }, id: 5 }));
    const before = process.cpuUsage();
    expect(envelopeOf(line)?.id).toBe('5');
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(500);
  });
});
