// `metad suggest`: well-known servers that would be of use in a workspace. Nothing of them runs by itself.
import type { Suggestion } from '../../schema/wire.ts';
import { type CommonOptions, type Context, DONE, print, printJson } from '../context.ts';
import { plural } from '../format.ts';
import { reach } from '../reach.ts';
import { whichWorkspace } from '../which.ts';

const lines = ({ name, about, because, runs, variables, source }: Suggestion): readonly string[] => [
  '',
  `${name}: ${about}`,
  ...(because.length === 0 ? [] : [`  since      ${because.join(', ')}`]),
  `  runs       ${runs.join(' ')}`,
  ...(variables.length === 0 ? [] : [`  needs      ${variables.join(', ')} in your environment`]),
  `  more       ${source}`,
];

export const suggest = async (
  context: Context,
  options: CommonOptions & { readonly workspace?: string },
): Promise<number> => {
  const { client } = await reach(context, options);
  const found = await client.suggest(whichWorkspace(context, options.workspace));
  const { workspace, suggestions } = found;
  if (options.json) printJson(context, found);
  else if (workspace === null)
    print(context, 'This folder belongs to no workspace: none above it has a lockfile, a workspace manifest or .git.');
  else if (suggestions.length === 0) print(context, `Nothing comes to mind for ${workspace}.`);
  else
    print(
      context,
      [
        `${plural(suggestions.length, 'server')} might be of use in ${workspace}:`,
        ...suggestions.flatMap(lines),
        '',
        'Nothing of this runs by itself. `metad add NAME` offers one wherever its condition holds, `metad add NAME --workspace .` here alone.',
      ].join('\n'),
    );
  return DONE;
};
