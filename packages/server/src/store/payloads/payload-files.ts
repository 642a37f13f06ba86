import { join } from "node:path";
import { Piscina } from "piscina";
import { unavailable } from "#failure";
import { moved } from "#memory/moved.ts";
import type { StoreLog } from "#store/log.ts";
import { dayOf } from "#store/profiles/profile-id.ts";
import { DayFaults } from "./day-faults.ts";
import { rowsPerStep } from "./day-file.ts";
import { type FolderChanges, makeFolder } from "./day-files.ts";
import type * as thread from "./day-files-worker.ts";
import type { FileProblems, Payload, PayloadStore, PutResult } from "./payload-store.ts";
import { damagedPayload } from "./read-payload.ts";

type Name = keyof typeof thread;
/** The thread allocates little that lives long, so a small young generation is enough. */
const youngMegabytesMax = 8;

/** One file a day in the folder `payloads` of the data folder, written by a separate thread. */
export function openPayloadFiles(dataDir: string, log: StoreLog): PayloadStore {
  const folder = join(dataDir, "payloads");
  makeFolder(folder);
  const { run, close } = startThread(folder, log);
  const faults = new DayFaults(folder, log);
  const problems = () => run("problems", undefined as never);
  // The start does not wait for it, because it only logs.
  problems().then(
    (found) => logProblems(found, folder, log),
    (error: unknown) => log.warn({ err: error, folder }, "the payload files could not be examined"),
  );
  return {
    async put(payloads) {
      if (payloads.length === 0) return { possiblyStored: [], failedDays: [] };
      try {
        const views = payloads.map(({ bytes }) => bytes);
        const result = await run("put", moved(payloads, views));
        logChanges(result.changes, log);
        for (const fault of result.faults) faults.add(fault);
        return resultOf(payloads, result);
      } catch (cause) {
        throw unavailable(
          "The server cannot write profiles to its disk now. Send it again in a moment.",
          cause,
          5,
        );
      }
    },
    async read(orgId, profileId) {
      const day = dayOf(profileId) ?? "";
      return faults.retryWhileBusy(day, "read", async () => {
        const outcome = await run("read", { orgId, profileId });
        if (outcome.ok || outcome.fault !== "damaged") return outcome;
        throw damagedPayload(profileId, `its file is damaged: ${outcome.reason}`);
      });
    },
    async remove(orgId, profileIds, stopped) {
      const byDay = Map.groupBy(profileIds, (profileId) => dayOf(profileId) ?? "");
      for (const [day, ids] of byDay) {
        for (let at = 0; at < ids.length && !stopped?.aborted; at += rowsPerStep) {
          const step = { orgId, profileIds: ids.slice(at, at + rowsPerStep) };
          await faults.retryWhileBusy(day, "removed", () => run("remove", step));
        }
      }
    },
    async removeDays(before, orgId, stopped) {
      if (orgId === undefined) {
        for (const fault of await run("removeDays", before)) faults.add(fault);
        return;
      }
      const days = (await run("days", undefined as never)).filter((day) => day < before);
      await faults.inSteps(days, (day) => run("removeSomeOf", { day, orgId }), stopped);
    },
    async purge(stopped) {
      await faults.inSteps(await run("days", undefined as never), (day) => run("shrink", day), stopped);
    },
    problems,
    async [Symbol.asyncDispose]() {
      await run("close", undefined as never);
      await close();
    },
  };
}

function startThread(folder: string, log: StoreLog) {
  const pool = new Piscina({
    filename: new URL("./day-files-worker.ts", import.meta.url).href,
    workerData: { folder },
    // One thread: SQLite allows one writer at a time, and calls keep their order.
    minThreads: 1,
    maxThreads: 1,
    stricterFIFO: true,
    recordTiming: false,
    resourceLimits: { maxYoungGenerationSizeMb: youngMegabytesMax },
  });
  pool.on("error", (error) => log.error({ err: error }, "the thread of the payload files failed"));
  return {
    run: <N extends Name>(
      name: N,
      task: Parameters<(typeof thread)[N]>[0],
    ): Promise<ReturnType<(typeof thread)[N]>> => pool.run(task, { name }),
    close: () => pool.close(),
  };
}

function resultOf(
  payloads: readonly Payload[],
  { mayHaveExisted, returned, faults }: ReturnType<typeof thread.put>,
): PutResult {
  const unwritten = [...returned].map(([index, bytes]) => ({ ...payloads[index]!, bytes }));
  const unwrittenOf = (day: string) => unwritten.filter(({ profileId }) => dayOf(profileId) === day);
  return {
    possiblyStored: payloads.filter((_, index) => mayHaveExisted[index]),
    failedDays: faults.map(({ day, fault }) => ({ day, fault, payloads: unwrittenOf(day) })),
  };
}

function logChanges({ setAside, replaced }: FolderChanges, log: StoreLog): void {
  if (setAside.length > 0) {
    log.error({ files: setAside }, "damaged payload files moved aside; new files created");
  }
  if (replaced.length > 0) {
    log.error(
      { files: replaced },
      "payload files were deleted or replaced while the server had them open; their paths were opened again",
    );
  }
}

function logProblems({ setAside, unusable }: FileProblems, folder: string, log: StoreLog): void {
  if (setAside.length === 0 && unusable.length === 0) return;
  log.error(
    { folder, setAside, unusable },
    "ORIGINAL BYTES OF PROFILES CANNOT BE READ: payload files are damaged, were set aside as damaged, or cannot be used. Restore them from a backup, or remove those that are not needed.",
  );
}
