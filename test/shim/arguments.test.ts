import { describe, expect, test } from 'vitest';
import { argumentsOf } from '../../shim/arguments.ts';
import { helloOf } from '../../shim/hello.ts';

describe('argumentsOf()', () => {
  test('takes both spellings, the last of a name wins', () => {
    expect(argumentsOf(['--workspace', '/a', '--surface=flat', '--call-tool', '--home=/h', '--workspace=/b'])).toEqual({
      workspace: '/b',
      surface: 'flat',
      callTool: true,
      home: '/h',
    });
    expect(argumentsOf([])).toEqual({ callTool: false });
  });

  test('names what it does not know and what lacks a value', () => {
    expect(argumentsOf(['--wrokspace', 'x'])).toContain('--wrokspace');
    expect(argumentsOf(['extra'])).toContain('extra');
    expect(argumentsOf(['--home'])).toContain('--home');
    expect(argumentsOf(['--home='])).toContain('--home');
    expect(argumentsOf(['--constructor', 'x'])).toContain('--constructor');
  });
});

describe('helloOf()', () => {
  const self = { cwd: '/work', pid: 7, program: '/m/daemon.js', node: '/n', told: { callTool: false } };

  test('forwards the closed list of variables and nothing else', () => {
    const environment = { SSH_AUTH_SOCK: '/s', https_proxy: 'http://p', API_KEY: 'secret', PATH: '/bin' };
    expect(helloOf({ ...self, environment }, false).environment).toEqual({
      SSH_AUTH_SOCK: '/s',
      https_proxy: 'http://p',
    });
  });

  test('takes the workspace from the argument, then Claude, then Goose; seen from the cwd', () => {
    const environment = { CLAUDE_PROJECT_DIR: '/c', GOOSE_WORKING_DIR: '/g' };
    expect(helloOf({ ...self, environment, told: { callTool: true, workspace: 'w' } }, true)).toMatchObject({
      workspace: '/work/w',
      callTool: true,
      resumed: true,
    });
    expect(helloOf({ ...self, environment }, false).workspace).toBe('/c');
    expect(helloOf({ ...self, environment: { GOOSE_WORKING_DIR: '/g' } }, false).workspace).toBe('/g');
    expect(helloOf({ ...self, environment: {} }, false)).not.toHaveProperty('workspace');
    expect(helloOf({ ...self, environment: {} }, false)).not.toHaveProperty('resumed');
  });
});
