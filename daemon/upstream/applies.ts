// Whether a running instance is still what somebody's definitions say. Pure.
import type { Definition } from '../../schema/config.ts';
import { MetadError } from '../../schema/errors.ts';
import type { Applicant } from './contract.ts';
import { identityOf, type Lease } from './lease.ts';

export interface AppliesOptions {
  readonly definitionsOf: (owner: Applicant) => ReadonlyMap<string, Definition>;
  readonly expand: (definition: Definition, root: string | null) => Definition;
}

/** Of a lease, a test of its users: whether what they have under its name now is the same. */
export const appliesTo =
  ({ definitionsOf, expand }: AppliesOptions) =>
  ({ identity, definition: { name } }: Lease) =>
  (owner: Applicant): boolean => {
    const now = definitionsOf(owner).get(name);
    if (now === undefined || now.disabled) return false;
    try {
      return identityOf(expand(now, owner.root)) === identity;
    } catch (error) {
      if (error instanceof MetadError) return false;
      throw error;
    }
  };
