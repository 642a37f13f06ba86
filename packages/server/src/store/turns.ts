/** Runs operations one after the other, in the order in which they came. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Whether anything waits behind the operation that runs. */
  get isWaitedFor(): boolean {
    return this.#waiting > 1;
  }

  run<T>(operation: () => Promise<T>): Promise<T> {
    this.#waiting++;
    const result = this.#last.then(operation).finally(() => {
      this.#waiting--;
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
}
