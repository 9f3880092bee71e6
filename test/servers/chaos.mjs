// chaos: the tools of chaos-tools.mjs over stdio. Usage: chaos.mjs --name NAME --ledger FILE [--stubborn] [--fork]
// [--late MS]. Stubborn: it and its child ignore the end of stdin and SIGTERM. Late: answers `initialize` after that time.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chaosTools } from './chaos-tools.mjs';
import { ask, send, serve } from './serve.mjs';

const { values } = parseArgs({
  options: {
    name: { type: 'string', default: 'chaos' },
    ledger: { type: 'string', default: '/dev/null' },
    late: { type: 'string', default: '0' },
    stubborn: { type: 'boolean', default: false },
    fork: { type: 'boolean', default: false },
  },
});
const { name, ledger } = values;

if (values.fork) spawn('sleep', ['900'], { stdio: 'inherit' });
if (values.stubborn) {
  const stay = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000000);';
  spawn(process.execPath, ['-e', `/* chaos */ ${stay}`], { stdio: 'ignore' });
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1_000_000);
}

const log = (line) => {
  process.stderr.write(`${line}\n`);
  send({ method: 'notifications/message', params: { level: 'info', data: line } });
};

const tools = Object.entries(chaosTools({ name, ledger, log })).map(([tool, { inputSchema, run }]) => [
  tool,
  {
    inputSchema,
    run: (args, { params }) => {
      const progressToken = params._meta?.progressToken;
      const progress = (step) => {
        if (progressToken !== undefined) send({ method: 'notifications/progress', params: { progressToken, ...step } });
      };
      return run(args, { progress, ask: (question) => ask('elicitation/create', question) });
    },
  },
]);

serve({
  name,
  tools: Object.fromEntries(tools),
  on: {
    initialize: async ({ params }) => {
      await sleep(Number(values.late));
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {}, logging: {} },
        serverInfo: { name, version: '1.0.0' },
      };
    },
    'logging/setLevel': () => ({}),
  },
});
