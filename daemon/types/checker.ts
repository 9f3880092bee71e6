// One warm process that checks one script after the other, and rests when there is none.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log } from '../log.ts';
import { unlessAborted } from '../scope.ts';
import type { Documents, Language } from './documents.ts';
import type { Diagnostic } from './notes.ts';
import { type LanguageServer, startLanguageServer } from './server.ts';

export interface CheckerOptions {
  readonly log: Log;
  /** The program, or undefined where there is none. Asked at each start. */
  readonly program: () => string | undefined;
  /** A private folder that it may make: the settings stand there, and no other file. */
  readonly folder: string;
  /** Milliseconds without a check after which the process is ended. */
  readonly restMs?: number;
}

export interface Checked {
  readonly typed: readonly Diagnostic[];
  readonly plain: readonly Diagnostic[];
}

export interface Checker extends AsyncDisposable {
  /** The signal bounds its time. @throws where the checker cannot be started, dies, or is not done in time */
  check(declarations: string, documents: Documents, signal: AbortSignal): Promise<Checked>;
  pid(): number | undefined;
  /** Ends the process at once. */
  kill(): void;
}

const REST_MS = 60_000;

type Kind = 'typed' | 'plain';
const DECLARATIONS = 'tools.d.ts';
const fileOf = (kind: Kind, language: Language): string => `${kind}.${language === 'javascript' ? 'js' : 'mts'}`;

const SETTINGS = {
  compilerOptions: {
    strict: false,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    lib: ['es2022'],
    types: [],
    // A script may name files in its types: none is opened, or their contents would stand in the notes.
    noResolve: true,
  },
  files: [DECLARATIONS, 'typed.js', 'plain.js', 'typed.mts', 'plain.mts'],
};

/** What is open in one process, and as which version. */
interface Opened {
  readonly server: LanguageServer;
  readonly texts: Map<string, { readonly text: string; readonly version: number }>;
}

export const createChecker = ({ log, program, folder, restMs = REST_MS }: CheckerOptions): Checker => {
  let opened: Opened | undefined;
  let resting: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;

  const start = async (): Promise<Opened> => {
    const found = program();
    if (found === undefined) throw new Error('There is no type checker');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS), { mode: 0o600 });
    if (isClosed) throw new Error('metad is stopping');
    const server = startLanguageServer(found, folder, log);
    opened = { server, texts: new Map() };
    const before = performance.now();
    await server.request('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: { textDocument: { diagnostic: { relatedInformation: true } } },
    });
    server.notify('initialized', {});
    log('types.started', { pid: server.pid, milliseconds: Math.round(performance.now() - before) });
    return opened;
  };

  const show = ({ server, texts }: Opened, name: string, text: string): void => {
    const known = texts.get(name);
    if (known?.text === text) return;
    const version = (known?.version ?? 0) + 1;
    texts.set(name, { text, version });
    const uri = uriOf(name);
    if (known === undefined) {
      const languageId = name.endsWith('.js') ? 'javascript' : 'typescript';
      server.notify('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
    } else server.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
  };

  const run = async (declarations: string, { language, typed, plain }: Documents): Promise<Checked> => {
    const current = opened?.server.isAlive() ? opened : await start();
    const texts = { typed, plain };
    show(current, DECLARATIONS, declarations);
    for (const kind of ['typed', 'plain'] as const) show(current, fileOf(kind, language), texts[kind]);
    const complaints = async (kind: Kind): Promise<readonly Diagnostic[]> => {
      const textDocument = { uri: uriOf(fileOf(kind, language)) };
      const report = (await current.server.request('textDocument/diagnostic', { textDocument })) as
        | { items?: readonly Diagnostic[] }
        | undefined;
      return report?.items ?? [];
    };
    const [ofTyped, ofPlain] = await Promise.all([complaints('typed'), complaints('plain')]);
    return { typed: ofTyped, plain: ofPlain };
  };

  const kill = (): void => opened?.server.kill();
  const rest = (): void => {
    clearTimeout(resting);
    resting = setTimeout(kill, restMs);
    resting.unref();
  };

  return {
    check: (declarations, documents, signal) => {
      const mine = last.then(async () => {
        signal.throwIfAborted();
        if (isClosed) throw new Error('metad is stopping');
        clearTimeout(resting);
        try {
          return await unlessAborted(run(declarations, documents), signal);
        } catch (error) {
          // What it is at may take it for ever, and whoever comes next would wait for that.
          kill();
          throw error;
        } finally {
          rest();
        }
      });
      last = mine.catch(() => {});
      return unlessAborted(mine, signal);
    },
    pid: () => (opened?.server.isAlive() ? opened.server.pid : undefined),
    kill,
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      clearTimeout(resting);
      kill();
      await opened?.server.ended;
    },
  };
};
