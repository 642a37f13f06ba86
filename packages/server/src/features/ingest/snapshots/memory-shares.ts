interface Share {
  size: number;
  /** Sizes by key, the least recently used one first. */
  readonly entries: Map<string, number>;
}

/**
 * Decides which entries of a bounded memory to give up. The organization that takes the most loses its least recently used entry first, so
 * that no organization can push out the entries of others.
 */
export class MemoryShares {
  readonly #sizeMax: number;
  readonly #entrySizeMax: number;
  readonly #shares = new Map<string, Share>();
  readonly #owners = new Map<string, string>();
  #size = 0;

  constructor({ sizeMax, entrySizeMax }: { readonly sizeMax: number; readonly entrySizeMax: number }) {
    this.#sizeMax = sizeMax;
    this.#entrySizeMax = entrySizeMax;
  }

  get size(): number {
    return this.#size;
  }

  /** Notes that the entry was used and takes `size` now. Returns the keys to give up: its own where it is too large. */
  use(orgId: string, key: string, size: number): readonly string[] {
    this.remove(key);
    if (size > this.#entrySizeMax) return [key];
    const share = this.#shares.get(orgId) ?? { size: 0, entries: new Map() };
    this.#shares.set(orgId, share);
    this.#owners.set(key, orgId);
    share.entries.set(key, size);
    share.size += size;
    this.#size += size;
    const removed: string[] = [];
    while (this.#size > this.#sizeMax) {
      const oldest = this.#largest()!.entries.keys().next().value!;
      this.remove(oldest);
      removed.push(oldest);
    }
    return removed;
  }

  remove(key: string): void {
    const orgId = this.#owners.get(key);
    const share = orgId === undefined ? undefined : this.#shares.get(orgId);
    if (orgId === undefined || share === undefined) return;
    const size = share.entries.get(key) ?? 0;
    share.entries.delete(key);
    share.size -= size;
    this.#size -= size;
    this.#owners.delete(key);
    if (share.entries.size === 0) this.#shares.delete(orgId);
  }

  clear(): void {
    this.#shares.clear();
    this.#owners.clear();
    this.#size = 0;
  }

  #largest(): Share | undefined {
    let largest: Share | undefined;
    for (const share of this.#shares.values()) {
      if (largest === undefined || share.size > largest.size) largest = share;
    }
    return largest;
  }
}
