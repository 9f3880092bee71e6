import { expect, test } from 'vitest';
import { createExpander } from '../../../daemon/config/expander.ts';
import type { Definition } from '../../../schema/config.ts';

const definition = (...args: string[]): Definition => ({
  name: 'files',
  origin: '/c.json',
  reach: { kind: 'stdio', command: 'serve', args, env: {} },
  sharing: 'workspace',
  sharedBy: 'default',
  sharingReason: 'As it is.',
  disabled: false,
  idleMs: 1,
  callTimeoutMs: 1,
  startTimeoutMs: 1,
});
const argsOf = ({ reach }: Definition) => (reach.kind === 'stdio' ? reach.args : []);

test('createExpander() gives the same object while definition, root and variables are the same', () => {
  const expand = createExpander(() => variables);
  const variables = { TOKEN: 'a' };
  const one = definition('${TOKEN}', '${workspaceFolder}');
  const expanded = expand(one, '/w');
  expect(argsOf(expanded)).toEqual(['a', '/w']);
  expect(expand(one, '/w')).toBe(expanded);
  expect(argsOf(expand(one, '/other'))).toEqual(['a', '/other']);
  expect(argsOf(expand(definition('${TOKEN}!'), '/w'))).toEqual(['a!']);
});

test('createExpander() expands anew once the variables are others, and never keeps a failure', () => {
  let variables: Record<string, string> = {};
  const expand = createExpander(() => variables);
  const one = definition('${TOKEN}');
  expect(() => expand(one, null)).toThrow('TOKEN');
  variables = { TOKEN: 'a' };
  expect(argsOf(expand(one, null))).toEqual(['a']);
  variables = { TOKEN: 'b' };
  expect(argsOf(expand(one, null))).toEqual(['b']);
});
