// Whether a predicate holds for a workspace, and why. Pure: what only the system knows is given as answers.
import type { Dependency } from '../dependency.ts';
import { type Predicate, predicateText } from './predicate.ts';
import { isNamed, isVersion, type Requirement } from './requirement.ts';

export interface Facts {
  readonly dependencies: readonly Dependency[];
  /** Variables of the person's environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the plugin that asks is the workspace's own. */
  readonly isMember: boolean;
  /** Of a path below the root, an absolute one, or a bare name on PATH. */
  readonly pathExists: (path: string) => boolean;
  /** Of a command or a custom predicate: what its last run said, or a sentence on why it was not run. */
  readonly ran: (leaf: Predicate) => boolean | string;
}

/** What one leaf came to. */
export interface Atom {
  /** As in a manifest. */
  readonly text: string;
  readonly holds: boolean;
  /** A phrase: `next 15.1.0 in apps/web`, `the variable CI is not set`. */
  readonly because: string;
}

export interface Verdict {
  readonly holds: boolean;
  /** Those that decided: changing one of them could change the verdict. */
  readonly atoms: readonly Atom[];
}

const shown = ({ name, version, member }: Dependency): string =>
  `${name}${version === null ? ' (version unknown)' : ` ${version}`}${member === '' ? '' : ` in ${member}`}`;

const MOST_SHOWN = 3;

const dependsOn = (requirement: Requirement | null, { dependencies }: Facts): Omit<Atom, 'text'> => {
  if (requirement === null) return { holds: true, because: 'any workspace' };
  const named = dependencies.filter((one) => isNamed(one, requirement));
  const direct = named.filter((one) => one.direct);
  const found = direct.find((one) => isVersion(one, requirement));
  if (found !== undefined) return { holds: true, because: shown(found) };
  if (direct.length > 0) return { holds: false, because: direct.slice(0, MOST_SHOWN).map(shown).join(', ') };
  const [indirect] = named;
  if (indirect !== undefined) return { holds: false, because: `${shown(indirect)} comes with another dependency only` };
  return { holds: false, because: `no dependency is named ${requirement.name}` };
};

const leaf = (predicate: Predicate, facts: Facts): Omit<Atom, 'text'> => {
  switch (predicate.kind) {
    case 'depends-on':
      return dependsOn(predicate.requirement, facts);
    case 'path-exists': {
      const holds = facts.pathExists(predicate.path);
      return { holds, because: holds ? 'it is there' : 'it is not there' };
    }
    case 'env': {
      const { name, value } = predicate;
      const found = Object.hasOwn(facts.environment, name) ? facts.environment[name] : undefined;
      if (found === undefined) return { holds: false, because: `the variable ${name} is not set` };
      const holds = value === undefined || found === value;
      return { holds, because: holds ? `the variable ${name} is set` : `the variable ${name} has another value` };
    }
    case 'workspace-member':
      return {
        holds: facts.isMember,
        because: facts.isMember ? 'the plugin is of this workspace' : 'the plugin is not of this workspace',
      };
    default: {
      const said = facts.ran(predicate);
      if (typeof said === 'string') return { holds: false, because: said };
      return { holds: said, because: said ? 'the command ended with 0' : 'the command failed' };
    }
  }
};

const opposite = ({ holds, atoms }: Verdict): Verdict => ({ holds: !holds, atoms });

/** `any` is decided by the first that holds, `all` by the first that does not; else by every one. */
export const evaluate = (predicate: Predicate, facts: Facts): Verdict => {
  if (predicate.kind === 'not') return opposite(evaluate(predicate.inner, facts));
  if (predicate.kind === 'any' || predicate.kind === 'all') {
    const wanted = predicate.kind === 'any';
    const verdicts = predicate.inner.map((inner) => evaluate(inner, facts));
    const decisive = verdicts.find(({ holds }) => holds === wanted);
    return decisive ?? { holds: !wanted, atoms: verdicts.flatMap(({ atoms }) => atoms) };
  }
  const { holds, because } = leaf(predicate, facts);
  return { holds, atoms: [{ text: predicateText(predicate), holds, because }] };
};
