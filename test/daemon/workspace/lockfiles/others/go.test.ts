import { expect, test } from 'vitest';
import { go } from '../../../../../daemon/workspace/lockfiles/others/go.ts';
import { readBrief, textFiles } from '../../../../helpers/workspace-files.ts';

const MODULE = `module example.com/shop // the shop

go 1.24
toolchain go1.24.2

require github.com/gin-gonic/gin v1.10.0

require (
	"github.com/jackc/pgx/v5" v5.7.2
	golang.org/x/tools v0.30.0 // indirect
	golang.org/x/tools/gopls v0.18.1 // indirect
	github.com/bytedance/sonic v1.12.6 //indirect
	golang.org/x/exp v0.0.0-20250106191152-7588d65b2ba8
	example.com/fork v1.0.0
	example.com/here v1.0.0
	example.com/once v1.2.0
)

exclude example.com/bad v1.0.0
retract [v1.0.0, v1.0.5] // oops
tool golang.org/x/tools/gopls/internal/cmd

replace example.com/fork => github.com/me/fork v1.0.1-patched

replace (
	example.com/here => ./here
	example.com/once v1.1.0 => example.com/once v1.1.9
)
`;

test('go reads go.mod: blocks, comments, quotes, `replace`, and the module of a `tool` as direct', () => {
  expect(readBrief(go, { 'go.mod': MODULE, 'go.sum': 'never read' })).toEqual([
    '[github.com/bytedance/sonic v1.12.6]',
    '[golang.org/x/tools v0.30.0]',
    'example.com/fork v1.0.1-patched',
    'example.com/here ?',
    'example.com/once v1.2.0',
    'github.com/gin-gonic/gin v1.10.0',
    'github.com/jackc/pgx/v5 v5.7.2',
    'golang.org/x/exp v0.0.0-20250106191152-7588d65b2ba8',
    'golang.org/x/tools/gopls v0.18.1',
  ]);
});

test('go reads go.work: the highest version that any module asks for, its own `replace`, modules that use each other', () => {
  const files = textFiles({
    'go.work':
      'go 1.24\n\nuse ./api\nuse (\n\t./db // store\n\t../outside\n)\nreplace example.com/q v1.0.0 => example.com/q v1.0.1\n',
    'api/go.mod':
      'module example.com/api\nrequire (\n\texample.com/db v0.0.0\n\texample.com/x v1.9.0\n\texample.com/q v1.0.0\n)\n',
    'db/go.mod':
      'module example.com/db\nrequire example.com/x v1.10.0\nrequire example.com/y v2.0.0+incompatible // indirect\n',
    'tools/go.mod': 'module example.com/unused\nrequire example.com/z v1.0.0\n',
  });
  const found = go.read(files);
  expect(readBrief(go, {})).toBeUndefined();
  expect(found?.filter(({ direct }) => direct).map(({ member, name, version }) => [member, name, version])).toEqual([
    ['api', 'example.com/db', null],
    ['api', 'example.com/x', 'v1.10.0'],
    ['api', 'example.com/q', 'v1.0.1'],
    ['db', 'example.com/x', 'v1.10.0'],
  ]);
  expect(found?.filter(({ direct }) => !direct).map(({ name, version }) => [name, version])).toEqual([
    ['example.com/y', 'v2.0.0+incompatible'],
  ]);
  expect([...files.asked]).toEqual(['go.work', 'api/go.mod', 'db/go.mod']);
});

test.each([
  ['module a\nrequire (\n\tx v1.0.0\n', /^go\.mod line 2: the block require \( does not end/],
  ['module a\n<<<<<<< HEAD\n', /^go\.mod line 2: holds conflict markers/],
])('go names file and line of a broken go.mod: %j', (text, problem) => {
  expect(() => go.read(textFiles({ 'go.mod': text }))).toThrow(problem);
});

test('go reads lines of Windows and odd ones', () => {
  expect(
    readBrief(go, { 'go.mod': '\uFEFFmodule a\r\nrequire(\r\n\tb v1.0.0\r\n)\r\nrequire\r\nrequire c\r\nfoo => bar' }),
  ).toEqual(['b v1.0.0', 'c ?']);
});
