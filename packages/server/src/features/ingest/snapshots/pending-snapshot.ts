/**
 * A cumulative snapshot on its way to the store. The next one of its series is compared with it before it is stored: what
 * that one adds is right only if this one is stored.
 */
export class PendingSnapshot {
  readonly #settled = Promise.withResolvers<void>();
  #state: "pending" | "stored" | "rejected" | "skipped" = "pending";
  #base: PendingSnapshot | undefined;

  /** @param base that this one is compared with, where that one may still be rejected */
  buildOn(base: PendingSnapshot | undefined): void {
    this.#base = base;
  }

  /** True where one that this builds on was rejected, too. */
  get isRejected(): boolean {
    for (let each: PendingSnapshot | undefined = this; each !== undefined; each = each.#base) {
      if (each.#state === "rejected") return true;
    }
    return false;
  }

  /** It is stored, and so is all that it builds on. */
  markStored(): void {
    this.#settle("stored");
    this.#base = undefined;
  }

  /** It will not be stored. */
  markRejected(): void {
    this.#settle("rejected");
  }

  /** It will not be stored, and a snapshot that was compared with it needs only what this one builds on. */
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
