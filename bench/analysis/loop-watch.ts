import { readFileSync } from "node:fs";
import process from "node:process";

const tickMs = 1;

export interface LongestHold {
  /** Between two turns of the event loop. */
  readonly ms: number;
  /** The same without the time in which the thread could run and had no core, because other programs had them; as `ms` outside of Linux. */
  readonly withACoreMs: number;
}

/** The longest time that the event loop of the main thread is held. */
export class LoopWatch {
  #ms = 0;
  #withACoreMs = 0;

  get longest(): LongestHold {
    return { ms: this.#ms, withACoreMs: this.#withACoreMs };
  }

  /** Watches the event loop while `work` runs. */
  async during(work: () => Promise<unknown>): Promise<void> {
    let last = { atMs: performance.now(), waitedMs: waitedForACoreMs() };
    const timer = setInterval(() => {
      const tick = { atMs: performance.now(), waitedMs: waitedForACoreMs() };
      const heldMs = tick.atMs - last.atMs - tickMs;
      this.#ms = Math.max(this.#ms, heldMs);
      this.#withACoreMs = Math.max(this.#withACoreMs, heldMs - (tick.waitedMs - last.waitedMs));
      last = tick;
    }, tickMs);
    await work().finally(() => clearInterval(timer));
  }
}

/** How long the main thread has waited for a core so far: the second field of /proc/pid/schedstat, in nanoseconds. */
function waitedForACoreMs(): number {
  if (process.platform !== "linux") return 0;
  return Number(readFileSync("/proc/self/schedstat", "latin1").split(" ")[1]) / 1e6;
}
