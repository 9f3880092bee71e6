// Characters of several bytes, cut anywhere on the way.
import { expect, test } from 'vitest';
import { textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';
import { rawAgent } from '../helpers/raw-agent.ts';

const TEXT = 'naïve — 漢字 🧪';

test('R016: text written one byte at a time arrives whole, from server to agent and from agent to server', async () => {
  await using home = temporaryHome({ mcpServers: { bytewise: fixtureServer('bytewise.mjs') } });
  await using agent = rawAgent({ home: home.home });
  await agent.open();
  const { result } = await agent.call(1, 'execute', { script: 'return bytewise.say({})' });
  expect(textOf(result as never)).toBe(TEXT);

  const script = `return bytewise.say({ text: ${JSON.stringify(`${TEXT}!`)} })`;
  const params = { name: 'execute', arguments: { script } };
  const line = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: TEXT, method: 'tools/call', params })}\n`);
  for (const byte of line) {
    await new Promise<void>((resolve) => agent.child.stdin.write(Buffer.of(byte), () => setImmediate(resolve)));
  }
  const answer = await agent.answer(TEXT);
  expect(textOf(answer.result as never)).toBe(`${TEXT}!`);
  expect(agent.garbage).toEqual([]);
});
