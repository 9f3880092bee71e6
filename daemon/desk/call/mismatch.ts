// Structured results that are not what their tool's outputSchema promises: the data is kept, and it is said.
import type { Tool } from '../../../schema/tool.ts';
import type { Checker } from '../../arguments/check.ts';
import type { Log } from '../../log.ts';
import { isSmall, type Observe } from './learn.ts';

export interface MismatchOptions {
  /** Loaded with the first call. */
  readonly checker: () => Checker | undefined;
  readonly log: Log;
}

export interface Mismatches extends Observe {
  /** One sentence for each of these tools whose result did not fit. */
  readonly of: (tools: readonly { readonly tool: Tool }[]) => readonly string[];
}

/** Looks at each result once whoever waits has it, until one of its tool did not fit. Errors are not held to a schema. */
export const createMismatches = ({ checker, log }: MismatchOptions): Mismatches => {
  const found = new WeakMap<Tool, string>();
  const observe: Observe = ({ definition }, tool, result) => {
    const { structuredContent } = result;
    if (result.isError || structuredContent === undefined || tool.tool.outputSchema === undefined) return;
    if (found.has(tool.tool) || !isSmall(result)) return;
    setImmediate(() => {
      const [first] = checker()?.result(tool, structuredContent) ?? [];
      if (first === undefined) return;
      found.set(tool.tool, `${tool.raw}: a result did not fit its outputSchema (${first})`);
      log('result.mismatch', { server: definition.name, tool: tool.raw, first });
    });
  };
  return Object.assign(observe, {
    of: (tools: readonly { readonly tool: Tool }[]) =>
      tools.map(({ tool }) => found.get(tool)).filter((sentence) => sentence !== undefined),
  });
};
