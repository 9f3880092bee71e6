// An agent: one of the three SDK clients that exist, connected over the real shim process.
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Content, JsonObject } from '../../schema/tool.ts';
import { untilGone } from './processes.ts';
import { plainEnvironment, programPath } from './program.ts';

/** The 1.x SDK; the 2.x SDK as it comes (2025 handshake); the 2.x SDK speaking 2026-07-28. */
export const CLIENTS = ['v1', 'v2-legacy', 'v2-modern'] as const;
export type ClientKind = (typeof CLIENTS)[number];

export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly _meta?: JsonObject;
}

export interface CallResult {
  readonly content: readonly Content[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export interface CallLimits {
  readonly signal?: AbortSignal;
  /** Milliseconds, default 60,000. */
  readonly timeout?: number;
  readonly onprogress?: (progress: {
    progress: number;
    total?: number | undefined;
    message?: string | undefined;
  }) => void;
}

export interface Agent extends AsyncDisposable {
  readonly kind: ClientKind;
  /** Of the shim. */
  readonly pid: number;
  /** Milliseconds from the spawn to the end of the opening exchange. */
  readonly openedMs: number;
  readonly protocol: string | undefined;
  readonly instructions: string;
  readonly server: { readonly name: string; readonly version: string } | undefined;
  /** What the shim wrote to stderr so far. */
  stderr(): string;
  /** True once the shim has ended or the connection is closed. */
  closed(): boolean;
  /** How many times `tools/list_changed` came in. */
  listChanges(): number;
  listTools(): Promise<ListedTool[]>;
  call(tool: string, args?: Readonly<Record<string, unknown>>, limits?: CallLimits): Promise<CallResult>;
  /** The joined text parts of a call's result, which must not be an error. */
  text(tool: string, args?: Readonly<Record<string, unknown>>): Promise<string>;
  /** The value that a script returns, read as JSON. */
  run(script: string): Promise<unknown>;
}

export interface AgentOptions {
  readonly client?: ClientKind;
  readonly home: string;
  readonly workspace?: string;
  /** Further arguments of `metad shim`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What the agent calls itself. */
  readonly name?: string;
  /** Options of the 2.x client: capabilities, handlers of changes, … */
  readonly options?: ClientOptions;
  /** Another built `metad` than that of this checkout. */
  readonly program?: string;
  /** Answers a server's question, of which it is given the message; declares the capability too. */
  readonly onQuestion?: (message: string) => Record<string, string>;
  /** Of the 2.x client: answers what servers ask, by method; `options` declares the capabilities. */
  readonly onRequest?: (method: string) => object;
  /** Hears every message that goes either way once the connection stands. */
  readonly tap?: (direction: 'sent' | 'received', message: JsonObject) => void;
}

/** The joined text parts of a result. */
export const textOf = ({ content }: CallResult): string =>
  content.flatMap((part) => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : [])).join('\n');

const shimCommand = ({ home, workspace, args = [], env = {}, cwd, program = programPath() }: AgentOptions) => ({
  command: process.execPath,
  args: [program, 'shim', ...(workspace === undefined ? [] : ['--workspace', workspace]), ...args],
  env: plainEnvironment({ METAD_HOME: home, ...env }),
  cwd: cwd ?? home,
  stderr: 'pipe' as const,
});

/** What both SDKs' clients do alike, seen as one. */
interface Wired {
  readonly transport: {
    readonly pid: number | null;
    readonly stderr: { on(event: 'data', listener: (chunk: Buffer) => void): unknown } | null;
  };
  /** Puts itself between transport and client; to be called once they are connected. */
  tapBy(tap: NonNullable<AgentOptions['tap']>): void;
  connect(): Promise<void>;
  close(): Promise<void>;
  onClose(listener: () => void): void;
  onListChanged(listener: () => void): void;
  protocol(): string | undefined;
  instructions(): string | undefined;
  server(): { name: string; version: string } | undefined;
  listTools(): Promise<unknown>;
  callTool(params: { name: string; arguments: Record<string, unknown> }, limits: CallLimits): Promise<unknown>;
}

/** What of a transport a tap needs: both SDKs have it in this form. */
interface Tappable {
  // biome-ignore lint/suspicious/noExplicitAny: two SDKs, two unions of messages
  onmessage?: ((...given: any[]) => void) | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  send: (...given: any[]) => Promise<void>;
}

const tapOf = (transport: Tappable) => (tap: NonNullable<AgentOptions['tap']>) => {
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  transport.onmessage = (...given) => {
    tap('received', given[0]);
    onmessage?.(...given);
  };
  transport.send = (...given) => {
    tap('sent', given[0]);
    return send(...given);
  };
};

const wireV1 = (options: AgentOptions): Wired => {
  const { onQuestion } = options;
  const client = new ClientV1(
    { name: options.name ?? 'test-agent', version: '1.0.0' },
    { capabilities: onQuestion === undefined ? {} : { elicitation: {} } },
  );
  if (onQuestion !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
      action: 'accept' as const,
      content: onQuestion(params.message),
    }));
  const transport = new TransportV1(shimCommand(options));
  let protocol: string | undefined;
  // The 1.x client tells the agreed version to nobody but its transport.
  Object.assign(transport, {
    setProtocolVersion: (version: string) => {
      protocol = version;
    },
  });
  return {
    transport,
    tapBy: tapOf(transport),
    connect: () => client.connect(transport),
    close: () => client.close(),
    onClose: (listener) => {
      client.onclose = listener;
    },
    onListChanged: (listener) => client.setNotificationHandler(ToolListChangedNotificationSchema, listener),
    protocol: () => protocol,
    instructions: () => client.getInstructions(),
    server: () => client.getServerVersion(),
    listTools: () => client.listTools(),
    callTool: (params, limits) => client.callTool(params, undefined, limits),
  };
};

const wireV2 = (options: AgentOptions, modern: boolean): Wired => {
  let heard = () => {};
  const client = new Client(
    { name: options.name ?? 'test-agent', version: '2.0.0' },
    {
      listChanged: { tools: { onChanged: () => heard(), autoRefresh: false, debounceMs: 0 } },
      ...(modern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}),
      ...(options.onQuestion === undefined ? {} : { capabilities: { elicitation: {} } }),
      ...options.options,
    },
  );
  const { onQuestion, onRequest } = options;
  if (onRequest) client.fallbackRequestHandler = async ({ method }) => ({ ...onRequest(method) });
  if (onQuestion !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => ({
      action: 'accept' as const,
      content: onQuestion(params.message),
    }));
  const transport = new StdioClientTransport(shimCommand(options));
  return {
    transport,
    tapBy: tapOf(transport),
    connect: () => client.connect(transport),
    close: () => client.close(),
    onClose: (listener) => {
      client.onclose = listener;
    },
    onListChanged: (listener) => {
      heard = listener;
    },
    protocol: () => client.getNegotiatedProtocolVersion(),
    instructions: () => client.getInstructions(),
    server: () => client.getServerVersion(),
    // `refresh`, since the 2.x client may answer from its own cache otherwise.
    listTools: () => client.listTools(undefined, { cacheMode: 'refresh' }),
    callTool: (params, limits) => client.callTool(params, limits),
  };
};

/** Spawns the shim and goes through the opening exchange. Disposing closes it and waits for the shim to be gone. */
export const connectAgent = async (options: AgentOptions): Promise<Agent> => {
  const kind = options.client ?? 'v2-legacy';
  const wired = kind === 'v1' ? wireV1(options) : wireV2(options, kind === 'v2-modern');
  let errors = '';
  let closed = false;
  let changes = 0;
  wired.transport.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  wired.onClose(() => {
    closed = true;
  });
  wired.onListChanged(() => {
    changes += 1;
  });
  const before = performance.now();
  try {
    await wired.connect();
  } catch (cause) {
    await wired.close().catch(() => {});
    throw new Error(`the ${kind} client could not connect through the shim; its stderr: ${errors || '(empty)'}`, {
      cause,
    });
  }
  const openedMs = performance.now() - before;
  if (options.tap !== undefined) wired.tapBy(options.tap);
  const pid = wired.transport.pid;
  if (pid === null) throw new Error('the transport knows no pid of the shim');

  const agent: Agent = {
    kind,
    pid,
    openedMs,
    protocol: wired.protocol(),
    instructions: wired.instructions() ?? '',
    server: wired.server(),
    stderr: () => errors,
    closed: () => closed,
    listChanges: () => changes,
    listTools: async () => ((await wired.listTools()) as { tools: ListedTool[] }).tools,
    call: async (name, args = {}, limits = {}) =>
      (await wired.callTool({ name, arguments: { ...args } }, { timeout: 60_000, ...limits })) as CallResult,
    async text(name, args) {
      const result = await agent.call(name, args);
      if (result.isError) throw new Error(`${name} gave an error: ${textOf(result)}`);
      return textOf(result);
    },
    run: async (script) => JSON.parse(await agent.text('execute', { script })),
    async [Symbol.asyncDispose]() {
      await wired.close();
      await untilGone([pid], 5_000);
    },
  };
  return agent;
};
