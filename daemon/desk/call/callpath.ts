// The one way from a caller to a tool: arguments, instance, call, record. Everything that calls a tool goes through here.
import type { Definition } from '../../../schema/config.ts';
import { MetadError } from '../../../schema/errors.ts';
import type { JsonObject, Tool, ToolResult } from '../../../schema/tool.ts';
import type { CallStatus } from '../../../schema/wire.ts';
import type { NamedTool, ViewServer } from '../../catalog/view.ts';
import type { CallScope } from '../../surface/ports.ts';
import type { Asker, Owner, Pool, Progress } from '../../upstream/pool.ts';
import { whileAttended } from './attend.ts';
import type { Observe } from './learn.ts';

/** Who calls: an agent's session, or a person's command in a terminal. */
export interface Caller {
  readonly id: string;
  readonly root: () => string | null;
  readonly asker: () => Asker | undefined;
  /** The definitions that apply for it, by name; the same object while none has changed. */
  readonly definitions: () => ReadonlyMap<string, Definition>;
  /** What it calls itself, for people. */
  readonly agent?: () => string;
}

export interface CallPath {
  call(caller: Caller, server: ViewServer, tool: NamedTool, args: JsonObject, scope: CallScope): Promise<ToolResult>;
  /** Oldest first. */
  running(): readonly CallStatus[];
}

export interface CallPathOptions {
  readonly pool: () => Promise<Pool>;
  readonly record: (call: CallStatus) => void;
  readonly onChange: () => void;
  /** The arguments as they go to the server. @throws MetadError `bad-request` where they do not fit the tool. */
  readonly check?: (server: ViewServer, tool: NamedTool, args: JsonObject) => Promise<JsonObject>;
  /** Told of each call that is made. */
  readonly onCall?: (server: string, root: string | null) => void;
  /** Told of each result that is no error. */
  readonly observe?: Observe;
  readonly now: () => number;
}

export const ownerOf = (caller: Caller): Owner => ({ session: caller.id, root: caller.root() });

/** The server says that a second run does no more than the first. */
const isRepeatable = ({ annotations }: Tool): boolean =>
  annotations?.readOnlyHint === true || annotations?.idempotentHint === true;

const outcomeOf = (error: unknown): string =>
  error instanceof MetadError && (error.code === 'timeout' || error.code === 'cancelled') ? error.code : 'error';

/** `indexing, 3 of 10` */
const said = ({ message, progress, total }: Progress): string =>
  [message, total === undefined ? undefined : `${progress} of ${total}`]
    .filter((part) => part !== undefined)
    .join(', ');

export const createCallPath = ({
  pool,
  record,
  onChange,
  check,
  onCall = () => {},
  observe = () => {},
  now,
}: CallPathOptions): CallPath => {
  const running = new Set<CallStatus>();
  return {
    running: () => [...running],
    call: async (caller, server, tool, given, { signal, progress, isAttended }) => {
      // What does not fit is no call: nothing is started, counted or recorded.
      const args = check === undefined ? given : await check(server, tool, given);
      const at = now();
      const { name } = server.definition;
      const entry: CallStatus = {
        at,
        session: caller.id,
        server: name,
        tool: tool.raw,
        milliseconds: null,
        outcome: 'running',
      };
      running.add(entry);
      onCall(name, caller.root());
      onChange();
      const finish = (outcome: string) => {
        running.delete(entry);
        record({ ...entry, milliseconds: now() - at, outcome });
        onChange();
      };
      try {
        const asker = whileAttended(caller.asker(), isAttended);
        const result = await (await pool()).call(server.definition, ownerOf(caller), tool.raw, args, {
          signal,
          ...(progress && {
            onProgress: (report) => progress(report.progress, said(report) || tool.script),
          }),
          ...(asker && { asker }),
          isRepeatable: isRepeatable(tool.tool),
        });
        finish(result.isError ? 'error' : 'ok');
        if (!result.isError) observe(server, tool, result);
        return result;
      } catch (error) {
        finish(signal.aborted ? 'cancelled' : outcomeOf(error));
        throw error;
      }
    },
  };
};
