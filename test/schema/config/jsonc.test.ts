import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

test('parseJsonc() counts on the numbers that jsonc-parser gives its errors and tokens', async () => {
  const source = await readFile(createRequire(import.meta.url).resolve('jsonc-parser'), 'utf8');
  for (const line of [
    'ParseErrorCode["InvalidSymbol"] = 1',
    'ParseErrorCode["PropertyNameExpected"] = 3',
    'ParseErrorCode["ValueExpected"] = 4',
    'ParseErrorCode["CloseBraceExpected"] = 7',
    'ParseErrorCode["CloseBracketExpected"] = 8',
    'ParseErrorCode["EndOfFileExpected"] = 9',
    'ParseErrorCode["InvalidCharacter"] = 16',
    'SyntaxKind["OpenBraceToken"] = 1',
    'SyntaxKind["CloseBraceToken"] = 2',
    'SyntaxKind["OpenBracketToken"] = 3',
    'SyntaxKind["CloseBracketToken"] = 4',
    'SyntaxKind["EOF"] = 17',
  ])
    expect(source).toContain(line);
});
