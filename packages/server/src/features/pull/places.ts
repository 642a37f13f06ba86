import { FairQueue } from "#store/fair-queue.ts";

/** Bounds how many processes are scraped at the same time. Organizations take turns. */
export class Places {
  readonly #max: number;
  readonly #waiting = new FairQueue<() => void>();
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  async use(orgId: string, run: () => Promise<void>): Promise<void> {
    if (this.#taken < this.#max) this.#taken++;
    else await new Promise<void>((resolve) => this.#waiting.push(orgId, 1, resolve));
    try {
      await run();
    } finally {
      // The place passes on to the next one, or becomes free.
      const next = this.#waiting.take();
      if (next === undefined) this.#taken--;
      else next();
    }
  }
}
