import { expect, test } from 'vitest';
import { safeBase } from '../../../daemon/config/base.ts';

const place = { account: { home: '/home/ada', username: 'ada', shell: '/bin/zsh' }, execFolder: '/opt/node/bin' };

test('R073: safeBase() passes a person, a path and a language, and nothing else', () => {
  const base = safeBase(
    {
      HOME: '/home/ada',
      PATH: '/bin',
      LANG: 'de_CH.UTF-8',
      LC_TIME: 'C',
      TZ: 'UTC',
      TMPDIR: '/t',
      CLOUD_SECRET: 's1',
      LC_lower: 'x',
      AWS_ACCESS_KEY_ID: 'k',
      NODE_OPTIONS: '--inspect',
      LD_PRELOAD: 'x',
      SSH_AUTH_SOCK: '/s',
      CLAUDECODE: '1',
    },
    place,
  );
  expect(base).toEqual({
    HOME: '/home/ada',
    USER: 'ada',
    LOGNAME: 'ada',
    SHELL: '/bin/zsh',
    PATH: '/bin',
    LANG: 'de_CH.UTF-8',
    LC_TIME: 'C',
    TZ: 'UTC',
    TMPDIR: '/t',
  });
});

test('R073: safeBase() passes a proxy only while there is no password in it', () => {
  const base = safeBase(
    {
      HTTPS_PROXY: 'http://ada:pw@proxy.example:3128',
      HTTP_PROXY: 'http://proxy.example:3128',
      all_proxy: 'ada:pw@proxy.example',
      no_proxy: 'localhost,.example',
    },
    place,
  );
  expect(base).toMatchObject({ HTTP_PROXY: 'http://proxy.example:3128', no_proxy: 'localhost,.example' });
  expect(JSON.stringify(base)).not.toContain('pw');
});

test('safeBase() of nothing still finds the running Node and the system', () => {
  const base = safeBase({ PATH: '' }, { ...place, account: { ...place.account, shell: null } });
  expect(Object.keys(base).sort()).toEqual(['HOME', 'LOGNAME', 'PATH', 'SHELL', 'USER']);
  expect(base['PATH']?.split(':')[0]).toBe('/opt/node/bin');
  expect(base['PATH']?.split(':')).toContain('/usr/bin');
  expect(base['SHELL']).toBe('/bin/sh');
});
