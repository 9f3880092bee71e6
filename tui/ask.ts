// A question to a person at a terminal.
import { createInterface } from 'node:readline/promises';
import type { Context } from './context.ts';

/** Only a clear yes is one; the end of the input is a no. */
export const ask = async ({ stdin, stderr }: Context, question: string): Promise<boolean> => {
  const lines = createInterface({ input: stdin, output: stderr });
  const closed = new Promise<string>((done) => lines.once('close', () => done('')));
  try {
    const answer = await Promise.race([lines.question(question), closed]);
    return /^(y|yes)$/i.test(answer.trim());
  } finally {
    lines.close();
  }
};

/** A person who does not see what is asked cannot answer. */
export const canAsk = ({ stdin, stdout }: Context): boolean => stdin.isTTY === true && stdout.isTTY === true;
