import { expect, test } from 'vitest';
import { gemfile } from '../../../../../daemon/workspace/lockfiles/others/gemfile.ts';
import { readBrief, textFiles } from '../../../../helpers/workspace-files.ts';

const LOCK = `GIT
  remote: https://github.com/rails/rails.git
  revision: 8a1e2d0
  branch: main
  specs:
    activesupport (8.1.0.alpha)
      i18n (>= 1.6, < 2)

PATH
  remote: .
  specs:
    shop (0.1.0)
      activesupport
      zeitwerk (~> 2.6)

PATH
  remote: engines/billing
  specs:
    billing (0.0.1)
      stripe (~> 15.0)

GEM
  remote: https://rubygems.org/
  specs:
    i18n (1.14.7)
    nokogiri (1.18.8-arm64-darwin)
    nokogiri (1.18.8-x86_64-linux-gnu)
      racc (~> 1.4)
    racc (1.8.1)
    rspec-core (3.13.4)
    stripe (15.3.0)
    zeitwerk (2.7.3)

PLATFORMS
  arm64-darwin
  x86_64-linux-gnu

DEPENDENCIES
  activesupport!
  billing!
  nokogiri (>= 1.18)
  rspec-core
  shop!

CHECKSUMS
  i18n (1.14.7) sha256=aaaa

RUBY VERSION
   ruby 3.4.4p34

BUNDLED WITH
   2.6.9
`;

test('gemfile reads a lock: platforms, git, gems of the repository with what they need', () => {
  expect(readBrief(gemfile, { 'Gemfile.lock': LOCK, Gemfile: 'not read' })).toEqual([
    '[i18n 1.14.7]',
    '[racc 1.8.1]',
    'activesupport 8.1.0.alpha',
    'billing 0.0.1',
    'nokogiri 1.18.8',
    'rspec-core 3.13.4',
    'stripe 15.3.0 @engines/billing',
    'zeitwerk 2.7.3',
  ]);
});

test('gemfile without a lock reads the Gemfile and gemspecs', () => {
  const texts = {
    Gemfile:
      'source "https://rubygems.org"\n\ngemspec\ngem "rails", "~> 8.0"\ngroup :test do\n  gem(\'rspec\')\n  # gem "no"\nend\n',
    'shop.gemspec':
      'Gem::Specification.new do |spec|\n  spec.add_dependency "zeitwerk", "~> 2"\n  spec.add_development_dependency("rake")\nend\n',
  };
  expect(readBrief(gemfile, texts)).toEqual(['rails ?', 'rake ?', 'rspec ?', 'zeitwerk ?']);
  expect(
    readBrief(gemfile, {
      'gems.rb': 'gem "puma"',
      'gems.locked': 'GEM\n  specs:\n    puma (6.6.0)\n\nDEPENDENCIES\n  puma\n',
    }),
  ).toEqual(['puma 6.6.0']);
  expect(readBrief(gemfile, { 'shop.gemspec': '' })).toBeUndefined();
});

test('gemfile names the file of a lock that ends too early, or holds a conflict', () => {
  const half = textFiles({ 'Gemfile.lock': LOCK.slice(0, LOCK.indexOf('DEPEND')) });
  expect(() => gemfile.read(half)).toThrow(/^Gemfile\.lock: has no DEPENDENCIES/);
  expect(() => gemfile.read(textFiles({ 'Gemfile.lock': `GEM\n<<<<<<< HEAD\n${LOCK}` }))).toThrow(
    /^Gemfile\.lock line 2/,
  );
});
