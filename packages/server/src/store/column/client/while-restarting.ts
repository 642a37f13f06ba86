import { setTimeout as sleep } from "node:timers/promises";
import type { StoreLog } from "#store/log.ts";
import { StoreRefused } from "#store/refused.ts";
import { StoreFull, StoreUnavailable } from "#store/unavailable.ts";

const repeatsMax = 5;
const pollMs = 20;

interface Restartable {
  /** Why the store does not respond; undefined while it does. */
  outage(): string | undefined;
  outageCause(): string | undefined;
}

/**
 * Runs a step of the start that can be repeated. If the engine stops meanwhile, the step is repeated once the engine is
 * back. Throws a StoreRefused after several restarts, or after one outage longer than `msMax`. The time
 * that the step itself takes is not limited: a migration may take longer than a restart.
 */
export async function repeatedWhileRestarting(
  store: Restartable,
  step: () => Promise<void>,
  msMax: number,
  log: StoreLog,
): Promise<void> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await step();
    } catch (error) {
      // A full disk does not become empty: `openAt` says how much room is needed.
      if (!(error instanceof StoreUnavailable) || error instanceof StoreFull) throw error;
      if (repeats >= repeatsMax) throw refusal(`it stopped ${repeats + 1} times`, error);
      log.warn({ err: error }, "the column store's engine stopped during the start; repeating the step");
      const giveUpAt = performance.now() + msMax;
      await sleep(pollMs);
      for (let outage = store.outage(); outage !== undefined; outage = store.outage()) {
        if (performance.now() >= giveUpAt) {
          throw refusal(store.outageCause() ?? outage.replace(/\.$/, ""), error);
        }
        await sleep(pollMs);
      }
    }
  }
}

function refusal(reason: string, cause: Error): StoreRefused {
  const words = `The column store's engine did not stay up during the start: ${reason}. Nothing that was stored is lost. Correct the cause and start again.`;
  return new StoreRefused(words, { cause });
}
