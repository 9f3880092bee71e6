// burn: notes its start in the file of its first argument, works hard for as many milliseconds as the second one says
// (default 2000), and exits without having answered anything.
import { appendFileSync } from 'node:fs';

const [, , log, ms = '2000'] = process.argv;
appendFileSync(log, `${Date.now()}\n`);
process.stdin.resume();
for (const end = Date.now() + Number(ms); Date.now() < end; );
process.stderr.write('burnt out\n', () => process.exit(4));
