/** Operations that can be given up from outside while what they asked may never be answered. */
export class Interruptible {
  readonly #rejects = new Set<(reason: Error) => void>();

  /** As `operation`, unless `interrupt` comes first. */
  run<T>(operation: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#rejects.add(reject);
      operation()
        .then(resolve, reject)
        .finally(() => this.#rejects.delete(reject));
    });
  }

  interrupt(reason: Error): void {
    for (const reject of this.#rejects) reject(reason);
    this.#rejects.clear();
  }
}
