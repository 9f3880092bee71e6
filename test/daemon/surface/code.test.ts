import { expect, test } from 'vitest';
import { createCodeSurface } from '../../../daemon/surface/code.ts';
import { MetadError } from '../../../schema/errors.ts';
import { said, scope, testPorts, viewOf } from '../../helpers/view.ts';

const many = viewOf(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`server-number-${at}`, undefined])));

test('createCodeSurface() lists its tools with object schemas, short texts, and what keeps them from being deferred', () => {
  for (const [withCallTool, names] of [
    [false, ['list_tools', 'execute']],
    [true, ['list_tools', 'execute', 'call_tool']],
  ] as const) {
    const tools = createCodeSurface(testPorts(many), withCallTool).tools();
    expect(tools.map(({ name }) => name)).toEqual(names);
    for (const tool of tools) {
      expect(tool.inputSchema['type']).toBe('object');
      expect(tool.description.length).toBeLessThan(4_000);
      expect(tool._meta).toEqual({ 'anthropic/alwaysLoad': true });
      expect(tool).not.toHaveProperty('outputSchema');
    }
  }
});

test('createCodeSurface() gives the same bytes until a server comes or goes', () => {
  const texts = [viewOf({ a: ['x'] }), viewOf({ a: ['x', 'y'] }), viewOf({ a: undefined })].map((view) =>
    JSON.stringify(createCodeSurface(testPorts(view), false).tools()),
  );
  expect(new Set(texts).size).toBe(1);
  expect(texts).not.toContain(JSON.stringify(createCodeSurface(testPorts(viewOf({ b: [] })), false).tools()));
});

test('createCodeSurface() refuses a tool that it does not list, and tells mistakes as results', async () => {
  const surface = createCodeSurface(testPorts(viewOf({ a: ['x'] })), false);
  await expect(surface.call('call_tool', {}, scope())).rejects.toThrow(/no tool call_tool here.*list_tools, execute/);
  const mistake = await surface.call('execute', {}, scope());
  expect(mistake.isError).toBe(true);
  expect(said(mistake)).toContain('execute needs `script`');
});

test('createCodeSurface() throws what is no mistake of the agent', async () => {
  const broken = (error: Error) =>
    createCodeSurface(
      testPorts(viewOf({}), {
        run: async () => {
          throw error;
        },
      }),
      false,
    ).call('execute', { script: '1' }, scope());
  await expect(broken(new TypeError('a bug'))).rejects.toThrow('a bug');
  expect((await broken(new MetadError('unavailable', 'busy'))).isError).toBe(true);
});
