// The published servers of test/corpus, as declareServer takes them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeclaredTool } from '../../schema/declare/declare.ts';
import { namespaceNames, scriptNames } from '../../schema/identifier.ts';
import type { Tool } from '../../schema/tool.ts';

const folder = join(import.meta.dirname, '..', 'corpus');

export interface CorpusServer {
  readonly name: string;
  readonly namespace: string;
  readonly tools: readonly DeclaredTool[];
  readonly instructions?: string;
}

/** Tools under their script names. */
export const named = (tools: readonly Tool[]): DeclaredTool[] => {
  const names = scriptNames(tools.map((tool) => tool.name));
  return tools.map((tool) => ({ raw: tool.name, script: names.get(tool.name) ?? '', tool }));
};

export const readCorpus = (): readonly CorpusServer[] => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const names = files.map((file) => file.slice(0, -'.json'.length)).sort();
  const namespaces = namespaceNames(names);
  return names.map((name) => {
    const file = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as {
      tools: Tool[];
      instructions?: string;
    };
    return {
      name,
      namespace: namespaces.get(name) ?? name,
      tools: named(file.tools),
      ...(file.instructions === undefined ? {} : { instructions: file.instructions }),
    };
  });
};

/** What a client is sent of a server's tools, as an agent shows it to its model. */
export const listedText = ({ tools }: Pick<CorpusServer, 'tools'>): string =>
  JSON.stringify(
    tools.map(({ tool: { name, description, inputSchema, outputSchema } }) => ({
      name,
      description,
      inputSchema,
      outputSchema,
    })),
  );
