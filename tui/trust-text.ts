// What `metad trust` shows, in such a way that nothing in a file can hide or pretend to be something else. Pure.
import type { RegistryReport, TrustFile, TrustGate, TrustPlan, TrustReport, TrustServer } from '../schema/wire.ts';

const PLAIN = /^[\w@%+=:,./~-]+$/;
/** What cannot be seen, runs from right to left (and takes what stands beside it along), or looks like a space. */
const UNSEEN =
  /[\p{C}\p{Z}\p{M}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u115f\u1160\u3164\uffa0\u2800]/gu;

const escaped = (char: string): string => (char === ' ' ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);

/** A word as a person must see it: plain ones as they are, all others between quotes with everything unseen spelled out. */
export const quoted = (word: string): string =>
  PLAIN.test(word) ? word : JSON.stringify(word).replace(UNSEEN, escaped);

const row = (label: string, text: string): string => `      ${label.padEnd(10)} ${text}`;

const planRows = (plan: TrustPlan): readonly string[] => {
  if (plan.kind !== 'stdio')
    return [
      row('contacts', quoted(plan.url)),
      ...(plan.headers.length === 0 ? [] : [row('headers', plan.headers.map(quoted).join(', '))]),
    ];
  const { command, args, cwd, env, deciding } = plan;
  return [
    row('runs', [command, ...args].map(quoted).join(' ')),
    row('in', quoted(cwd)),
    ...(env.length === 0 ? [] : [row('sets', env.map(quoted).join(', '))]),
    ...Object.entries(deciding).map(([name, value]) =>
      row('beware', `${quoted(name)}=${quoted(value)} may change which code runs`),
    ),
  ];
};

const STATES = {
  new: 'new: not trusted yet',
  changed: 'CHANGED since you trusted it',
  trusted: 'trusted',
} as const;

const gateRows = ({ when, runs }: TrustGate): readonly string[] => [
  row('when', quoted(when)),
  ...runs.map((words) => row('asks', `${words.map(quoted).join(' ')} (run to find out whether that holds)`)),
];

/** In one line: what is in use until now. */
const planText = (plan: TrustPlan): string =>
  plan.kind === 'stdio' ? [plan.command, ...plan.args].map(quoted).join(' ') : quoted(plan.url);

const serverRows = ({ name, state, disabled, plan, variables, gate, before }: TrustServer): readonly string[] => [
  `    ${quoted(name)} (${STATES[state]}${disabled ? '; disabled in the file' : ''})`,
  ...(before === undefined ? [] : [row('until now', planText(before))]),
  ...planRows(plan),
  ...(gate === undefined ? [] : gateRows(gate)),
  ...(variables.length === 0 ? [] : [row('is told', `your ${variables.map(quoted).join(', ')}`)]),
];

const fileRows = ({ file, servers, problems }: TrustFile): readonly string[] => [
  '',
  `  ${file}`,
  ...problems.map((problem) => `    ! ${problem.replace(UNSEEN, escaped)}`),
  ...(servers.length === 0 ? ['    declares no server that metad could use'] : servers.flatMap(serverRows)),
];

export const trustText = ({ workspace, files, problems, looked }: TrustReport): string => {
  if (workspace === null)
    return 'This folder belongs to no workspace: none above it has a lockfile, a workspace manifest or .git.';
  const wrong = problems.map((problem) => `  ! ${problem.replace(UNSEEN, escaped)}`);
  if (files.length + wrong.length === 0)
    return `${quoted(workspace)} declares no servers: it has none of ${looked.join(', ')}.`;
  return [
    `Servers that the files of ${quoted(workspace)} declare:`,
    ...files.flatMap(fileRows),
    ...wrong,
    '',
    'What they start may itself change without being asked about again: trust a workspace only if you trust who writes it.',
  ].join('\n');
};

const commitText = ({ commit }: RegistryReport): string => {
  if (commit === null) return '';
  const [now, next] = [commit.now?.slice(0, 10), commit.next.slice(0, 10)];
  return now === next ? ` at ${next}` : `: ${now ?? 'nothing yet'} → ${next}`;
};

const registryRows = (report: RegistryReport): readonly string[] => [
  `${quoted(report.name)} (${quoted(report.source)})${commitText(report)}`,
  ...report.problems.map((problem) => `  ! ${problem.replace(UNSEEN, escaped)}`),
  ...(report.files.length === 0 ? ['  no plugin there that names a dependency'] : report.files.flatMap(fileRows)),
  ...(report.gone.length === 0 ? [] : ['', `  gone: ${report.gone.map(quoted).join(', ')}`]),
];

export const registriesText = (reports: readonly RegistryReport[]): string =>
  reports.map((report) => registryRows(report).join('\n')).join('\n\n');
