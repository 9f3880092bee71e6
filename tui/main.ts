// The `metad` command of a person: the one place that reads `process`. `metad shim` never comes here.
import { fileURLToPath } from 'node:url';
import { runProgram } from './program.ts';

// Whoever read our output has left (`metad tools | head`): nothing that follows can reach anyone.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const environment = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
);

// Never process.exit() here: what is still on its way to a slow reader would be lost.
process.exitCode = await runProgram(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment,
  cwd: process.cwd(),
  execPath: process.execPath,
  daemonProgram: fileURLToPath(new URL('./daemon.js', import.meta.url)),
});
