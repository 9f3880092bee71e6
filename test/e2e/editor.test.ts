// `metad tools` beside a script, in an editor: what it prints is taken as it is, and helps to write the script.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { declareServer } from '../../schema/declare/declare.ts';
import { named } from '../helpers/corpus.ts';
import { type Editor, openEditor } from '../helpers/editor.ts';
import { type TestHome, temporaryHome } from '../helpers/home.ts';
import { fixtureServer, publishedServer } from '../helpers/program.ts';
import { namespacesIn } from '../helpers/typescript.ts';

const ESCAPE = '*/ declare const leaked: 1; /*';
const HOSTILE = [
  {
    name: 'delete',
    description: `Ends here ${ESCAPE}\u2028declare const leaked2: 1;\r\n// */}}\u202e`,
    inputSchema: {
      type: 'object',
      properties: {
        [`x: 1 }): void; } declare const leaked3: 1; //`]: { type: 'string', description: ESCAPE, default: ESCAPE },
        'a-b': { enum: [ESCAPE, '`$leaked`', '"'], pattern: 'x/*/y' },
      },
      required: ['a-b'],
    },
  },
  { name: '(){} declare const leaked4: 1; //', title: ESCAPE },
  { name: 'a b', outputSchema: { type: 'object', title: ESCAPE, properties: { __proto__x: { $ref: `#/${ESCAPE}` } } } },
];

const INSTRUCTIONS = `${ESCAPE}\n*/}`;

/** A script that uses most of them; each mark is where an editor is asked something. */
const SCRIPT = `
const row = await lab.slow({ text: 'x', ms: 5 });
const sum = await everything.get_sum({ a: 1, b: 2 });
const all = await Promise.all([memory.read_graph(), files.list_allowed_directories()]);
await hostile.delete_({ 'a-b': '"' });
await lab.slow({ text: 5 });
await everything.get_sum({ a: '1', b: 2 });
await hostile.delete_({ 'a-b': 'other' });
await lab.swim({});
export { row, sum, all };
`;
/** As it stands while somebody writes it. */
const BEGUN = 'files.';

describe('what metad tools prints', () => {
  let home: TestHome;
  let editor: Editor;
  let text: string;

  beforeAll(async () => {
    home = temporaryHome({
      listTools: { waitSeconds: 6 },
      mcpServers: {
        lab: fixtureServer('e2e-lab.mjs'),
        hostile: fixtureServer('names.mjs', 'hostile', JSON.stringify(HOSTILE), INSTRUCTIONS),
        everything: publishedServer('everything'),
        memory: publishedServer('memory'),
      },
    });
    home.configure({
      listTools: { waitSeconds: 6 },
      mcpServers: {
        ...JSON.parse(readFileSync(home.configFile, 'utf8')).mcpServers,
        files: publishedServer('filesystem', home.folder),
        absent: { command: 'no-such-command-here' },
        hanging: { ...fixtureServer('hanging.mjs'), startTimeoutSeconds: 40 },
      },
    });
    const { code, stdout, stderr } = await home.metad(['tools'], { timeout: 60_000 });
    expect(code, stderr).toBe(0);
    text = stdout;
    editor = await openEditor({ 'metad.d.ts': text, 'a.ts': SCRIPT, 'b.ts': BEGUN });
  }, 90_000);

  afterAll(async () => {
    await editor?.[Symbol.asyncDispose]();
    await home?.[Symbol.asyncDispose]();
  });

  test('raises no complaint, with every server in it and those without tools as comments', async () => {
    expect(namespacesIn(text).sort()).toEqual(['everything', 'files', 'hostile', 'lab', 'memory']);
    expect(text).toMatch(/^\/\/ .*absent.*no-such-command-here/m);
    expect(text).toMatch(/^\/\/ .*hanging.*/m);
    expect(await editor.problems('metad.d.ts')).toEqual([]);
  });

  test('completes the tools of a server, and nothing that only a text of it holds', async () => {
    expect(await editor.completions('b.ts', BEGUN)).toEqual(
      expect.arrayContaining(['read_text_file', 'write_file', 'list_directory']),
    );
    const everywhere = await editor.completions('a.ts', '\nawait lab.swim({});\n');
    expect(everywhere).toEqual(expect.arrayContaining(['lab', 'everything', 'files', 'hostile', 'memory']));
    expect(everywhere.filter((name) => name.startsWith('leaked'))).toEqual([]);
  });

  test('has wrong arguments and unknown tools reported, and right ones not', async () => {
    const lines = SCRIPT.split('\n');
    const wrong = ['lab.slow({ text: 5 })', "get_sum({ a: '1'", "'other'", 'lab.swim'].map(
      (mark) => lines.findIndex((line) => line.includes(mark)) + 1,
    );
    const problems = await editor.problems('a.ts');
    expect(problems.map((problem) => Number.parseInt(problem, 10))).toEqual(wrong);
    expect(problems[0]).toContain("'number' is not assignable to type 'string'");
  });

  test('shows what a tool does, and what a parameter means', async () => {
    const tool = await editor.hover('a.ts', 'everything.get_sum');
    expect(tool).toContain('function everything.get_sum(params: {');
    expect(tool).toContain('Returns the sum of two numbers');
    expect(await editor.hover('a.ts', 'get_sum({ a')).toContain('First number');
    const hostile = await editor.hover('a.ts', 'hostile.delete_');
    expect(hostile).toContain('declare const leaked: 1;');
    expect(hostile).toContain('raw name: delete');
  });

  test.each(['lab', 'hostile', 'everything', 'files', 'memory'])('is accepted of %s alone', async (server) => {
    const { stdout } = await home.metad(['tools', server]);
    expect(namespacesIn(stdout)).toEqual([server]);
    expect(text).toContain(stdout.trim());
    await using alone = await openEditor({ 'metad.d.ts': stdout, 'a.ts': `void ${server};\n` });
    expect(await alone.problems('metad.d.ts')).toEqual([]);
    expect(await alone.problems('a.ts')).toEqual([]);
  });

  test('is the text that declareServer() makes, which the corpus and random schemas put to the test', async () => {
    const tools = named(HOSTILE.map((tool) => ({ inputSchema: { type: 'object' }, ...tool })));
    const { text: made } = declareServer({ namespace: 'hostile', tools, instructions: INSTRUCTIONS, detail: 'full' });
    expect(text).toContain(made);
    expect((await home.metad(['tools', 'hostile'])).stdout).toBe(made);
  });

  test('stays so with learned return types in it', async () => {
    await home.metad(['call', 'lab.echo', '{"text": "x"}']);
    const { stdout } = await home.metad(['tools', 'lab']);
    expect(stdout).toContain('Promise</** observed */ string>');
    await using again = await openEditor({
      'metad.d.ts': stdout,
      'a.ts': 'void (await lab.echo({})).length;\nexport {};\n',
    });
    for (const file of ['metad.d.ts', 'a.ts']) expect(await again.problems(file)).toEqual([]);
  });
});
