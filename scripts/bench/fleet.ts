// Homes with many tools: real servers, each listing tools of the corpus under names of its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from '../../schema/tool.ts';
import { readCorpus } from '../../test/helpers/corpus.ts';
import { type TestHome, temporaryHome } from '../../test/helpers/home.ts';
import { benchServer } from './harness.ts';

export interface Fleet {
  readonly servers: number;
  /** Tools of each, two of them the bench server's own. */
  readonly tools: number;
}

const OWN_TOOLS = 2;

/** A prime: neighbours in the corpus are of one server, and any thousand tools shall be as large as any other. */
const STRIDE = 1009;

/** Endlessly, tools of the corpus, all of them before any comes again; each under a name of its own. */
function* corpusTools(): Generator<Tool, never> {
  const tools = readCorpus().flatMap((server) => server.tools.map(({ tool }) => tool));
  for (let at = 0; ; at += 1) {
    const tool = tools[(at * STRIDE) % tools.length];
    if (tool === undefined) throw new Error('the corpus is empty');
    yield { ...tool, name: `${tool.name}_${at}` };
  }
}

/** The names of a fleet's servers, in the order of config.json. */
export const serverNames = ({ servers }: Fleet): readonly string[] =>
  Array.from({ length: servers }, (_, at) => `server${at}`);

/** A home whose servers were never started. */
export const fleetHome = (fleet: Fleet): TestHome => {
  const home = temporaryHome();
  const source = corpusTools();
  const definitions = serverNames(fleet).map((name) => {
    const file = join(home.folder, `${name}.json`);
    const tools = Array.from({ length: fleet.tools - OWN_TOOLS }, () => source.next().value);
    writeFileSync(file, JSON.stringify(tools));
    return [name, benchServer(file)] as const;
  });
  // However long a busy machine takes to start them all: what is measured is how long it takes.
  home.configure({ mcpServers: Object.fromEntries(definitions), listTools: { waitSeconds: 120 } });
  return home;
};
