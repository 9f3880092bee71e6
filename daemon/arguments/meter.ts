// How much one check may cost. A schema comes from a server, and small ones can be made to take for ever.

/** About 50 ms. */
const LIMIT = 200_000;

/** The check was given up; nothing is said of the value. */
export class TooCostly extends Error {
  override readonly name = 'TooCostly';
  override readonly message = 'a check took too long';
}

/** One for all that is done for one value: converting it, checking it, telling what is wrong with it. */
export interface Meter {
  begin(): void;
  /** @throws TooCostly */
  add(weight: number): void;
}

export const createMeter = (): Meter => {
  let used = 0;
  return {
    begin: () => {
      used = 0;
    },
    add: (weight) => {
      used += weight;
      if (used > LIMIT) throw new TooCostly();
    },
  };
};
