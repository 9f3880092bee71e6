// drip: writes a little every 20 ms and never a newline. Argument `start`: instead of answering initialize; `call`
// (default): once `drip` was called, instead of every answer.
import { serve, text } from './serve.mjs';

const drip = () => {
  setInterval(() => process.stdout.write('{"drop":'), 20);
};

if (process.argv[2] === 'start') {
  process.stdin.resume();
  process.stdin.on('end', () => process.exit(0));
  drip();
} else {
  serve({ name: 'drip', tools: { ok: { run: () => text('ok') }, drip: { run: drip } } });
}
