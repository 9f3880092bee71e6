// What `metad shim` may be told on its command line.

export interface Arguments {
  readonly workspace?: string;
  readonly surface?: string;
  readonly callTool: boolean;
  readonly home?: string;
}

export const USAGE =
  'usage: metad shim [--workspace DIR] [--surface code|domains|tree|flat] [--call-tool] [--home DIR]';

const NAMES = { '--workspace': 'workspace', '--surface': 'surface', '--home': 'home' } as const;

const isName = (text: string): text is keyof typeof NAMES => Object.hasOwn(NAMES, text);

/** Reads `--name value`, `--name=value` and the one flag; a string is what is wrong. The last of a name wins. */
export const argumentsOf = (words: readonly string[]): Arguments | string => {
  const found: { workspace?: string; surface?: string; home?: string } = {};
  let callTool = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--call-tool') {
      callTool = true;
      continue;
    }
    const equals = word.indexOf('=');
    const name = equals === -1 ? word : word.slice(0, equals);
    if (!isName(name)) return `there is no option ${word}`;
    const value = equals === -1 ? words[++at] : word.slice(equals + 1);
    if (value === undefined || value === '') return `${name} needs a value`;
    found[NAMES[name]] = value;
  }
  return { ...found, callTool };
};
