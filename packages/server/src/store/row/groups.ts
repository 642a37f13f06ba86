import type { Turns } from "#store/turns.ts";

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (cause: unknown) => void;
}

/** More operations wait for the next group: a group holds up everything that waits for a turn, in other processes too. */
const groupSizeMax = 64;

/** Sends operations that wait for their turn as one group. Each succeeds or fails alone. */
export class Groups<Input, Output> {
  readonly #turns: Turns;
  readonly #send: (inputs: readonly Input[]) => Promise<PromiseSettledResult<Output>[]>;
  #waiting: Waiting<Input, Output>[] = [];

  /** @param send returns the result or error of each operation, in their order; rejects if all have failed */
  constructor(turns: Turns, send: (inputs: readonly Input[]) => Promise<PromiseSettledResult<Output>[]>) {
    this.#turns = turns;
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
      const group = this.#waiting.splice(0, groupSizeMax);
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
