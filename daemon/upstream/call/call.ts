// One tools/call: sent once, answered once, and every way in which it can end said in a sentence.
import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import { MetadError, messageOf } from '../../../schema/errors.ts';
import { isObject, type JsonObject, type ToolResult } from '../../../schema/tool.ts';
import { type Connection, NO_LIMIT_MS } from '../connect/handshake.ts';
import type { Asker, Progress } from '../contract.ts';
import { answeredCode, Broken, httpStatus, isBroken, NotSent, quoted, refusedCode, withCause } from '../failure.ts';
import { askAgent, type CallInFlight, nobodyToAsk, type Question } from './ask.ts';
import { createDeadline } from './deadline.ts';

export interface Call {
  readonly server: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly session: string;
  readonly timeoutMs: number;
  /** The file in which the limit can be changed. */
  readonly origin: string;
  /** Ends with the caller and its session; the call ends it at its own limit. */
  readonly scope: AbortController;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly asker: Asker | undefined;
  /** The result of `roots/list` for this server. */
  readonly roots: () => Promise<JsonObject>;
}

/** Takes what the server sent as it is. */
export const ANYTHING: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'metad', validate: (value) => ({ value }) },
};

/** Rounds of `input_required` in one call before it is given up. */
const MAX_ROUNDS = 10;

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;

/** Answers what a 2026-07-28 server needs before it can go on; here the cause is known for sure. */
const answerInputs = async (requests: JsonObject, call: Call, flight: CallInFlight): Promise<JsonObject> => {
  const answers: Record<string, JsonObject> = {};
  for (const [key, value] of Object.entries(requests)) {
    const question = value as unknown as Question;
    const asked: Question = { method: question.method, params: question.params ?? {} };
    if (asked.method === 'roots/list') answers[key] = await call.roots();
    else if (call.asker === undefined) answers[key] = nobodyToAsk(asked.method, 'The caller cannot be asked.');
    else answers[key] = await askAgent(call.asker, asked, [flight], flight.signal);
  }
  return answers;
};

const exchange = async (connection: Connection, call: Call, flight: CallInFlight): Promise<unknown> => {
  const { onProgress } = call;
  let params: Record<string, unknown> = { name: call.tool, arguments: call.args };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const result = await connection.client.request({ method: 'tools/call', params }, ANYTHING, {
      signal: flight.signal,
      timeout: NO_LIMIT_MS,
      allowInputRequired: true,
      // The SDK makes a token of its own where somebody listens, and none otherwise.
      ...(onProgress === undefined ? {} : { onprogress: (progress) => onProgress(progress as Progress) }),
    });
    if (!isObject(result) || result['resultType'] !== 'input_required') return result;
    const requests = isObject(result['inputRequests']) ? result['inputRequests'] : {};
    const inputResponses = await answerInputs(requests, call, flight);
    const state = result['requestState'];
    params = {
      name: call.tool,
      arguments: call.args,
      inputResponses,
      ...(state === undefined ? {} : { requestState: state }),
    };
  }
  throw new Error(`it asked for input ${MAX_ROUNDS} times`);
};

const asResult = (value: unknown, name: string): ToolResult => {
  if (!isObject(value)) throw new MetadError('upstream', `\`${name}\` answered with no result object.`);
  const { content } = value;
  // Whoever reads a result may count on a list of parts that have a type.
  const parts = Array.isArray(content)
    ? content.filter((part) => isObject(part) && typeof part['type'] === 'string')
    : [];
  const isWhole = Array.isArray(content) && parts.length === content.length;
  return (isWhole ? value : { ...value, content: parts }) as unknown as ToolResult;
};

/**
 * Calls a tool on an open connection.
 * @throws NotSent where the server surely has not seen it; the caller may send it again.
 * @throws MetadError `timeout`, `cancelled` or `upstream`; whether the tool ran is then unknown unless the server said so.
 */
export const callTool = async (
  connection: Connection,
  call: Call,
  inFlight: Set<CallInFlight>,
): Promise<ToolResult> => {
  const name = `${call.server}.${call.tool}`;
  const { scope } = call;
  let asked = false;
  const before = connection.unfinished();
  const deadline = createDeadline(call.timeoutMs, () => {
    const now = connection.unfinished();
    // Not one line since the call began, and a growing one that does not end: nothing can come through any more.
    const stuck = now.lines === before.lines && now.bytes > before.bytes;
    const read = stuck ? ` ${now.bytes} bytes of a line without an end were read, so it was disconnected.` : '';
    const limit = `${seconds(call.timeoutMs)} (\`timeout\` of \`${call.server}\` in ${call.origin})`;
    const text = `\`${name}\` did not answer within ${limit} and was cancelled; whether it ran is unknown.${read}`;
    scope.abort(new MetadError('timeout', text));
    if (stuck) {
      connection.fail(
        `sent a line without an end (${now.bytes} bytes read) for ${seconds(call.timeoutMs)}, the limit of a call, and was disconnected`,
      );
    }
  });
  const flight: CallInFlight = {
    session: call.session,
    tool: call.tool,
    asker: call.asker,
    signal: scope.signal,
    hold: () => {
      asked = true;
      return deadline.hold();
    },
  };
  inFlight.add(flight);
  try {
    if (!connection.alive()) throw new NotSent('its connection is closed');
    return asResult(await exchange(connection, call, flight), name);
  } catch (error) {
    if (scope.signal.aborted) {
      const { reason } = scope.signal;
      throw reason instanceof MetadError
        ? reason
        : new MetadError('cancelled', `The call of \`${name}\` was cancelled.`);
    }
    if (error instanceof MetadError || error instanceof NotSent) throw error;
    throw await explain(connection, error, call);
  } finally {
    deadline.clear();
    inFlight.delete(flight);
    // A question that nobody waits for any more.
    if (asked) scope.abort();
  }
};

const explain = async (connection: Connection, error: unknown, { server, tool }: Call): Promise<Error> => {
  const name = `${server}.${tool}`;
  const code = answeredCode(error);
  if (code !== undefined)
    return new MetadError('upstream', `\`${name}\` failed: ${messageOf(error)} (${code})`, { cause: error });
  const refused = refusedCode(error);
  if (refused !== undefined) {
    connection.fail(`cannot be reached (${refused})`);
    return new NotSent(`it cannot be reached (${refused})`);
  }
  const status = httpStatus(error);
  // The session is gone (server restarted); the request was turned away before anything looked at it.
  if (status === 404) {
    connection.fail('no longer knows the session (HTTP 404)');
    return new NotSent('the session is gone (HTTP 404)');
  }
  if (!connection.alive()) {
    const why = await connection.ended;
    const text = `Server \`${server}\` ${why} during \`${name}\`; whether it ran is unknown.`;
    return new Broken('upstream', `${text}${quoted(connection.tail())}`, { cause: error });
  }
  const Kind = isBroken(error) ? Broken : MetadError;
  return new Kind('upstream', `\`${name}\` failed: ${withCause(error)}; whether it ran is unknown.`, {
    cause: error,
  });
};
