// wrapper: starts worker.mjs as a shell or package runner would and waits for it; the worker forks `sleep 900`, which
// inherits its pipes. `pids` gives [wrapper, worker, sleeper]. Arguments are the worker's: `stubborn` ignores stdin end
// and SIGTERM; `leave` makes the wrapper exit at once after the start, so that the leader is gone before the group.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const worker = spawn(
  process.execPath,
  [fileURLToPath(new URL('./worker.mjs', import.meta.url)), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: { ...process.env, WRAPPER: String(process.pid) },
  },
);
if (process.argv.includes('leave')) worker.once('spawn', () => setTimeout(() => process.exit(0), 300));
worker.on('exit', (code) => process.exit(code ?? 1));
if (process.argv.includes('stubborn')) process.on('SIGTERM', () => {});
