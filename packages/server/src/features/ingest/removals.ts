import type { Context } from "#context";
import { countRemovals } from "#store/removals.ts";

/** Servers on the same stores notice within this time that one of them removed a service. */
const checkEveryMs = 10_000;

/** Notices that services were removed, here or by another server on the same stores. */
export class Removals {
  readonly #ctx: Context;
  readonly #onRemoval: () => void;
  readonly #timer: NodeJS.Timeout;
  #count: Promise<number> | undefined;

  constructor(ctx: Context, onRemoval: () => void) {
    this.#ctx = ctx;
    this.#onRemoval = onRemoval;
    this.#timer = setInterval(() => {
      this.check().catch((error: unknown) => ctx.log.warn({ err: error }, "removals are looked for again"));
    }, checkEveryMs);
    this.#timer.unref();
  }

  /** Another text after each removal. */
  async era(): Promise<string> {
    this.#count ??= countRemovals(this.#ctx.rows);
    try {
      return String(await this.#count);
    } catch (cause) {
      this.#count = undefined;
      throw cause;
    }
  }

  async check(): Promise<void> {
    const known = await this.era();
    const count = await countRemovals(this.#ctx.rows);
    if (String(count) === known) return;
    this.#count = Promise.resolve(count);
    this.#onRemoval();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
