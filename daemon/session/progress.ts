// Progress towards an agent: only for a token that it sent, always growing, never silent for more than five seconds.
import type { ServerContext } from '@modelcontextprotocol/server';
import { messageOf } from '../../schema/errors.ts';
import type { Log } from '../log.ts';

/** Two agents restart their time limit on each report; the shorter limit of the two is 60 s. */
const HEARTBEAT_MS = 5000;

export interface ProgressReports {
  /** `done` is a count of steps; the message says which. A function is asked anew at each beat. */
  readonly report: ((done: number, message: string | (() => string)) => void) | undefined;
  readonly stop: () => void;
}

export const startProgress = (context: ServerContext, log: Log): ProgressReports => {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { report: undefined, stop: () => {} };
  let last = 0;
  let stopped = false;
  let message: string | (() => string) = 'running';
  const text = (): string => (typeof message === 'string' ? message : message());
  const send = (progress: number) => {
    last = progress;
    context.mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message: text() } })
      .catch((error: unknown) => log('session.progress-failed', { error: messageOf(error) }));
  };
  // The value MUST grow with each report (MCP 2025-11-25, basic/utilities/progress): a beat adds a small part of a step.
  const beat = setInterval(() => send(last + 0.001), HEARTBEAT_MS);
  beat.unref();
  return {
    report: (done, what) => {
      if (stopped) return;
      message = what;
      send(done > last ? done : last + 0.001);
      beat.refresh();
    },
    stop: () => {
      stopped = true;
      clearInterval(beat);
    },
  };
};
