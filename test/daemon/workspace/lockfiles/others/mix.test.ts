import { expect, test } from 'vitest';
import { mix } from '../../../../../daemon/workspace/lockfiles/others/mix.ts';
import { readBrief, textFiles } from '../../../../helpers/workspace-files.ts';

const LOCK = `%{
  "bandit": {:hex, :bandit, "1.7.0", "aaaa", [:mix], [{:hpax, "~> 1.0", [hex: :hpax, repo: "hexpm", optional: false]}], "hexpm", "bbbb"},
  "heroicons": {:git, "https://github.com/tailwindlabs/heroicons.git", "0435d4c", [tag: "v2.2.0", sparse: "optimized", depth: 1]},
  "hpax": {:hex, :hpax, "1.0.3", "aaaa", [:mix], [], "hexpm", "bbbb"},
  "phoenix": {:hex, :phoenix, "1.8.0-rc.3", "aaaa", [:mix], [], "hexpm", "bbbb"},
  "renamed": {:hex, :real_name, "0.2.0", "aaaa", [:mix], [], "hexpm", "bbbb"},
}
`;
const MANIFEST = `defmodule Shop.MixProject do
  use Mix.Project

  def project do
    [app: :shop, version: "0.1.0", deps: deps(), aliases: [{:never, "me"}]]
  end

  # Specifies the deps
  defp deps do
    [
      {:phoenix, "~> 1.8.0-rc.3", override: true},
      {:bandit, "~> 1.5"}, {:heroicons,
       github: "tailwindlabs/heroicons",
       tag: "v2.2.0"},
      # {:gone, "~> 1.0"},
      {:renamed, "~> 0.1", hex: :real_name},
      {:fresh, ">= 0.0.0", only: [:dev, :test], runtime: false},
      {:sibling, in_umbrella: true}
    ]
  end

  defp aliases do
    [{:also_never, "x"}]
  end
end
`;

test('mix reads deps of mix.exs with versions of mix.lock', () => {
  expect(readBrief(mix, { 'mix.exs': MANIFEST, 'mix.lock': LOCK })).toEqual([
    '[hpax 1.0.3]',
    'bandit 1.7.0',
    'fresh ?',
    'heroicons ?',
    'phoenix 1.8.0-rc.3',
    'real_name 0.2.0',
    'sibling ?',
  ]);
});

test('mix reads the apps of an umbrella and a function of one line', () => {
  expect(
    readBrief(mix, {
      'mix.exs':
        'defmodule U do\n  def project do\n    [\n      apps_path: "apps",\n      deps: deps()\n    ]\n  end\n  defp deps, do: []\nend\n',
      'apps/web/mix.exs': 'defmodule W do\n  defp deps, do: [{:bandit, "~> 1.0"}]\n\n  defp x, do: {:no, "1"}\nend\n',
      'apps/db/mix.exs': 'defmodule D do\n  defp deps() do\n    [{:ecto, "~> 3.0"}]\n  end\nend\n',
      'mix.lock': LOCK,
    }),
  ).toEqual([
    '[heroicons ?]',
    '[hpax 1.0.3]',
    '[phoenix 1.8.0-rc.3]',
    '[real_name 0.2.0]',
    'bandit 1.7.0 @apps/web',
    'ecto ? @apps/db',
  ]);
  expect(readBrief(mix, {})).toBeUndefined();
  expect(() => mix.read(textFiles({ 'mix.lock': LOCK.slice(0, 200) }))).toThrow(/^mix\.lock: does not end with }/);
  expect(() => mix.read(textFiles({ 'mix.lock': `%{\n<<<<<<< HEAD\n${LOCK}` }))).toThrow(/^mix\.lock line 2/);
});
