import { minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { isFull } from "#store/disk-space.ts";
import type { SenderStates } from "#store/profiles/sending/sender-states.ts";

/** Rounds are a minute apart: after a longer time the process slept, or another one evaluated. */
const roundMsMax = 5 * minuteMs;

/** Reads which senders are silent, and knows since when uploads could arrive without interruption. */
export class SilenceWatch {
  readonly states: SenderStates;
  readonly #ctx: Pick<Context, "now" | "disk">;
  #listeningMs: number;
  #roundMs: number;

  constructor(ctx: Pick<Context, "now" | "disk" | "startedAt">, states: SenderStates) {
    this.#ctx = ctx;
    this.states = states;
    this.#listeningMs = ctx.startedAt.getTime();
    this.#roundMs = this.#listeningMs;
  }

  /** To be called at the beginning of a round. A full disk refuses uploads, so that silence counts from its end. */
  async beginRound(): Promise<void> {
    const nowMs = this.#ctx.now().getTime();
    if (nowMs - this.#roundMs > roundMsMax || (await isFull(this.#ctx.disk))) this.#listeningMs = nowMs;
    this.#roundMs = nowMs;
  }

  get listeningMs(): number {
    return this.#listeningMs;
  }
}
