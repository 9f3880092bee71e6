// What the rest of the daemon knows of runs: how one begins, who may wait for it, and what is known of it afterwards.
import type { JsonObject, ToolResult } from '../../schema/tool.ts';
import type { RunCall, RunState, RunStatus } from '../../schema/wire.ts';

/** How a call of a run ended. */
export interface CallEnd {
  readonly outcome: Exclude<RunCall['outcome'], 'running'>;
  readonly bytes: number;
  /** What went wrong; its first line is kept. */
  readonly error?: string;
}

/** What the work of a run is given. */
export interface RunScope {
  readonly id: string;
  /** Ends when the run is to end; not with whoever waits for it. */
  readonly signal: AbortSignal;
  /** A call begins. What it gives is told the end, once; ends after the run's own change nothing. */
  called(server: string, tool: string, args: JsonObject): (end: CallEnd) => void;
  /** What a server says of its progress in a call that goes on; only worth asking for while somebody hears it. */
  note(text: string): void;
  isHeard(): boolean;
  /** The script has ended: what is still open was cancelled. Gives all calls. */
  close(): readonly RunCall[];
  /** Whether somebody of the session that began it waits for it: else there is nobody to ask. */
  isAttended(): boolean;
}

export interface RunEnd {
  readonly state: Exclude<RunState, 'running' | 'interrupted'>;
  readonly result: ToolResult;
}

export type RunWork = (scope: RunScope) => Promise<RunEnd>;

export interface WaitOptions {
  /** Of whoever waits. */
  readonly signal: AbortSignal;
  /** Longest wait; the run goes on after it. Without it there is no such limit. */
  readonly milliseconds?: number;
  /** It began the run: its end is the run's, unless the run was left to go on by itself. */
  readonly owns: boolean;
  /** Told of each call that begins; the text is of the moment it is asked for. */
  readonly onStep?: (made: number, text: () => string) => void;
}

/** A run as one caller has it. */
export interface RunHandle {
  readonly id: string;
  state(): RunState;
  trace(): readonly RunCall[];
  /** What it does at this moment, in a few words. */
  moment(): string;
  /** True when it is over; false when the time is. @throws MetadError where `signal` ends first. */
  wait(options: WaitOptions): Promise<boolean>;
  /** From here on it goes on by itself, and survives its session until its own limits end it. */
  detach(): void;
  /** The answer of a run that is over; undefined where it was interrupted or is not kept any more. Rejects as its work did. */
  result(): Promise<ToolResult | undefined>;
}

/** Who begins a run, or asks for one. */
export interface RunOwner {
  readonly session: string;
  readonly agent: string;
  readonly root: string | null;
}

export interface Ledger {
  /** @throws MetadError `limit` where too many run in the background already. */
  begin(owner: RunOwner, work: RunWork, options: { readonly background: boolean }): RunHandle;
  /** A run of the caller's workspace, in memory or on disk. @throws MetadError `not-found` with the reason. */
  find(owner: RunOwner, id: string): RunHandle;
  /** Newest first: all that run, and others up to `count` in all. */
  recent(count: number): readonly RunStatus[];
  /** Runs that go on. */
  running(): number;
  /** The session is gone: its runs that somebody waited for are cancelled. `work` is done when its last run is over. */
  sessionGone(session: string, work: () => void): void;
  /** The daemon ends: what runs is interrupted, and whoever waits is told. */
  interrupt(): void;
}
