import { expect, test } from 'vitest';
import { uv } from '../../../../../daemon/workspace/lockfiles/python/uv.ts';
import { readBrief, textFiles } from '../../../../helpers/workspace-files.ts';

const LOCK = `version = 1
revision = 3
requires-python = ">=3.9"
resolution-markers = ["python_full_version >= '3.10'", "python_full_version < '3.10'"]

[manifest]
members = ["shop", "shop-db"]

[[package]]
name = "idna"
version = "3.10"
source = { registry = "https://pypi.org/simple" }

[[package]]
name = "numpy"
version = "2.0.2"
source = { registry = "https://pypi.org/simple" }
resolution-markers = ["python_full_version < '3.10'"]

[[package]]
name = "numpy"
version = "2.2.6"
source = { registry = "https://pypi.org/simple" }
resolution-markers = ["python_full_version >= '3.10'"]

[[package]]
name = "pytest"
version = "8.4.1"
source = { registry = "https://pypi.org/simple" }

[[package]]
name = "ruff"
version = "0.12.1"
source = { registry = "https://pypi.org/simple" }

[[package]]
name = "sqlalchemy"
version = "2.0.41"
source = { registry = "https://pypi.org/simple" }
dependencies = [{ name = "typing-extensions" }]

[[package]]
name = "shop"
version = "0.1.0"
source = { virtual = "." }
dependencies = [
    { name = "numpy", version = "2.0.2", source = { registry = "https://pypi.org/simple" }, marker = "python_full_version < '3.10'" },
    { name = "numpy", version = "2.2.6", source = { registry = "https://pypi.org/simple" }, marker = "python_full_version >= '3.10'" },
    { name = "shop-db" },
]

[package.optional-dependencies]
web = [{ name = "idna" }]

[package.dev-dependencies]
dev = [{ name = "pytest" }]

[package.metadata]
requires-dist = [{ name = "numpy" }, { name = "shop-db", editable = "packages/db" }]

[[package]]
name = "shop-db"
source = { editable = "packages/db" }
dependencies = [{ name = "numpy", version = "2.0.2" }, { name = "sqlalchemy" }]

[[package]]
name = "typing-extensions"
version = "4.14.0"
source = { registry = "https://pypi.org/simple" }
`;
const ROOT = `[project]
name = "Shop"
dependencies = ["numpy>=2", "shop_db", 'importlib_metadata>=8 ; python_version < "3.8"']

[project.optional-dependencies]
web = ["idna"]
all = ["shop[web]"]

[dependency-groups]
dev = ["pytest>=8", { include-group = "lint" }]
lint = ["ruff"]

[tool.uv.sources]
shop-db = { workspace = true }

[tool.uv.workspace]
members = ["packages/*"]
exclude = ["packages/old"]
`;

test('uv reads a workspace: extras, groups, forks by Python, members by pattern, names by PEP 503', () => {
  expect(
    readBrief(uv, {
      'uv.lock': LOCK,
      'pyproject.toml': ROOT,
      'packages/db/pyproject.toml':
        '[project]\nname = "shop_db"\ndependencies = ["SQLAlchemy[asyncio]~=2.0.0", "numpy<2.1"]\n',
      'packages/old/pyproject.toml': '[project]\nname = "old"\ndependencies = ["six"]\n',
    }),
  ).toEqual([
    '[typing-extensions 4.14.0]',
    'idna 3.10',
    'importlib-metadata ?',
    'numpy 2.0.2',
    'numpy 2.0.2 @packages/db',
    'numpy 2.2.6',
    'pytest 8.4.1',
    'ruff 0.12.1',
    'shop-db ?',
    'sqlalchemy 2.0.41 @packages/db',
  ]);
});

test('uv takes from the lock what a project needs that says so only while it is built', () => {
  const manifest = '[project]\nname = "shop"\ndynamic = ["version", "dependencies"]\n';
  expect(
    readBrief(uv, { 'uv.lock': LOCK, 'pyproject.toml': manifest })?.filter((text) => !text.startsWith('[')),
  ).toEqual(['idna 3.10', 'numpy 2.0.2', 'numpy 2.2.6', 'pytest 8.4.1', 'shop-db ?']);
});

test('uv without a manifest knows what is locked, and without a lock it is not uv', () => {
  expect(readBrief(uv, { 'uv.lock': 'version = 1\n[[package]]\nname = "six"\nversion = "1.17.0"\n' })).toEqual([
    '[six 1.17.0]',
  ]);
  expect(readBrief(uv, { 'pyproject.toml': ROOT })).toBeUndefined();
});

test.each([
  [{ 'uv.lock': '' }, /^uv\.lock: has no `version`/],
  [{ 'uv.lock': LOCK.slice(0, 300) }, /^uv\.lock line 15: /],
  [{ 'uv.lock': LOCK, 'pyproject.toml': '[project\n' }, /^pyproject\.toml line 1: /],
])('uv names file and line of what is broken: %#', (texts, problem) => {
  expect(() => uv.read(textFiles(texts))).toThrow(problem);
});
