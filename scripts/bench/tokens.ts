// What an agent's model has to read before its first question: tools/list and instructions, in o200k tokens.
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { temporaryHome } from '../../test/helpers/home.ts';
import { benchServer, type Measure, shimClient } from './harness.ts';

interface Fleet {
  readonly servers: number;
  readonly nameLength: number;
  readonly tools: number;
}

const fleet = ({ servers, nameLength, tools }: Fleet) => ({
  mcpServers: Object.fromEntries(
    Array.from({ length: servers }, (_, at) => {
      const words = ['mail', 'docs', 'board', 'chart', 'sound', 'query', 'store', 'cloud'];
      const name = `${words[at % words.length]}-${words[Math.floor(at / words.length) % words.length]}-${at}`;
      return [name.padEnd(nameLength, 'x').slice(-nameLength).replace(/^-/, 'x'), benchServer(String(tools))];
    }),
  ),
});

const tokensAtConnect = async (home: string): Promise<number> => {
  await using client = shimClient(home);
  const { instructions } = await client.open();
  const { tools } = await client.request('tools/list');
  return encode(JSON.stringify(tools)).length + encode(String(instructions ?? '')).length;
};

const measureFleet = async (config: Fleet, listFirst = false): Promise<number> => {
  await using home = temporaryHome(fleet(config));
  if (listFirst) {
    await using client = shimClient(home.home);
    await client.open();
    await client.call('list_tools', {});
  }
  // Awaited here: the home is disposed as soon as this function returns, and with it the daemon that answers.
  return await tokensAtConnect(home.home);
};

export const measure: Measure = async (say) => {
  say('fifty servers');
  const fifty = await measureFleet({ servers: 50, nameLength: 12, tools: 2 });
  say('a full menu');
  const full = await measureFleet({ servers: 400, nameLength: 16, tools: 2 });
  say('many tools');
  const few = await measureFleet({ servers: 4, nameLength: 12, tools: 2 }, true);
  const many = await measureFleet({ servers: 4, nameLength: 12, tools: 500 }, true);
  return [
    {
      id: 'tokens-50',
      what: 'tokens at connect, 50 servers with names of 12 characters',
      unit: 'tokens',
      value: fifty,
    },
    { id: 'tokens-full', what: 'tokens at connect, the menu at its cap (400 servers)', unit: 'tokens', value: full },
    {
      id: 'tokens-tools',
      what: 'tokens at connect, 4 servers with 500 tools each',
      unit: 'tokens',
      value: many,
      base: few,
      baseName: '2 tools each',
    },
  ];
};
