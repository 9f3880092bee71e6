// The words of names and texts, as they are indexed and asked for.

const CAMEL = /(\p{Ll}|\d)(\p{Lu})/gu;
const ACRONYM = /(\p{Lu})(\p{Lu}\p{Ll})/gu;
/** Scripts without spaces between words: each sign counts as one. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** A word as it was written, and what it is made of where that is more: `getDNSRecords` of get, dns and records. */
export interface Written {
  readonly word: string;
  readonly parts: readonly string[];
}

/** In lower case, split at all that is no letter, mark or digit; parts begin where case changes and where digits end. */
export const writtenIn = (text: string): Written[] =>
  (text.replace(UNSPACED, ' $& ').match(WORD) ?? []).map((word) => ({
    word: word.toLowerCase(),
    parts: word.replace(CAMEL, '$1 $2').replace(ACRONYM, '$1 $2').toLowerCase().split(' '),
  }));

/** Parts, and whole words too: whoever asks for GitLab may write gitlab. */
export const wordsOf = (text: string): string[] =>
  writtenIn(text).flatMap(({ word, parts }) => (parts.length > 1 ? [...parts, word] : parts));

/** Words of English that say nothing of a task. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and any are as at be but by can could did do does for from had has have he her him his how i if in into is it ' +
    'its let like m me my need of off on one or our out over please s she should so some somebody someone something t ' +
    'that the their them then there they this those to too up us use using want was we were what when where which who ' +
    'whom whose why will with without would you your these once just now still also far both each than same about ' +
    'whether while yet very does together'
  ).split(' '),
);

/** Rough: only to find a word of the table of synonyms in another form; the index has a stemmer of its own. */
export const rootOf = (word: string): string => {
  const root = word
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1');
  return root.length < 3 ? word : root;
};
