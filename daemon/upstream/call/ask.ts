// What servers ask of us: roots are answered here, elicitation and sampling go to the agent whose call caused them.
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject, type JsonObject } from '../../../schema/tool.ts';
import type { Asker } from '../contract.ts';

/** A call that waits for its server. */
export interface CallInFlight {
  readonly session: string;
  /** Raw name. */
  readonly tool: string;
  readonly asker: Asker | undefined;
  /** Ends with the call. */
  readonly signal: AbortSignal;
  /** Stops the call's clock while a person is asked; gives what lets it run on. */
  hold(): () => void;
}

/** A refusal as a JSON-RPC error: the SDK sends `code` and `message` to the server. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface Question {
  readonly method: string;
  readonly params: JsonObject;
}

const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
/** What the specification answers when a user rejects sampling (2025-11-25, client/sampling, error handling). */
const REJECTED = -1;

/** `roots/list` for these workspace roots. */
export const rootsResult = (roots: readonly string[]): JsonObject => ({
  roots: roots.map((root) => ({ uri: pathToFileURL(root).href, name: basename(root) || root })),
});

/**
 * Nobody can be asked. Elicitation: `cancel`, for nobody has declined, and no agent's screen is touched; the reason is in
 * `_meta`. Sampling has no such result and gets the error of a rejected request.
 */
export const nobodyToAsk = (method: string, why: string): JsonObject => {
  if (method === 'elicitation/create') return { action: 'cancel', _meta: { 'metad/reason': why } };
  throw new Refusal(REJECTED, why);
};

/** @throws Refusal where the agent did not declare what the question needs. */
const needCapability = ({ capabilities }: Asker, { method, params }: Question): void => {
  if (method === 'sampling/createMessage') {
    if (!isObject(capabilities['sampling']))
      throw new Refusal(METHOD_NOT_FOUND, 'The agent cannot sample for servers.');
    if (params['tools'] !== undefined && !isObject(capabilities['sampling']['tools'])) {
      throw new Refusal(INVALID_PARAMS, 'The agent cannot sample with tools.');
    }
    return;
  }
  const elicitation = capabilities['elicitation'];
  if (!isObject(elicitation)) throw new Refusal(METHOD_NOT_FOUND, 'The agent cannot put questions to its user.');
  const mode = params['mode'] === 'url' ? 'url' : 'form';
  // An empty object means forms (2025-11-25, client/elicitation, capabilities).
  const modes: JsonObject = Object.keys(elicitation).length === 0 ? { form: {} } : elicitation;
  if (!isObject(modes[mode]))
    throw new Refusal(INVALID_PARAMS, `The agent cannot show elicitation of mode \`${mode}\`.`);
};

/**
 * Puts one question of a server's to the agent that caused it: the one session with calls in flight there. Calls of two
 * sessions at once leave the cause unknown, and outside of any call there is none: then nobody is asked. `onDoubt` gets the
 * tools in flight in the first case, so that they run for one session at a time from then on.
 * @throws Refusal, or whatever the agent answered with.
 */
export const askCause = async (
  question: Question,
  calls: readonly CallInFlight[],
  signal: AbortSignal,
  onDoubt: (tools: readonly string[]) => void = () => {},
): Promise<JsonObject> => {
  const sessions = new Set(calls.map(({ session }) => session));
  if (sessions.size === 0) return nobodyToAsk(question.method, 'No call is in flight, so there is nobody to ask.');
  if (sessions.size > 1) {
    onDoubt([...new Set(calls.map(({ tool }) => tool))]);
    const why =
      'Calls of several sessions are in flight, so it is unknown whom to ask. Call the tool again: from now on';
    return nobodyToAsk(question.method, `${why} such calls run for one session at a time.`);
  }
  const cause = calls.findLast(({ asker }) => asker !== undefined);
  if (cause?.asker === undefined) return nobodyToAsk(question.method, 'The caller cannot be asked.');
  return askAgent(cause.asker, question, calls, AbortSignal.any([signal, cause.signal]));
};

/** Asks one agent while the clocks of `calls` stand still. @throws Refusal where it cannot be asked this. */
export const askAgent = async (
  asker: Asker,
  question: Question,
  calls: readonly CallInFlight[],
  signal: AbortSignal,
): Promise<JsonObject> => {
  needCapability(asker, question);
  const releases = calls.map((call) => call.hold());
  try {
    return await asker.ask(question.method, question.params, signal);
  } finally {
    for (const release of releases) release();
  }
};
