// How long a text a pattern may be tried on. A pattern comes from a server, and many take for ever on some texts.

/** Steps that one trial may take; about 10 ms. */
const STEPS = 1_000_000;
/** No real parameter has a longer one. */
const LONGEST_PATTERN = 1000;
/** Every text is shorter. */
const ANY_LENGTH = 1_000_000;

const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,)?(\d*)\})\??/;

interface Group {
  /** It holds a part that may be repeated in several ways, or a choice. */
  isOpen: boolean;
}

interface Shape {
  /** Parts that take any number of characters: each multiplies the steps by the length of the text. */
  free: number;
  /** Ways to go through the rest: a choice multiplies, and so does a part that may be left out. */
  ways: number;
  isAnchored: boolean;
}

/** Undefined where nothing is promised: it looks around, refers back, or repeats what can itself be read in several ways. */
const shapeOf = (pattern: string): Shape | undefined => {
  const shape: Shape = { free: 0, ways: 1, isAnchored: pattern.startsWith('^') };
  const groups: Group[] = [{ isOpen: false }];
  const top = (): Group => groups[groups.length - 1] as Group;
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    /** What a quantifier after this part would repeat. */
    let repeated: Group | undefined;
    if (rest[0] === '|') {
      top().isOpen = true;
      shape.ways += 1;
      if (groups.length === 1) shape.isAnchored = false;
      at += 1;
      continue;
    }
    if (rest[0] === '(') {
      const opening = /^\((?:\?(?::|<[A-Za-z]\w*>))?(?!\?)/.exec(rest);
      if (opening === null) return undefined;
      groups.push({ isOpen: false });
      at += opening[0].length;
      continue;
    }
    if (rest[0] === ')') {
      repeated = groups.pop();
      if (repeated === undefined || groups.length === 0) return undefined;
      if (repeated.isOpen) top().isOpen = true;
      at += 1;
    } else if (rest[0] === '[') {
      const set = /^\[(?:\\[\s\S]|[^\]\\])*\]/.exec(rest);
      if (set === null) return undefined;
      at += set[0].length;
    } else if (rest[0] === '\\') {
      if (/^\\[1-9k]/.test(rest)) return undefined;
      at += /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\s\S])/.exec(rest)?.[0].length ?? 1;
    } else at += 1;

    const quantifier = QUANTIFIER.exec(pattern.slice(at));
    if (quantifier === null) continue;
    at += quantifier[0].length;
    const [text, least, comma, most] = quantifier;
    const isOptional = text.startsWith('?') || (least === '0' && most === '1');
    const isFixed = least !== undefined && comma === undefined;
    if (isOptional) {
      shape.ways *= 2;
      top().isOpen = true;
      continue;
    }
    if (repeated?.isOpen) return undefined;
    if (isFixed) continue;
    top().isOpen = true;
    shape.free += 1;
  }
  return groups.length === 1 ? shape : undefined;
};

/**
 * The longest text, in UTF-16 units, on which the pattern surely takes few steps; 0: none. A backtracking engine goes
 * through each way of the pattern, and for each tries every length of each part that takes any number of characters.
 */
export const longestFor = (pattern: string): number => {
  if (pattern.length > LONGEST_PATTERN) return 0;
  const shape = shapeOf(pattern);
  if (shape === undefined) return 0;
  const degree = shape.free + (shape.isAnchored ? 0 : 1);
  const room = STEPS / (shape.ways * Math.max(1, pattern.length / 8));
  if (room < 1) return 0;
  return degree === 0 ? ANY_LENGTH : Math.min(ANY_LENGTH, Math.floor(room ** (1 / degree)));
};
