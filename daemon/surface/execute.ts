// `execute`: a program over the tools; what it returns is all that reaches the agent.
import { MetadError } from '../../schema/errors.ts';
import type { JsonObject, ToolResult } from '../../schema/tool.ts';
import type { ViewServer } from '../catalog/view.ts';
import { unwrap } from './answer.ts';
import { readArguments } from './arguments.ts';
import { serverNamed, toolNamed } from './find.ts';
import { invoke } from './invoke.ts';
import { answerOf } from './outcome.ts';
import type { CallScope, SurfacePorts } from './ports.ts';
import { typeNotesOn } from './type-notes.ts';

const LATER = ['resume', 'background'] as const;

/** A word of its own in the script; a name inside a string counts too, which costs a start and nothing else. */
const mentions = (script: string, { namespace, definition }: ViewServer): boolean =>
  [namespace, definition.name].some((name) => {
    const at = script.indexOf(name);
    return (
      at >= 0 && new RegExp(`(?<![\\w$])${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\w$])`, 'u').test(script)
    );
  });

const limitOf = (ports: SurfacePorts, asked: number | undefined): number => {
  const { standard, most } = ports.scriptSeconds;
  if (asked === undefined) return standard;
  if (asked > 0 && asked <= most) return asked;
  throw new MetadError('bad-request', `\`timeout_seconds\` must be more than 0 and at most ${most}.`);
};

export const execute = async (ports: SurfacePorts, args: JsonObject, scope: CallScope): Promise<ToolResult> => {
  const later = LATER.find((name) => (args[name] ?? undefined) !== undefined);
  if (later !== undefined) {
    throw new MetadError('unsupported', `\`${later}\` does not exist in this version of metad; pass a \`script\`.`);
  }
  const read = readArguments('execute', args, ['script', 'timeout_seconds']);
  const script = read.string('script');
  if (script === undefined) throw new MetadError('bad-request', 'execute needs `script`, the program as a string.');
  const timeoutMs = limitOf(ports, read.number('timeout_seconds')) * 1000;

  const unseen = ports.unlisted(ports.view().servers).filter((server) => mentions(script, server));
  if (unseen.length > 0) await ports.discover(unseen, scope.signal);

  const runId = ports.nextRun();
  let made = 0;
  const outcome = await ports.run({
    script,
    namespaces: ports.view().namespaces,
    timeoutMs,
    signal: scope.signal,
    service: ports.service,
    call: async (serverName, toolName, toolArgs, signal) => {
      // Looked up anew for each call: a tool may have come or gone while the script ran.
      const known = serverNamed(ports.view(), serverName);
      if (known.listing === undefined) await ports.discover([known], signal);
      const server = serverNamed(ports.view(), serverName);
      const tool = toolNamed(ports, server, toolName);
      made += 1;
      scope.progress?.(made, `${serverName}.${tool.script}`);
      return unwrap(await invoke(ports, server, tool, toolArgs, { signal }));
    },
  });
  const trace = outcome.ok
    ? []
    : await typeNotesOn(
        ports,
        { script, error: outcome.error, servers: ports.view().servers.filter((server) => mentions(script, server)) },
        scope.signal,
      );
  return answerOf(outcome, { runId, limit: ports.maxOutputCharacters, keep: ports.keepResult, trace });
};
