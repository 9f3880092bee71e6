// A Markdown fence around a script.

const LANGUAGE = /(?:javascript|typescript|[cm]?[jt]sx?)\b/y;

/**
 * A script that is one fenced block, without the fence: ``` or ~~~, with or without a language, each on a line of its
 * own or on the script's. Spaces take the fence's place, so that lines and columns stay the agent's own.
 */
export const withoutFence = (script: string): string => {
  const start = script.length - script.trimStart().length;
  const mark = script[start];
  if (mark !== '`' && mark !== '~') return script;
  let code = start;
  while (script[code] === mark) code += 1;
  const fence = script.slice(start, code);
  if (fence.length < 3) return script;

  const lineEnd = script.indexOf('\n', code);
  if (lineEnd >= 0 && !script.slice(code, lineEnd).includes('`')) code = lineEnd + 1;
  else if (mark === '~') return script;
  else {
    LANGUAGE.lastIndex = code;
    code += LANGUAGE.exec(script)?.[0].length ?? 0;
  }

  const written = script.trimEnd();
  if (!written.endsWith(fence)) return script;
  let close = written.length;
  while (script[close - 1] === mark) close -= 1;
  if (close < script.slice(0, code).trimEnd().length) return script;
  const from = Math.min(code, close);
  return blank(script.slice(0, from)) + script.slice(from, close);
};

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
