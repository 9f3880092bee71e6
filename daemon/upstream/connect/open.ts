// A connection to one backing server: process or address in, initialized client out.
import { stat } from 'node:fs/promises';
import type { Client } from '@modelcontextprotocol/client';
import type { StdioReach } from '../../../schema/config.ts';
import { MetadError, messageOf } from '../../../schema/errors.ts';
import { settledWithin } from '../../scope.ts';
import { answeredCode, NotSent } from '../failure.ts';
import { asWritten, type Launch } from '../launch/contract.ts';
import { type Link, openLink } from '../stdio/link.ts';
import { type Connection, handshake, type OpenRequest } from './handshake.ts';
import { openRemote } from './remote.ts';

/** How long a server that refused `initialize` gets to exit before it is asked again. */
const LAST_WORD_MS = 100;
const EXIT_MS = 1000;

const overLink = (client: Client, link: Link): Connection => ({
  client,
  pid: link.pid,
  ended: link.ended,
  alive: link.alive,
  unfinished: link.unfinished,
  tail: link.tail,
  fail: link.fail,
  close: link.stop,
});

/** One launch, opened in the era that the server speaks. On failure nothing of it is left. */
const openLaunch = async (request: OpenRequest, launch: Launch, signal: AbortSignal): Promise<Connection> => {
  const links: Link[] = [];
  const start = async (): Promise<Link> => {
    signal.throwIfAborted();
    const { cwd } = request.lease;
    const link = await openLink({ ...launch.program, cwd, log: request.log, onNoise: request.onNoise });
    links.push(link);
    request.onProcess(link, launch);
    return link;
  };
  try {
    const link = await start();
    try {
      return overLink(await handshake(request, link.transport(), 'legacy', signal), link);
    } catch (refusal) {
      const code = answeredCode(refusal);
      if (code === undefined || signal.aborted) throw await whyEnded(link, refusal);
      // It answered, and not with a legacy session. Some of these exit right after; then a process of its own decides.
      await settledWithin(LAST_WORD_MS, link.ended);
      try {
        if (link.alive()) return overLink(await handshake(request, link.transport(), 'modern', signal), link);
      } catch (error) {
        if (link.alive() || signal.aborted) throw refusedBoth(refusal, error);
      }
      const second = await start();
      try {
        return overLink(await handshake(request, second.transport(), 'modern', signal), second);
      } catch (error) {
        throw refusedBoth(refusal, error);
      }
    }
  } catch (error) {
    await Promise.all(links.map((link) => link.stop()));
    throw error;
  }
};

/** @throws Error for a folder that is not there: spawn() says ENOENT for it too, as if the command were missing. */
const checkFolder = async (cwd: string): Promise<void> => {
  const isFolder = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new Error(`its folder ${cwd} does not exist`);
};

const isTimeout = (reason: unknown): boolean => reason instanceof MetadError && reason.code === 'timeout';

/** A direct start that fails is no failure of the server's: it is started again as written. */
const openStdio = async (request: OpenRequest, reach: StdioReach, signal: AbortSignal): Promise<Connection> => {
  const { cwd, definition } = request.lease;
  await checkFolder(cwd);
  const environment = { ...request.environment, ...reach.env };
  const planned = await request.launcher?.plan(definition.name, reach, cwd, environment, request.isDirect !== false);
  const launch = planned ?? asWritten(reach, environment);
  try {
    const opened = await openLaunch(request, launch, signal);
    launch.ready(opened.pid ?? 0);
    return opened;
  } catch (error) {
    if (launch.how !== 'direct') throw error;
    // Stopped while it was starting says nothing of the program; a start that hangs does.
    if (!signal.aborted || isTimeout(signal.reason)) launch.failed(messageOf(error));
    if (signal.aborted) throw error;
    request.log.line('metad', `started directly it failed (${messageOf(error)}); it is started as written`);
    return openLaunch(request, { ...asWritten(reach, environment), how: 'wrapper' }, signal);
  }
};

const refusedBoth = (refusal: unknown, cause: unknown): Error =>
  new Error(`it refused \`initialize\` (${answeredCode(refusal)}: ${messageOf(refusal)}) and \`server/discover\` too`, {
    cause,
  });

/** Where the process is gone, that is the reason, not the closed connection. */
const whyEnded = async (link: Link, error: unknown): Promise<unknown> => {
  // A write that failed is often the first to know of an exit.
  if (error instanceof NotSent) await settledWithin(EXIT_MS, link.ended);
  if (link.alive()) return error;
  return new Error(`it ${await link.ended} before it had answered \`initialize\``, { cause: error });
};

/**
 * Connects and initializes; nothing is left behind on failure or when `signal` ends.
 * @throws whatever went wrong; `startFailure` says it for a person.
 */
export const openConnection = (request: OpenRequest, signal: AbortSignal): Promise<Connection> => {
  const { reach } = request.lease.definition;
  return reach.kind === 'stdio' ? openStdio(request, reach, signal) : openRemote(request, reach, signal);
};
