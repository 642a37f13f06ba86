/** Lets a caller reject running operations whose reply may never arrive. */
export class Interruptible {
  readonly #rejects = new Set<(reason: Error) => void>();

  /** Settles as `operation` does, or rejects on `interrupt`. */
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
