import { expect, test } from 'vitest';
import { diffConfig, diffDefinitions, isEmpty } from '../../../daemon/config/diff.ts';
import { readConfig } from '../../../schema/config/read.ts';
import type { Config } from '../../../schema/config.ts';

const configOf = (text: string): Config => {
  const { config } = readConfig(text, '/c.json');
  if (config === undefined) throw new Error('the test means a good config');
  return config;
};
const servers = (text: string) => configOf(`{"mcpServers": ${text}}`).servers;

test('R074: diffConfig() sees no change in white space, comments and the order of keys', () => {
  const before = configOf(
    '{"surface":"flat","mcpServers":{"a":{"command":"x","env":{"A":"1","B":"2"},"timeout":5000},"b":{"command":"y"}}}',
  );
  const after = configOf(`{
    // the same
    "mcpServers": {
      "b": { "command": "y", "args": [] },
      "a": { "timeout": 5000, "env": { "B": "2", "A": "1" }, "command": "x", },
    },
    "surface": "flat",
  }`);
  const difference = diffConfig(before, after);
  expect(isEmpty(difference)).toBe(true);
  expect(difference).toEqual({ servers: { added: [], removed: [], changed: [], unchanged: ['b', 'a'] }, settings: [] });
});

test('R074: diffDefinitions() names only the server that changed', () => {
  const before = servers('{"a":{"command":"x","args":["1","2"]},"b":{"command":"y"},"c":{"command":"z"}}');
  const after = servers('{"a":{"command":"x","args":["2","1"]},"b":{"command":"y"},"d":{"command":"z"}}');
  expect(diffDefinitions(before, after)).toEqual({ added: ['d'], removed: ['c'], changed: ['a'], unchanged: ['b'] });
});

test.each([
  ['{"command":"a"}', '{"command":"b"}'],
  ['{"command":"a"}', '{"url":"https://a"}'],
  ['{"command":"a","env":{"A":"1"}}', '{"command":"a","env":{"A":"2"}}'],
  ['{"command":"a","env":{"A":"1"}}', '{"command":"a","env":{"B":"1"}}'],
  ['{"command":"a"}', '{"command":"a","cwd":"/"}'],
  ['{"command":"a"}', '{"command":"a","disabled":true}'],
  ['{"command":"a"}', '{"command":"a","sharing":"user"}'],
  ['{"command":"a"}', '{"command":"a","includeTools":[]}'],
  ['{"command":"a"}', '{"command":"a","timeout":1}'],
  ['{"url":"https://a","type":"sse"}', '{"url":"https://a"}'],
])('diffDefinitions() sees that %s became %s', (before, after) => {
  expect(diffDefinitions(servers(`{"x":${before}}`), servers(`{"x":${after}}`)).changed).toEqual(['x']);
});

test('diffConfig() names the settings that changed', () => {
  const before = configOf('{"execute":{"maxCalls":5},"policy":{"rules":[1,2]}}');
  expect(
    diffConfig(before, configOf('{"execute":{"maxCalls":6},"policy":{"rules":[2,1]},"surface":"flat"}')).settings,
  ).toEqual(['surface', 'execute', 'policy']);
});
