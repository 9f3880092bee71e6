// A daemon that may open few files: started as a person would, from a shell with that limit.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { plainEnvironment, programPath } from '../../test/helpers/program.ts';

export const startLimited = async (home: string, limit: number): Promise<void> => {
  const script = `ulimit -n ${limit}; exec "$@"`;
  const child = spawn('bash', ['-c', script, 'bash', process.execPath, programPath(), 'daemon', 'start'], {
    env: plainEnvironment({ METAD_HOME: home }),
    stdio: 'ignore',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`metad daemon start ended with ${code}`);
};
