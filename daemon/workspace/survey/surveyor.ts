// Surveys workspaces off the event loop: one worker, started when there is something to do, ended when it rests.
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../../schema/errors.ts';
import type { Answer, Order } from './messages.ts';
import type { Finding } from './survey.ts';

export interface SurveyorOptions {
  /** The bundle of worker.ts. */
  readonly workerUrl: URL;
  /** ms that one survey may take. Default 20 s. */
  readonly limitMs?: number;
  /** ms of rest after which the worker is ended. Default 5 s. */
  readonly idleMs?: number;
  /** What the worker's heap may take. Default 512 MB. */
  readonly memoryMb?: number;
}

export interface Surveyor extends AsyncDisposable {
  /**
   * One at a time, in order. @param root absolute, without links @param kept what was found there before
   * @returns a finding for each reader; one that is as before is the object that was given
   * @throws Error with a sentence where it took too long or too much, or the surveyor was closed
   */
  survey(root: string, kept: readonly Finding[]): Promise<readonly Finding[]>;
}

export const createSurveyor = ({
  workerUrl,
  limitMs = 20_000,
  idleMs = 5000,
  memoryMb = 512,
}: SurveyorOptions): Surveyor => {
  let worker: Worker | undefined;
  let resting: NodeJS.Timeout | undefined;
  let number = 0;
  let closed = false;
  /** Ends the survey that goes on. */
  let stop: (reason: Error) => void = () => {};
  let last: Promise<unknown> = Promise.resolve();

  const end = async (): Promise<void> => {
    clearTimeout(resting);
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  };

  const standing = (): Worker => {
    clearTimeout(resting);
    if (worker !== undefined) return worker;
    const started = new Worker(workerUrl, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    started.unref();
    started.once('exit', () => {
      if (worker === started) worker = undefined;
    });
    worker = started;
    return started;
  };

  const one = (root: string, kept: readonly Finding[]): Promise<readonly Finding[]> =>
    new Promise((resolve, reject) => {
      if (closed) return reject(new Error('metad is stopping.'));
      const thread = standing();
      number += 1;
      const order: Order = { number, root, kept };
      const known = new Map(kept.map((finding) => [finding.id, finding]));
      const onMessage = (answer: Answer): void => {
        if (answer.number !== order.number) return;
        leave();
        resting = setTimeout(() => void end(), idleMs).unref();
        resolve(
          answer.findings.flatMap((finding) => (typeof finding === 'string' ? (known.get(finding) ?? []) : finding)),
        );
      };
      const fail = (reason: Error): void => {
        leave();
        void end();
        reject(reason);
      };
      const onError = (error: unknown): void =>
        fail(new Error(`The dependencies of ${root} could not be read: ${messageOf(error)}.`, { cause: error }));
      const onExit = (): void => fail(new Error(`The dependencies of ${root} could not be read: their reader ended.`));
      const timer = setTimeout(
        () => fail(new Error(`The dependencies of ${root} took more than ${limitMs / 1000} s to read.`)),
        limitMs,
      );
      const leave = (): void => {
        clearTimeout(timer);
        thread.off('message', onMessage).off('error', onError).off('exit', onExit);
        thread.on('error', () => {});
      };
      thread.on('message', onMessage).on('error', onError).on('exit', onExit);
      stop = fail;
      thread.postMessage(order);
    });

  return {
    survey: (root, kept) => {
      const found = last.then(() => one(root, kept));
      last = found.catch(() => {});
      return found;
    },
    [Symbol.asyncDispose]: async () => {
      closed = true;
      stop(new Error('metad is stopping.'));
      await end();
    },
  };
};
