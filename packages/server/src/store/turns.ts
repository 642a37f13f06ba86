/** Runs operations one at a time, in the order of the calls. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Whether other operations wait for the running one to end. */
  get isWaitedFor(): boolean {
    return this.#waiting > 1;
  }

  get isFree(): boolean {
    return this.#waiting === 0;
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
