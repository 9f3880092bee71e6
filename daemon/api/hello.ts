// What a shim says first, checked by hand: zod would cost every cold start more than all of this file.
import type { Surface } from '../../schema/config.ts';
import { MetadError } from '../../schema/errors.ts';
import { isObject, type JsonObject } from '../../schema/tool.ts';
import { FORWARDED_VARIABLES, type Greeting, type Hello, PROTOCOL, VERSION } from '../../schema/wire.ts';

/** Which surfaces this version has; a new one in schema/config.ts is a compile error here. */
const EXISTS: Readonly<Record<Surface, boolean>> = { code: true, domains: false, tree: false, flat: false };

type Raw = JsonObject;

const bad = (what: string) => new MetadError('bad-request', `The hello of the shim cannot be understood: ${what}.`);

const text = (raw: Raw, field: string): string => {
  const value = raw[field];
  if (typeof value !== 'string' || value === '') throw bad(`\`${field}\` must be a non-empty string`);
  return value;
};

const optionalText = (raw: Raw, field: string): string | undefined =>
  raw[field] === undefined || raw[field] === null ? undefined : text(raw, field);

const count = (raw: Raw, field: string): number => {
  const value = raw[field];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw bad(`\`${field}\` must be a whole number`);
  return value;
};

const optionalFlag = (raw: Raw, field: string): boolean | undefined => {
  const value = raw[field];
  if (value !== undefined && typeof value !== 'boolean') throw bad(`\`${field}\` must be true or false`);
  return value;
};

/** Only the variables of the list are taken over, whatever else a shim may have sent. */
const variables = (raw: Raw): Record<string, string> => {
  const sent = raw['environment'];
  if (!isObject(sent)) throw bad('`environment` must be an object');
  return Object.fromEntries(
    FORWARDED_VARIABLES.flatMap((name) => {
      const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
};

/** @throws MetadError `unsupported` for a surface that does not exist, or not yet. */
export function checkSurface(surface: string): asserts surface is Surface {
  const known = Object.entries(EXISTS);
  const usable = known.flatMap(([name, exists]) => (exists ? [`\`${name}\``] : [])).join(', ');
  const named = JSON.stringify(surface.slice(0, 40));
  const exists = known.find(([name]) => name === surface)?.[1];
  if (exists === undefined) throw new MetadError('unsupported', `Surface ${named} is unknown; there is ${usable}.`);
  if (!exists)
    throw new MetadError('unsupported', `Surface ${named} does not exist yet in metad ${VERSION}; there is ${usable}.`);
}

const rawOf = (body: string): Raw => {
  let raw: unknown;
  try {
    raw = JSON.parse(body);
  } catch (cause) {
    throw new MetadError('bad-request', 'The hello of the shim is no JSON.', { cause });
  }
  if (!isObject(raw)) throw bad('it must be an object');
  return raw;
};

/**
 * What a hello of any protocol says.
 * @throws MetadError `bad-request` naming the field.
 */
export const greetingOf = (body: string): Greeting => {
  const raw = rawOf(body);
  const [program, node] = [optionalText(raw, 'program'), optionalText(raw, 'node')];
  return {
    protocol: count(raw, 'protocol'),
    version: text(raw, 'version'),
    ...(program === undefined ? {} : { program }),
    ...(node === undefined ? {} : { node }),
  };
};

const OTHER = (version: string, protocol: number) =>
  `The shim is metad ${version.slice(0, 40)} (protocol ${protocol}), the daemon metad ${VERSION} (protocol ${PROTOCOL}).`;

/**
 * @param body the hello as JSON
 * @throws MetadError `bad-request` naming the field; `unavailable` for a shim of a later protocol, whose own daemon takes
 * over soon; `unsupported` for one of an earlier protocol or a surface that is not there.
 */
export const parseHello = (body: string): Hello => {
  const raw = rawOf(body);
  const greeting = greetingOf(body);
  const { protocol, version } = greeting;
  // Before all other fields: a shim of another protocol may well name them differently.
  if (protocol > PROTOCOL)
    throw new MetadError(
      'unavailable',
      `${OTHER(version, protocol)} The daemon of the shim takes over as soon as nothing runs any more; ` +
        '`metad daemon restart --now` does it at once.',
    );
  if (protocol < PROTOCOL)
    throw new MetadError(
      'unsupported',
      `${OTHER(version, protocol)} Restart the agent, so that it starts the newer shim; where it starts an old one ` +
        'again, its config names an old copy of metad.',
    );
  const workspace = optionalText(raw, 'workspace');
  const surface = optionalText(raw, 'surface');
  const callTool = optionalFlag(raw, 'callTool');
  const agent = optionalText(raw, 'agent');
  const resumed = optionalFlag(raw, 'resumed');
  if (surface !== undefined) checkSurface(surface);
  return {
    ...greeting,
    pid: count(raw, 'pid'),
    cwd: text(raw, 'cwd'),
    environment: variables(raw),
    ...(workspace === undefined ? {} : { workspace }),
    ...(surface === undefined ? {} : { surface }),
    ...(callTool === undefined ? {} : { callTool }),
    ...(agent === undefined ? {} : { agent }),
    ...(resumed === undefined ? {} : { resumed }),
  };
};
