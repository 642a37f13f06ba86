import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import process from "node:process";

const tickMs = 1;

export interface LongestHold {
  /** Between two turns of the event loop. */
  readonly ms: number;
  /**
   * The same without the time in which the thread slept, as it had nothing to do, and, on Linux, without the time in which it could
   * run and had no core: both are longer while other programs have the cores.
   */
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
    let last = readClocks();
    const timer = setInterval(() => {
      const tick = readClocks();
      const heldMs = tick.atMs - last.atMs - tickMs;
      const activeMs = tick.activeMs - last.activeMs;
      this.#ms = Math.max(this.#ms, heldMs);
      // The least, because the thread may wait for a core before and after it sleeps.
      const withACoreMs = Math.min(activeMs, heldMs - (tick.waitedMs - last.waitedMs));
      this.#withACoreMs = Math.max(this.#withACoreMs, withACoreMs);
      last = tick;
    }, tickMs);
    await work().finally(() => clearInterval(timer));
  }
}

function readClocks() {
  const { active: activeMs } = performance.eventLoopUtilization();
  return { atMs: performance.now(), activeMs, waitedMs: waitedForACoreMs() };
}

/** How long the main thread has waited for a core so far: the second field of /proc/pid/schedstat, in nanoseconds. */
function waitedForACoreMs(): number {
  if (process.platform !== "linux") return 0;
  return Number(readFileSync("/proc/self/schedstat", "latin1").split(" ")[1]) / 1e6;
}
