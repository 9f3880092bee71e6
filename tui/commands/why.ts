// `metad why SERVER`: who shares an instance of it, why others do not, and what sharing spares.
import type { Applies, Saved, Why, WhyInstance } from '../../schema/wire.ts';
import { type CommonOptions, type Context, DONE, print, printJson } from '../context.ts';
import { formatBytes, plural } from '../format.ts';
import { reach } from '../reach.ts';

const instanceLines = ({ state, owner, pid, processes, memoryBytes, sessions }: WhyInstance): readonly string[] => {
  const size =
    processes === null || memoryBytes === null
      ? ''
      : `, ${plural(processes, 'process', 'processes')}, ${formatBytes(memoryBytes)}`;
  return [
    `- ${state}${pid === null ? '' : ` (pid ${pid}${size})`}${owner === null ? '' : `, of ${owner}`}`,
    ...(sessions.length === 0 ? ['    used by no session now'] : []),
    ...sessions.map(({ id, agent, workspace }) => `    ${agent} (${id}) in ${workspace ?? 'no workspace'}`),
  ];
};

export const savedText = ({ processes, memoryBytes }: Saved): string =>
  `${plural(processes, 'process', 'processes')} and ${formatBytes(memoryBytes)}`;

const MARK = { true: '✓', false: '✗' } as const;

const appliesLines = ({ workspace, plugin, origin, holds, atoms }: Applies): readonly string[] => [
  `- ${holds ? 'applies' : 'does not apply'} in ${workspace}, says the plugin ${plugin} (${origin})`,
  ...atoms.map(({ text, holds: is, because }) => `    ${MARK[`${is}`]} ${text}: ${because}`),
];

const text = ({ server, sharing, reason, instances, apart, advice, saved, applies = [] }: Why): string =>
  [
    `${server}: sharing \`${sharing}\`. ${reason}`,
    ...(applies.length === 0 ? [] : ['', 'Where it applies:', ...applies.flatMap(appliesLines)]),
    '',
    instances.length === 0 ? 'No instance of it was needed yet.' : 'Instances:',
    ...instances.flatMap(instanceLines),
    ...(apart.length === 0 ? [] : ['', 'Why there is more than one:', ...apart.map((line) => `- ${line}`)]),
    ...(advice.length === 0 ? [] : ['', 'What would change that:', ...advice.map((line) => `- ${line}`)]),
    '',
    `Spared against one for every session: ${savedText(saved)}.`,
  ].join('\n');

export const why = async (context: Context, server: string, options: CommonOptions): Promise<number> => {
  const { client } = await reach(context, options);
  const found = await client.why({ server, cwd: context.cwd });
  if (options.json) printJson(context, found);
  else print(context, text(found));
  return DONE;
};
