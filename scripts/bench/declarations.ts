// How much shorter declarations are than the tools/list that they stand for, over the corpus of published servers.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { type Detail, declareServer } from '../../schema/declare/declare.ts';
import { type CorpusServer, readCorpus } from '../../test/helpers/corpus.ts';
import { type Measure, median, type Row } from './harness.ts';

/** What a client is sent of a server's tools, as an agent shows it to its model. */
const listed = ({ tools }: CorpusServer): string =>
  JSON.stringify(
    tools.map(({ tool: { name, description, inputSchema, outputSchema } }) => ({
      name,
      description,
      inputSchema,
      outputSchema,
    })),
  );

export const measure: Measure = async (say) => {
  const corpus = readCorpus();
  say(`${corpus.length} published servers`);
  const json = corpus.map((server) => countTokens(listed(server)));
  const sum = (tokens: readonly number[]) => tokens.reduce((total, one) => total + one, 0);
  return (['signatures', 'full'] as const).flatMap((detail: Detail): Row[] => {
    const tokens = corpus.map((server) => countTokens(declareServer({ ...server, detail }).text));
    const shares = tokens.map((count, at) => (100 * count) / (json[at] ?? Number.NaN));
    return [
      {
        id: `declare-${detail}`,
        what: `declarations of the corpus, \`${detail}\``,
        unit: 'tokens',
        value: sum(tokens),
        base: sum(json),
        baseName: 'its `tools/list`',
        note: `${corpus.length} servers, ${sum(corpus.map(({ tools }) => tools.length))} tools`,
      },
      {
        id: `declare-${detail}-median`,
        what: `the same at the median server, \`${detail}\``,
        unit: '%',
        value: median(shares),
      },
    ];
  });
};
