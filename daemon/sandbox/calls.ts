// The tool calls of one run as the daemon makes them: from the worker's numbers to a server's tool and back.
import { setMaxListeners } from 'node:events';
import { MetadError, messageOf } from '../../schema/errors.ts';
import type { Json, JsonObject } from '../../schema/tool.ts';
import type { CallFailure, ToWorker } from './messages.ts';
import type { GuestNamespace, RunRequest } from './sandbox.ts';

export interface Calls {
  /** `text` is `call,namespace,tool,arguments`; namespace -1 is metad itself. */
  make(text: string): void;
  /** Calls made so far, whatever became of them. */
  count(): number;
  /** Ends what is open, at once: the script is to stop, and its worker may take a while to do so. */
  cancel(): void;
  /** Ends what is still open, as `server.tool` each. Later answers go nowhere. */
  close(): string[];
}

/** What the script is told of a failure: its text, and of our own errors the code. */
const failureOf = (error: unknown): CallFailure => {
  const content = error !== null && typeof error === 'object' && 'content' in error ? error.content : undefined;
  return {
    message: messageOf(error),
    ...(error instanceof MetadError ? { code: error.code } : {}),
    ...(content === undefined ? {} : { content }),
  };
};

interface Called {
  readonly script: string;
  readonly raw: string;
  readonly args: JsonObject;
}

const calledOf = ({ open, tools }: GuestNamespace, tool: number, json: string): Called | undefined => {
  if (open === true) {
    const [name, args] = JSON.parse(json) as [string, JsonObject];
    return { script: name, raw: name, args };
  }
  const entry = tools[tool];
  return entry && { ...entry, args: JSON.parse(json) as JsonObject };
};

/** The worker has checked the form. */
const callOf = (text: string): { id: number; ns: number; tool: number; args: string } => {
  const first = text.indexOf(',');
  const second = text.indexOf(',', first + 1);
  const third = text.indexOf(',', second + 1);
  return {
    id: Number(text.slice(0, first)),
    ns: Number(text.slice(first + 1, second)),
    tool: Number(text.slice(second + 1, third)),
    args: text.slice(third + 1),
  };
};

const toJson = (value: unknown): string => JSON.stringify(value) ?? '';

/** What a service is asked: its name and texts. */
const questionOf = (json: string): readonly string[] => {
  const list: unknown = JSON.parse(json);
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : [];
};

export const createCalls = (
  { namespaces, call, service }: Pick<RunRequest, 'namespaces' | 'call' | 'service'>,
  post: (message: ToWorker) => void,
): Calls => {
  const scope = new AbortController();
  // Each call in flight listens; any number of them is no leak.
  setMaxListeners(0, scope.signal);
  const open = new Map<number, string>();
  /** Services asked and not answered; the script does not hear of those that it did not await. */
  const asked = new Set<number>();
  let count = 0;
  let settled: string[] = [];

  const flush = (): void => {
    if (settled.length === 0) return;
    post({ kind: 'settle', results: settled });
    settled = [];
  };
  /** Answers that came in one read are told in one message: their calls end in the same round of microtasks. */
  const tell = (call: number, ok: boolean, json: string): void => {
    if (settled.length === 0) queueMicrotask(flush);
    settled.push(`${call},${ok ? 1 : 0},${json}`);
  };
  const settle = (call: number, ok: boolean, value: () => string): void => {
    if (!open.delete(call) && !asked.delete(call)) return;
    let json: string;
    try {
      json = value();
    } catch (error) {
      return void tell(call, false, JSON.stringify({ message: messageOf(error) }));
    }
    tell(call, ok, json);
  };

  const ask = (id: number, json: string): void => {
    asked.add(id);
    const answered = async (): Promise<string | undefined> => {
      const [name, ...args] = questionOf(json);
      if (service === undefined || name === undefined)
        throw new MetadError('unsupported', 'metad cannot do this here.');
      return service(name, args, scope.signal);
    };
    answered().then(
      (text) => settle(id, true, () => text ?? ''),
      (error: unknown) => settle(id, false, () => toJson(failureOf(error))),
    );
  };

  return {
    make: (text) => {
      const { id, ns, tool, args } = callOf(text);
      if (ns === -1) return ask(id, args);
      const namespace = namespaces[ns];
      count += 1;
      const called = namespace && calledOf(namespace, tool, args);
      if (namespace === undefined || called === undefined) {
        // Only a guest that found its way to the numbers could ask for this; it gets no further than here.
        return void tell(id, false, JSON.stringify({ message: 'No such tool' }));
      }
      open.set(id, `${namespace.global}.${called.script}`);
      const made = async (): Promise<Json> => call(namespace.server, called.raw, called.args, scope.signal);
      made().then(
        (value) => settle(id, true, () => toJson(value)),
        (error: unknown) => settle(id, false, () => toJson(failureOf(error))),
      );
    },
    count: () => count,
    cancel: () => scope.abort(new MetadError('cancelled', 'The script that made this call was stopped.')),
    close: () => {
      const names = [...open.values()];
      open.clear();
      asked.clear();
      settled = [];
      scope.abort(new MetadError('cancelled', 'The script that made this call has ended.'));
      return names;
    },
  };
};
