// One run: what it does, who waits for it, how it ends.
import { MetadError } from '../../schema/errors.ts';
import type { ToolResult } from '../../schema/tool.ts';
import type { RunCall, RunState, RunStatus } from '../../schema/wire.ts';
import { reasonOf } from '../scope.ts';
import type { RunOwner, RunScope, RunWork, WaitOptions } from './contract.ts';
import { createTrace } from './trace.ts';

export interface Run {
  readonly id: string;
  readonly owner: RunOwner;
  state(): RunState;
  trace(): readonly RunCall[];
  moment(): string;
  status(): RunStatus;
  /** Milliseconds since the epoch; undefined while it goes on. */
  endedAt(): number | undefined;
  isDetached(): boolean;
  detach(): void;
  wait(session: string, options: WaitOptions): Promise<boolean>;
  result(): Promise<ToolResult | undefined>;
  /** Lets go of the answer. */
  forget(): void;
  cancel(why: string): void;
  /** It ends now, as far as anybody who waits is concerned; what it still does comes too late. */
  interrupt(): void;
}

export interface RunOptions {
  readonly id: string;
  readonly owner: RunOwner;
  readonly background: boolean;
  readonly keepsArguments: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A clock that never jumps, in milliseconds. */
  readonly clock: () => number;
  readonly onCall: (place: number, call: RunCall) => void;
  /** State or waiting changed. */
  readonly onChange: () => void;
  readonly onEnd: () => void;
}

const nameOf = ({ server, tool }: RunCall): string => `${server}.${tool}`;

export const startRun = (options: RunOptions, work: RunWork): Run => {
  const { id, owner, now, clock, onChange, onEnd } = options;
  const at = now();
  const scope = new AbortController();
  const waiters = new Set<{ readonly session: string; readonly onStep: WaitOptions['onStep'] }>();
  const trace = createTrace({ now: clock, keepsArguments: options.keepsArguments, onChange: options.onCall });
  let state: RunState = 'running';
  let detached = options.background;
  let endedAt: number | undefined;
  let said: string | undefined;
  let over = (): void => {};
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  let result: Promise<ToolResult | undefined> = Promise.resolve(undefined);

  const end = (how: RunState, answer: Promise<ToolResult | undefined>): void => {
    if (state !== 'running') return;
    trace.close();
    state = how;
    endedAt = now();
    result = answer;
    result.catch(() => {}); // whether anybody asks is not ours to know
    onEnd();
    over();
  };

  const moment = (): string => {
    const open = trace.open();
    const latest = open.at(-1);
    const done = trace.made() - open.length;
    const calls = `${done} ${done === 1 ? 'call' : 'calls'} done`;
    if (latest === undefined) return calls;
    const others = open.length > 1 ? ` and ${open.length - 1} more` : '';
    return `${nameOf(latest)}${others}${said === undefined ? '' : ` (${said})`}, ${calls}`;
  };

  const given: RunScope = {
    id,
    signal: scope.signal,
    called: (server, tool, args) => {
      said = undefined;
      const finish = trace.begin(server, tool, args);
      for (const { onStep } of waiters) onStep?.(trace.made(), moment);
      return finish;
    },
    note: (text) => {
      said = text;
    },
    isHeard: () => [...waiters].some(({ onStep }) => onStep !== undefined),
    close: () => {
      trace.close();
      return trace.entries();
    },
    isAttended: () => [...waiters].some(({ session }) => session === owner.session),
  };

  const begun = work(given);
  begun.then(
    (how) => end(how.state, Promise.resolve(how.result)),
    () =>
      end(
        scope.signal.aborted ? 'cancelled' : 'failed',
        begun.then(() => undefined),
      ),
  );

  const cancel = (why: string): void => {
    if (state === 'running') scope.abort(new MetadError('cancelled', why));
  };

  return {
    id,
    owner,
    state: () => state,
    trace: trace.entries,
    moment,
    status: () => {
      const latest = trace.open().at(-1);
      return {
        id,
        session: owner.session,
        agent: owner.agent,
        workspace: owner.root,
        at,
        state,
        milliseconds: (endedAt ?? now()) - at,
        calls: trace.made(),
        failed: trace.failed(),
        now: state === 'running' && latest !== undefined ? nameOf(latest) : null,
      };
    },
    endedAt: () => endedAt,
    isDetached: () => detached,
    detach: () => {
      if (detached) return;
      detached = true;
      onChange();
    },
    wait: async (session, { signal, milliseconds, owns, onStep }) => {
      if (state !== 'running') return true;
      const waiter = { session, onStep };
      waiters.add(waiter);
      let timer: NodeJS.Timeout | undefined;
      let give = (): void => {};
      const outcome = await new Promise<'over' | 'late' | 'given up'>((resolve) => {
        give = () => resolve('given up');
        if (signal.aborted) return give();
        signal.addEventListener('abort', give, { once: true });
        if (milliseconds !== undefined) timer = setTimeout(() => resolve('late'), milliseconds);
        if (onStep !== undefined && trace.made() > 0) onStep(trace.made(), moment);
        void ended.then(() => resolve('over'));
      });
      clearTimeout(timer);
      signal.removeEventListener('abort', give);
      waiters.delete(waiter);
      if (outcome !== 'given up') return outcome === 'over';
      if (owns && !detached) cancel('Whoever began the run gave up.');
      throw reasonOf(signal);
    },
    result: () => result,
    forget: () => {
      result = Promise.resolve(undefined);
    },
    cancel,
    interrupt: () => {
      end('interrupted', Promise.resolve(undefined));
      scope.abort(new MetadError('unavailable', 'metad is stopping.'));
    },
  };
};
