// paged: 130 tools (`tool-001` …) over three pages. Argument: `good` (default); `repeat`: page two gives its own cursor for
// ever; `circle`: the last page points to the first; `empty`: the last page has an empty-string cursor; `fail`: page two
// always fails; `later`: page two fails from the second listing on; `forever`: new cursors and no new tools without end;
// `odd`: nameless and doubled entries; `deep`: one plain tool and one of 300 levels. `tool-001` and `change` send
// list_changed, `lists` gives the number of tools/list requests.
import { send, serve, text } from './serve.mjs';

const how = process.argv[2] ?? 'good';
const all = Array.from({ length: 130 }, (_, at) => ({
  name: `tool-${String(at + 1).padStart(3, '0')}`,
  inputSchema: { type: 'object' },
}));
let lists = 0;
let walks = 0;

const page = ({ params }) => {
  lists += 1;
  const number = params?.cursor ? Number(params.cursor) : 1;
  if (number === 1) walks += 1;
  if (number === 2 && (how === 'fail' || (how === 'later' && walks > 1))) throw new Error('page two is torn');
  if (how === 'odd') {
    return {
      tools: [{ name: 'one' }, { name: 'one', description: 'again' }, {}, { name: '' }, null, 7, { name: 'two' }],
    };
  }
  if (how === 'deep') {
    let inputSchema = { type: 'object' };
    for (let level = 0; level < 150; level += 1) inputSchema = { type: 'object', properties: { inner: inputSchema } };
    return { tools: [{ name: 'deep', inputSchema }, { name: 'flat' }] };
  }
  const tools = all.slice((number - 1) * 50, number * 50);
  if (how === 'repeat') return { tools: number === 1 ? tools : all.slice(50, 100), nextCursor: '2' };
  if (how === 'circle') return { tools, nextCursor: String((number % 3) + 1) };
  if (how === 'forever') return { tools, nextCursor: String(number + 1) };
  if (how === 'empty') return { tools, nextCursor: number < 3 ? String(number + 1) : '' };
  return number < 3 ? { tools, nextCursor: String(number + 1) } : { tools };
};

const change = () => {
  send({ method: 'notifications/tools/list_changed' });
  return text('sent');
};

serve({
  name: 'paged',
  on: { 'tools/list': page },
  tools: {
    lists: { run: () => text(String(lists)) },
    change: { run: change },
    'tool-001': { run: change },
  },
});
