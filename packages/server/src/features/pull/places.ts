interface Share {
  taken: number;
  readonly waiting: Set<() => void>;
}

/** Bounds how many processes are scraped at the same time. The organization with the fewest places gets the next one. */
export class Places {
  /** Organizations that have targets. While there are several, none gets more than half of the places. */
  organizations = 1;
  readonly #max: number;
  /** Of organizations that have a place or wait for one. The one that gave a place back last is at the end. */
  readonly #shares = new Map<string, Share>();

  constructor(max: number) {
    this.#max = max;
  }

  get taken(): number {
    return [...this.#shares.values()].reduce((sum, { taken }) => sum + taken, 0);
  }

  get waiting(): number {
    return [...this.#shares.values()].reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  /** Runs when there is a place; never if it is stopped before. */
  async use(orgId: string, stopped: AbortSignal, run: () => Promise<void>): Promise<void> {
    if (stopped.aborted) return;
    const share = this.#shares.get(orgId) ?? { taken: 0, waiting: new Set() };
    this.#shares.set(orgId, share);
    const hasPlace = await new Promise<boolean>((resolve) => {
      const begin = () => {
        stopped.removeEventListener("abort", leave);
        resolve(true);
      };
      const leave = () => {
        share.waiting.delete(begin);
        this.#forgetIdle(orgId, share);
        resolve(false);
      };
      stopped.addEventListener("abort", leave, { once: true });
      share.waiting.add(begin);
      this.#fill();
    });
    if (!hasPlace) return;
    try {
      await run();
    } finally {
      share.taken--;
      this.#shares.delete(orgId);
      this.#shares.set(orgId, share);
      this.#fill();
      this.#forgetIdle(orgId, share);
    }
  }

  #fill(): void {
    let free = this.#max - this.taken;
    const takenMax = this.organizations > 1 ? Math.ceil(this.#max / 2) : this.#max;
    while (free > 0) {
      let next: Share | undefined;
      for (const share of this.#shares.values()) {
        if (share.waiting.size > 0 && share.taken < (next?.taken ?? takenMax)) next = share;
      }
      if (next === undefined) return;
      const [begin] = next.waiting;
      next.waiting.delete(begin!);
      next.taken++;
      free--;
      begin!();
    }
  }

  #forgetIdle(orgId: string, { taken, waiting }: Share): void {
    if (taken === 0 && waiting.size === 0) this.#shares.delete(orgId);
  }
}
