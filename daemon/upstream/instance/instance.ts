// One instance of a backing server: its start state that all waiters share, its calls, its end.
import type { Result } from '@modelcontextprotocol/client';
import { MetadError, messageOf } from '../../../schema/errors.ts';
import type { Level } from '../../../schema/level.ts';
import type { JsonObject, ToolResult } from '../../../schema/tool.ts';
import { reasonOf, settledWithin, unlessAborted } from '../../scope.ts';
import { askCause, type CallInFlight, mayHaveAsked } from '../call/ask.ts';
import { callTool } from '../call/call.ts';
import type { Connection } from '../connect/handshake.ts';
import type { InstanceStatus } from '../contract.ts';
import { Broken, NotSent, quoted } from '../failure.ts';
import type { Lease } from '../lease.ts';
import { createLister } from '../list/lister.ts';
import { createResources } from '../resources/resources.ts';
import type { CallRequest, Instance, InstanceParts } from './contract.ts';
import { startInstance } from './start.ts';
import { COLD, type Event, next, type State, waitUntil } from './state.ts';
import { createTurns } from './turns.ts';
import { createUsage } from './usage.ts';

/** A back-off that ends within this is waited for; a longer one is told to the caller at once. */
const PATIENCE_MS = 2000;
/** How long a connection that took nothing may need to say why. */
const LAST_WORD_MS = 1000;

export const createInstance = (lease: Lease, parts: InstanceParts): Instance => {
  const { name } = lease.definition;
  let definition = lease.definition;
  let state: State = COLD;
  let connection: Connection | undefined;
  let starting: Promise<Connection> | undefined;
  let pid: number | null = null;
  let launch: InstanceStatus['launch'];
  let life = new AbortController();
  let retired = false;
  /** The level that the server was told. */
  let told: Level | undefined;
  let listFailure: string | undefined;
  let noiseLines = 0;
  const flights = new Set<CallInFlight>();
  /** Whatever is still on its way out. */
  const endings = new Set<Promise<unknown>>();

  const unavailable = (text: string): MetadError => new MetadError('unavailable', text);

  const move = (event: Event): void => {
    const before = state;
    state = next(state, event, parts.now(), Math.random());
    if (state !== before) parts.onChange();
  };

  const track = (ending: Promise<unknown>): void => {
    const known = ending.catch(() => {}).finally(() => endings.delete(known));
    endings.add(known);
  };

  const lister = createLister({
    server: name,
    limitMs: () => definition.startTimeoutMs,
    now: parts.now,
    onListed: (listed) => {
      parts.onListed(definition, listed);
      parts.onChange();
    },
    onFailure: (reason) => {
      listFailure = reason;
      parts.onChange();
    },
  });

  const usage = createUsage(
    () => definition.idleMs,
    () => lister.busy() || resources.busy(),
    () => {
      if (connection !== undefined) void stop().then(parts.onIdle);
    },
  );

  const lose = (lost: Connection, why: string): void => {
    if (connection !== lost) return;
    connection = undefined;
    pid = null;
    usage.rest();
    const reason = `Server \`${name}\` ${why}; it is started again when it is needed.${quoted(lost.tail())}`;
    move({ kind: 'lost', reason });
    track(lost.close());
  };

  const answer = async (method: string, params: JsonObject, signal: AbortSignal, related?: string): Promise<Result> => {
    if (method === 'roots/list') return (await parts.roots()) as Result;
    const calls = mayHaveAsked(flights, related);
    return (await askCause({ method, params }, calls, signal, parts.onAskedInDoubt)) as Result;
  };

  const start = async (): Promise<Connection> => {
    const mine = life.signal;
    move({ kind: 'start' });
    const opened = await startInstance({
      lease,
      definition,
      gate: parts.gate,
      signal: mine,
      before: (server) => parts.options.beforeStart?.(server),
      environment: parts.options.baseEnvironment,
      launcher: parts.options.launcher,
      isDirect: definition.directStart ?? parts.options.directStart?.() ?? true,
      onStarted: (started) => parts.options.onStarted?.(definition, started),
      log: parts.log,
      track,
      onProcess: (link, launched) => {
        pid = link.pid;
        launch = launched;
        parts.onProcess(link);
        parts.onChange();
      },
      onNoise: () => {
        noiseLines += 1;
      },
      onToolsChanged: () => {
        if (connection !== undefined) lister.changed(connection);
      },
      onMessage: parts.onMessage,
      onResourceUpdated: resources.updated,
      answer,
    });
    if (mine.aborted) {
      if (!('reason' in opened)) track(opened.close());
      throw unavailable(`Server \`${name}\` was stopped while it was starting.`);
    }
    if ('reason' in opened) {
      pid = null;
      move(opened);
      throw unavailable(opened.reason);
    }
    connection = opened;
    move({ kind: 'ready' });
    told = undefined;
    tellLevel();
    resources.renew();
    void opened.ended.then((why) => lose(opened, why));
    lister.get(opened).catch(() => {});
    usage.touch();
    return opened;
  };

  /** Where nobody wants messages any more the server stays as it is: what it sends is filtered for each session. */
  const tellLevel = (): void => {
    const level = parts.level();
    if (level === undefined || level === told || connection?.client.getServerCapabilities()?.logging === undefined)
      return;
    // A modern server is told with each call.
    if (connection.client.getProtocolEra() === 'modern') return;
    told = level;
    connection.client.setLoggingLevel(level).catch((error: unknown) => parts.log.line('metad', messageOf(error)));
  };

  const ready = async (signal: AbortSignal): Promise<Connection> => {
    for (;;) {
      if (signal.aborted) throw reasonOf(signal);
      if (retired) throw unavailable(`Server \`${name}\` was stopped; its definition changed or its session ended.`);
      if (connection !== undefined) return connection;
      if (starting === undefined && state.kind === 'parked') throw unavailable(state.reason);
      if (starting === undefined && state.kind === 'dead') {
        const wait = waitUntil(state.retryAt, parts.now());
        if (wait > PATIENCE_MS) throw unavailable(`${state.reason} Next try in ${Math.ceil(wait / 1000)} s.`);
        if (wait > 0) {
          await unlessAborted(settledWithin(wait, new Promise(() => {})), signal);
          continue;
        }
      }
      if (starting === undefined) {
        const mine = start().finally(() => {
          if (starting === mine) starting = undefined;
        });
        starting = mine;
      }
      return unlessAborted(starting, signal);
    }
  };

  const stop = async (): Promise<boolean> => {
    const ran = state.kind === 'starting' || state.kind === 'ready';
    usage.rest();
    life.abort(unavailable(`Server \`${name}\` was stopped.`));
    life = new AbortController();
    const last = connection;
    connection = undefined;
    starting = undefined;
    pid = null;
    move({ kind: 'stopped' });
    if (last !== undefined) track(last.close());
    await Promise.all([...endings]);
    return ran;
  };

  const resources = createResources({
    server: name,
    connection: () => connection,
    ready: (signal) => ready(signal),
    limitMs: () => definition.callTimeoutMs,
    onUse: () => usage.touch(),
    onUpdated: parts.onResourceUpdated,
    log: (line) => parts.log.line('metad', line),
  });

  const takeTurn = createTurns(() => definition, parts.asks);

  /** @param lost why an earlier try may have run. @param repeated an earlier try was surely not sent. */
  const attemptCall = async (request: CallRequest, lost?: Broken, repeated = false): Promise<ToolResult> => {
    const open = await ready(request.scope.signal);
    const { callTimeoutMs: timeoutMs, origin } = definition;
    const { roots, level } = parts;
    try {
      return await callTool(open, { ...request, server: name, timeoutMs, origin, roots, level }, flights);
    } catch (error) {
      // A process that exits during a call would most likely do so again; a connection breaks for reasons of its own.
      const isAgain = request.isRepeatable && lost === undefined && open.pid === null;
      if (error instanceof Broken && isAgain && !request.scope.signal.aborted) return attemptCall(request, error);
      if (!(error instanceof NotSent)) throw error;
      if (!(await settledWithin(LAST_WORD_MS, open.ended))) open.fail('took no more messages');
      await open.ended;
      if (repeated && lost !== undefined) throw lost;
      if (repeated) throw unavailable(`Server \`${name}\` did not take the call: ${error.message}. It did not run.`);
      return attemptCall(request, lost, true);
    }
  };

  return {
    lease,
    resources,
    async call(latest, request) {
      definition = latest;
      usage.begin();
      parts.onChange();
      let leave = (): void => {};
      try {
        // All that wait share one start and its failure; only what could be sent waits for its turn.
        if (connection === undefined) await ready(request.scope.signal);
        const turn = takeTurn(request);
        leave = typeof turn === 'function' ? turn : await turn;
        return await attemptCall(request);
      } finally {
        leave();
        usage.end();
        parts.onChange();
      }
    },
    async list(latest, signal) {
      definition = latest;
      const open = await ready(signal);
      usage.touch();
      return unlessAborted(lister.get(open), signal);
    },
    status: () => ({
      server: name,
      state: state.kind,
      sharing: lease.definition.sharing,
      owner: lease.owner,
      origin: lease.definition.origin,
      identity: lease.identity,
      pid,
      readyAt: state.kind === 'ready' ? state.since : null,
      calls: usage.total(),
      callsInFlight: usage.pending(),
      relisting: connection !== undefined && lister.changing(),
      lastError: 'reason' in state ? state.reason : state.kind === 'ready' ? (listFailure ?? null) : null,
      noiseLines,
      ...(launch !== undefined && pid !== null && { launch }),
    }),
    pending: usage.pending,
    relist() {
      if (connection !== undefined) lister.changed(connection);
    },
    rootsChanged() {
      // Only sessions of the legacy era are told; the SDK throws for the others.
      void connection?.client.sendRootsListChanged().catch(() => {});
    },
    levelChanged: tellLevel,
    stop,
    reset: () => move({ kind: 'reset' }),
    async retire(drainMs) {
      retired = true;
      await usage.free(drainMs);
      await stop();
    },
  };
};
