// Who may go in: so many at once, the others wait, one of each caller's in turn. Starts, calls of an instance and of a
// script all pass such a gate.

export interface GateOptions {
  /** How many may be inside; read anew whenever somebody may go in. */
  readonly limit: () => number;
  /** How many may wait. Default: any number. */
  readonly waiting?: number;
  /** What is thrown where no more may wait. */
  readonly full?: () => Error;
}

export interface Pass {
  readonly signal: AbortSignal;
  /** Whose it is: of several that wait, each gets in turn. */
  readonly of?: string;
  /** It goes in when no other such one is inside. */
  readonly alone?: boolean;
  /** It goes in when no other such one of another caller is inside: at any time they are all of one caller. */
  readonly owned?: boolean;
}

export interface Gate {
  /**
   * Resolves when it is this one's turn, with the function that gives the turn on (any number of times). Those of one
   * caller that are alike go in in their order.
   * @throws the signal's reason where it ends first; then nothing was taken. What `full` gives where no more may wait.
   */
  enter(pass: Pass): Promise<() => void>;
  /** As `enter`, for one that may go in at once; undefined where it would have to wait. */
  enterNow(pass: Pass): (() => void) | undefined;
  inside(): number;
  waiting(): number;
}

type Kind = Required<Pick<Pass, 'of' | 'alone' | 'owned'>>;

interface Waiter {
  readonly kind: Kind;
  readonly go: () => void;
}

export const createGate = ({ limit, waiting: most = Number.POSITIVE_INFINITY, full }: GateOptions): Gate => {
  let inside = 0;
  let isOneAlone = false;
  let count = 0;
  /** In the order in which it is their turn. */
  const queues = new Map<string, Waiter[]>();

  /** Whose owned ones are inside, and how many. */
  let owner = '';
  let owned = 0;

  const isKeptOut = ({ of, owned: isOwned }: Kind): boolean => isOwned && owned > 0 && owner !== of;

  const mayEnter = (kind: Kind): boolean => inside < limit() && !(kind.alone && isOneAlone) && !isKeptOut(kind);

  const pass = (kind: Kind): (() => void) => {
    inside += 1;
    if (kind.alone) isOneAlone = true;
    if (kind.owned) {
      owner = kind.of;
      owned += 1;
    }
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside -= 1;
      if (kind.alone) isOneAlone = false;
      if (kind.owned) owned -= 1;
      admit();
    };
  };

  const take = (of: string, waiter: Waiter): void => {
    const queue = queues.get(of);
    const at = queue?.indexOf(waiter) ?? -1;
    if (queue === undefined || at < 0) return;
    count -= 1;
    queue.splice(at, 1);
    if (queue.length === 0) queues.delete(of);
  };

  /** Somebody else's owned one waits: the owner gets no more of its own in, or it could keep the others out for ever. */
  const isOwnersTurnOver = (of: string): boolean =>
    [...queues].some(([other, queue]) => other !== of && queue.some(({ kind }) => kind.owned));

  const nextIn = (): { of: string; waiter: Waiter } | undefined => {
    if (inside >= limit()) return undefined;
    let keptOut = false;
    for (const [of, queue] of queues) {
      const waiter = queue.find(({ kind }) => mayEnter(kind) && !(kind.owned && keptOut));
      if (waiter !== undefined) return { of, waiter };
      keptOut ||= queue.some(({ kind }) => isKeptOut(kind));
    }
    return undefined;
  };

  /** Lets in whoever may go in now. */
  const admit = (): void => {
    for (let found = nextIn(); found !== undefined; found = nextIn()) {
      const { of, waiter } = found;
      take(of, waiter);
      const rest = queues.get(of);
      // Its next one waits until all the others had their turn.
      if (rest !== undefined) {
        queues.delete(of);
        queues.set(of, rest);
      }
      waiter.go();
    }
  };

  const kindOf = ({ of = '', alone = false, owned: isOwned = false }: Pass): Kind => ({ of, alone, owned: isOwned });

  const enterNow = (wanted: Pass): (() => void) | undefined => {
    // The limit may be higher than when they came. After this they cannot go in, so nobody is passed by.
    if (count > 0) admit();
    const kind = kindOf(wanted);
    if (wanted.signal.aborted || !mayEnter(kind) || (kind.owned && isOwnersTurnOver(kind.of))) return undefined;
    return pass(kind);
  };

  return {
    inside: () => inside,
    waiting: () => count,
    enterNow,
    enter: (wanted) =>
      new Promise((resolve, reject) => {
        const { signal } = wanted;
        const kind = kindOf(wanted);
        const { of } = kind;
        if (signal.aborted) return reject(signal.reason);
        const leave = enterNow(wanted);
        if (leave !== undefined) return resolve(leave);
        if (count >= most) return reject(full?.() ?? new Error('too many are waiting'));
        const give = (): void => {
          take(of, waiter);
          reject(signal.reason);
        };
        const waiter: Waiter = {
          kind,
          go: () => {
            signal.removeEventListener('abort', give);
            resolve(pass(kind));
          },
        };
        const queue = queues.get(of) ?? [];
        queues.set(of, queue);
        queue.push(waiter);
        count += 1;
        signal.addEventListener('abort', give, { once: true });
      }),
  };
};
