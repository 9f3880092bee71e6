// wrapper: starts worker.mjs as a shell or package runner would and waits for it; the worker forks `sleep 900`, which
// inherits its pipes. `pids` gives [wrapper, worker, sleeper]; `orphan` answers, then kills the wrapper, so that the leader
// is gone before its group. Argument `stubborn`: wrapper and worker ignore stdin end and SIGTERM.
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
worker.on('exit', (code) => process.exit(code ?? 1));
if (process.argv.includes('stubborn')) process.on('SIGTERM', () => {});
