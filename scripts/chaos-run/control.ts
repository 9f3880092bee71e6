// The control API of a daemon, asked from within this process: a command for every look would cost a process each.
import { connect } from 'node:net';
import type { Contract } from '../../schema/wire.ts';
import { createClient } from '../../tui/client.ts';

export const controlOf = (socket: string): Contract =>
  createClient(
    () =>
      new Promise((resolve, reject) => {
        const opened = connect(socket);
        opened.once('error', reject);
        opened.once('connect', () => {
          opened.off('error', reject);
          resolve(opened);
        });
      }),
  );
