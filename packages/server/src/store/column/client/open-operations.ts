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

  refuseNew(): void {
    this.isFinishing = true;
  }

  async finish(): Promise<void> {
    this.refuseNew();
    await Promise.allSettled(this.#running);
  }
}
