import { availableParallelism } from "node:os";
import type { EncodingThreads } from "#context";
import type { ThreadBudget } from "#memory/budget.ts";
import { Threads } from "#memory/threads.ts";
import type { StoreLog } from "#store/log.ts";

/** Two keep two cores busy while one waits for the engine; beyond four, the engine is the limit. */
const cores = availableParallelism();
const threadsMax = Math.min(4, Math.max(cores - 1, Math.min(cores, 2)));
/** Small, because the garbage of a profile dies at once: a thread saves 50 MB without taking more time. */
const youngMegabytesMax = 12;

export function openEncodingThreads(
  log: StoreLog,
  { encodingMax, encodingHeapBytesMax }: Pick<ThreadBudget, "encodingMax" | "encodingHeapBytesMax">,
): EncodingThreads {
  const count = Math.min(threadsMax, encodingMax);
  const threads = new Threads(
    {
      filename: new URL("./worker.ts", import.meta.url).href,
      maxThreads: count,
      resourceLimits: {
        maxOldGenerationSizeMb: Math.floor(encodingHeapBytesMax / 2 ** 20),
        maxYoungGenerationSizeMb: youngMegabytesMax,
      },
    },
    (error) => log.error({ err: error }, "an ingestion thread failed"),
  );
  return {
    count,
    run: (input, options) => threads.run(input, options),
    [Symbol.asyncDispose]: () => threads.close(),
  };
}
