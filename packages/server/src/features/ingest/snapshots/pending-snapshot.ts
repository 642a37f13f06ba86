/**
 * A cumulative snapshot that is not stored yet. The next one of its series is compared with it already, so that the growth of that
 * one is right only if this one is stored.
 */
export class PendingSnapshot {
  readonly #settled = Promise.withResolvers<void>();
  #state: "pending" | "stored" | "rejected" | "skipped" = "pending";
  #base: PendingSnapshot | undefined;

  /** @param base the snapshot that this one is compared with, if it may still be rejected */
  buildOn(base: PendingSnapshot | undefined): void {
    this.#base = base;
  }

  /** Also true if a snapshot that this one builds on was rejected. */
  get isRejected(): boolean {
    for (let each: PendingSnapshot | undefined = this; each !== undefined; each = each.#base) {
      if (each.#state === "rejected") return true;
    }
    return false;
  }

  /** Marks it as stored, with all that it builds on. */
  markStored(): void {
    this.#settle("stored");
    this.#base = undefined;
  }

  /** Marks it as rejected: it will not be stored. */
  markRejected(): void {
    this.#settle("rejected");
  }

  /** Marks it as not to be stored; a snapshot that was compared with it depends only on the base of this one. */
  markSkipped(): void {
    this.#settle("skipped");
  }

  /** Resolves when this one and all that it builds on are stored, rejected or skipped. */
  async settled(): Promise<void> {
    for (let each: PendingSnapshot | undefined = this; each !== undefined; ) {
      const base: PendingSnapshot | undefined = each.#base;
      await each.#settled.promise;
      each = base;
    }
  }

  #settle(state: "stored" | "rejected" | "skipped"): void {
    if (this.#state !== "pending") return;
    this.#state = state;
    this.#settled.resolve();
  }
}
