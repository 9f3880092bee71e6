// The servers of a chaos run: their entries in config.json, and the one over HTTP, which is a process of our own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestConfig } from '../../test/helpers/home.ts';
import { fixtureServer, plainEnvironment } from '../../test/helpers/program.ts';

export interface Web extends AsyncDisposable {
  readonly url: string;
  pid(): number;
  /** SIGKILL, and a new one on the same port. */
  restart(): Promise<void>;
}

const startWeb = async (ledger: string, port: string, mark: string): Promise<{ child: ChildProcess; url: string }> => {
  const { command, args } = fixtureServer('chaos-web.mjs', '--ledger', ledger, '--port', port);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], env: plainEnvironment({ CHAOS_WEB: mark }) });
  const lines = createInterface({ input: child.stdout });
  const [url] = (await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(`chaos-web does not start on port ${port}`))),
  ])) as [string];
  return { child, url };
};

export const openWeb = async (ledger: string): Promise<Web> => {
  let { child, url } = await startWeb(ledger, '0', ledger);
  const port = new URL(url).port;
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    url,
    pid: () => child.pid ?? 0,
    restart: async () => {
      await end();
      ({ child, url } = await startWeb(ledger, port, ledger));
    },
    [Symbol.asyncDispose]: end,
  };
};

/** ms within which a server answers a call. */
export const CALL_MS = 8000;

/** @param spare the name under which the server that comes and goes is there now; undefined: it is not */
export const fleetConfig = (ledger: string, url: string, spare: string | undefined): TestConfig => {
  const stdio = (name: string, sharing: string, ...flags: readonly string[]) => ({
    ...fixtureServer('chaos.mjs', '--name', name, '--ledger', ledger, ...flags),
    sharing,
    timeout: CALL_MS,
  });
  return {
    mcpServers: {
      hub: stdio('hub', 'user'),
      desk: stdio('desk', 'workspace', '--fork'),
      own: stdio('own', 'session'),
      mule: stdio('mule', 'user', '--stubborn'),
      late: stdio('late', 'workspace', '--late', '700'),
      web: { url, timeout: CALL_MS },
      ...(spare === undefined ? {} : { [spare]: stdio('spare', 'user') }),
    },
  };
};
