// A Markdown fence around a script.

/**
 * A script that is one fenced block, without the fence: ``` or ~~~, with or without a language, each on a line of its
 * own or on the script's. Spaces take the fence's place, so that lines and columns stay the agent's own.
 */
export const withoutFence = (script: string): string => {
  const open = /^\s*(?:(`{3,}|~{3,})[^\n`]*\n|(`{3,})(?:(?:javascript|typescript|[cm]?[jt]sx?)\b)?)/.exec(script);
  const fence = open?.[1] ?? open?.[2];
  if (open === null || fence === undefined) return script;
  const close = new RegExp(`${fence}\\s*$`).exec(script);
  if (close === null || close.index < open[0].trimEnd().length) return script;
  const from = Math.min(open[0].length, close.index);
  return blank(script.slice(0, from)) + script.slice(from, close.index);
};

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
