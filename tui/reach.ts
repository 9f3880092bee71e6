// The way to the daemon: found, or started where a command needs one.
import type { Socket } from 'node:net';
import { MetadError } from '../schema/errors.ts';
import type { Paths } from '../schema/paths.ts';
import type { Contract } from '../schema/wire.ts';
import { dial, dialOrStart, pathsHere } from '../shim/connect.ts';
import { type Connect, createClient } from './client.ts';
import { type CommonOptions, type Context, sentence } from './context.ts';

export const pathsFor = ({ environment, cwd }: Context, { home }: CommonOptions): Paths =>
  pathsHere(home ?? environment['METAD_HOME'], cwd);

/** Nobody listens: no fault of anyone's, and the one failure that waiting may mend. */
export class NoDaemonError extends MetadError {
  constructor() {
    super('unavailable', 'No daemon is running. `metad daemon start` starts one.');
  }
}

/** @throws NoDaemonError where nobody listens; MetadError `unavailable` where the socket cannot be used. */
export const connectTo =
  (paths: Paths): Connect =>
  async () => {
    const socket = await dial(paths).catch((error: unknown) => {
      throw sentence(error);
    });
    if (!socket) throw new NoDaemonError();
    return socket;
  };

/** The first request takes the connection that is open already; while nobody wants it, it keeps no process alive. */
const after = (first: Socket, next: Connect): Connect => {
  let unused: Socket | undefined = first.unref();
  first.on('error', () => {}); // whoever uses it hears of it by its request
  return async () => {
    const socket = unused;
    unused = undefined;
    return socket && !socket.destroyed ? socket.ref() : next();
  };
};

/** A client of the daemon that runs, or undefined. Starts none. */
export const find = async (paths: Paths): Promise<Contract | undefined> => {
  const socket = await dial(paths).catch((error: unknown) => {
    throw sentence(error);
  });
  return socket && createClient(after(socket, connectTo(paths)));
};

/**
 * A person at a terminal has the variables that their servers should get; an agent's pipe has not.
 * @returns the warnings that stand
 */
export const lendEnvironment = async (context: Context, client: Contract): Promise<readonly string[]> =>
  context.stdin.isTTY ? (await client.reload({ environment: context.environment })).warnings : [];

/** A client of the daemon, which is started where none runs. The first answer waits until the daemon is ready. */
export const reach = async (
  context: Context,
  options: CommonOptions,
): Promise<{ readonly client: Contract; readonly warnings: readonly string[] }> => {
  const paths = pathsFor(context, options);
  const { daemonProgram: program, environment, execPath } = context;
  const socket = await dialOrStart(paths, { program, environment, execPath }).catch((error: unknown) => {
    throw sentence(error);
  });
  const client = createClient(after(socket, connectTo(paths)));
  return { client, warnings: await lendEnvironment(context, client) };
};
