interface Entry<T> {
  readonly item: T;
  readonly cost: number;
  /** In the queue's virtual time. */
  readonly start: number;
}

interface Line<T> {
  readonly entries: Entry<T>[];
  /** Virtual time at which the organization's last entry ends. */
  end: number;
}

/**
 * Waiting items of many organizations, taken by turns: start-time fair queueing (Goyal, Vin and Cheng, 1996).
 *
 * Virtual time advances with the cost that every organization had its share of. An item starts where the one before it of the same
 * organization ends, or now if that is later; the earliest start goes next. So an organization that sends little goes ahead of
 * the backlog of one that sends much, nobody gains by sending more or larger items, and each organization's items keep their
 * order.
 */
export class FairQueue<T> {
  readonly #lines = new Map<string, Line<T>>();
  #now = 0;
  #size = 0;
  #cost = 0;

  /** How many items wait. */
  get size(): number {
    return this.#size;
  }

  /** Cost of all waiting items. */
  get cost(): number {
    return this.#cost;
  }

  push(orgId: string, cost: number, item: T): void {
    let line = this.#lines.get(orgId);
    if (line === undefined) {
      line = { entries: [], end: 0 };
      this.#lines.set(orgId, line);
    }
    const start = Math.max(this.#now, line.end);
    line.entries.push({ item, cost, start });
    line.end = start + cost;
    this.#size++;
    this.#cost += cost;
  }

  /** The next item; undefined if there is none, or it costs more than `costMax`. */
  take(costMax = Number.POSITIVE_INFINITY): T | undefined {
    const line = this.#next();
    if (line === undefined || line.entries[0]!.cost > costMax) return undefined;
    const { item, cost, start } = line.entries.shift()!;
    this.#now = start;
    this.#size--;
    this.#cost -= cost;
    // An empty queue owes nothing to any organization.
    if (this.#size === 0) this.#forget();
    return item;
  }

  /**
   * Takes items until they cost `costEnough` together, but not more than `costMax`. The first one is taken whatever it costs.
   */
  takeUpTo(costEnough: number, costMax = Number.POSITIVE_INFINITY): T[] {
    const taken: T[] = [];
    let spent = 0;
    while (this.#size > 0 && (taken.length === 0 || spent < costEnough)) {
      const before = this.#cost;
      const item = this.take(taken.length === 0 ? undefined : costMax - spent);
      if (item === undefined) break;
      spent += before - this.#cost;
      taken.push(item);
    }
    return taken;
  }

  #next(): Line<T> | undefined {
    let next: Line<T> | undefined;
    for (const [orgId, line] of this.#lines) {
      const [first] = line.entries;
      // An empty line is kept only while its organization is ahead of the others.
      if (first === undefined && line.end <= this.#now) this.#lines.delete(orgId);
      else if (first !== undefined && (next === undefined || first.start < next.entries[0]!.start))
        next = line;
    }
    return next;
  }

  #forget(): void {
    this.#lines.clear();
    this.#now = 0;
  }
}
