// A daemon without parts: the real control server on a real socket, its answers canned.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createEvents, type Events } from '../../daemon/api/events.ts';
import { createHandlers, type Ports } from '../../daemon/api/handlers.ts';
import { createServer } from '../../daemon/api/server.ts';
import { createUpgrade } from '../../daemon/api/upgrade.ts';
import { MetadError } from '../../schema/errors.ts';
import { type Paths, pathsOf } from '../../schema/paths.ts';
import type { Contract, Hello, Status, TrustReport, Why } from '../../schema/wire.ts';

export const tempHome = async () => {
  const home = await mkdtemp(join(tmpdir(), 'metad-test-'));
  const paths = pathsOf({ home, uid: process.getuid?.() ?? -1, override: home });
  return { home, paths, [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }) };
};

export const sampleStatus = (home: string, pid = process.pid): Status => ({
  schema: 1,
  daemon: {
    pid,
    version: '0.1.0',
    protocol: 1,
    uptimeSeconds: 3725,
    home,
    socket: `${home}/metad.sock`,
    memoryBytes: 88 * 1024 * 1024,
    callsInFlight: 1,
    resources: { Timeout: 2 },
    descriptors: { open: 40, limit: 1024 },
    store: 'disk',
    successor: null,
    warnings: ['config.json:4:7: `mcpServers.web.foo` is not known to metad.'],
  },
  servers: [
    {
      name: 'files',
      state: 'ready',
      sharing: 'user',
      sharingReason: 'Because.',
      sessions: ['s1'],
      owner: null,
      pid: 4242,
      memoryBytes: 31_457_280,
      processes: 2,
      uptimeSeconds: 65,
      calls: 7,
      callsInFlight: 1,
      tools: 14,
      freshness: 'confirmed',
      lastError: null,
      noiseLines: 0,
      warnings: [],
      start: { lastMs: 251, medianMs: 240, count: 5 },
      how: 'direct',
      resolved: '@me/files-mcp@1.2.3',
    },
    {
      name: 'a-server-with-a-rather-long-name-for-a-table',
      state: 'dead',
      sharing: 'workspace',
      sharingReason: 'Because.',
      sessions: [],
      owner: '/home/someone/projects/a-workspace-with-a-long-name',
      pid: null,
      memoryBytes: null,
      processes: null,
      uptimeSeconds: null,
      calls: 0,
      callsInFlight: 0,
      tools: null,
      freshness: null,
      lastError: 'It exited with code 1 after 0.2 s: Cannot find module.',
      noiseLines: 3,
      warnings: [],
    },
  ],
  saved: { processes: 12, memoryBytes: 300 * 1024 * 1024 },
  sessions: [
    {
      id: 's1',
      agent: 'claude-code 2.1',
      pid: 777,
      version: '0.1.0',
      workspace: '/home/someone/projects/metad',
      surface: 'code',
      protocol: '2026-07-28',
      sinceSeconds: 12,
      calls: 7,
    },
  ],
  recentCalls: [
    {
      at: new Date(2026, 0, 2, 14, 3, 9).getTime(),
      session: 's1',
      server: 'files',
      tool: 'read_file',
      milliseconds: 12,
      outcome: 'ok',
    },
  ],
  runs: [
    {
      id: 'r7',
      session: 's1',
      agent: 'claude-code 2.1',
      workspace: '/home/someone/projects/metad',
      at: new Date(2026, 0, 2, 14, 3, 9).getTime(),
      state: 'running',
      milliseconds: 63_000,
      calls: 4,
      failed: 1,
      now: 'files.read_file',
    },
    {
      id: 'r6',
      session: 's1',
      agent: 'claude-code 2.1',
      workspace: '/home/someone/projects/metad',
      at: new Date(2026, 0, 2, 14, 3, 2).getTime(),
      state: 'done',
      milliseconds: 20,
      calls: 1,
      failed: 0,
      now: null,
    },
  ],
});

export const sampleWhy: Why = {
  server: 'files',
  sharing: 'workspace',
  sharedBy: 'default',
  reason: 'A command may depend on its folder.',
  instances: [
    {
      state: 'ready',
      owner: '/w',
      pid: 4242,
      processes: 2,
      memoryBytes: 31_457_280,
      sessions: [
        { id: 's1', agent: 'claude-code 2.1', workspace: '/w' },
        { id: 's2', agent: 'codex 1.0', workspace: '/w' },
      ],
    },
    { state: 'cold', owner: '/v', pid: null, processes: null, memoryBytes: null, sessions: [] },
  ],
  apart: ['These workspaces have one each.'],
  advice: ['If it depends on no folder, share it.'],
  saved: { processes: 2, memoryBytes: 31_457_280 },
};

/** One file with two servers, of which these hashes are trusted. */
const trustedReport = (hashes: readonly string[]): TrustReport => ({
  workspace: '/w',
  looked: ['.mcp.json'],
  problems: [],
  files: [
    {
      file: '.mcp.json',
      problems: [],
      servers: [
        {
          name: 'files',
          hash: 'h1',
          state: hashes.includes('h1') ? 'trusted' : 'changed',
          disabled: false,
          plan: {
            kind: 'stdio',
            command: 'node',
            args: ['srv.mjs', 'a b'],
            cwd: '/w',
            env: ['KEY', 'NODE_OPTIONS'],
            deciding: { NODE_OPTIONS: '--require ./x.js' },
          },
          variables: ['TOKEN'],
        },
        {
          name: 'docs',
          hash: 'h2',
          state: hashes.includes('h2') ? 'trusted' : 'new',
          disabled: false,
          plan: { kind: 'http', url: 'https://x.example/mcp', headers: ['Authorization'] },
          variables: [],
        },
      ],
    },
  ],
});

/** Ports over `status`; what they were asked is in `asked`. */
export const samplePorts = (status: Status, asked: unknown[] = []): Ports => ({
  pid: status.daemon?.pid ?? 0,
  daemon: async () => {
    if (status.daemon === null) throw new Error('a daemon knows itself');
    return status.daemon;
  },
  servers: async () => status.servers,
  saved: async () => status.saved,
  why: async (server) => {
    if (server !== 'files') throw new MetadError('not-found', `No server is named ${server} in the config.`);
    return sampleWhy;
  },
  list: async ({ cwd }) => {
    asked.push({ list: cwd });
    return {
      workspace: '/w',
      servers: [
        {
          name: 'files',
          origin: '/c/config.json',
          sharing: 'workspace',
          disabled: false,
          state: 'ready',
          runs: ['npx', '-y', 'files'],
        },
        {
          name: 'web',
          origin: '/w/.mcp.json',
          sharing: 'user',
          disabled: true,
          state: 'cold',
          runs: ['https://x.example/mcp'],
        },
      ],
    };
  },
  suggest: async ({ cwd }) => {
    asked.push({ suggest: cwd });
    return {
      workspace: '/w',
      suggestions: [
        {
          name: 'prisma',
          about: 'migrations',
          because: ['prisma 6.7.0 is in ≥6.6'],
          runs: ['npx', '-y', 'prisma', 'mcp'],
          variables: ['DATABASE_URL'],
          source: 'https://x.example/prisma',
        },
      ],
    };
  },
  sync: {
    look: async () => ({ registries: [] }),
    accept: async (registries) => {
      asked.push({ registries });
      return { sessions: 0 };
    },
  },
  trust: {
    report: async () => trustedReport([]),
    accept: async (_, servers) => {
      asked.push({ servers });
      return trustedReport(servers.map(({ hash }) => hash));
    },
    revoke: async () => ({ workspace: '/w', revoked: 2 }),
  },
  sessions: () => status.sessions,
  recentCalls: (count) => status.recentCalls.slice(0, count),
  recentRuns: (count) => status.runs.slice(0, count),
  declarations: async (where, servers, detail) => {
    asked.push({ where, servers, detail });
    if (servers.includes('nope')) throw new MetadError('not-found', 'There is no server "nope"; there is files.');
    return 'declare namespace files {\n  function read_file(params: { path: string }): Promise<string>;\n}\n';
  },
  call: async (where, server, tool, args, signal) => {
    asked.push({ where, server, tool, args });
    if (tool === 'bug') throw new TypeError('secret detail');
    if (tool === 'wait')
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          asked.push('aborted');
          reject(signal.reason);
        });
      });
    if (tool === 'huge') return { content: [{ type: 'text', text: 'x'.repeat(Number(args['size'])) }] };
    if (tool === 'fail') return { content: [{ type: 'text', text: 'no such file' }], isError: true };
    return { content: [{ type: 'text', text: `${server}.${tool} ${JSON.stringify(args)}` }] };
  },
  run: async (where, script, timeoutMs) => {
    asked.push({ where, script, timeoutMs });
    return {
      text: `ran ${script.length} characters`,
      isError: script.includes('throw'),
      content: [],
      run: 'r7',
      trace: [
        { server: 'files', tool: 'read_file', ms: 12, outcome: 'ok', bytes: 3174 },
        { server: 'files', tool: 'write_file', ms: 3, outcome: 'error', bytes: 0, error: 'EACCES: no' },
      ],
    };
  },
  reload: async (environment) => {
    asked.push({ environment });
    return status.daemon?.warnings ?? [];
  },
  handOver: (successor, withinMs) => {
    asked.push({ successor, withinMs });
    return 2;
  },
  restart: async (server) => (server === 'files' ? 1 : 0),
  stop: () => void asked.push('stop'),
});

export interface FakeDaemon extends AsyncDisposable {
  readonly paths: Paths;
  readonly home: string;
  readonly events: Events;
  readonly server: Server;
  readonly contract: Contract;
  readonly asked: unknown[];
  readonly logged: unknown[];
  readonly sessions: { readonly hello: Hello; readonly socket: Duplex }[];
  close(): Promise<void>;
}

export interface FakeOptions {
  readonly home: string;
  readonly ready?: Promise<unknown>;
  readonly status?: Status;
  readonly helloTimeoutMs?: number;
  readonly onSession?: (hello: Hello, socket: Duplex) => void;
  readonly ports?: Partial<Ports>;
}

export const startFakeDaemon = async (options: FakeOptions): Promise<FakeDaemon> => {
  const { home, ready = Promise.resolve(), status = sampleStatus(home), ports } = options;
  const paths = pathsOf({ home, uid: process.getuid?.() ?? -1, override: home });
  const asked: unknown[] = [];
  const logged: unknown[] = [];
  const log = (event: string, fields?: unknown) => void logged.push({ event, fields });
  const sessions: { hello: Hello; socket: Duplex }[] = [];
  const events = createEvents({ pauseMs: 10 });
  const contract = createHandlers({ ...samplePorts(status, asked), ...ports });
  const scope = new AbortController();
  const upgrade = createUpgrade({
    log,
    ...(options.helloTimeoutMs === undefined ? {} : { helloTimeoutMs: options.helloTimeoutMs }),
    admit: async (hello) => (socket) => {
      sessions.push({ hello, socket });
      options.onSession?.(hello, socket);
    },
  });
  const server = createServer({ handlers: async () => contract, upgrade, events, ready, log, signal: scope.signal });
  await mkdir(dirname(paths.socket), { recursive: true });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(paths.socket, resolve));
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= new Promise((resolve) => {
      events.emit({ kind: 'closing' });
      scope.abort(new MetadError('unavailable', 'The daemon is ending.'));
      for (const { socket } of sessions) socket.destroy();
      server.close(() => resolve());
    });
    return closed;
  };
  return { paths, home, events, server, contract, asked, logged, sessions, close, [Symbol.asyncDispose]: close };
};
