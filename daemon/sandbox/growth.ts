// How many workers are missing. Pure.

/** ms of waiting that a start must save to be worth its while: small scripts are sooner done by the workers there are. */
const WORTH = 100;

/**
 * Workers beyond the busy ones that would shorten the queue by more than they cost.
 * @param averageMs what runs took lately
 * @param oldestMs how long the oldest run has been going on: the average knows nothing of runs that do not end
 */
export const missingWorkers = (waiting: number, averageMs: number, oldestMs: number): number =>
  Math.min(waiting, Math.ceil((waiting * Math.max(averageMs, oldestMs)) / WORTH));
