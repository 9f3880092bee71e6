// A server of somebody else's plugin as what a person is asked about: what runs, and what decides whether it does. Pure.
import { relative } from 'node:path';
import type { TrustedServer, TrustState } from '../../../schema/trust.ts';
import type { Offer } from '../offer.ts';
import { leavesOf, predicateText } from '../predicate/predicate.ts';
import { programOf } from '../program.ts';
import { trustHash } from './hash.ts';

export interface Candidate {
  readonly offer: Offer;
  /** The manifest, relative to the folder that the plugins were read from. */
  readonly file: string;
  readonly hash: string;
}

/** @param root the folder that the plugins were read from */
export const candidateOf = (root: string, offer: Offer): Candidate => {
  const { definition, gate, customs } = offer;
  const { name, reach, sharing, origin } = definition;
  const file = relative(root, origin);
  const runs = gate === undefined ? [] : leavesOf(gate).map((leaf) => programOf(leaf, customs));
  const content = { reach, sharing, gate: gate === undefined ? null : predicateText(gate), runs };
  return { offer, file, hash: trustHash(file, name, content) };
};

type Named = Pick<TrustedServer, 'file' | 'server' | 'hash'>;

/** What is known of a content under a name in a file: trusted, another one was, or nothing. */
export const statesOf = (trusted: readonly TrustedServer[]): ((asked: Named) => TrustState) => {
  const hashes = new Set(trusted.map(({ file, server, hash }) => JSON.stringify([file, server, hash])));
  const named = new Set(trusted.map(({ file, server }) => JSON.stringify([file, server])));
  return ({ file, server, hash }) => {
    if (hashes.has(JSON.stringify([file, server, hash]))) return 'trusted';
    return named.has(JSON.stringify([file, server])) ? 'changed' : 'new';
  };
};
