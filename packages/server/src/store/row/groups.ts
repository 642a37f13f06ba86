import type { Turns } from "#store/turns.ts";

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * Sends operations that wait for their turn as one group. Each succeeds or fails alone. An operation joins the turn of an earlier one, so it may
 * run before an operation of another kind that was submitted in between. Callers that need an order must await the first.
 */
export class Groups<Input, Output> {
  readonly #turns: Turns;
  readonly #sizeMax: number;
  readonly #send: (inputs: readonly Input[]) => Promise<PromiseSettledResult<Output>[]>;
  #waiting: Waiting<Input, Output>[] = [];

  /**
   * @param sizeMax more operations wait for the next group
   * @param send returns the result or error of each operation, in their order; rejects if all have failed
   */
  constructor(
    turns: Turns,
    sizeMax: number,
    send: (inputs: readonly Input[]) => Promise<PromiseSettledResult<Output>[]>,
  ) {
    this.#turns = turns;
    this.#sizeMax = sizeMax;
    this.#send = send;
  }

  run(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, resolve, reject });
      // Later ones join the turn that this one takes.
      if (this.#waiting.length === 1) this.#takeTurn();
    });
  }

  #takeTurn(): void {
    void this.#turns.run(async () => {
      const group = this.#waiting.splice(0, this.#sizeMax);
      if (this.#waiting.length > 0) this.#takeTurn();
      await this.#runGroup(group);
    });
  }

  async #runGroup(group: readonly Waiting<Input, Output>[]): Promise<void> {
    try {
      const results = await this.#send(group.map(({ input }) => input));
      for (const [at, { resolve, reject }] of group.entries()) {
        const result = results[at];
        if (result?.status === "fulfilled") resolve(result.value);
        else reject(result?.reason);
      }
    } catch (cause) {
      for (const { reject } of group) reject(cause);
    }
  }
}
