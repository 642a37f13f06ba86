import type { HttpMetric } from "@flamekeep/contract";

type Sampled = Omit<HttpMetric, "request_id">;

/** Enough for 40 requests a second; more would cost more than the profiles do. */
const requestsMax = 12_000;

/**
 * Requests since the last `take`. Of more than `requestsMax`, a random sample in which each is equally likely (reservoir sampling,
 * Vitter's algorithm R).
 */
export class RequestSample {
  readonly #random: () => number;
  #sampled: Sampled[] = [];
  #seen = 0;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  add(request: Sampled): void {
    const place = this.#seen < requestsMax ? this.#seen : Math.floor(this.#random() * (this.#seen + 1));
    if (place < requestsMax) this.#sampled[place] = request;
    this.#seen++;
  }

  take(): Sampled[] {
    const taken = this.#sampled;
    this.#sampled = [];
    this.#seen = 0;
    return taken;
  }
}
