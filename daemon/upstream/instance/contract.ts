// What one instance of a backing server is given, and what it offers the pool.
import type { Definition } from '../../../schema/config.ts';
import type { Level } from '../../../schema/level.ts';
import type { JsonObject, ToolResult } from '../../../schema/tool.ts';
import type { Call } from '../call/call.ts';
import type { InstanceStatus, Listed, PoolOptions } from '../contract.ts';
import type { Gate } from '../gate.ts';
import type { Lease } from '../lease.ts';
import type { Resources } from '../resources/contract.ts';
import type { Link } from '../stdio/link.ts';
import type { ServerLog } from '../stdio/logs.ts';

export interface InstanceParts {
  readonly options: Pick<PoolOptions, 'baseEnvironment' | 'beforeStart' | 'launcher' | 'directStart' | 'onStarted'>;
  readonly gate: Gate;
  readonly log: ServerLog;
  readonly now: () => number;
  readonly onListed: (definition: Definition, listed: Listed) => void;
  readonly onProcess: (link: Link) => void;
  /** A log message of the server's. */
  readonly onMessage: (params: JsonObject) => void;
  /** A resource to which these sessions have subscribed has changed. */
  readonly onResourceUpdated: (sessions: readonly string[], params: JsonObject) => void;
  /** The level at which nobody who uses it misses a log message; undefined where nobody wants any. */
  readonly level: () => Level | undefined;
  /** Something that `status` shows has changed. */
  readonly onChange: () => void;
  /** It stopped because nobody used it. */
  readonly onIdle: () => void;
  /** Whether the server is known to ask during calls of that tool, without anybody knowing whose call it was. */
  readonly asks: (tool: string) => boolean;
  /** It asked while these were in flight for several sessions. */
  readonly onAskedInDoubt: (tools: readonly string[]) => void;
  /** The result of `roots/list` for this server. */
  readonly roots: () => Promise<JsonObject>;
}

export interface CallRequest extends Omit<Call, 'server' | 'timeoutMs' | 'origin' | 'roots' | 'level'> {
  /** It may run twice. */
  readonly isRepeatable: boolean;
}

export interface Instance {
  readonly lease: Lease;
  readonly resources: Resources;
  /** The limits of `definition` count; they may change while the instance runs. */
  call(definition: Definition, request: CallRequest): Promise<ToolResult>;
  list(definition: Definition, signal: AbortSignal): Promise<Listed>;
  /** All but who uses it. */
  status(): Omit<InstanceStatus, 'sessions'>;
  /** Calls that were taken and not answered yet, those that wait for the start included. */
  pending(): number;
  /** What it offers may be another by now: asks it again, where it runs. */
  relist(): void;
  rootsChanged(): void;
  /** `level` gives another one. */
  levelChanged(): void;
  /** Stops what runs and cancels a start; the next use starts it again. True where there was something to stop. */
  stop(): Promise<boolean>;
  /** Forgets failures, so that the next use starts it at once. */
  reset(): void;
  /** Takes nothing new, lets calls in flight end for so long at most, then stops. */
  retire(drainMs: number): Promise<void>;
}
