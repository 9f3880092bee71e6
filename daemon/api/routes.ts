// The control API as a Fastify app on a server that somebody else opened: loaded late, since Fastify costs 100 ms.
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { type FastifyError, type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import { checkParams, isMethod, PARAMS } from '../../schema/check.ts';
import { MetadError, messageOf, toWire } from '../../schema/errors.ts';
import { CONTROL_PATH, type Contract, EVENTS_PATH, type Method } from '../../schema/wire.ts';
import type { Log } from '../log.ts';
import { childOf } from '../scope.ts';
import { type Events, streamEvents } from './events.ts';
import { statusOf } from './reply.ts';

/** Bytes of a request's body that are read at most. */
export const BODY_LIMIT = 32 * 1024 * 1024;

export interface RouteOptions {
  readonly handlers: () => Promise<Contract>;
  readonly events: Events;
  readonly log: Log;
  /** Ends the methods in flight. */
  readonly signal: AbortSignal;
}

/** Fastify's own refusals in our words. Whatever is not listed is a bug and travels as one. */
const FROM_FASTIFY: Readonly<Record<string, { status: number; error: MetadError }>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    error: new MetadError('bad-request', 'Parameters are sent as `Content-Type: application/json`.'),
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    status: 413,
    error: new MetadError('limit', `A request may have ${BODY_LIMIT} bytes at most.`),
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    error: new MetadError('bad-request', 'The body does not have the length that its header says.'),
  },
};

const unreadable = new MetadError('bad-request', 'The path of the request cannot be read.');

const fail = (reply: FastifyReply, error: unknown, status?: number) => {
  const wire = toWire(error);
  return reply.code(status ?? statusOf(wire.code)).send({ error: wire });
};

/** Ends with the connection, so that a method whose caller has left stops too; and with the daemon. */
const scopeOf = (response: ServerResponse, daemon: AbortSignal): AbortController => {
  const scope = childOf(daemon);
  const leave = () => scope.abort(new MetadError('cancelled', 'The caller has left.'));
  if (response.closed) leave();
  else response.once('close', leave);
  return scope;
};

const invoke = async <M extends Method>(contract: Contract, method: M, body: unknown, signal: AbortSignal) => {
  signal.throwIfAborted();
  const result: unknown = await contract[method](checkParams(method, body), signal);
  return result;
};

/** All verbs but the one that a path takes are told so, instead of hearing that the path is not there. */
const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const addOnly = (app: FastifyInstance, url: string, verb: 'GET' | 'POST') =>
  app.route({
    method: VERBS.filter((other) => other !== verb),
    url,
    handler: (request, reply) => {
      const sentence = `${request.url.slice(0, 120)} takes ${verb}, not ${request.method}.`;
      return fail(reply.header('allow', verb), new MetadError('bad-request', sentence), 405);
    },
  });

const addRoutes = (app: FastifyInstance, { handlers, events, signal }: RouteOptions) => {
  const control = `${CONTROL_PATH}/:method`;
  app.post<{ Params: { method: string } }>(control, async (request, reply) => {
    const { method } = request.params;
    if (!isMethod(method))
      throw new MetadError(
        'not-found',
        `There is no control method ${JSON.stringify(method.slice(0, 80))}; there is ${Object.keys(PARAMS).join(', ')}.`,
      );
    const scope = scopeOf(reply.raw, signal);
    const result = await invoke(await handlers(), method, request.body ?? {}, scope.signal);
    return reply.send({ result });
  });
  app.get(EVENTS_PATH, (_request, reply) => {
    reply.hijack();
    streamEvents(events, reply.raw);
  });
  addOnly(app, control, 'POST');
  addOnly(app, EVENTS_PATH, 'GET');
};

/** @returns what answers a request; it takes over from the moment it is there. */
export const createRoutes = async (server: Server, options: RouteOptions): Promise<RequestListener> => {
  let listener: RequestListener | undefined;
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    // The server has its own; Fastify would add a second one that answers in another form.
    clientErrorHandler: () => {},
    frameworkErrors: (error, _request, reply) => fail(reply, FROM_FASTIFY[error.code]?.error ?? unreadable, 400),
    serverFactory: (handler) => {
      listener = handler;
      return server;
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? {} : JSON.parse(String(body)));
    } catch (cause) {
      done(new MetadError('bad-request', `The parameters are no JSON: ${messageOf(cause)}.`, { cause }));
    }
  });
  app.setNotFoundHandler((request, reply) =>
    fail(reply, new MetadError('not-found', `There is nothing at ${request.method} ${request.url.slice(0, 120)}.`)),
  );
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const known = FROM_FASTIFY[error.code];
    if (known) return fail(reply, known.error, known.status);
    if (!(error instanceof MetadError))
      options.log('control method failed', { url: request.url, reason: error.stack ?? messageOf(error) });
    return fail(reply, error);
  });
  addRoutes(app, options);
  await app.ready();
  server.once('close', () => void app.close());
  if (!listener) throw new Error('Fastify did not ask for a server');
  return listener;
};
