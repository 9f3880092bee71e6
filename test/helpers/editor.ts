// An editor's view of TypeScript files: TypeScript's own language server, over the protocol that editors speak (LSP).
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './program.ts';

export interface Editor extends AsyncDisposable {
  /** Complaints about a file, of syntax and of meaning: `line: text`. */
  problems(file: string): Promise<string[]>;
  /** Names offered where `mark` ends in the file. */
  completions(file: string, mark: string): Promise<string[]>;
  /** What is shown over the last character of `mark`: signature and text, as Markdown. */
  hover(file: string, mark: string): Promise<string>;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** The bodies of `Content-Length` frames in what has come so far, and what is left. */
const framesIn = (buffer: Buffer): { readonly bodies: string[]; readonly rest: Buffer } => {
  const bodies: string[] = [];
  let rest = buffer;
  for (;;) {
    const header = /^[\s\S]*?Content-Length: (\d+)[\s\S]*?\r\n\r\n/.exec(rest.toString('latin1', 0, 256));
    if (header === null) return { bodies, rest };
    const end = header[0].length + Number(header[1]);
    if (rest.length < end) return { bodies, rest };
    bodies.push(rest.toString('utf8', header[0].length, end));
    rest = rest.subarray(end);
  }
};

/** Opens `files` (name → text) side by side in a strict project. */
export const openEditor = async (files: Readonly<Record<string, string>>): Promise<Editor> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'metad-editor-')));
  const options = { strict: true, noEmit: true, target: 'es2022', lib: ['es2022'], types: [], skipLibCheck: false };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

  const program = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const child = spawn(process.execPath, [program, '--lsp', '--stdio'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<number, (answer: Message) => void>();
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  let buffer: Buffer = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    const { bodies, rest } = framesIn(Buffer.concat([buffer, chunk]));
    buffer = rest;
    for (const message of bodies.map((text) => JSON.parse(text) as Message)) {
      if (message.method === undefined) waiting.get(Number(message.id))?.(message);
      // It asks for settings and to be told of changed files; it gets none.
      else if (message.id !== undefined) send({ id: message.id, result: null });
    }
  });

  let count = 0;
  const request = async <T>(method: string, params?: object): Promise<T> => {
    count += 1;
    const id = count;
    send({ id, method, params });
    const { result, error } = await Promise.race([
      new Promise<Message>((resolve) => waiting.set(id, resolve)),
      closed.then((): Message => ({ error: { message: 'the language server ended' } })),
    ]);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result as T;
  };
  const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;
  const document = (name: string) => ({ textDocument: { uri: uriOf(name) } });
  const at = (name: string, mark: string, back: number) => {
    const text = files[name] ?? '';
    const found = text.indexOf(mark);
    if (found < 0) throw new Error(`${name} has no ${mark}`);
    const before = text.slice(0, found + mark.length - back).split('\n');
    return { ...document(name), position: { line: before.length - 1, character: (before.at(-1) ?? '').length } };
  };

  await request('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] }, diagnostic: {}, completion: {} } },
  });
  send({ method: 'initialized', params: {} });
  for (const [name, text] of Object.entries(files))
    send({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri: uriOf(name), languageId: 'typescript', version: 1, text } },
    });

  type Problem = { readonly range: { readonly start: { readonly line: number } }; readonly message: string };
  return {
    problems: async (name) => {
      const { items } = await request<{ items: Problem[] }>('textDocument/diagnostic', document(name));
      return items.map(({ range, message }) => `${range.start.line + 1}: ${message}`);
    },
    completions: async (name, mark) => {
      const found = await request<{ items: { label: string }[] } | null>('textDocument/completion', at(name, mark, 0));
      return (found?.items ?? []).map(({ label }) => label);
    },
    hover: async (name, mark) => {
      const found = await request<{ contents: { value: string } } | null>('textDocument/hover', at(name, mark, 1));
      return found?.contents.value ?? '';
    },
    [Symbol.asyncDispose]: async () => {
      await request('shutdown').catch(() => {});
      send({ method: 'exit' });
      child.stdin.end();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
