import { expect, test } from 'vitest';
import { type Diagnostic, notesOf } from '../../../daemon/types/notes.ts';

const at = (line: number, character: number, message: string, more: Partial<Diagnostic> = {}): Diagnostic => ({
  range: { start: { line, character } },
  severity: 1,
  code: 2339,
  message,
  ...more,
});
const script = { lines: 10, original: <T>(place: T): T => place };

test('notesOf() tells what is wrong because of the tools alone, in the order of the script', () => {
  const typed = [
    at(4, 2, 'second'),
    at(1, 8, 'first'),
    at(2, 0, 'wrong anyway'),
    at(3, 0, 'never read', { severity: 4 }),
    at(12, 0, 'behind the script'),
  ];
  const plain = [at(2, 0, 'wrong anyway, said in other words')];
  expect(notesOf(typed, plain, script)).toEqual(['line 2, column 9: first', 'line 5, column 3: second']);
  expect(notesOf(typed, typed, script)).toEqual([]);
});

test('notesOf() tells another mistake at the same place', () => {
  expect(notesOf([at(0, 0, 'b', { code: 2 })], [at(0, 0, 'a', { code: 1 })], script)).toEqual(['line 1, column 1: b']);
});

test('notesOf() gives five lines at most, none twice', () => {
  const many = Array.from({ length: 9 }, (_, line) => at(line, 0, `n${line}`));
  expect(notesOf([...many, ...many], [], script)).toHaveLength(5);
  expect(notesOf([at(1, 1, 'x'), at(1, 1, 'x')], [], script)).toHaveLength(1);
});

test('notesOf() gives places as the agent wrote them', () => {
  const original = ({ line, column }: { line: number; column: number }) => ({ line, column: column - 14 });
  expect(notesOf([at(0, 20, 'x')], [], { lines: 1, original })).toEqual(['line 1, column 7: x']);
});

test('notesOf() keeps a note to one short line, with the near name and the hint at its end', () => {
  const long = `Property 'txt' does not exist on type '{ ${'name: string; '.repeat(60)} }'. Did you mean 'text'?`;
  const [note = ''] = notesOf([at(0, 0, long)], [], script);
  expect(note.length).toBeLessThan(340);
  expect(note).toMatch(/^line 1, column 1: Property 'txt' .*… Did you mean 'text'\?$/);

  const chain = `Argument of type '{}' is not assignable to parameter of type 'X'.\n  Between.\n    Property 'a' is missing.`;
  expect(notesOf([at(0, 0, chain)], [], script)).toEqual([
    "line 1, column 1: Argument of type '{}' is not assignable to parameter of type 'X'. Property 'a' is missing.",
  ]);

  const relatedInformation = [{ message: "'x' is declared here." }, { message: "Did you forget to use 'await'?" }];
  expect(notesOf([at(0, 0, 'No.', { relatedInformation })], [], script)).toEqual([
    "line 1, column 1: No. Did you forget to use 'await'?",
  ]);
  expect(notesOf([at(0, 0, 'a\u202e\u0007b\u2028c')], [], script)).toEqual(['line 1, column 1: ab c']);
});
