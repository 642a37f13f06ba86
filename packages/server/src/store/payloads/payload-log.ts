import { accessSync, closeSync, constants, fsyncSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { profileTypes } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import type { StoreLog } from "#store/log.ts";
import { dayOf } from "#store/profiles/profile-id.ts";
import { DayUnavailable } from "./day-unavailable.ts";
import { FaultLog } from "./fault-log.ts";
import { FormerFiles, renameFormerRequests } from "./former-files.ts";
import { ObjectMoves, type ObjectsForOriginals } from "./object-moves.ts";
import {
  droppedPayload,
  type LeftBehind,
  type Payload,
  type PayloadStore,
  type PutResult,
  type Repeatable,
} from "./payload-store.ts";
import { pendingFolder, reportPending } from "./pending-uploads.ts";
import { damagedPayload } from "./read-payload.ts";
import { orgIdOf, type UploadRecord } from "./record.ts";
import { ignoreDamage } from "./sealed-segment.ts";
import { type FoundRecord, RecordDamaged, uploadsFolder } from "./segment-file.ts";
import { UploadDay } from "./upload-day.ts";

/** Enough for today and the days of senders that were offline. */
const openDaysMax = 16;
const pendingBytesMax = 1024 * 1024;
/**
 * A segment without an index says whose rows may be missing, also in a backup, which copies the log after the column store: rows that
 * are stored meanwhile are not in it.
 */
const indexAfterMs = 3 * minuteMs;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The upload log: uploads in a folder of the data folder. A record is appended once and synced, and its rows can then be made again.
 * Where the log `keepsProfiles`, there is a folder for each day, and the record is the stored profile.
 */
export function openPayloadLog(dataDir: string, log: StoreLog, options: LogOptions = {}): PayloadStore {
  return new PayloadLog(dataDir, log, options);
}

interface LogOptions {
  readonly keepsProfiles?: boolean;
  readonly objects?: ObjectsForOriginals | undefined;
  /** Whether the data folder is a copy: its uploads are in another one, too. */
  readonly isCopy?: boolean;
}

type WritablePutResult = {
  [K in keyof PutResult]: PutResult[K] extends readonly (infer T)[] ? T[] : PutResult[K];
};

/** Its operations are properties, so that a store can be spread into another one. */
class PayloadLog implements PayloadStore {
  readonly #reportPending: () => Promise<void>;
  readonly #folder: string;
  readonly #keepsProfiles: boolean;
  readonly #days = new Map<string, Promise<UploadDay>>();
  readonly #faults: FaultLog;
  /** Days that may have an open file, the latest at the end. */
  readonly #written = new Set<string>();
  readonly #former: FormerFiles;
  readonly #moves: ObjectMoves | undefined;
  readonly #examined: Promise<void>;
  #isClosed = false;
  #puts = 0;
  #confirmed = 0;
  #confirmations: { readonly put: number; readonly atMs: number }[] = [];
  #hasYielded = false;
  #isRecovered = false;

  readonly moveToObjects?: NonNullable<PayloadStore["moveToObjects"]>;
  readonly moved?: NonNullable<PayloadStore["moved"]>;

  constructor(dataDir: string, log: StoreLog, options: LogOptions) {
    const { keepsProfiles = true, objects, isCopy = false } = options;
    this.#reportPending = async () => void (isCopy || (await reportPending(dataDir, log)));
    this.#folder = join(dataDir, uploadsFolder);
    this.#faults = new FaultLog(this.#folder, log);
    this.#keepsProfiles = keepsProfiles;
    makeFolder(this.#folder);
    const moves = objects && new ObjectMoves(objects, dataDir, log);
    this.#moves = moves;
    if (moves !== undefined) {
      this.moved = () => moves.state;
      this.moveToObjects = async (stopped) => {
        if (this.#isRecovered) await this.#confirmRipe();
        const days = [...this.#allDays()].sort().map((day) => this.#day(day));
        await moves.run(await Promise.all(days), stopped);
      };
    }
    renameFormerRequests(this.#folder, pendingFolder);
    this.#former = new FormerFiles(dataDir, log, async (day, payloads) => {
      const uploads = await this.#day(day);
      const isStored = await Promise.all(payloads.map((each) => uploads.has(each.orgId, each.profileId)));
      const fresh = payloads.filter((_, index) => !isStored[index]);
      const isWanted = ({ orgId, profileId }: UploadRecord) => this.#former.mayHave(orgId, profileId);
      await uploads.append(fresh.map(toRecord), this.#puts, isWanted);
    });
    this.#examined = this.#examine();
  }

  readonly put: PayloadStore["put"] = async (payloads) => {
    const number = ++this.#puts;
    const result: WritablePutResult = { number, waiting: [], existing: [], unproven: [], failedDays: [] };
    const days = [...Map.groupBy(payloads, (payload) => this.#folderOf(payload))];
    for (let at = 0; at < days.length; at += openDaysMax) {
      const some = days.slice(at, at + openDaysMax);
      await Promise.all(some.map(([day, ofDay]) => this.#putDay(day, ofDay, result)));
      await this.#restOthers(some.map(([day]) => day));
    }
    return result;
  };

  readonly read: PayloadStore["read"] = async (orgId, profileId) => {
    const day = dayOf(profileId);
    if (day === null) return undefined;
    try {
      const uploads = await this.#day(this.#keepsProfiles ? day : pendingFolder);
      const found = await uploads.read(orgId, profileId);
      if (found === undefined || found.facts.type === "metrics") return this.#former.read(orgId, profileId);
      if (found.facts.isDropped) return droppedPayload;
      return { bytes: found.content, type: profileTypes.find((type) => type === found.facts.type) };
    } catch (error) {
      const fault = error instanceof RecordDamaged ? "damaged" : this.#faults.faultOf(day, error);
      if (fault === "damaged") throw damagedPayload(profileId, (error as Error).message);
      throw new DayUnavailable("read", day, fault);
    }
  };

  readonly remove: PayloadStore["remove"] = async (orgId, profileIds, stopped) => {
    const byFolder = Map.groupBy(profileIds, (profileId) => dayOf(profileId) ?? "");
    for (const [day, ids] of [...byFolder, [pendingFolder, profileIds] as const]) {
      if (stopped?.aborted) return;
      await this.#removing(day, async (uploads) => {
        this.#former.remove(orgId, ids);
        await uploads.remove(orgId, ids, stopped);
      });
    }
  };

  readonly removeDays: PayloadStore["removeDays"] = async (before, orgId, stopped) => {
    this.#former.removeDays(before, orgId);
    const days = this.#allDays().filter((day) => day < before);
    if (orgId !== undefined) {
      const remove = (uploads: UploadDay) => uploads.removeSomeOf(orgId, before);
      return this.#inSteps([...days, pendingFolder], remove, stopped);
    }
    await this.#inSteps(
      days,
      async (uploads) => {
        await uploads.drop();
        return false;
      },
      stopped,
    );
    for (const day of days) this.#faults.unwritable.delete(day);
    // Also those that a day left here while object storage was away.
    await this.#moves?.objects.removeDays(before, stopped).catch((error: unknown) => {
      if (this.#faults.faultOf(before, error) !== "away") throw error;
    });
  };

  readonly dropContent: PayloadStore["dropContent"] = async (before, stopped) => {
    if (this.#isRecovered) await this.#confirmRipe();
    const days = this.#allDays().filter((day) => day < before);
    await this.#inSteps(days, (uploads) => uploads.dropContent(), stopped);
  };

  readonly purge: PayloadStore["purge"] = async (stopped) => {
    // Pending uploads must not stay for longer than their rows.
    if (this.#isRecovered) await this.#confirmRipe(0);
    await this.#inSteps(this.#allDays(), (uploads) => uploads.shrink(), stopped);
  };

  readonly problems: PayloadStore["problems"] = async () => {
    const days = await Promise.all(this.#days.values());
    const former = this.#former.problems();
    return {
      segments: days
        .flatMap(({ problems }) => problems)
        .map((problem) => ({ ...problem, file: relative(dirname(this.#folder), problem.file) })),
      setAside: former.setAside,
      unusable: [...former.unusable, ...this.#faults.unwritable.values()],
    };
  };

  readonly [Symbol.asyncDispose] = async (): Promise<void> => {
    this.#isClosed = true;
    await this.#examined;
    await this.#former.close();
    const confirmed = this.#isRecovered ? this.#confirmed : -1;
    for (const day of await Promise.all(this.#days.values())) {
      await day.rest();
      await day.confirm(confirmed);
    }
    await (await this.#days.get(pendingFolder))?.dropConfirmed(confirmed);
    await this.#reportPending();
    this.#moves?.objects[Symbol.dispose]();
  };

  readonly readAgain: PayloadStore["readAgain"] = async (upload) => {
    const uploads = await this.#day(this.#folderOf(upload));
    return repeatableOf(await uploads.read(upload.orgId, upload.profileId).catch(ignoreDamage));
  };

  readonly confirm: PayloadStore["confirm"] = async (put) => {
    this.#confirmed = Math.max(put, this.#confirmed);
    this.#confirmations.push({ put: this.#confirmed, atMs: performance.now() });
    if (this.#isRecovered) await this.#confirmRipe();
  };

  readonly leftBehind: PayloadStore["leftBehind"] = () => this.#leftBehind();

  readonly endRecovery: PayloadStore["endRecovery"] = async () => {
    this.#isRecovered = true;
    await this.confirm(this.#confirmed);
  };

  /** Writes the indexes of what was confirmed some minutes ago, and drops what was pending. */
  async #confirmRipe(pendingBytesMin = pendingBytesMax): Promise<void> {
    const last = this.#confirmations.findLastIndex(({ atMs }) => atMs <= performance.now() - indexAfterMs);
    const [{ put: ripe } = { put: -1 }] = this.#confirmations.splice(0, last + 1).slice(-1);
    for (const [name, opened] of [...this.#days]) {
      const uploads = await opened;
      if (name === pendingFolder) await uploads.dropConfirmed(ripe, pendingBytesMin);
      else await uploads.confirm(ripe);
    }
  }

  async *#leftBehind(): AsyncGenerator<LeftBehind> {
    if (this.#hasYielded) return;
    this.#hasYielded = true;
    for (const day of [pendingFolder, ...[...this.#allDays()].sort()]) {
      for await (const { orgKey, profileId, read } of (await this.#day(day)).leftBehind()) {
        yield { orgId: orgIdOf(orgKey), profileId, read: async () => repeatableOf(await read()) };
      }
    }
    await this.#moves?.objects.releaseAll();
  }

  /** The fault of one day does not affect other days. */
  async #putDay(day: string, payloads: readonly Payload[], result: WritablePutResult): Promise<void> {
    try {
      const uploads = await this.#day(day);
      const isPending = day === pendingFolder;
      const existing: Payload[] = [];
      const fresh: Payload[] = [];
      for (const payload of payloads) {
        const { orgId, profileId } = payload;
        const isStored = isPending
          ? (await uploads.read(orgId, profileId).catch(ignoreDamage)) !== undefined
          : (await uploads.has(orgId, profileId)) || this.#former.mayHave(orgId, profileId);
        if (!isStored) fresh.push(payload);
        if (isStored || !(isPending || uploads.isComplete)) existing.push(payload);
      }
      if (fresh.length > 0) await uploads.append(fresh.map(toRecord), result.number);
      this.#faults.unwritable.delete(day);
      (isPending ? result.waiting : result.existing).push(...existing);
      if (isPending) result.unproven.push(...fresh);
    } catch (error) {
      result.failedDays.push({ day, fault: this.#faults.faultOf(day, error), payloads });
    }
  }

  /** Keeps the files of the days open that were written last: each takes a descriptor. */
  async #restOthers(days: readonly string[]): Promise<void> {
    for (const day of days) {
      this.#written.delete(day);
      this.#written.add(day);
    }
    for (const day of [...this.#written].slice(0, -openDaysMax)) {
      this.#written.delete(day);
      await (await this.#day(day)).rest().catch((error: unknown) => this.#faults.faultOf(day, error));
    }
  }

  async #removing<T>(day: string, step: (uploads: UploadDay) => Promise<T>): Promise<T> {
    try {
      return await step(await this.#day(day));
    } catch (error) {
      throw new DayUnavailable("removed", day, this.#faults.faultOf(day, error));
    }
  }

  /** Repeats the step of each day while it returns true. Other calls run between steps. Skips days with a fault. */
  async #inSteps(
    days: readonly string[],
    step: (uploads: UploadDay) => Promise<boolean>,
    stopped: AbortSignal | undefined,
  ): Promise<void> {
    for (const day of days) {
      try {
        while (!stopped?.aborted && (await this.#removing(day, step)));
      } catch (error) {
        if (!(error instanceof DayUnavailable)) throw error;
      }
    }
  }

  #folderOf({ type, profileId }: Pick<Payload, "type" | "profileId">): string {
    return type === "metrics" || !this.#keepsProfiles ? pendingFolder : (dayOf(profileId) ?? "");
  }

  #day(day: string): Promise<UploadDay> {
    const opened = this.#days.get(day);
    if (opened !== undefined) return opened;
    const objects = day === pendingFolder ? undefined : this.#moves?.objects;
    const opening = UploadDay.open(join(this.#folder, day), (problem) => this.#faults.note(problem), objects);
    this.#days.set(day, opening);
    opening.catch(() => this.#days.delete(day));
    return opening;
  }

  /** A start does not wait for it: it finds what an operator must mend before somebody asks for it. */
  async #examine(): Promise<void> {
    for (const day of [...this.#allDays()].sort().reverse()) {
      if (this.#isClosed) return;
      await this.#day(day).catch((error: unknown) => this.#faults.faultOf(day, error));
    }
  }

  /** Those on disk, and those whose first file may be on its way there. */
  #allDays(): readonly string[] {
    const names = new Set([...readdirSync(this.#folder), ...this.#days.keys()]);
    return [...names].filter((name) => dayPattern.test(name));
  }
}

function repeatableOf(found: FoundRecord | undefined): Repeatable | undefined {
  if (found?.facts.repeat === undefined) return undefined;
  return { repeat: found.facts.repeat, bytes: found.content };
}

/** Syncs the parent so that the new folder survives a power cut. Throws if the folder cannot be written. */
function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  const parent = openSync(dirname(folder), "r");
  fsyncSync(parent);
  closeSync(parent);
}

type RecordedPayload = Omit<Payload, "type"> & { readonly type: Payload["type"] | undefined };

function toRecord({ orgId, profileId, type, repeat, isDropped, bytes }: RecordedPayload): UploadRecord {
  return { orgId, profileId, receivedAtMs: Date.now(), facts: { type, repeat, isDropped }, content: bytes };
}
