// What a person's commands ask of the daemon, done by the same parts that serve agents.
import type { Definition } from '../../schema/config.ts';
import { MetadError } from '../../schema/errors.ts';
import { nearName } from '../../schema/near.ts';
import type { JsonObject } from '../../schema/tool.ts';
import { callByName } from '../surface/call.ts';
import { beginScript } from '../surface/execute/execute.ts';
import { shownText } from '../surface/execute/outcome.ts';
import { resultOf } from '../surface/execute/resume.ts';
import { declarations } from '../surface/list.ts';
import type { SurfacePorts } from '../surface/ports.ts';
import type { Caller } from './call/callpath.ts';

export interface ControlOptions {
  /** The definitions that apply at a workspace root. */
  readonly definitionsAt: (root: string | null) => ReadonlyMap<string, Definition>;
  /** All that apply somewhere now, those of the config first. */
  readonly definitions: () => readonly Definition[];
  readonly desk: (caller: Caller) => SurfacePorts;
  readonly rootOf: (cwd: string) => Promise<string | null>;
  /** A command's own instances end with it, as a session's do. */
  readonly onGone: (caller: string) => void;
}

export const createControl = ({ definitionsAt, definitions, desk, rootOf, onGone }: ControlOptions) => {
  let commands = 0;
  /** One command is one caller: its own session, in the workspace of the folder that it was typed in. */
  const at = async <T>(cwd: string, work: (ports: SurfacePorts) => Promise<T>): Promise<T> => {
    const root = await rootOf(cwd);
    commands += 1;
    const id = `command-${commands}`;
    try {
      return await work(
        desk({
          id,
          root: () => root,
          asker: () => undefined,
          definitions: () => definitionsAt(root),
          agent: () => 'metad',
        }),
      );
    } finally {
      onGone(id);
    }
  };
  return {
    declarations: (cwd: string, servers: readonly string[], detail: string, signal: AbortSignal) =>
      at(cwd, (ports) => declarations(ports, servers, detail, signal)),
    call: (cwd: string, server: string, tool: string, args: JsonObject, signal: AbortSignal) =>
      at(cwd, (ports) => callByName(ports, server, tool, args, { signal })),
    run: (cwd: string, script: string, timeoutMs: number | undefined, signal: AbortSignal) =>
      at(cwd, async (ports) => {
        const timeoutSeconds = timeoutMs === undefined ? undefined : timeoutMs / 1000;
        const run = beginScript(ports, script, { timeoutSeconds });
        await run.wait({ signal, owns: true });
        const result = await resultOf(run);
        return {
          text: shownText(result),
          isError: result.isError === true,
          content: result.content,
          run: run.id,
          trace: run.trace(),
        };
      }),
    find: (name: string): Definition | undefined => definitions().find((one) => one.name === name),
    /** @throws MetadError where no such server is known. */
    definitionOf: (name: string): Definition => {
      const known = definitions();
      const definition = known.find((one) => one.name === name);
      if (definition !== undefined) return definition;
      const near = nearName(
        name,
        known.map((one) => one.name),
      );
      const hint = near === undefined ? '' : ` Did you mean ${near}?`;
      throw new MetadError('not-found', `No server is named ${name} in the config or an open workspace.${hint}`);
    },
  };
};
