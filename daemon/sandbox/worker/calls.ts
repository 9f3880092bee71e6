// The calls of one script: how many it may make, which are open, and which the daemon has not been told of.

/** Questions to metad itself (store, kept results) of one run; they are not counted as calls. */
const SERVICES = 10_000;

export interface Calls {
  /** `id,namespace,tool,arguments`, of a service with a namespace of -1. False: it is none, or no more may be made. */
  make(text: string, most: number): boolean;
  settled(): void;
  open(): number;
  /** The script goes on: its first call goes out at once, since it may then do something that never comes back here. */
  resumed(): void;
  /** Tells the daemon of those that it does not know. */
  flush(): void;
}

export const createCalls = (post: (calls: string[]) => void): Calls => {
  let tools = 0;
  let services = 0;
  let open = 0;
  let made: string[] = [];
  let eager = true;
  const flush = (): void => {
    if (made.length === 0) return;
    post(made);
    made = [];
  };
  return {
    make: (text, most) => {
      const isService = /^-\d+,-1,0,\[/.test(text);
      if (!isService && !/^\d+,\d+,\d+,/.test(text)) return false;
      if (isService ? services >= SERVICES : tools >= most) return false;
      if (isService) services += 1;
      else tools += 1;
      open += 1;
      made.push(text);
      if (eager) flush();
      eager = false;
      return true;
    },
    settled: () => {
      open -= 1;
    },
    open: () => open,
    resumed: () => {
      eager = true;
    },
    flush,
  };
};
