import { join } from "node:path";
import { Piscina } from "piscina";
import { unavailable } from "#failure";
import { moved } from "#memory/moved.ts";
import type { StoreLog } from "#store/log.ts";
import { damagedPayload } from "./damaged-payload.ts";
import { rowsPerStep } from "./day-file.ts";
import { makeFolder } from "./day-files.ts";
import type * as thread from "./files-worker.ts";
import type { PayloadStore } from "./payload-store.ts";

type Name = keyof typeof thread;
/** Beside what is read and written there is nothing to keep. */
const youngMegabytesMax = 8;

/** One file a day in the folder `payloads` of the data folder, in a thread of its own. */
export function openPayloadFiles(dataDir: string, log: StoreLog): PayloadStore {
  const folder = join(dataDir, "payloads");
  makeFolder(folder);
  const pool = new Piscina({
    filename: new URL("./files-worker.ts", import.meta.url).href,
    workerData: { folder },
    // One: SQLite has one writer at a time, and calls run in their order.
    minThreads: 1,
    maxThreads: 1,
    stricterFIFO: true,
    recordTiming: false,
    resourceLimits: { maxYoungGenerationSizeMb: youngMegabytesMax },
  });
  pool.on("error", (error) => log.error({ err: error }, "the thread of the payload files failed"));
  const run = <N extends Name>(
    name: N,
    task: Parameters<(typeof thread)[N]>[0],
  ): Promise<ReturnType<(typeof thread)[N]>> => pool.run(task, { name });

  return {
    async put(payloads) {
      if (payloads.length === 0) return [];
      try {
        const views = payloads.map(({ bytes }) => bytes);
        const result = await run("put", moved(payloads, views));
        if (result.setAside.length > 0) {
          log.error(
            { files: result.setAside },
            "payload files are damaged: they are set aside, new ones begun",
          );
        }
        return payloads.filter((_, index) => result.wasThere[index]);
      } catch (cause) {
        throw unavailable(
          "The server cannot write profiles to its disk now. Send it again in a moment.",
          cause,
          5,
        );
      }
    },
    async read(orgId, profileId) {
      const found = await run("read", { orgId, profileId });
      if (typeof found === "string") throw damagedPayload(profileId, `its file is damaged: ${found}`);
      return found;
    },
    async remove(orgId, profileIds, stopped) {
      for (let at = 0; at < profileIds.length && !stopped?.aborted; at += rowsPerStep) {
        await run("remove", { orgId, profileIds: profileIds.slice(at, at + rowsPerStep) });
      }
    },
    async removeDays(before, orgId, stopped) {
      if (orgId === undefined) return run("removeDays", before);
      const days = await run("days", undefined as never);
      const removeSome = (day: string) => run("removeSomeOf", { day, orgId });
      await inSteps(
        days.filter((day) => day < before),
        removeSome,
        stopped,
      );
    },
    async purge(stopped) {
      await inSteps(await run("days", undefined as never), (day) => run("shrink", day), stopped);
    },
    async close() {
      await run("close", undefined as never);
      await pool.close();
    },
  };
}

/** Takes steps of each day while one tells that there are more; others come in between them. */
async function inSteps(
  days: readonly string[],
  step: (day: string) => Promise<boolean>,
  stopped: AbortSignal | undefined,
): Promise<void> {
  for (const day of days) while (!stopped?.aborted && (await step(day)));
}
