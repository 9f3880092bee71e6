// What servers see of the daemon's environment and of each other's.
import { expect, test } from 'vitest';
import { connectAgent } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';

const DAEMON = {
  CLOUD_SECRET: 's1',
  NAMED: 'n1',
  HTTPS_PROXY: 'http://user:hunter2@proxy.example:8080',
  NO_PROXY: 'localhost',
};

test.each(['by a person', 'by an agent'])(
  'R073: with a daemon started %s servers see a small base and what they name',
  async (who) => {
    const program = fixtureServer('environment.mjs');
    await using home = temporaryHome({
      mcpServers: {
        x: { ...program, env: { X_KEY: 'k' } },
        y: program,
        named: { ...program, env: { MINE: `\${NAMED:-unset}`, HTTPS_PROXY: `\${HTTPS_PROXY:-unset}` } },
      },
    });
    const isPerson = who === 'by a person';
    if (isPerson) expect((await home.metad(['daemon', 'start'], { env: DAEMON })).code).toBe(0);
    await using agent = await connectAgent({ home: home.home, env: isPerson ? {} : DAEMON });
    const { x, y, named } = (await agent.run(
      'return { x: await x.env({}), y: await y.env({}), named: await named.env({}) }',
    )) as Record<'x' | 'y' | 'named', Record<string, string>>;

    const MARK = 'METAD_TEST_HOME';
    const allowed =
      /^(HOME|USER|LOGNAME|SHELL|PATH|LANG|LANGUAGE|TZ|TMPDIR|LC_[A-Z]+|(https?|all|no)_proxy|METAD_OWNER)$/i;
    expect(Object.keys(y).filter((name) => name !== MARK && !allowed.test(name))).toEqual([]);
    expect(x).toEqual({ ...y, X_KEY: 'k' });
    for (const one of [x, y]) expect(JSON.stringify(one)).not.toMatch(/s1|hunter2|n1/);
    expect(Object.keys(named)).not.toContain('CLOUD_SECRET');
    expect(Object.keys(named)).not.toContain('X_KEY');
    // Named in the definition is consent; an agent's environment is nobody's, so its values are not there to be named.
    expect([named['MINE'], named['HTTPS_PROXY']]).toEqual(isPerson ? ['n1', DAEMON.HTTPS_PROXY] : ['unset', 'unset']);
    expect(JSON.stringify(await home.status())).not.toMatch(/hunter2|CLOUD_SECRET/);
  },
);
