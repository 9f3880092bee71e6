// Names of tools as people and agents select them.

/** `*` matches any text; everything else is literal. No RegExp: agents send patterns, and many `*` would hold it for ever. */
export const matchesGlob = (pattern: string, text: string): boolean => {
  const [first = '', ...between] = pattern.split('*');
  const last = between.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of between) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
};
