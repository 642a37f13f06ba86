import type { ObservedSeries } from "#alerts/detect/watched/observed.ts";

/**
 * Learning takes a few milliseconds a series, and all of them learn after a start. So a round learns this many, and the services with
 * the others are judged in the rounds after it.
 */
const seriesMax = 300;

/** The number of series that may still learn in a round; those that have learnt before need none. */
export class LearningBudget {
  readonly #seriesMax: number;
  #left: number;

  constructor(max = seriesMax) {
    this.#seriesMax = max;
    this.#left = max;
  }

  /** Takes what the series of a service need. False, without taking any, if the service must wait for the next round. */
  take(series: readonly ObservedSeries[]): boolean {
    const needed = series.filter(({ observed }) => !observed.noise.hasLearnt).length;
    // A service with more series than a round learns is the first one of a round.
    if (needed > this.#left && this.#left < this.#seriesMax) return false;
    this.#left = Math.max(0, this.#left - needed);
    return true;
  }
}
