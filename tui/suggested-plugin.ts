// A suggested server as a plugin of the person's: it is offered wherever its condition holds. Pure.
import type { SuggestedServer } from '../schema/config/suggestions.ts';

const MARK = '# Written by `metad add`';

/** Basic strings of TOML are those of JSON. */
const list = (texts: readonly string[]): string => `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`;

export const isOurs = (text: string): boolean => text.startsWith(MARK);

export const manifestOf = ({ name, about, dependsOn, predicates = [], entry, source }: SuggestedServer): string => {
  const reach =
    'url' in entry
      ? ['type = "http"', `url = ${JSON.stringify(entry.url)}`, 'headers = []']
      : [
          `command = ${JSON.stringify(entry.command)}`,
          `args = ${list(entry.args)}`,
          `env = [${Object.entries(entry.env ?? {})
            .map(([key, value]) => `{ name = ${JSON.stringify(key)}, value = ${JSON.stringify(value)} }`)
            .join(', ')}]`,
        ];
  return [
    `${MARK}; \`metad remove ${name}\` takes it away.`,
    `# ${about}. ${source}`,
    `name = ${JSON.stringify(name)}`,
    `depends-on = ${list(dependsOn)}`,
    ...(predicates.length === 0 ? [] : [`predicates = ${list(predicates)}`]),
    '',
    '[[mcp_servers]]',
    `name = ${JSON.stringify(name)}`,
    ...reach,
    '',
  ].join('\n');
};
