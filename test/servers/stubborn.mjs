// stubborn: lives on when its stdin ends and when it hears SIGTERM, and so does the process below it. `pid` gives its id.
import { spawn } from 'node:child_process';
import { serve, text } from './serve.mjs';

const stay = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000000);';
spawn(process.execPath, ['-e', `/* stubborn */ ${stay}`], { stdio: 'ignore' });
process.on('SIGTERM', () => {});
setInterval(() => {}, 1_000_000);
serve({ name: 'stubborn', tools: { pid: { run: () => text(String(process.pid)) } } });
