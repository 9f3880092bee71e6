// A package runner (`npx`, `bunx`, `uvx`) as far as metad knows it, and what one of its command lines asks for.
import type { Program } from '../contract.ts';

export interface Asked {
  /** As written: `@scope/name@^1`, `name[extra]==1.2`. */
  readonly spec: string;
  /** The name of the package alone. */
  readonly name: string;
  /** What follows its name: a version, a range, a tag, or nothing. */
  readonly wanted: string;
  /** One version, which never becomes another. */
  readonly isExact: boolean;
  /** The name by which the program is looked for before any package is. */
  readonly program: string;
  /** Arguments of the program. */
  readonly rest: readonly string[];
}

export interface Runner {
  /** Undefined for what is not this runner, and for any form that is not surely understood. */
  asked(command: string, args: readonly string[]): Asked | undefined;
  /** Paths in the command line of a process that may be the program that the runner keeps for this. */
  programsIn(commandLine: string, asked: Asked): readonly string[];
  /** The version of the package as it lies there; undefined where the program cannot be started as it is. */
  versionOf(program: string, name: string): Promise<string | undefined>;
  /** Whether the runner might take something else than what it keeps: then only the runner knows. */
  mayBeElsewhere(asked: Asked, command: string, cwd: string, env: Program['env']): Promise<boolean>;
  /** What it would put into its program's environment, as far as programs look at it. */
  environmentOf(program: string, cwd: string, env: Program['env']): Program['env'];
  /** ms for which a program that was learned is known; then the runner is run as written once more. */
  knownMs(asked: Asked): number;
  /** Whether the registry of npm is asked for something newer meanwhile. */
  readonly isRenewed: boolean;
  /** Programs that decide which one is found, beside the runner itself. */
  readonly tools: readonly string[];
  /** Files of settings, looked for in the folder, above it, and at home. */
  readonly settings: readonly string[];
}

export const DAY_MS = 86_400_000;

/**
 * The paths in a command line that stand right before these arguments, at its end: places at which one may begin, since
 * paths may hold spaces. Pure.
 * @param isOurs of a whole path
 */
export const pathsBefore = (
  commandLine: string,
  rest: readonly string[],
  isOurs: (path: string) => boolean,
): readonly string[] => {
  const tail = rest.length === 0 ? '' : ` ${rest.join(' ')}`.trimEnd();
  if (!commandLine.endsWith(tail)) return [];
  const line = commandLine.slice(0, commandLine.length - tail.length);
  return [...line.matchAll(/(?<=^| )\//g)].map(({ index }) => line.slice(index)).filter(isOurs);
};

/** Whether a path is a name right in a folder that ends so. */
export const isRightIn = (path: string, folder: string): boolean => {
  const at = path.indexOf(folder);
  const name = path.slice(at + folder.length);
  return at >= 0 && name !== '' && !/[ /]/.test(name);
};
