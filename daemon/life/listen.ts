// The socket: absent or answering. Bound under a draft name, closed to others, then moved onto its path.
import { chmodSync, readdirSync, renameSync, unlinkSync } from 'node:fs';
import type { Server } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { MetadError, messageOf } from '../../schema/errors.ts';
import { type Paths, SOCKET_PATH_LIMIT } from '../../schema/paths.ts';
import { privateFolder } from './folder.ts';
import { type Owned, statusOf } from './inode.ts';

export interface BoundSocket extends Owned {
  /** Takes the name away if it still leads to this socket; ends neither the server nor its connections. */
  close(): void;
}

const SUFFIX = 6;

/** Drafts are exactly as long as the final name, so that the length rule covers them too. */
const draftsOf = (socket: string) => {
  const stem = `${basename(socket).slice(0, -SUFFIX)}~`;
  return {
    fresh: () => {
      const random = Math.floor(Math.random() * 36 ** (SUFFIX - 1));
      return join(dirname(socket), stem + random.toString(36).padStart(SUFFIX - 1, '0'));
    },
    /** Drafts of daemons that died between bind and rename. Whoever holds the lock knows that nobody needs them. */
    left: () =>
      readdirSync(dirname(socket))
        .filter((name) => name.length === stem.length + SUFFIX - 1 && name.startsWith(stem))
        .map((name) => join(dirname(socket), name))
        .filter((path) => statusOf(path)?.isSocket()),
  };
};

const refuseForeign = (path: string): void => {
  const status = statusOf(path);
  if (status === undefined || status.isSocket()) return;
  const kind = status.isDirectory() ? 'a folder' : status.isSymbolicLink() ? 'a symbolic link' : 'a file';
  throw new MetadError('refused', `metad's socket belongs at ${path}, where ${kind} is. Move it away.`);
};

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });

/**
 * Makes `server` listen at `paths.socket`. Only for the holder of the lock: a socket found there is stale and replaced.
 * @throws MetadError `refused`: the folder is not ours or something else is in the place; `unavailable`: cannot bind.
 */
export const bindSocket = async (
  server: Server,
  { socket: path, socketFolder }: Pick<Paths, 'socket' | 'socketFolder'>,
  { uid }: { readonly uid?: number } = {},
): Promise<BoundSocket> => {
  // A longer one is cut off silently by some systems.
  if (Buffer.byteLength(path) > SOCKET_PATH_LIMIT)
    throw new MetadError('refused', `The socket path ${path} is over ${SOCKET_PATH_LIMIT} bytes long.`);
  privateFolder(socketFolder, uid);
  refuseForeign(path);
  const drafts = draftsOf(path);
  const draft = drafts.fresh();
  try {
    for (const left of drafts.left()) unlinkSync(left);
    await listen(server, draft);
    chmodSync(draft, 0o600);
    refuseForeign(path);
    const inode = statusOf(draft)?.ino;
    if (inode === undefined) throw new Error('its draft was taken away');
    renameSync(draft, path);
    return {
      path,
      inode,
      close() {
        if (statusOf(path)?.ino === inode) unlinkSync(path);
      },
    };
  } catch (error) {
    // Node takes the draft away with it.
    server.close();
    if (error instanceof MetadError) throw error;
    throw new MetadError('unavailable', `metad cannot listen at ${path}: ${messageOf(error)}.`, { cause: error });
  }
};
