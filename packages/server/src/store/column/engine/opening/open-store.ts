import { setTimeout as sleep } from "node:timers/promises";
import { type EngineLaunch, openChild, type RunningChild } from "#store/column/engine/process.ts";
import type { EngineTiming } from "#store/column/engine/timing.ts";
import type { StoreLog } from "#store/log.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { OpenFailure, refusalOf } from "./open-failure.ts";
import { moveToQuarantine } from "./quarantine.ts";

const attemptsMax = 5;
/** An attempt that exceeded its time limit is repeated once: the second one finds the files in the page cache. */
const timeoutsMax = 2;
/** Bytes that were read wrongly once may be read correctly the next time. */
const damageReportsMin = 2;
const lockedRetryDelay = 200;

interface OpenOptions {
  readonly dataDir: string;
  readonly timing: EngineTiming;
  /** Whether a damaged store is moved aside; otherwise it is refused. */
  readonly movesDamaged?: boolean;
}

/**
 * Opens the store at a start. A failed attempt is repeated with growing pauses. Only a store that the engine itself
 * reports as damaged, twice, is moved aside; every other cause ends in a StoreRefused and leaves the store alone.
 */
export async function openStore(
  launch: EngineLaunch,
  { dataDir, timing, movesDamaged = true }: OpenOptions,
  log: StoreLog,
): Promise<RunningChild> {
  const { path } = launch.settings;
  const lockedUntil = performance.now() + timing.lockedMax;
  const open = () => openChild(launch, timing.openMax, log);
  let failures: OpenFailure[] = [];
  let hasMoved = false;
  let isWaiting = false;
  for (;;) {
    const opened = await open().catch(asFailure);
    if (!(opened instanceof OpenFailure)) return opened;
    if (opened.reason === "locked" && performance.now() < lockedUntil) {
      if (!isWaiting) log.warn({ path }, "waiting for another process that has the column store open");
      isWaiting = true;
      await sleep(lockedRetryDelay);
      continue;
    }
    failures.push(opened);
    if (movesDamaged && !hasMoved && isCertainlyDamaged(failures)) {
      const movedTo = moveToQuarantine(path, dataDir);
      log.error(
        { err: opened, movedTo },
        "THE COLUMN STORE IS DAMAGED AND DID NOT OPEN. It was moved aside, whole, and an empty one was started. Profiles stored before now are missing until it is repaired.",
      );
      hasMoved = true;
      failures = [];
      continue;
    }
    if (isEnough(failures)) throw new StoreRefused(refusalOf(opened, path, dataDir), { cause: opened });
    log.warn({ err: opened, attempt: failures.length }, "the column store did not open; trying again");
    await sleep(timing.retryDelay * 2 ** (failures.length - 1));
  }
}

function asFailure(error: unknown): OpenFailure {
  if (error instanceof OpenFailure) return error;
  throw error;
}

function isCertainlyDamaged(failures: readonly OpenFailure[]): boolean {
  const last = failures.slice(-damageReportsMin);
  return last.length === damageReportsMin && last.every(({ reason }) => reason === "damaged");
}

function isEnough(failures: readonly OpenFailure[]): boolean {
  return (
    failures.at(-1)?.reason === "locked" ||
    failures.length >= attemptsMax ||
    failures.filter(({ isTimeout }) => isTimeout).length >= timeoutsMax
  );
}
