import { availableParallelism } from "node:os";
import { minuteMs } from "@flamekeep/contract/durations";
import { Piscina } from "piscina";
import type { EncodingThreads } from "#context";
import type { ThreadBudget } from "#memory/budget.ts";
import type { StoreLog } from "#store/log.ts";

/** Two keep two cores busy while one waits for the engine; beyond four, the engine is the limit. */
const cores = availableParallelism();
const threadsMax = Math.min(4, Math.max(cores - 1, Math.min(cores, 2)));
/** Small, because the garbage of a profile dies at once: a thread saves 50 MB without taking more time. */
const youngMegabytesMax = 12;

/** Senders upload more often than this. An idle thread takes about 30 MB. */
const idleMsMax = 5 * minuteMs;

export function openEncodingThreads(
  log: StoreLog,
  { encodingMax, encodingHeapBytesMax }: Pick<ThreadBudget, "encodingMax" | "encodingHeapBytesMax">,
): EncodingThreads {
  const count = Math.min(threadsMax, encodingMax);
  const pool = new Piscina({
    filename: new URL("./worker.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: count,
    idleTimeout: idleMsMax,
    recordTiming: false,
    resourceLimits: {
      maxOldGenerationSizeMb: Math.floor(encodingHeapBytesMax / 2 ** 20),
      maxYoungGenerationSizeMb: youngMegabytesMax,
    },
  });
  // A thread that dies between two tasks is replaced; without a listener it would take the server with it.
  pool.on("error", (error) => log.error({ err: error }, "an ingestion thread failed"));
  return {
    count,
    run: (input, options) => pool.run(input, options),
    [Symbol.asyncDispose]: () => pool.close(),
  };
}
