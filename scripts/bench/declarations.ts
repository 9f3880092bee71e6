// How much shorter declarations are than the tools/list that they stand for, and how many parameters keep their type:
// over the corpus of published servers, each beside what json-schema-to-typescript makes of it.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { compile } from 'json-schema-to-typescript';
import { type Detail, declareServer } from '../../schema/declare/declare.ts';
import { type CorpusServer, listedText, readCorpus } from '../../test/helpers/corpus.ts';
import { causesOf, typingOf } from '../../test/helpers/typing.ts';
import { type Measure, median, type Row } from './harness.ts';

interface Yield {
  readonly text: string;
  /** Schemas of which it made nothing. */
  readonly failures: number;
}

/** As whoever reaches for the library would use it: a type for each schema, and a function with its description. */
const byLibrary = async ({ tools }: CorpusServer): Promise<Yield> => {
  const parts: string[] = [];
  let failures = 0;
  for (const { script, tool } of tools) {
    const named = async (schema: unknown, name: string, otherwise: string): Promise<string> => {
      if (schema === undefined) return otherwise;
      try {
        // It changes what it is given. Unformatted text has fewer tokens than what it gives by default.
        const copy: Parameters<typeof compile>[0] = JSON.parse(JSON.stringify(schema));
        parts.push(await compile(copy, name, { bannerComment: '', format: false }));
        return /export (?:interface|type) ([\w$]+)/.exec(parts.at(-1) ?? '')?.[1] ?? otherwise;
      } catch {
        failures += 1;
        return otherwise;
      }
    };
    const params = await named(tool.inputSchema, `${script}_params`, 'any');
    const result = await named(tool.outputSchema, `${script}_result`, 'any');
    parts.push(
      `/** ${tool.description ?? ''} */\nexport declare function ${script}(params: ${params}): Promise<${result}>;`,
    );
  }
  return { text: parts.join('\n'), failures };
};

const HEAD = [
  'server',
  'tools',
  '`tools/list`',
  '`signatures`',
  '%',
  '`full`',
  '%',
  'json-schema-to-typescript',
  '%',
  'parameters with a type',
  'lost',
  'without one',
  'cause',
];

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export const measure: Measure = async (say) => {
  const corpus = readCorpus();
  say(`${corpus.length} published servers`);
  const json = corpus.map((server) => countTokens(listedText(server)));
  const tokensIn = (detail: Detail) => corpus.map((server) => countTokens(declareServer({ ...server, detail }).text));
  const sizes = { signatures: tokensIn('signatures'), full: tokensIn('full') };
  say('json-schema-to-typescript');
  const yields: Yield[] = [];
  for (const server of corpus) yields.push(await byLibrary(server));
  const library = yields.map(({ text }) => countTokens(text));
  say('parameters and their types');
  const typings = corpus.map(typingOf);

  const shareAt = (tokens: readonly number[], at: number): number =>
    (100 * (tokens[at] ?? 0)) / (json[at] ?? Number.NaN);
  const base = { base: sum(json), baseName: 'its `tools/list`' };
  const sizeRows = (['signatures', 'full'] as const).flatMap((detail): Row[] => [
    {
      id: `declare-${detail}`,
      what: `declarations of the corpus, \`${detail}\``,
      unit: 'tokens',
      value: sum(sizes[detail]),
      ...base,
      note: `${corpus.length} servers, ${sum(corpus.map(({ tools }) => tools.length))} tools`,
    },
    {
      id: `declare-${detail}-median`,
      what: `the same at the median server, \`${detail}\``,
      unit: '%',
      value: median(corpus.map((_, at) => shareAt(sizes[detail], at))),
    },
  ]);
  return {
    rows: [
      ...sizeRows,
      {
        id: 'declare-library',
        what: 'the same by json-schema-to-typescript',
        unit: 'tokens',
        value: sum(library),
        ...base,
        note: `a type for each schema, a function with its description, unformatted; ${sum(yields.map(({ failures }) => failures))} schemas failed`,
      },
      {
        id: 'declare-lost',
        what: 'parameters that state a type and end as any or unknown',
        unit: '',
        value: sum(typings.map(({ lost }) => lost.length)),
        base: sum(typings.map(({ stated }) => stated)),
        baseName: 'all that state one',
        note: `at any depth; ${sum(typings.map(({ silent }) => silent.length))} more state none`,
      },
    ],
    tables: [
      {
        title: 'Declarations per server of the corpus: tokens (o200k) and parameters',
        head: HEAD,
        rows: corpus.map(({ name, tools }, at) => {
          const typing = typings[at] ?? { stated: 0, lost: [], silent: [] };
          const sized = [sizes.signatures, sizes.full, library].flatMap((tokens) => [
            tokens[at] ?? 0,
            Math.round(shareAt(tokens, at)),
          ]);
          const { stated, lost, silent } = typing;
          return [name, tools.length, json[at] ?? 0, ...sized, stated, lost.length, silent.length, causesOf(typing)];
        }),
      },
    ],
  };
};
