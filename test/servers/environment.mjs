// environment: `env` gives its environment, `cwd` its folder, `argv` its arguments, all as JSON text.
import { serve, text } from './serve.mjs';

serve({
  name: 'environment',
  tools: {
    env: { run: () => text({ ...process.env }) },
    cwd: { run: () => text(process.cwd()) },
    argv: { run: () => text(process.argv.slice(2)) },
  },
});
