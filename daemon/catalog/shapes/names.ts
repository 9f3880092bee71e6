// Whether a key is a name that a program chose, or a piece of data.

/** Longest name, in UTF-16 units. */
const LONGEST = 40;
const MOST_WORDS = 8;
const WORD = /^[A-Za-z]{1,24}\d{0,3}$/;
/** Letters alone can be a hash too, but no English word has so many letters of a to f. */
const HEX = /^(?=.*\d)[0-9a-f]{6,}$|^[0-9a-f]{8,}$/i;

/** `Q42`, `PROJ-123`, `item-7`: numbered things. */
const NUMBERED = /^[A-Z]\d|-\d/;

/**
 * True for what looks like a name: at most 8 ASCII words, each with at most three digits and those at its end, joined by
 * `_`, `-` or capitals, with `$`, `@` or `_` in front at most. So `userId`, `content-type`, `@type`, `sha256` and
 * `address_line_2` are names; e-mail addresses, file names, URLs, domains, dates, UUIDs, hashes, numbers, phone numbers,
 * anything with a space and anything beyond ASCII are data. Where it errs, it calls a name data: that costs the type some
 * words and tells nobody's secret.
 */
export const isName = (key: string): boolean => {
  if (key.length > LONGEST) return false;
  const bare = key.replace(/^(?:[$@]|_{1,2})/, '').replace(/_{1,2}$/, '');
  const words = bare.replace(/([a-z\d])([A-Z])/g, '$1_$2').split(/[_-]/);
  if (words.length > MOST_WORDS || HEX.test(bare) || NUMBERED.test(bare)) return false;
  // Random letters change their case at every turn; words do not.
  if (words.length >= 4 && bare.length < 3 * words.length) return false;
  const digits = bare.replace(/\D/g, '').length;
  return digits <= 4 && words.every((word, at) => WORD.test(word) || (at > 0 && /^\d{1,3}$/.test(word)));
};
