import { StoreUnavailable } from "#store/unavailable.ts";

/** Counts what was begun, so that closing can wait for it and refuse what comes later. */
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
