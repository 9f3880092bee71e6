// What a person is asked of a workspace's own files, and what becomes of the answer.
import { problemText } from '../../../schema/config/problem.ts';
import type { Definition } from '../../../schema/config.ts';
import { MetadError } from '../../../schema/errors.ts';
import type { TrustedServer, TrustFile, TrustReport, TrustServer } from '../../../schema/trust.ts';
import { definitionsOf, type WorkspaceServer } from '../files/definitions.ts';
import { FILE_KINDS } from '../files/kinds.ts';
import { type FoundFile, readWorkspaceFiles } from '../files/read.ts';
import { pluginsWithin } from '../own.ts';
import type { LoadedPlugins } from '../plugins/source.ts';
import { shownOf } from './plan.ts';

/** Where answers are kept; every method may throw a MetadError. */
export interface TrustKeeper {
  of(root: string): readonly TrustedServer[];
  add(root: string, servers: readonly TrustedServer[]): void;
  revoke(root: string): number;
}

export type Asked = Pick<TrustedServer, 'file' | 'server' | 'hash'>;

export interface Trust {
  /** What the files declare now. */
  report(root: string | null): Promise<TrustReport>;
  /**
   * Trusts these, all or none, as they stand in the files now.
   * @throws MetadError `refused` where one of them is not, or no longer, what was shown; `not-found` without a workspace
   */
  accept(root: string | null, servers: readonly Asked[]): Promise<TrustReport>;
  /** Forgets everything about a root; gives how many contents were trusted. */
  revoke(root: string | null): Promise<number>;
}

export interface TrustOptions {
  readonly kept: TrustKeeper;
  /** Names of the variables that a definition refers to. */
  readonly variablesOf: (definition: Definition) => readonly string[];
  /** Called after what is trusted in a root has changed; whoever asked for it waits for its end. */
  readonly onChange: (root: string) => Promise<void>;
  readonly now: () => number;
  /** Default: from the disk. */
  readonly read?: (root: string) => Promise<readonly FoundFile[]>;
  /** Default: from the disk. */
  readonly plugins?: (root: string) => Promise<Pick<LoadedPlugins, 'offers' | 'problems'>>;
}

const LOOKED: readonly string[] = [...FILE_KINDS.map(({ path }) => path), 'SYMPOSIUM.toml', '.metad/plugins'];

export const createTrust = ({
  kept,
  variablesOf,
  onChange,
  now,
  read = readWorkspaceFiles,
  plugins = (root) => pluginsWithin(root)(),
}: TrustOptions): Trust => {
  const shown = (root: string, { definition, state, hash, offer }: WorkspaceServer): TrustServer => ({
    ...shownOf(definition, root, variablesOf, offer),
    state,
    hash,
  });

  const survey = async (root: string) => {
    const [files, loaded] = await Promise.all([read(root), plugins(root)]);
    return { loaded, ...definitionsOf({ root, files, offers: loaded.offers, trusted: kept.of(root) }) };
  };

  const report = async (root: string | null): Promise<TrustReport> => {
    if (root === null) return { workspace: null, files: [], problems: [], looked: LOOKED };
    const { loaded, servers, problems } = await survey(root);
    const files = [...new Set([...problems.keys(), ...servers.map(({ file }) => file)])];
    return {
      workspace: root,
      looked: LOOKED,
      problems: loaded.problems,
      files: files.map(
        (path): TrustFile => ({
          file: path,
          servers: servers.filter(({ file }) => file === path).map((server) => shown(root, server)),
          problems: (problems.get(path) ?? []).map(problemText),
        }),
      ),
    };
  };

  return {
    report,
    accept: async (root, asked) => {
      if (root === null)
        throw new MetadError('not-found', 'This folder belongs to no workspace: name one with --workspace DIR.');
      const { servers } = await survey(root);
      const gone = asked.find(
        ({ file, server, hash }) =>
          !servers.some((one) => one.file === file && one.definition.name === server && one.hash === hash),
      );
      if (gone !== undefined)
        throw new MetadError(
          'refused',
          `${JSON.stringify(gone.server)} in ${root}/${gone.file} is no longer what was shown, so nothing was trusted: look again with \`metad trust\`.`,
        );
      if (asked.length > 0) {
        const at = now();
        kept.add(
          root,
          asked.map(({ file, server, hash }) => ({ file, server, hash, at })),
        );
        await onChange(root);
      }
      return report(root);
    },
    revoke: async (root) => {
      const revoked = root === null ? 0 : kept.revoke(root);
      if (root !== null && revoked > 0) await onChange(root);
      return revoked;
    },
  };
};
