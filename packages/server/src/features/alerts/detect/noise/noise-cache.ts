import { dayMs } from "@flamekeep/contract/durations";
import type { Series } from "#alerts/detect/series/series.ts";
import { learnNoise, type Noise, nothingLearnt } from "./noise.ts";

/** The series itself, and what may explain its changes. */
interface Learnable {
  readonly values: Series;
  readonly requests: Series;
  readonly siblings: readonly Series[];
}

/** The noise of a series is learnt again after this time. */
const blockMs = dayMs;

/** The learnt noise of one series, kept from round to round. It is learnt again from the values after a restart. */
export class NoiseCache {
  readonly #offsetMs: number;
  #block = Number.NaN;
  #noise: Noise = nothingLearnt;

  /** Series with other names learn at other times, so that no round has to learn them all. */
  constructor(name = "") {
    let hash = 0;
    for (const character of name) hash = (hash * 31 + character.codePointAt(0)!) % blockMs;
    this.#offsetMs = hash;
  }

  get hasLearnt(): boolean {
    return !Number.isNaN(this.#block);
  }

  at({ values, requests, siblings }: Learnable, atMs: number): Noise {
    const block = Math.floor((atMs + this.#offsetMs) / blockMs);
    if (block !== this.#block) {
      this.#noise = learnNoise(values, requests, siblings, block * blockMs - this.#offsetMs);
      this.#block = block;
    }
    return this.#noise;
  }
}
