// Checks one entry of mcpServers. What is wrong with one never touches another.
import type { Node } from 'jsonc-parser';
import { type Definition, REMOTE_TYPE, remoteServerSchema, STDIO_TYPE, stdioServerSchema } from '../config.ts';
import { definitionOf } from './definition.ts';
import { childOf, nodeAt, plainValue, propertiesOf } from './jsonc.ts';
import { misnamedReach, unknownServerKey } from './keys.ts';
import { pathText } from './problem.ts';
import { kindOf, sentenceOf } from './sentence.ts';

const STDIO_KEYS = Object.keys(stdioServerSchema.def.shape);
const REMOTE_KEYS = Object.keys(remoteServerSchema.def.shape);
const STDIO_TYPES: readonly string[] = STDIO_TYPE;
const REMOTE_TYPES: readonly string[] = REMOTE_TYPE;
const UNUSED = ['autoApprove', 'alwaysAllow'];

/** Reports a problem at a node; the path is relative to the server's entry. */
type Report = (severity: 'error' | 'warning', node: Node, path: readonly PropertyKey[], message: string) => void;

// Loading it compiles a checker for each object, which costs more than the one check that it would speed up.
export const ONCE = { jitless: true } as const;

/**
 * The definition of a server, or undefined after an error was reported.
 * @param top the key that its file has for `mcpServers`
 */
export const readServer = (
  name: string,
  node: Node,
  origin: string,
  report: Report,
  top = 'mcpServers',
): Definition | undefined => {
  const path = [top, name];
  const label = pathText(path);
  let failed = false;
  const fail = (at: Node, below: readonly PropertyKey[], message: string): undefined => {
    failed = true;
    report('error', at, [...path, ...below], message);
  };
  const warn = (at: Node, below: readonly PropertyKey[], message: string) =>
    report('warning', at, [...path, ...below], message);

  if (name.trim() === '' || hasControl(name))
    return fail(
      node,
      [],
      `${label}: the name of a server must not be empty nor hold line breaks or control characters.`,
    );
  if (node.type !== 'object') return fail(node, [], `${label} must be an object in { }, but is ${kindOf(node)}.`);

  const properties = propertiesOf(node);
  const names = properties.map((property) => property.name);
  const stdio = names.includes('command');
  const remote = names.includes('url');
  if (stdio && remote)
    return fail(node, [], `${label} has both "command" and "url": keep the one by which it is reached.`);
  if (!stdio && !remote) {
    const other = misnamedReach(names);
    const hint =
      other === undefined ? '' : ` It has "${other}", which metad calls ${other === 'cmd' ? '"command"' : '"url"'}.`;
    return fail(node, [], `${label} needs "command" (a program to start) or "url" (an address to reach).${hint}`);
  }

  const known = stdio ? STDIO_KEYS : REMOTE_KEYS;
  for (const { name: key, key: at } of properties) {
    const keyPath = pathText([...path, key]);
    if (UNUSED.includes(key))
      warn(at, [key], `${keyPath} is understood but not used: approvals are a matter of "policy".`);
    else if (!known.includes(key))
      warn(at, [key], otherKind(keyPath, key, stdio) ?? unknownServerKey(keyPath, key, known));
  }

  const value = plainValue(node) as Record<string, unknown>;
  for (const key of UNUSED) delete value[key];
  const type = value['type'];
  if (typeof type === 'string') {
    const at = nodeAt(node, ['type']);
    const where = pathText([...path, 'type']);
    const kind = STDIO_TYPES.includes(type) ? 'command' : REMOTE_TYPES.includes(type) ? 'url' : undefined;
    if (kind !== undefined && kind !== (stdio ? 'command' : 'url'))
      return fail(at, ['type'], `${where} is ${JSON.stringify(type)}, which takes "${kind}": leave "type" out.`);
    if (kind === undefined) {
      delete value['type'];
      const way = stdio ? 'started as a program' : 'reached by Streamable HTTP or SSE';
      warn(at, ['type'], `${where} is a type that metad does not know: the server is ${way}.`);
    }
  }
  const result = (stdio ? stdioServerSchema : remoteServerSchema).safeParse(value, ONCE);
  if (!result.success) {
    for (const issue of result.error.issues) {
      const at = nodeAt(node, issue.path);
      fail(at, issue.path, sentenceOf(issue, [...path, ...issue.path], at));
    }
    return undefined;
  }
  checkTexts(node, (at, below, nul) => {
    const key = pathText([...path, ...below]);
    if (nul) fail(at, below, `${key} holds a NUL character, which no program can be given.`);
    else warn(at, below, `${key} is passed on as it is: metad replaces \${HOME}, but neither ~ nor $HOME.`);
  });
  const entry = result.data;
  if ('url' in entry && !isAddress(entry.url))
    fail(nodeAt(node, ['url']), ['url'], `${pathText([...path, 'url'])} must be a whole http:// or https:// address.`);
  if ('command' in entry && entry.args.length === 0 && /^[^\s/]+\s+\S/.test(entry.command))
    warn(
      nodeAt(node, ['command']),
      ['command'],
      `${pathText([...path, 'command'])} holds spaces, and no shell takes it apart: put what follows the program in "args".`,
    );
  if (entry.timeout !== undefined && entry.timeout < 1000)
    warn(
      nodeAt(node, ['timeout']),
      ['timeout'],
      `${pathText([...path, 'timeout'])} is in milliseconds: for ${entry.timeout} seconds write ${entry.timeout * 1000}.`,
    );
  return failed ? undefined : definitionOf(name, entry, origin);
};

const otherKind = (path: string, key: string, stdio: boolean): string | undefined =>
  (stdio ? REMOTE_KEYS : STDIO_KEYS).includes(key)
    ? `${path} is left out: it belongs to servers with "${stdio ? 'url' : 'command'}".`
    : undefined;

const hasControl = (text: string): boolean => /\p{Cc}/u.test(text);

/** Without variables an address can be judged now; with them only after expansion. */
const isAddress = (url: string): boolean => {
  if (url.includes('${')) return true;
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
};

const SHELLS = /(^|\/)(ba|z|da|k|fi|)sh$/;
const FIELDS = ['command', 'args', 'env', 'cwd', 'url', 'headers'];

/** Texts with a NUL, and texts that begin like a path below the home folder but do not lead there. */
const checkTexts = (server: Node, found: (at: Node, below: readonly PropertyKey[], nul: boolean) => void): void => {
  const command = childOf(server, 'command')?.value;
  const walk = (node: Node, below: readonly PropertyKey[]): void => {
    if (node.type === 'string') {
      const text = String(node.value);
      if (text.includes('\u0000')) found(node, below, true);
      else if (/^(~|\$HOME)(\/|$)/.test(text) && !(typeof command === 'string' && SHELLS.test(command)))
        found(node, below, false);
    }
    if (node.type === 'array') for (const [at, child] of (node.children ?? []).entries()) walk(child, [...below, at]);
    for (const { name, value } of propertiesOf(node)) walk(value, [...below, name]);
  };
  for (const field of FIELDS) {
    const node = childOf(server, field);
    if (node !== undefined) walk(node, [field]);
  }
};
