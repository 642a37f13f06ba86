import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { dayMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { Context } from "#context";
import { StoreRefused } from "#store/unavailable.ts";

/** One reading of both clocks of the machine, in milliseconds. */
export interface ClockReading {
  /** Time of day: it can be set, and it can be wrong. */
  readonly wallMs: number;
  /** Time since an arbitrary start, which nobody can set; comparable only within one process. */
  readonly monotonicMs: number;
}

/** The state between two readings. */
export interface ClockState {
  /** The last trusted reading; without monotonic time if an earlier process made it. */
  readonly trusted: { readonly wallMs: number; readonly monotonicMs?: number };
  /** The last untrusted reading, and for how long all readings have been untrusted. */
  readonly suspected?: { readonly monotonicMs?: number; readonly heldMs: number };
}

/** A server can be off for a week. */
const offMsMax = 7 * dayMs;
const jumpMsMax = dayMs;
/** Long enough for somebody to notice and correct the clock. */
const holdMs = dayMs;

/**
 * Whether the time of day can be trusted enough to remove old data. A clock that jumps ahead is not trusted until it
 * has stayed there for a day, because with a clock that is years ahead all stored data is too old.
 */
export function checkClock(
  state: ClockState | undefined,
  reading: ClockReading,
): { readonly state: ClockState; readonly isTrusted: boolean } {
  const trust = { state: { trusted: reading }, isTrusted: true };
  if (state === undefined) return trust;
  const { trusted, suspected = { heldMs: 0 } } = state;
  const isSameProcess = trusted.monotonicMs !== undefined;
  const elapsedMs = isSameProcess ? reading.monotonicMs - trusted.monotonicMs : 0;
  const aheadMs = reading.wallMs - trusted.wallMs - elapsedMs;
  if (aheadMs <= (isSameProcess ? jumpMsMax : offMsMax)) return trust;
  const { monotonicMs = reading.monotonicMs } = suspected;
  const heldMs = suspected.heldMs + reading.monotonicMs - monotonicMs;
  if (heldMs >= holdMs) return trust;
  return {
    state: { trusted, suspected: { monotonicMs: reading.monotonicMs, heldMs } },
    isTrusted: false,
  };
}

const Stored = z.object({
  /** The last trusted time. */
  trustedUntil: z.iso.datetime(),
  /** How long the clock has been ahead since then, in all processes together. */
  heldMs: z.number().nonnegative().default(0),
});

/** Checks the clock before each removal; the last trusted time is stored in the data folder. */
export class ClockGuard {
  readonly #ctx: Pick<Context, "config" | "log" | "now">;
  readonly #path: string;
  #state: ClockState | undefined;
  #isRead = false;

  constructor(ctx: Pick<Context, "config" | "log" | "now">) {
    this.#ctx = ctx;
    this.#path = join(ctx.config.dataDir, "clock.json");
  }

  /** Logs an error with the action to take if the clock is not trusted. */
  async isTrusted(monotonicMs: number = performance.now()): Promise<boolean> {
    if (!this.#isRead) this.#state = await this.#read();
    this.#isRead = true;
    const before = this.#state;
    const wallMs = this.#ctx.now().getTime();
    const { state, isTrusted } = checkClock(before, { wallMs, monotonicMs });
    this.#state = state;
    if (!isTrusted) this.#warn(before!.trusted.wallMs, wallMs);
    await this.#write(state);
    return isTrusted;
  }

  #warn(trustedMs: number, wallMs: number): void {
    const [trusted, now] = [trustedMs, wallMs].map((ms) => new Date(ms).toISOString());
    this.#ctx.log.error(
      { trusted, now },
      "THE CLOCK JUMPED AHEAD. Removal by age is paused until the clock has stayed there for a day. Correct the clock if it is wrong.",
    );
  }

  /** Throws if the file is damaged: a removal can wait, and cannot be undone. */
  async #read(): Promise<ClockState | undefined> {
    const text = await readFile(this.#path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    try {
      const { trustedUntil, heldMs } = Stored.parse(JSON.parse(text));
      return { trusted: { wallMs: Date.parse(trustedUntil) }, ...(heldMs > 0 && { suspected: { heldMs } }) };
    } catch (cause) {
      const message = `${this.#path} is damaged, so that nothing is removed by age. Check the clock and remove the file.`;
      throw new StoreRefused(message, { cause });
    }
  }

  /** A full disk must not keep old data from being removed: then the file stays as it is. */
  async #write({ trusted, suspected }: ClockState): Promise<void> {
    const stored: z.infer<typeof Stored> = {
      trustedUntil: new Date(trusted.wallMs).toISOString(),
      heldMs: suspected?.heldMs ?? 0,
    };
    try {
      const file = await open(`${this.#path}.new`, "w", 0o600);
      try {
        await file.writeFile(`${JSON.stringify(stored)}\n`);
        await file.datasync();
      } finally {
        await file.close();
      }
      await rename(`${this.#path}.new`, this.#path);
    } catch (error) {
      this.#ctx.log.warn({ err: error, path: this.#path }, "the time of the last removal could not be kept");
    }
  }
}
