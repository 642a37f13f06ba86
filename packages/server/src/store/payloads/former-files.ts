import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { profileTypes } from "@flamekeep/contract";
import type { StoreLog } from "#store/log.ts";
import { dayOf } from "#store/profiles/profile-id.ts";
import { storageFaultOf } from "#store/storage-fault.ts";
import type { DayFault, Payload, StoredPayload } from "./payload-store.ts";

const suffix = ".sqlite";
/** A day's file, its journal or log, and files that were set aside. */
const namePattern = /^(\d{4}-\d{2}-\d{2})\.sqlite/;
/** Milliseconds that a call waits for another program's lock. The main thread waits too. */
const busyMsMax = 100;
/** Bytes and rows that one step moves. Uploads and reads go on between two steps. */
const stepBytes = 2 * 1024 * 1024;
const stepRows = 200;
const restMs = 20;

const byProfile = "WHERE seconds = ? AND profile_id = ? AND org_id = ?";

type FormerPayload = Omit<Payload, "type"> & Pick<StoredPayload, "type">;

/**
 * The files that versions before the upload log wrote: the payloads of each day in an SQLite file. A start moves them into the log
 * in the background; until a file is moved, it is read here.
 */
export class FormerFiles {
  readonly #folder: string;
  readonly #log: StoreLog;
  readonly #open = new Map<string, DatabaseSync>();
  readonly #faults = new Map<string, DayFault>();
  readonly #moving: Promise<void>;
  #days: Set<string>;
  #isClosed = false;

  /** @param take appends payloads of one day to the log, except for those that it has */
  constructor(
    dataDir: string,
    log: StoreLog,
    take: (day: string, payloads: readonly FormerPayload[]) => Promise<void>,
  ) {
    this.#folder = join(dataDir, "payloads");
    this.#log = log;
    this.#days = new Set(
      namesIn(this.#folder).flatMap((name) =>
        name.endsWith(suffix) && namePattern.test(name) ? [name.slice(0, -suffix.length)] : [],
      ),
    );
    this.#moving = this.#moveAll(take);
  }

  /** Throws if the file of its day cannot be read. */
  read(orgId: string, profileId: string): StoredPayload | undefined {
    const file = this.#file(dayOf(profileId) ?? "");
    const row = file?.prepare(`SELECT * FROM payloads ${byProfile}`).get(...placeOf(orgId, profileId));
    return row && { bytes: row.bytes as Uint8Array, type: toType(row.type) };
  }

  /** True also where the file cannot be read: the profile may be in it. */
  mayHave(orgId: string, profileId: string): boolean {
    try {
      const file = this.#file(dayOf(profileId) ?? "");
      return (
        file?.prepare(`SELECT 1 FROM payloads ${byProfile}`).get(...placeOf(orgId, profileId)) !== undefined
      );
    } catch {
      return true;
    }
  }

  /** Passes over files that cannot be read: nobody reads what is in them. */
  remove(orgId: string, profileIds: readonly string[]): void {
    for (const [day, ids] of Map.groupBy(profileIds, (profileId) => dayOf(profileId) ?? "")) {
      this.#changing(day, (file) => {
        const remove = file.prepare(`DELETE FROM payloads ${byProfile}`);
        for (const profileId of ids) remove.run(...placeOf(orgId, profileId));
      });
    }
  }

  /** Removes the payloads of an organization, or the whole files, of days before `before`. */
  removeDays(before: string, orgId: string | undefined): void {
    for (const day of [...this.#days].filter((each) => each < before)) {
      if (orgId === undefined) this.#drop(day);
      else this.#changing(day, (file) => file.prepare("DELETE FROM payloads WHERE org_id = ?").run(orgId));
    }
    if (orgId === undefined) this.#dropSetAside(before);
  }

  /** Files that an operator must mend, and names of damaged ones that were set aside. */
  problems(): { readonly unusable: readonly DayFault[]; readonly setAside: readonly string[] } {
    const setAside = namesIn(this.#folder).filter((name) => /\.sqlite\.damaged-\d+$/.test(name));
    const unusable = [...this.#faults.values()].filter(({ day }) => existsSync(this.#pathOf(day)));
    return { unusable, setAside };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#moving;
    for (const day of [...this.#open.keys()]) this.#close(day);
  }

  async #moveAll(take: (day: string, payloads: readonly FormerPayload[]) => Promise<void>): Promise<void> {
    // Newest first: those are read most.
    for (const day of [...this.#days].sort().reverse()) {
      try {
        await this.#move(day, (payloads) => take(day, payloads));
      } catch (error) {
        this.#note(day, error);
      }
    }
  }

  async #move(day: string, take: (payloads: readonly FormerPayload[]) => Promise<void>): Promise<void> {
    let after = 0;
    for (;;) {
      await sleep(restMs);
      const file = this.#isClosed ? undefined : this.#file(day);
      if (file === undefined) return;
      const rows: FormerPayload[] = [];
      let bytes = 0;
      const next = file.prepare("SELECT rowid, * FROM payloads WHERE rowid > ? ORDER BY rowid LIMIT ?");
      for (const row of next.iterate(after, stepRows)) {
        after = Number(row.rowid);
        const payload = row.bytes as Uint8Array;
        rows.push({
          orgId: String(row.org_id),
          profileId: String(row.profile_id),
          type: toType(row.type),
          bytes: payload,
        });
        bytes += payload.length;
        if (bytes >= stepBytes) break;
      }
      if (rows.length === 0) break;
      await take(rows);
    }
    this.#drop(day);
    this.#log.info({ day }, "the payloads of a day were moved into the upload log");
  }

  #file(day: string): DatabaseSync | undefined {
    if (!this.#days.has(day)) return undefined;
    const opened = this.#open.get(day);
    if (opened !== undefined) return opened;
    const file = new DatabaseSync(this.#pathOf(day), { timeout: busyMsMax });
    file.exec("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cache_size = -4096");
    this.#open.set(day, file);
    return file;
  }

  /** Neither a file nor its log contains removed bytes afterwards. */
  #changing(day: string, change: (file: DatabaseSync) => void): void {
    try {
      const file = this.#file(day);
      if (file === undefined) return;
      change(file);
      file.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    } catch (error) {
      if (storageFaultOf(error) !== "damaged") throw error;
      this.#note(day, error);
    }
  }

  #note(day: string, error: unknown): void {
    const fault: DayFault = { day, fault: "damaged", reason: (error as Error).message };
    const isNew = !this.#faults.has(day);
    this.#faults.set(day, fault);
    if (!isNew) return;
    this.#log.error(
      { file: this.#pathOf(day), reason: fault.reason },
      "ORIGINAL BYTES OF PROFILES CANNOT BE READ: a payload file of an earlier version cannot be moved into the upload log. Restore it from a backup, or remove it if it is not needed.",
    );
  }

  #drop(day: string): void {
    this.#days.delete(day);
    this.#faults.delete(day);
    this.#close(day);
    for (const companion of ["", "-journal", "-wal", "-shm"])
      rmSync(this.#pathOf(day) + companion, { force: true });
    this.#dropFolder();
  }

  #dropFolder(): void {
    if (existsSync(this.#folder) && namesIn(this.#folder).length === 0) rmdirSync(this.#folder);
  }

  #dropSetAside(before: string): void {
    for (const name of namesIn(this.#folder)) {
      const day = namePattern.exec(name)?.[1];
      if (day !== undefined && day < before && !this.#days.has(day)) {
        rmSync(join(this.#folder, name), { force: true });
      }
    }
    this.#dropFolder();
  }

  #close(day: string): void {
    this.#open.get(day)?.close();
    this.#open.delete(day);
  }

  #pathOf(day: string): string {
    return join(this.#folder, `${day}${suffix}`);
  }
}

function placeOf(orgId: string, profileId: string): [number, string, string] {
  // The last eight digits of an id.
  return [Number.parseInt(profileId.slice(-8), 16), profileId, orgId];
}

function toType(type: unknown): StoredPayload["type"] {
  return profileTypes.find((each) => each === type);
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** An earlier version kept HTTP metrics in `requests` until their rows were stored. */
export function renameFormerRequests(uploads: string, name: string): void {
  const [former, present] = [join(uploads, "requests"), join(uploads, name)];
  if (existsSync(former) && !existsSync(present)) renameSync(former, present);
}
