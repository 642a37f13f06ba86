/**
 * Whether a cumulative snapshot was lost before it was stored. The next one of its series is compared with it while
 * both are on their way: what that one adds is right only if this one is stored.
 */
export class SnapshotFate {
  #isLost = false;
  #base: SnapshotFate | undefined;

  /** @param base of the snapshot that this one is compared with, where that one may still be lost */
  buildOn(base: SnapshotFate | undefined): void {
    this.#base = base;
  }

  /** True where one that this builds on was lost, too. */
  get isLost(): boolean {
    return this.#some((fate) => fate.#isLost);
  }

  dependsOn(others: ReadonlySet<SnapshotFate>): boolean {
    return others.size > 0 && this.#some((fate) => others.has(fate));
  }

  lose(): void {
    this.#isLost = true;
  }

  /** It is stored, and so is all that it builds on. */
  keep(): void {
    this.#base = undefined;
  }

  #some(test: (fate: SnapshotFate) => boolean): boolean {
    for (let fate: SnapshotFate | undefined = this; fate !== undefined; fate = fate.#base) {
      if (test(fate)) return true;
    }
    return false;
  }
}
