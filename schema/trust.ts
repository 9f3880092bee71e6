// What a person is shown of the servers that a workspace's own files declare, and what is kept of their answer. Types only.

/** One server that a person has trusted: this content in this file of this workspace. */
export interface TrustedServer {
  /** Relative to the root of the workspace, with `/`. */
  readonly file: string;
  readonly server: string;
  /** Of the entry as written; another content is another server. */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** `changed`: another content under this name in this file was trusted before. */
export type TrustState = 'new' | 'changed' | 'trusted';

/** What exactly would be started or contacted. Texts are as written, with references to variables in them. */
export type TrustPlan =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** The folder that it runs in. */
      readonly cwd: string;
      /** Names of the variables that it is given. */
      readonly env: readonly string[];
      /** Those of them that decide which code runs, with their values. */
      readonly deciding: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'http' | 'sse';
      /** Without passwords and the values of its query. */
      readonly url: string;
      readonly headers: readonly string[];
    };

/** When a plugin's server would be started. */
export interface TrustGate {
  /** As in a manifest. */
  readonly when: string;
  /** Programs with their arguments that are run to find out whether it holds. */
  readonly runs: readonly (readonly string[])[];
}

export interface TrustServer {
  readonly name: string;
  readonly state: TrustState;
  readonly hash: string;
  /** True: the file itself says that it is not to be started. */
  readonly disabled: boolean;
  readonly plan: TrustPlan;
  /** Variables of the person's own environment whose values it would get. */
  readonly variables: readonly string[];
  /** Where a plugin declares it. */
  readonly gate?: TrustGate;
  /** What is in use under that name, where that is another. */
  readonly before?: TrustPlan;
}

export interface TrustFile {
  /** As in `TrustedServer`. */
  readonly file: string;
  readonly servers: readonly TrustServer[];
  /** Whole sentences with their places. */
  readonly problems: readonly string[];
}

export interface TrustReport {
  /** Null where the folder belongs to no workspace. */
  readonly workspace: string | null;
  /** Those that are there, in the order in which they count. */
  readonly files: readonly TrustFile[];
  /** With plugins of the workspace; whole sentences. */
  readonly problems: readonly string[];
  /** All files that are looked for. */
  readonly looked: readonly string[];
}
