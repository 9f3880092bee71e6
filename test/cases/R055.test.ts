// A picture of 420 KB: for the agent a picture, in every text its label.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Content } from '../../schema/tool.ts';
import { type Agent, type CallResult, CLIENTS, connectAgent, textOf } from '../helpers/agent.ts';
import { type TestHome, temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** What base64 of any PNG begins with. */
const BASE64 = SIGNATURE.toString('base64').slice(0, 8);
const LABEL = /\[image 1: image\/png, 42\d KB\]/;

const imagesIn = ({ content }: CallResult): Content[] => content.filter(({ type }) => type === 'image');

/** That picture is there, whole, and nothing of it stands in a text. */
const expectPicture = (result: CallResult, count = 1): void => {
  expect(result.isError ?? false).toBe(false);
  const images = imagesIn(result);
  expect(images).toHaveLength(count);
  for (const { data, mimeType } of images) {
    expect(mimeType).toBe('image/png');
    const bytes = Buffer.from(String(data), 'base64');
    expect(bytes.subarray(0, 8)).toEqual(SIGNATURE);
    expect(bytes.subarray(-8, -4).toString()).toBe('IEND');
    expect(bytes.length).toBeGreaterThanOrEqual(420 * 1024);
  }
  expect(textOf(result)).not.toContain(BASE64);
  expect(textOf(result).length).toBeLessThan(1000);
};

describe.each(CLIENTS)('R055: with the %s client a picture', (client) => {
  let home: TestHome;
  let agent: Agent;
  const execute = (script: string) => agent.call('execute', { script });

  beforeAll(async () => {
    home = temporaryHome({ mcpServers: { pictures: fixtureServer('pictures.mjs') } });
    agent = await connectAgent({ client, home: home.home, args: ['--call-tool'] });
  });
  afterAll(async () => {
    await agent?.[Symbol.asyncDispose]();
    // What was logged by anybody, and what was kept: no base64 of it.
    const folder = join(home.home, 'logs');
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile()) expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain(BASE64);
    await home?.[Symbol.asyncDispose]();
  });

  test('called directly arrives', async () => {
    expectPicture(await agent.call('call_tool', { server: 'pictures', tool: 'shot' }));
  });

  test('that a script returns arrives, as the whole result, alone, in a list and deep inside', async () => {
    for (const script of [
      'return pictures.shot({})',
      'const { content } = await pictures.shot({}); return content[0]',
      'const { content } = await pictures.shot({}); return content',
      'const { content } = await pictures.shot({}); return { at: [{ image: content[0] }], n: 7 }',
      'return new Map([["noted", await pictures.noted({})]])',
    ]) {
      const result = await execute(script);
      expectPicture(result);
      expect(textOf(result)).toMatch(LABEL);
    }
  });

  test('that a script emits arrives, in order among the other parts', async () => {
    const result = await execute(`
      emit('first');
      emit(await pictures.noted({ seed: 2 }));
      emit((await pictures.sound({})).content[0]);
      emit(await pictures.page({}));
      const last = await pictures.shot({ seed: 3 });
      console.log('here', last, last.content[0]);
      return { last };
    `);
    expectPicture(result, 2);
    expect(result.content.map(({ type }) => type)).toEqual([
      'text',
      'text',
      'image',
      'audio',
      'resource',
      'resource_link',
      'text',
      'image',
      'text',
    ]);
    expect(textOf(result)).toMatch(/^first\na shot of the harbour\n/);
    expect(textOf(result)).toMatch(/\{"last":\{"content":\["\[image 2: image\/png, 42\d KB\]"\]\}\}/);
    expect(textOf(result)).toMatch(
      /console:\nhere \{"content":\["\[image: image\/png, 42\d KB\]"\]\} \[image: image\/png, 42\d KB\]/,
    );
    const [second, third] = imagesIn(result);
    expect(second?.['data']).not.toBe(third?.['data']);
  });

  test('emitted alone is all of the answer; before a failure it comes with the error', async () => {
    const alone = await execute('emit(await pictures.shot({}))');
    expectPicture(alone);
    expect(alone.content).toHaveLength(1);
    const failed = await execute('emit(await pictures.shot({}));\nawait pictures.broken({})');
    expect(failed.isError).toBe(true);
    expect(textOf(failed)).toMatch(
      /^ToolError: the lens is dirty\n?.*\(line 2, column \d+\)\ncalls made: 2, 1 not ok$/ms,
    );
    expect(textOf(failed)).not.toContain(BASE64);
    expect(imagesIn(failed)).toHaveLength(1);
  });
});

test('R055: metad exec shows labels to people and gives the parts with --json', async () => {
  await using home = temporaryHome({ mcpServers: { pictures: fixtureServer('pictures.mjs') } });
  const input = 'emit(await pictures.shot({})); return { again: await pictures.noted({ seed: 2 }) }';
  const { code, stdout } = await home.metad(['exec', '-'], { input });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\[image 1: image\/png, 42\d KB\]\n\{"again":.*\[image 2: image\/png, 42\d KB\]"\]\}\}\n$/);
  const json = JSON.parse((await home.metad(['exec', '-', '--json'], { input })).stdout);
  expect(json.text).toBe(stdout.trimEnd());
  expect(json.content.map(({ type }: Content) => type)).toEqual(['image', 'text', 'image']);
  expectPicture(json, 2);
});
