// Text of others made harmless: what servers and agents say is data, and must not steer a terminal.

// Controls, line and paragraph separators, marks that turn the direction or cannot be seen.
const INVISIBLE = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: ESC and BEL are what is looked for
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]P^_X][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;

/** One line that cannot move the cursor: text of servers and agents is data. */
export const clean = (text: string): string =>
  text.replace(SEQUENCE, '').replace(/\s+/g, ' ').replace(INVISIBLE, '').trim();

/** As `clean`, but line breaks and tabs stay: for whole texts on a terminal. */
export const cleanLines = (text: string): string =>
  text.replace(SEQUENCE, '').replace(INVISIBLE, (mark) => (mark === '\n' || mark === '\t' ? mark : ''));
