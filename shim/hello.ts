// What the shim says of itself before the first message.
import { FORWARDED_VARIABLES, type Hello, PROTOCOL, VERSION } from '../schema/wire.ts';
import type { Arguments } from './arguments.ts';

export interface Self {
  readonly told: Arguments;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly pid: number;
  /** The daemon that belongs to this shim, and the Node that runs it. */
  readonly program: string;
  readonly node: string;
  /** The name of the process that started the shim. */
  readonly agent?: string | undefined;
}

/** The hello of this shim; `resumed` when it had a session before. A relative --workspace is seen from the cwd. */
export const helloOf = ({ told, environment, cwd, pid, program, node, agent }: Self, resumed: boolean): Hello => {
  const forwarded: Record<string, string> = {};
  for (const name of FORWARDED_VARIABLES) {
    const value = environment[name];
    if (value !== undefined) forwarded[name] = value;
  }
  const named = told.workspace ?? (environment['CLAUDE_PROJECT_DIR'] || environment['GOOSE_WORKING_DIR'] || undefined);
  const workspace = named === undefined ? undefined : process.getBuiltinModule('node:path').resolve(cwd, named);
  return {
    protocol: PROTOCOL,
    version: VERSION,
    program,
    node,
    pid,
    cwd,
    ...(workspace === undefined ? {} : { workspace }),
    ...(told.surface === undefined ? {} : { surface: told.surface }),
    ...(told.callTool ? { callTool: true } : {}),
    ...(agent === undefined ? {} : { agent }),
    environment: forwarded,
    ...(resumed ? { resumed } : {}),
  };
};
