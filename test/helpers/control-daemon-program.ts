// The fake daemon as a program: what `metad daemon start|run` find in the place of the real one.
import { sampleStatus, startFakeDaemon } from './control-daemon.ts';

const home = process.argv[process.argv.indexOf('--home') + 1] ?? '';
const end = async () => {
  await daemon.close();
  process.exitCode = 0;
};
const status = sampleStatus(home, process.pid);
const stop = () => void end();
const handOver = () => {
  setImmediate(stop);
  return 0;
};
const daemon = await startFakeDaemon({ home, status, ports: { pid: process.pid, stop, handOver } });
process.on('SIGTERM', () => void end());
process.stderr.write(`fake daemon: ${process.argv.slice(2).join(' ')}\n`);
