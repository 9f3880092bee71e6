// How a stdio server is started: as its definition says, or the program that its package runner would start anyway.
import type { StdioReach } from '../../../schema/config.ts';

/** What is started. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** `wrapper`: a package runner that is known here, as written. `direct`: the program that it would run. */
export type How = 'direct' | 'wrapper';

/** One start. */
export interface Launch {
  readonly program: Program;
  /** Undefined where the command is no package runner that is known here. */
  readonly how?: How;
  /** `name@1.2.3`, where the program is known. */
  readonly resolved?: string;
  /** It answered `initialize`. */
  ready(pid: number): void;
  /** It did not: a direct start is forgotten, so that the next one is as written. */
  failed(why: string): void;
}

export interface Launcher extends AsyncDisposable {
  /**
   * How to start this now. Never rejects: any doubt means as written.
   * @param server the name of the definition
   * @param isOn whether a program may be started directly
   */
  plan(server: string, reach: StdioReach, cwd: string, env: Program['env'], isOn: boolean): Promise<Launch>;
}

/** The program that a runner was seen to start. */
export interface Resolution {
  /** Of command, arguments, folder and what else decides which program it is. */
  readonly key: string;
  readonly server: string;
  /** Absolute path of the program in the runner's cache. */
  readonly program: string;
  readonly package: string;
  readonly version: string;
  /** What the registry had as newest for what is asked for when it was last asked; empty before that. */
  readonly newest: string;
  /** Milliseconds since the epoch. */
  readonly learnedAt: number;
  readonly checkedAt: number;
}

/** Where resolutions are kept. */
export interface Resolutions {
  resolution(key: string): Resolution | undefined;
  saveResolution(resolution: Resolution): void;
  removeResolution(key: string): void;
}

export const asWritten = (reach: StdioReach, env: Program['env']): Launch => ({
  program: { command: reach.command, args: reach.args, env },
  ready: () => {},
  failed: () => {},
});
