// endless: one line that goes on for 2 GB. Argument `list` (default): as reply to tools/list; `call`: as reply to `flood`
// (`ok` answers properly).
import { once } from 'node:events';
import { serve, text } from './serve.mjs';

const TOTAL = 2 * 1024 ** 3;

const endless = async ({ id }) => {
  const piece = 'a'.repeat(1024 * 1024);
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`);
  for (let sent = 0; sent < TOTAL; sent += piece.length) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  }
};

const how = process.argv[2] ?? 'list';
serve({
  name: 'endless',
  on: how === 'list' ? { 'tools/list': endless } : {},
  tools: { ok: { run: () => text('ok') }, flood: { run: (_, request) => endless(request) } },
});
