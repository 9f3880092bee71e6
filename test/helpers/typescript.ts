// Whether a text is TypeScript: by a parser, for the declarations that agents read.
import { transform } from 'esbuild';

/** The text inside the first ```ts fence, or all of it where there is none. */
const unfenced = (text: string): string => /```(?:ts|typescript|js)?\n([\s\S]*?)```/.exec(text)?.[1] ?? text;

/** Throws with line and reason where `text` does not parse. */
export const parseTypeScript = async (text: string): Promise<void> => {
  await transform(unfenced(text), { loader: 'ts', logLevel: 'silent' });
};

/** The namespaces that a declaration text declares, in order. */
export const namespacesIn = (text: string): string[] =>
  [...text.matchAll(/declare namespace ([\w$]+)/g)].map(([, name = '']) => name);
