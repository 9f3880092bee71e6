// One entry of `registries`: plugins of somebody's repository, or of a folder of one's own.
import * as z from 'zod/mini';

const about = z.describe;

/** A host never begins with `-`, which ssh would read as an option. */
const HOST = String.raw`[A-Za-z0-9[][\w.:\]-]*`;
const PLACES: readonly RegExp[] = [
  new RegExp(`^https://${HOST}/\\S+$`),
  new RegExp(`^ssh://(?:\\w[\\w.-]*@)?${HOST}/\\S+$`),
  /^file:\/\/\/\S+$/,
  /^\w[\w.-]*@[A-Za-z0-9][\w.-]*:(?!\/\/)[^\s-]\S*$/, // as scp writes it
];

/** Why git is not asked for this address, as the rest of a sentence; undefined where it may be. */
const addressFault = (git: string): string | undefined => {
  if (/^https?:\/\/[^/]*@/.test(git)) return 'holds a name or password: leave that to a credential helper of git';
  if (/^http:/.test(git)) return 'must be https: anybody on the way can change what comes over http';
  return PLACES.some((place) => place.test(git))
    ? undefined
    : 'must begin with https://, ssh://, file:/// or look like git@host:path';
};

const refFault = (ref: string): string | undefined =>
  /^[A-Za-z0-9_][\w./+-]*$/.test(ref) && !/\.\.|\/\/|[./]$|\.lock$/.test(ref)
    ? undefined
    : 'must be the name of a branch or tag';

const isOutside = (path: string): boolean => path.startsWith('/') || path.split(/[\\/]/).includes('..');

type Given = Readonly<Partial<Record<'name' | 'git' | 'ref' | 'folder' | 'path', string | undefined>>>;

/** What is wrong with an entry whose keys are texts. */
const faultOf = ({
  git,
  ref,
  folder,
  path,
}: Given): { readonly key: 'git' | 'ref' | 'folder' | 'path'; readonly text: string } | undefined => {
  if (git === undefined) {
    if (ref !== undefined) return { key: 'ref', text: 'belongs to a "git" address, which is missing' };
    if (folder !== undefined) return { key: 'folder', text: 'belongs to a "git" address: a "path" names its own' };
    if (path === undefined) return { key: 'git', text: 'is missing: name an address ("git") or a folder ("path")' };
    return /^(\/|~\/)/.test(path) ? undefined : { key: 'path', text: 'must be an absolute path or begin with ~/' };
  }
  const text = addressFault(git);
  if (text !== undefined) return { key: 'git', text };
  const wrongRef = ref === undefined ? undefined : refFault(ref);
  if (wrongRef !== undefined) return { key: 'ref', text: wrongRef };
  if (path !== undefined)
    return { key: 'path', text: 'does not go with "git": a folder of the repository is "folder"' };
  if (folder !== undefined && (folder === '' || isOutside(folder)))
    return { key: 'folder', text: 'must be a folder inside of the repository' };
  return undefined;
};

export const registrySchema = z
  .object({
    name: z
      .string()
      .check(z.regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'a name has letters, digits, `.`, `_` and `-`'))
      .check(about('What it is called in messages.')),
    git: z
      .optional(z.string())
      .check(
        about(
          'Address of a git repository: https://, ssh://, file:/// or git@host:path. Used once `metad sync` has shown it.',
        ),
      ),
    ref: z.optional(z.string()).check(about('A branch or tag of it. Default: the branch that the repository names.')),
    folder: z.optional(z.string()).check(about('The folder of the repository that holds plugins. Default: its top.')),
    path: z.optional(z.string()).check(about('A folder of this machine instead of a repository: absolute or ~/…')),
  })
  .check((context) => {
    const fault = faultOf(context.value);
    if (fault !== undefined)
      context.issues.push({ code: 'custom', input: context.value, path: [fault.key], message: `it ${fault.text}` });
  });

export const registriesSchema = z.array(registrySchema).check((context) => {
  const seen = new Set<string>();
  for (const [at, { name }] of context.value.entries()) {
    if (seen.has(name))
      context.issues.push({
        code: 'custom',
        input: context.value,
        path: [at, 'name'],
        message: 'two registries have it',
      });
    seen.add(name);
  }
});

export type RegistryEntry = z.output<typeof registrySchema>;
