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

import { StoreUnavailable } from "#store/unavailable.ts";

/** Tracks running operations, so that closing can wait for them and refuse new ones. */
export class OpenOperations {
  readonly #running = new Set<Promise<unknown>>();
  isFinishing = false;

  async run<T>(operation: () => Promise<T>): Promise<T> {
    if (this.isFinishing) throw new StoreUnavailable("The column store is closing.");
    const running = operation();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async finish(): Promise<void> {
    this.isFinishing = true;
    await Promise.allSettled(this.#running);
  }
}
