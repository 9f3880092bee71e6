// worker: the server behind wrapper.mjs; see there.
import { spawn } from 'node:child_process';
import { serve, text } from './serve.mjs';

const sleeper = spawn('sleep', ['900'], { stdio: 'inherit' });
if (process.argv.includes('stubborn')) {
  process.on('SIGTERM', () => {});
  setTimeout(() => process.exit(), 180_000); // Not for ever, should a test die.
} else {
  process.stdin.on('end', () => process.exit(0));
}
serve({
  name: 'worker',
  tools: {
    pids: { run: () => text([Number(process.env.WRAPPER), process.pid, sleeper.pid]) },
    orphan: {
      run: () => {
        setTimeout(() => process.kill(Number(process.env.WRAPPER), 'SIGKILL'), 20);
        return text('bye');
      },
    },
  },
});
