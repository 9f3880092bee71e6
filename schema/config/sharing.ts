// Who shares an instance where the config does not say: by what is known of a published server, else by how it is reached.
import type { Reach, Sharing, StdioReach } from '../config.ts';
import { KNOWN_SERVERS, type KnownServer } from './known-servers.ts';

export interface SharingChoice {
  readonly sharing: Sharing;
  readonly sharedBy: 'config' | 'known' | 'default';
  /** A sentence. */
  readonly sharingReason: string;
}

/** Package runners, and the words after which their package comes. */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  npx: [],
  bunx: [],
  uvx: [],
  pnpx: [],
  npm: ['exec', 'x'],
  pnpm: ['dlx'],
  yarn: ['dlx'],
  bun: ['x'],
  uv: ['tool', 'run'],
};

const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).replace(/\.(cmd|exe)$/, '');

/** `@scope/name@1.2`, `name==1.2` and `image:tag` without what comes after the name. */
const withoutVersion = (spec: string): string => spec.replace(/(?<=.)(@|==|:).*$/, '');

/** The packages that a command may mean, the surest first. */
const namesOf = ({ command, args }: StdioReach): readonly string[] => {
  const runner = RUNNERS[baseName(command)];
  const words = args.filter((word) => !word.startsWith('-'));
  if (runner !== undefined) {
    const [first] = words.filter((word) => !runner.includes(word));
    return first === undefined ? [] : [withoutVersion(first)];
  }
  if (['docker', 'podman'].includes(baseName(command)) && words[0] === 'run') return words.slice(1).map(withoutVersion);
  const installed = [command, ...args].flatMap((word) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(word)?.[1] ?? []);
  return [...installed, baseName(command)];
};

export const knownServer = (reach: Reach): KnownServer | undefined => {
  if (reach.kind !== 'stdio') return undefined;
  const names = namesOf(reach);
  return KNOWN_SERVERS.find((known) => known.names.some((name) => names.includes(name)));
};

const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

/** A folder, a file or the workspace: then it may well depend on where it runs, whatever else is known of it. */
const namesPlace = ({ command, args, env, cwd }: StdioReach, { names }: KnownServer): boolean => {
  const isPlace = (text: string): boolean =>
    !isUrl(text) && !names.includes(withoutVersion(text)) && (/[/\\~]/.test(text) || text.includes('workspaceFolder'));
  const program = /node_modules\//;
  return (
    cwd !== undefined ||
    [...args.filter((word) => !program.test(word)), ...Object.values(env)].some(isPlace) ||
    command.includes('${')
  );
};

/** @param said what the config says @param origin the file that does */
export const chooseSharing = (said: Sharing | undefined, reach: Reach, origin: string): SharingChoice => {
  if (said !== undefined)
    return { sharing: said, sharedBy: 'config', sharingReason: `\`sharing\` is set in ${origin}.` };
  if (reach.kind !== 'stdio')
    return {
      sharing: 'user',
      sharedBy: 'default',
      sharingReason: 'A server at an address knows nothing of folders, so all sessions share one connection.',
    };
  const known = knownServer(reach);
  if (known !== undefined && !(known.sharing === 'user' && namesPlace(reach, known)))
    return {
      sharing: known.sharing,
      sharedBy: 'known',
      sharingReason: `Known as \`${known.sharing}\`, since ${known.reason}.`,
    };
  return {
    sharing: 'workspace',
    sharedBy: 'default',
    sharingReason: 'A command may depend on the folder that it runs in, so each workspace has its own.',
  };
};
