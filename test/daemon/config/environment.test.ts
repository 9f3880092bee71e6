import { expect, test } from 'vitest';
import { createEnvironment, type EnvironmentOptions } from '../../../daemon/config/environment.ts';
import type { ShellOptions } from '../../../daemon/config/shell.ts';

const account = { home: '/home/ada', username: 'ada', shell: '/bin/zsh' };
const shellSays = { HOME: '/home/ada', PATH: '/shell/bin', TOKEN: 's-shell', HTTPS_PROXY: 'http://ada:pw@proxy' };

const made = (options: Partial<EnvironmentOptions> = {}) => {
  const asked: ShellOptions[] = [];
  const events: string[] = [];
  const environment = createEnvironment({
    account,
    processEnv: { PATH: '/agent/bin', CLOUD_SECRET: 's1', LANG: 'de_CH.UTF-8', TMPDIR: '/agent/tmp', HOME: '/agent' },
    trusted: false,
    log: (event, fields) => events.push(`${event} ${JSON.stringify(fields)}`),
    node: '/opt/node/bin/node',
    ask: async (question) => {
      asked.push(question);
      return { ...shellSays };
    },
    ...options,
  });
  return { environment, asked, events };
};

test("R073: an environment is the login shell's, never that of the agent which started the daemon", async () => {
  const { environment, asked, events } = made();
  expect(asked).toHaveLength(0);
  await Promise.all([environment.ready(), environment.ready()]);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ shell: '/bin/zsh', home: '/home/ada', limitMs: 5000 });
  expect(JSON.stringify(asked[0]?.environment)).not.toMatch(/s1|agent/);
  expect(environment.base()).toEqual({
    HOME: '/home/ada',
    USER: 'ada',
    LOGNAME: 'ada',
    SHELL: '/bin/zsh',
    PATH: '/shell/bin',
    LANG: 'de_CH.UTF-8',
  });
  expect(environment.variables()).toMatchObject({ TOKEN: 's-shell', HTTPS_PROXY: 'http://ada:pw@proxy', USER: 'ada' });
  expect(environment.variables()['CLOUD_SECRET']).toBeUndefined();
  expect(environment.warning()).toBeUndefined();
  expect(events.join()).not.toMatch(/s-shell|pw/);
});

test('ready() waits for the shell', async () => {
  let answer: (variables: Record<string, string>) => void = () => {};
  const { environment } = made({ ask: () => new Promise((resolve) => (answer = resolve)) });
  let isReady = false;
  const ready = environment.ready().then(() => (isReady = true));
  await new Promise((done) => setImmediate(done));
  expect(isReady).toBe(false);
  answer({ TOKEN: 'x' });
  await ready;
  expect(environment.variables()['TOKEN']).toBe('x');
});

test('an environment without a shell that answers is the safe base, with one line for status', async () => {
  const { environment, events } = made({
    ask: async () => {
      throw new Error('The login shell /bin/zsh gave no answer within 5 s.');
    },
  });
  await environment.ready();
  expect(environment.base()['PATH']?.split(':')[0]).toBe('/opt/node/bin');
  expect(environment.base()['HOME']).toBe('/home/ada');
  expect(environment.variables()['CLOUD_SECRET']).toBeUndefined();
  expect(environment.warning()).toMatch(
    /^The login shell \/bin\/zsh gave no answer within 5 s\. .*metad daemon restart/,
  );
  expect(environment.warning()).not.toContain('\n');
  expect(events).toHaveLength(1);
});

test("an environment of a daemon that a person started is that person's, and asks no shell", async () => {
  const { environment, asked } = made({
    trusted: true,
    processEnv: { PATH: '/mine/bin', MINE: 'm', HOME: '/home/ada', METAD_HOME: '/x' },
  });
  await environment.ready();
  expect(asked).toHaveLength(0);
  expect(environment.variables()['MINE']).toBe('m');
  expect(environment.variables()['METAD_HOME']).toBeUndefined();
  expect(environment.base()).toMatchObject({ PATH: '/mine/bin' });
  expect(environment.base()['MINE']).toBeUndefined();
});

test("refresh() lays a terminal's environment over the shell's, and a later one takes its place", async () => {
  const { environment } = made();
  await environment.ready();
  environment.refresh({ PATH: '/term/bin', A: '1', NUMBER: 5 });
  expect(environment.base()['PATH']).toBe('/term/bin');
  expect(environment.variables()).toMatchObject({ A: '1', TOKEN: 's-shell' });
  expect(environment.variables()['NUMBER']).toBeUndefined();
  environment.refresh({ B: '2' });
  expect(environment.variables()['A']).toBeUndefined();
  expect(environment.variables()).toMatchObject({ B: '2', PATH: '/shell/bin' });
});

test('refresh() without an environment asks the shell again, and heals a failure', async () => {
  let fails = true;
  const { environment } = made({
    ask: async () => {
      if (fails) throw new Error('no');
      return { TOKEN: 'new' };
    },
  });
  await environment.ready();
  expect(environment.warning()).toBeDefined();
  fails = false;
  environment.refresh();
  await environment.ready();
  expect(environment.variables()['TOKEN']).toBe('new');
  expect(environment.warning()).toBeUndefined();
});

test("createEnvironment() takes another shell where the account's lets nobody in", async () => {
  for (const [own, named, wanted] of [
    ['/usr/sbin/nologin', '/bin/fish', '/bin/fish'],
    [null, undefined, '/bin/sh'],
    ['', '/bin/false', '/bin/sh'],
  ] as const) {
    const { environment, asked } = made({ account: { ...account, shell: own }, processEnv: { SHELL: named } });
    await environment.ready();
    expect(asked[0]?.shell).toBe(wanted);
  }
});

test('an environment that may not ask the shell asks none, and warns of nothing', async () => {
  const { environment, asked } = made({ asksShell: () => false });
  await environment.ready();
  environment.refresh();
  await environment.ready();
  expect(asked).toEqual([]);
  expect(environment.warning()).toBeUndefined();
  expect(environment.base()['PATH']).toContain('/usr/bin');
});

test('an environment that is closed ends the shell that it asked', async () => {
  const { environment, asked } = made({
    ask: (question) =>
      new Promise((_, reject) => {
        asked.push(question);
        question.signal.addEventListener('abort', () => reject(new Error('was given up')));
      }),
  });
  const ready = environment.ready();
  await environment[Symbol.asyncDispose]();
  await ready;
  expect(asked[0]?.signal.aborted).toBe(true);
});
