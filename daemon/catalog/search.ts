// Which tools a task in plain words is about.
import type { NamedTool, ViewServer } from './view.ts';

export interface Match {
  readonly server: ViewServer;
  readonly tool: NamedTool;
  readonly score: number;
}

/** Words of a text: split at case changes, digits' ends and anything that is no letter or digit. */
export const wordsOf = (text: string): string[] =>
  text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** The same word in another form: `file` and `files`, `list` and `listing`. */
const isLike = (word: string, wanted: string): boolean =>
  word === wanted || (wanted.length > 3 && word.startsWith(wanted)) || (word.length > 3 && wanted.startsWith(word));

const hits = (words: readonly string[], wanted: string): number => (words.some((word) => isLike(word, wanted)) ? 1 : 0);

const NAME = 4;
const TITLE = 2;
const SERVER = 2;

/** Best first; equal scores in order of server and name. Only what has any of the words. */
export const search = (servers: readonly ViewServer[], query: string): readonly Match[] => {
  const wanted = [...new Set(wordsOf(query))];
  const scoreOf = (server: ViewServer, { raw, tool }: NamedTool): number => {
    const name = wordsOf(raw);
    const title = wordsOf(String(tool.title ?? tool.annotations?.title ?? ''));
    const description = wordsOf(String(tool.description ?? ''));
    const serverName = wordsOf(server.definition.name);
    return wanted.reduce(
      (sum, word) =>
        sum +
        NAME * hits(name, word) +
        TITLE * hits(title, word) +
        SERVER * hits(serverName, word) +
        hits(description, word),
      raw.toLowerCase() === query.trim().toLowerCase() ? 1000 : 0,
    );
  };
  return servers
    .flatMap((server) => server.tools.map((tool) => ({ server, tool, score: scoreOf(server, tool) })))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
};
