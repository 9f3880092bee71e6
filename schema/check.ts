// Checks of what control clients send, one per method; kept apart from wire.ts because zod costs time to load.
import { z } from 'zod';
import { MetadError } from './errors.ts';
import type { Method, Methods } from './wire.ts';

/** How much of a declaration `tools` prints. */
export const DETAILS = ['names', 'signatures', 'full'] as const;

const where = { cwd: z.string().min(1) };
const whichWorkspace = { ...where, workspace: z.exactOptional(z.string().min(1)) };
const asked = z.strictObject({ file: z.string(), server: z.string(), hash: z.string() });
const nothing = z.strictObject({});

/** A key too many is an error that names it: a parameter that is silently dropped would be worse. */
export const PARAMS: { readonly [M in Method]: z.ZodType<Methods[M]['params']> } = {
  status: nothing,
  tools: z.strictObject({ ...where, servers: z.array(z.string().min(1)), detail: z.exactOptional(z.enum(DETAILS)) }),
  call: z.strictObject({
    ...where,
    server: z.string().min(1),
    tool: z.string().min(1),
    arguments: z.record(z.string(), z.unknown()),
  }),
  exec: z.strictObject({
    ...where,
    script: z.string(),
    timeoutSeconds: z.exactOptional(z.number().positive()),
  }),
  reload: z.strictObject({ environment: z.exactOptional(z.record(z.string(), z.string())) }),
  why: z.strictObject({ server: z.string().min(1), cwd: z.exactOptional(z.string()) }),
  list: z.strictObject(whichWorkspace),
  suggest: z.strictObject(whichWorkspace),
  sync: nothing,
  'sync.accept': z.strictObject({
    registries: z.array(z.strictObject({ name: z.string(), commit: z.nullable(z.string()), servers: z.array(asked) })),
  }),
  trust: z.strictObject(whichWorkspace),
  'trust.accept': z.strictObject({
    ...whichWorkspace,
    servers: z.array(asked),
  }),
  'trust.revoke': z.strictObject(whichWorkspace),
  'server.restart': z.strictObject({ server: z.string().min(1) }),
  handover: z.strictObject({
    version: z.string().min(1),
    program: z.string().startsWith('/'),
    node: z.string().startsWith('/'),
    withinSeconds: z.exactOptional(z.number().nonnegative()),
  }),
  stop: nothing,
};

export const isMethod = (name: string): name is Method => Object.hasOwn(PARAMS, name);

/**
 * The params of a control method, checked.
 * @throws MetadError `bad-request` naming the method, the field and what was expected there.
 */
export const checkParams = <M extends Method>(method: M, value: unknown): Methods[M]['params'] => {
  const outcome = PARAMS[method].safeParse(value);
  if (outcome.success) return outcome.data;
  const said = outcome.error.issues.map((issue) => {
    const at = issue.path.map(String).join('.') || 'the parameters';
    return `${at}: ${issue.message}`;
  });
  throw new MetadError('bad-request', `\`${method}\` was sent wrong parameters. ${said.join('; ')}.`);
};
