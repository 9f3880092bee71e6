// Whether generated text is TypeScript: by the compiler, strictly, or by a parser alone.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transform } from 'esbuild';

const root = join(import.meta.dirname, '..', '..');

/** Checks `files` (name → text) together under strict TypeScript; returns the compiler's complaints, one a line. */
export const compile = (files: ReadonlyMap<string, string>): string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'metad-tsc-'));
  try {
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
    const options = { strict: true, noEmit: true, target: 'es2022', lib: ['es2022'], types: [], skipLibCheck: false };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.', '--pretty', 'false'],
      { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 },
    );
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
    return status === 0 || lines.length > 0 ? lines : [`tsc ended with ${status}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The text inside the first ```ts fence, or all of it where there is none. */
const unfenced = (text: string): string => /```(?:ts|typescript|js)?\n([\s\S]*?)```/.exec(text)?.[1] ?? text;

/** Throws with line and reason where `text` does not parse. */
export const parseTypeScript = async (text: string): Promise<void> => {
  await transform(unfenced(text), { loader: 'ts', logLevel: 'silent' });
};

/** The namespaces that a declaration text declares, in order. */
export const namespacesIn = (text: string): string[] =>
  [...text.matchAll(/declare namespace ([\w$]+)/g)].map(([, name = '']) => name);
