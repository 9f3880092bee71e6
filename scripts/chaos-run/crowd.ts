// The sessions of a chaos run: who they are, what they ask, and how it ended.
import { type Agent, type ClientKind, connectAgent, textOf } from '../../test/helpers/agent.ts';
import { until, untilGone } from '../../test/helpers/processes.ts';
import { type Asked, type Book, noncesIn, type Page } from './book.ts';
import type { Action } from './plan.ts';

export interface CrowdOptions {
  readonly home: string;
  readonly workspaces: readonly string[];
  readonly book: Book;
  readonly program: () => string;
}

export interface Ended {
  readonly outcome: NonNullable<Asked['outcome']>;
  /** What the agent was told where it is not `ok`. */
  readonly text: string;
  /** What must never be; a sentence. */
  readonly fault?: string;
}

export interface Crowd extends AsyncDisposable {
  /** Opens a session in that place; whoever is there must have left. */
  enter(slot: number, client: ClientKind, workspace: number): Promise<void>;
  /** Closes it as agents do. */
  leave(slot: number): Promise<void>;
  /** SIGKILL to its shim. */
  kill(slot: number): Promise<void>;
  workspaceOf(slot: number): number;
  act(action: Action): Promise<Ended>;
  /** Pids of the shims that must live. */
  shims(): number[];
  /** A sentence for each session that has ended by itself. */
  lost(): string[];
  /** What the shims that live wrote to stderr. */
  words(): string[];
}

interface Member {
  readonly agent: Agent;
  readonly page: Page;
  readonly workspace: number;
  gone: boolean;
}

/** An answer takes longer than this only if it never comes. */
const ANSWER_MS = 90_000;

const scriptOf = ({ server, tool, ms, size, count }: Action, nonces: readonly string[]): string => {
  const call = (nonce: string) =>
    `${server}.${tool}(${JSON.stringify({ nonce, ...(ms > 0 && { ms }), ...(size > 0 && { size }) })})`;
  return count === 1
    ? `return JSON.stringify(await ${call(nonces[0] ?? '')})`
    : `return JSON.stringify(await Promise.all([${nonces.map(call).join(', ')}]))`;
};

export const createCrowd = ({ home, workspaces, book, program }: CrowdOptions): Crowd => {
  const members = new Map<number, Member>();

  const ask = async (member: Member, action: Action): Promise<Ended> => {
    const { agent, page } = member;
    const { tool, count, cancelMs } = action;
    const nonces = tool === 'list_tools' ? [] : Array.from({ length: count }, () => page.nonce());
    const asked = page.ask(tool === 'effect', nonces);
    const stop = new AbortController();
    const timer = cancelMs === undefined ? undefined : setTimeout(() => stop.abort(new Error('taken back')), cancelMs);
    const end = (outcome: Ended['outcome'], text: string, fault?: string): Ended => {
      asked.outcome = outcome;
      return { outcome, text, ...(fault === undefined ? {} : { fault }) };
    };
    try {
      const limits = { signal: stop.signal, timeout: ANSWER_MS, ...(tool === 'report' && { onprogress: () => {} }) };
      const result = await (tool === 'list_tools'
        ? agent.call('list_tools', {}, limits)
        : agent.call('execute', { script: scriptOf(action, nonces) }, limits));
      const text = textOf(result);
      if (result.isError) return end('failed', text);
      if (tool === 'list_tools') return end('ok', text);
      const found = new Set(noncesIn(text));
      const missing = nonces.filter((nonce) => !found.delete(nonce));
      if (found.size > 0) return end('ok', text, `the answer to ${nonces} holds ${[...found]}`);
      // A long answer is cut, so only its begin is sure.
      if (missing.length > 0 && text.length < 15_000)
        return end('ok', text, `the answer to ${nonces} lacks ${missing}`);
      return end('ok', text);
    } catch (error) {
      const text = String(error);
      if (stop.signal.aborted) return end('cancelled', text);
      if (member.gone) return end('cut', text);
      if (/timed? ?out/i.test(text)) return end('failed', text, `no answer within ${ANSWER_MS / 1000} s: ${text}`);
      return end('failed', text);
    } finally {
      clearTimeout(timer);
    }
  };

  const take = (slot: number): Member => {
    const member = members.get(slot);
    if (member === undefined) throw new Error(`nobody is in slot ${slot}`);
    return member;
  };

  const crowd: Crowd = {
    async enter(slot, client, workspace) {
      const page = book.page();
      const agent = await connectAgent({
        client,
        home,
        workspace: workspaces[workspace] ?? '/',
        name: `chaos-${page.serial}`,
        program: program(),
        tap: page.tap,
        onQuestion: (message) => ({ nonce: noncesIn(message)[0] ?? 'none' }),
      });
      members.set(slot, { agent, page, workspace, gone: false });
    },
    async leave(slot) {
      const member = take(slot);
      member.gone = true;
      member.page.cut();
      members.delete(slot);
      await member.agent[Symbol.asyncDispose]();
    },
    async kill(slot) {
      const member = take(slot);
      member.gone = true;
      member.page.cut();
      members.delete(slot);
      process.kill(member.agent.pid, 'SIGKILL');
      await untilGone([member.agent.pid]);
      await until('the client notices', 5000, () => member.agent.closed());
    },
    workspaceOf: (slot) => members.get(slot)?.workspace ?? 0,
    act: async (action) => {
      const member = members.get(action.slot);
      return member === undefined ? { outcome: 'cut', text: 'nobody was there' } : ask(member, action);
    },
    shims: () => [...members.values()].map(({ agent }) => agent.pid),
    lost: () =>
      [...members].flatMap(([slot, { agent }]) =>
        agent.closed() ? [`the session in slot ${slot} has ended by itself; its shim said: ${agent.stderr()}`] : [],
      ),
    words: () => [...members].map(([slot, { agent }]) => `slot ${slot}, shim ${agent.pid}: ${agent.stderr().trim()}`),
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([...members.keys()].map((slot) => crowd.leave(slot)));
    },
  };
  return crowd;
};
