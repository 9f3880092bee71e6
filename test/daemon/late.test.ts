import { expect, test } from 'vitest';
import { late } from '../../daemon/late.ts';

/** A load that ends when the test says so. */
const held = () => {
  const closed: string[] = [];
  let finish: (part: string) => void = () => {};
  const loaded = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const part = late(
    () => loaded,
    (one) => void closed.push(one),
  );
  return { part, closed, finish };
};

test('late() loads once, for all who ask', async () => {
  let loads = 0;
  const part = late(async () => {
    loads += 1;
    return loads;
  });
  expect(part.now()).toBeUndefined();
  expect(await Promise.all([part(), part()])).toEqual([1, 1]);
  expect([await part(), part.now(), loads]).toEqual([1, 1, 1]);
});

test('late() loads again after a failure', async () => {
  let loads = 0;
  const part = late(async () => {
    loads += 1;
    if (loads === 1) throw new Error('not yet');
    return 'there';
  });
  await expect(part()).rejects.toThrow('not yet');
  expect(await part()).toBe('there');
});

test('late() closes what it loaded, and loads nothing after that', async () => {
  const { part, closed, finish } = held();
  finish('pool');
  await part();
  await part[Symbol.asyncDispose]();
  await part[Symbol.asyncDispose]();
  expect(closed).toEqual(['pool']);
  await expect(part()).rejects.toMatchObject({ code: 'unavailable' });
});

test('late() never loaded closes nothing and loads nothing', async () => {
  const { part, closed } = held();
  await part[Symbol.asyncDispose]();
  await expect(part()).rejects.toMatchObject({ code: 'unavailable' });
  expect(closed).toEqual([]);
});

test('late() closed while it loads: the part is closed as it comes, and whoever waits never gets it', async () => {
  const { part, closed, finish } = held();
  const waiting = part();
  await part[Symbol.asyncDispose]();
  finish('pool');
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
  expect(closed).toEqual(['pool']);
  expect(part.now()).toBeUndefined();
});
