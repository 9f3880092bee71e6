import { expect, test } from 'vitest';
import { composer } from '../../../../../daemon/workspace/lockfiles/others/composer.ts';
import { readBrief, textFiles } from '../../../../helpers/workspace-files.ts';

test('composer reads both lists of the lock, packages of `path` repositories, and names in any case', () => {
  const manifest = {
    require: { php: '>=8.3', 'ext-json': '*', 'Symfony/HTTP-Kernel': '^7.2', 'shop/billing': '*' },
    'require-dev': { 'phpunit/phpunit': '^12', 'new/one': '^1' },
    repositories: [{ type: 'path', url: 'packages/*' }, { type: 'vcs', url: 'https://x' }, 'packagist.org'],
  };
  const lock = {
    packages: [
      { name: 'psr/log', version: '3.0.2' },
      { name: 'symfony/http-kernel', version: 'v7.3.0' },
      { name: 'shop/billing', version: 'dev-main', dist: { type: 'path', url: 'packages/billing' } },
      { name: 'stripe/stripe-php', version: 'v17.3.0' },
      'odd',
    ],
    'packages-dev': [{ name: 'phpunit/phpunit', version: '12.2.5' }],
  };
  const texts = {
    'composer.json': JSON.stringify(manifest),
    'composer.lock': JSON.stringify(lock),
    'packages/billing/composer.json': '{"name":"shop/billing","require":{"stripe/stripe-php":"^17"}}',
    'packages/notes/README.md': '',
  };
  expect(readBrief(composer, texts)).toEqual([
    '[psr/log 3.0.2]',
    'new/one ?',
    'phpunit/phpunit 12.2.5',
    'shop/billing dev-main',
    'stripe/stripe-php v17.3.0 @packages/billing',
    'symfony/http-kernel v7.3.0',
  ]);
});

test('composer says undefined without its files and names what is broken', () => {
  expect(readBrief(composer, { 'package.json': '{}' })).toBeUndefined();
  expect(() => composer.read(textFiles({ 'composer.lock': '{}' }))).toThrow(/^composer\.lock: has no list `packages`/);
  expect(() => composer.read(textFiles({ 'composer.json': '{\n"require": }' }))).toThrow(/^composer\.json line 2/);
  expect(readBrief(composer, { 'composer.json': '[]', 'composer.lock': '{"packages":[]}' })).toEqual([]);
});
