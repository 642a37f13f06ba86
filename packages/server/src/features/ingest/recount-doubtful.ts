import type { Log } from "#context";
import type { ColumnStore } from "#store/column/column-store.ts";
import type { Committer } from "./committer.ts";

const checkMs = 15_000;

interface Dependencies {
  readonly store: Pick<ColumnStore, "hasDoubtfulHours" | "recount">;
  readonly committer: Pick<Committer, "between">;
  readonly log: Pick<Log, "info" | "warn">;
  /** A full disk takes no inserts, the recount's neither. */
  readonly isDiskFull: () => Promise<boolean>;
}

/** An insert that failed, on a full disk for instance, may leave rows that no roll-up counts. Counts their hours again. */
export async function recountDoubtful({ store, committer, log, isDiskFull }: Dependencies): Promise<void> {
  if (!store.hasDoubtfulHours() || (await isDiskFull())) return;
  try {
    await committer.between(async () => {
      // A batch that was being repeated may have done it meanwhile.
      if (!store.hasDoubtfulHours()) return;
      await store.recount([]);
      log.info({}, "recounted the hours of inserts that had failed");
    });
  } catch (error) {
    log.warn({ err: error }, "the hours of failed inserts could not be recounted; trying again");
  }
}

/** Returns a function that ends it and waits for a recount that runs. */
export function recountRegularly(dependencies: Dependencies): () => Promise<void> {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= recountDoubtful(dependencies)
      .catch((error: unknown) => dependencies.log.warn({ err: error }, "the free disk space cannot be read"))
      .finally(() => {
        running = undefined;
      });
  }, checkMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
