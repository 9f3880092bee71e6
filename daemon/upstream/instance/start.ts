// One start of an instance: its turn, its time limit, and what went wrong said for a person.
import type { Result } from '@modelcontextprotocol/client';
import type { Definition } from '../../../schema/config.ts';
import { MetadError } from '../../../schema/errors.ts';
import type { JsonObject } from '../../../schema/tool.ts';
import { within } from '../../scope.ts';
import type { Connection, OpenRequest } from '../connect/handshake.ts';
import { openConnection } from '../connect/open.ts';
import type { Started } from '../contract.ts';
import { type Failure, startFailure } from '../failure.ts';
import type { Gate } from '../gate.ts';
import type { How, Launcher } from '../launch/contract.ts';
import type { Lease } from '../lease.ts';
import type { Link } from '../stdio/link.ts';
import type { ServerLog } from '../stdio/logs.ts';

export interface StartRequest {
  readonly lease: Lease;
  /** The newest form of the definition: its limits count. */
  readonly definition: Definition;
  readonly gate: Gate;
  readonly signal: AbortSignal;
  /** @throws MetadError where nothing may be started now. */
  readonly before: (server: string) => void;
  readonly environment: () => Readonly<Record<string, string>>;
  readonly log: ServerLog;
  /** Is given what must end before nothing is left of this start. */
  readonly track: (ending: Promise<unknown>) => void;
  readonly launcher: Launcher | undefined;
  readonly isDirect: boolean;
  readonly onStarted: (started: Started) => void;
  readonly onProcess: OpenRequest['onProcess'];
  readonly onNoise: () => void;
  readonly onToolsChanged: () => void;
  readonly onMessage: (params: JsonObject) => void;
  readonly onResourceUpdated: (params: JsonObject) => void;
  readonly answer: (method: string, params: JsonObject, signal: AbortSignal, related?: string) => Promise<Result>;
}

/** A start that hangs gives its turn on after this, so that hanging servers do not keep the others from starting. */
const TURN_MS = 5000;

const stuckLine = (link: Link | undefined): string => {
  const bytes = link?.unfinished().bytes ?? 0;
  return bytes === 0 ? '' : ` ${bytes} bytes of a line without an end were read.`;
};

/** Never rejects. After a failure, or when `signal` ends, nothing is left once all that was tracked has ended. */
export const startInstance = async (request: StartRequest): Promise<Connection | Failure> => {
  const { lease, definition, signal } = request;
  let link: Link | undefined;
  let how: How | undefined;
  let begun = 0;
  try {
    const leave = await request.gate.enter({ signal });
    const turn = setTimeout(leave, TURN_MS).unref();
    try {
      request.before(definition.name);
      const limit = `${definition.startTimeoutMs / 1000} s (\`startTimeoutSeconds\` in ${definition.origin})`;
      const sentence = `Server \`${definition.name}\` did not answer \`initialize\` within ${limit}.`;
      return await within(definition.startTimeoutMs, sentence, signal, (scope) => {
        begun = performance.now();
        const opening = openConnection(
          {
            lease,
            // Asking for it announces a process, which an address never becomes.
            environment: lease.definition.reach.kind === 'stdio' ? request.environment() : {},
            log: request.log,
            onNoise: request.onNoise,
            launcher: request.launcher,
            isDirect: request.isDirect,
            onProcess: (started, launch) => {
              link = started;
              how = launch.how;
              request.onProcess(started, launch);
            },
            onToolsChanged: request.onToolsChanged,
            onMessage: request.onMessage,
            onResourceUpdated: request.onResourceUpdated,
            onRequest: ({ method, params }, ends, related) =>
              request.answer(method, (params ?? {}) as JsonObject, ends, related),
          },
          scope,
        ).then(async (opened) => {
          if (!scope.aborted) {
            request.onStarted({ ms: performance.now() - begun, ...(how !== undefined && { how }) });
            return opened;
          }
          // Too late: whoever waited has been told that the start failed.
          await opened.close();
          throw scope.reason;
        });
        request.track(opening);
        return opening;
      });
    } finally {
      clearTimeout(turn);
      leave();
    }
  } catch (error) {
    const told =
      error instanceof MetadError && error.code === 'timeout'
        ? new MetadError('timeout', `${error.message}${stuckLine(link)}`)
        : error;
    return startFailure(definition, told, link?.tail() ?? '');
  }
};
