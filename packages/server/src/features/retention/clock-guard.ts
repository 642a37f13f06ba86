import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { dayMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { Context } from "#context";
import { StoreRefused } from "#store/refused.ts";

/** One reading of both clocks of the machine, in milliseconds. */
export interface ClockReading {
  /** Time of day: somebody can set it, and it can be wrong. */
  readonly wallMs: number;
  /** Since some moment in the past, never set; comparable only within one process. */
  readonly monotonicMs: number;
}

/** What is remembered between two readings. */
export interface ClockState {
  /** The last reading that was believed; without monotonic time if an earlier process made it. */
  readonly trusted: { readonly wallMs: number; readonly monotonicMs?: number };
  /** The last reading that was not believed, and for how long there were only such readings. */
  readonly suspected?: { readonly monotonicMs?: number; readonly heldMs: number };
}

/** A server may well be off for a week. */
const offMsMax = 7 * dayMs;
const jumpMsMax = dayMs;
/** Long enough for somebody to notice and correct the clock. */
const holdMs = dayMs;

/**
 * Whether the time of day can be believed enough to remove what is too old. A clock that jumps ahead is not believed
 * until it has stayed there for a day: with a clock that is years ahead, all stored data is too old.
 */
export function judgeClock(
  state: ClockState | undefined,
  reading: ClockReading,
): { readonly state: ClockState; readonly isTrusted: boolean } {
  const believed = { state: { trusted: reading }, isTrusted: true };
  if (state === undefined) return believed;
  const { trusted, suspected = { heldMs: 0 } } = state;
  const isSameProcess = trusted.monotonicMs !== undefined;
  const elapsedMs = isSameProcess ? reading.monotonicMs - trusted.monotonicMs : 0;
  const aheadMs = reading.wallMs - trusted.wallMs - elapsedMs;
  if (aheadMs <= (isSameProcess ? jumpMsMax : offMsMax)) return believed;
  const { monotonicMs = reading.monotonicMs } = suspected;
  const heldMs = suspected.heldMs + reading.monotonicMs - monotonicMs;
  if (heldMs >= holdMs) return believed;
  return {
    state: { trusted, suspected: { monotonicMs: reading.monotonicMs, heldMs } },
    isTrusted: false,
  };
}

const Stored = z.object({
  /** The last time that was believed. */
  trustedUntil: z.iso.datetime(),
  /** For how long a clock that is ahead has been observed, in all processes since then. */
  heldMs: z.number().nonnegative().default(0),
});

/** Judges the clock before each removal; the last believed time is kept in the data folder. */
export class ClockGuard {
  readonly #ctx: Pick<Context, "config" | "log" | "now">;
  readonly #path: string;
  #state: ClockState | undefined;
  #isRead = false;

  constructor(ctx: Pick<Context, "config" | "log" | "now">) {
    this.#ctx = ctx;
    this.#path = join(ctx.config.dataDir, "clock.json");
  }

  /** Logs an error with what to do where it is not. */
  async isTrusted(monotonicMs: number = performance.now()): Promise<boolean> {
    if (!this.#isRead) this.#state = await this.#read();
    this.#isRead = true;
    const before = this.#state;
    const wallMs = this.#ctx.now().getTime();
    const { state, isTrusted } = judgeClock(before, { wallMs, monotonicMs });
    this.#state = state;
    if (!isTrusted) this.#warn(before!.trusted.wallMs, wallMs);
    await this.#write(state);
    return isTrusted;
  }

  #warn(trustedMs: number, wallMs: number): void {
    const [trusted, now] = [trustedMs, wallMs].map((ms) => new Date(ms).toISOString());
    this.#ctx.log.error(
      { trusted, now },
      "THE CLOCK JUMPED AHEAD. Nothing is removed by age until it has stayed there for a day. Correct the clock if it is wrong.",
    );
  }

  /** Throws where the file is damaged: a removal can wait, and cannot be undone. */
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
      const words = `${this.#path} is damaged, so that nothing is removed by age. Check the clock and remove the file.`;
      throw new StoreRefused(words, { cause });
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
