// When two schemas that contain themselves are the same.
import { isObject } from '../../tool.ts';
import type { Resolve } from './deref.ts';

const KEY_LIMIT = 20_000;
const ANNOTATIONS = new Set(['description', 'title', 'default', 'example', 'examples', '$comment', 'deprecated']);

/** One text for all equal recursive schemas: their own text and that of all they refer to; undefined where that is long. */
export const keyOf = (start: object, resolve: Resolve, withNotes: boolean): string | undefined => {
  const found = new Map<object, string>();
  let length = 0;
  const todo: object[] = [start];
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    if (found.has(node)) continue;
    const from = node;
    const text = JSON.stringify(node, (key, value: unknown) => {
      if (key === '$ref' && typeof value === 'string') {
        const target = resolve(value, from);
        if ('node' in target && isObject(target.node)) todo.push(target.node);
      }
      return !withNotes && ANNOTATIONS.has(key) && typeof value === 'string' ? undefined : value;
    });
    found.set(node, text);
    length += text.length;
    if (length > KEY_LIMIT) return undefined;
  }
  return [...found.values()].join('\n');
};
