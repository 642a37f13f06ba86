import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { dayOf } from "#store/profiles/profile-id.ts";
import { DayFile, readWithoutLog } from "./day-file.ts";
import { asideSuffix, checkClosedFile, listSetAside, suffix } from "./day-file-check.ts";
import { type FileFault, faultIn, faultOf, setTimesToNow } from "./file-fault.ts";
import type { DayFault, FileProblems, Payload, StoredPayload } from "./payload-store.ts";

/** Enough for today's file and the files of senders that were offline. */
const openMax = 8;
/** A day's file, its journal or log, and files that were set aside. */
const namePattern = /^(\d{4}-\d{2}-\d{2})\.sqlite/;
/** Files that SQLite keeps with a database. They must never be left behind for a new database of the same name. */
const companions = ["-journal", "-wal", "-shm"];

export interface PutResult {
  /** For each payload whether it may have existed before. */
  readonly mayHaveExisted: readonly boolean[];
  /** Days without any written payload. */
  readonly faults: readonly DayFault[];
}

/** Changes of the folder since the last put. */
export interface FolderChanges {
  /** Paths of damaged files that were set aside. */
  readonly setAside: readonly string[];
  /** Paths of files that another program deleted or replaced while they were open. */
  readonly replaced: readonly string[];
}

/** Syncs the parent so that the new folder survives a power cut. Throws if the folder cannot be written. */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  const parent = openSync(dirname(folder), "r");
  fsyncSync(parent);
  closeSync(parent);
}

/** The files of all days in a folder. Its methods are synchronous: it runs in a separate thread. */
export class DayFiles {
  readonly #folder: string;
  readonly #touch: (folder: string) => void;
  readonly #open = new Map<string, DayFile>();
  readonly #setAsidePaths: string[] = [];
  readonly #replacedPaths: string[] = [];
  /** Days whose file was replaced while it was open: a payload that is not in the file may have been stored. */
  readonly #replacedDays = new Set<string>();
  /** Days whose file could not be used at the last attempt. */
  readonly #unusable = new Map<string, DayFault>();

  constructor(folder: string, touch = setTimesToNow) {
    this.#folder = folder;
    this.#touch = touch;
  }

  faultOf(error: unknown): FileFault {
    return faultIn(this.#folder, error, this.#touch);
  }

  /** Stores the payloads of each day completely or not at all. */
  put(payloads: readonly Payload[]): PutResult {
    const mayHaveExisted = new Array<boolean>(payloads.length).fill(false);
    const faults: DayFault[] = [];
    for (const [day, indexes] of byDay(payloads)) {
      const ofDay = indexes.map((index) => payloads[index]!);
      try {
        const existed = this.#writeTo(day, (file) => file.put(ofDay));
        for (const [at, index] of indexes.entries()) mayHaveExisted[index] = existed[at]!;
        this.#unusable.delete(day);
      } catch (error) {
        faults.push(this.#noteFault(day, error));
      }
    }
    return { mayHaveExisted, faults };
  }

  read(orgId: string, profileId: string): StoredPayload | undefined {
    const day = dayOf(profileId) ?? "";
    if (!this.#exists(day)) return undefined;
    try {
      return this.#file(day).read(orgId, profileId);
    } catch (error) {
      const path = this.#pathOf(day);
      // The failed attempt may have left empty files.
      const hasLog = companions.some((companion) => sizeOf(path + companion) > 0 && companion !== "-shm");
      if (faultOf(error) !== "unwritable" || hasLog) {
        this.#noteFault(day, error);
        throw error;
      }
      return readWithoutLog(path, orgId, profileId);
    }
  }

  /** At most `rowsPerStep`. */
  remove(orgId: string, profileIds: readonly string[]): void {
    const ids = Map.groupBy(profileIds, (profileId) => dayOf(profileId) ?? "");
    for (const [day, ofDay] of ids) {
      if (this.#exists(day)) this.#writeTo(day, (file) => file.remove(orgId, ofDay));
    }
  }

  /** Removes the files of earlier days, including those set aside. Returns the days that failed. */
  removeDays(before: string): DayFault[] {
    const faults: DayFault[] = [];
    for (const day of this.days().filter((each) => each < before)) this.#close(day);
    for (const name of readdirSync(this.#folder)) {
      const day = namePattern.exec(name)?.[1];
      if (day === undefined || day >= before) continue;
      try {
        rmSync(join(this.#folder, name), { force: true });
      } catch (error) {
        faults.push({ day, fault: this.faultOf(error), reason: reasonOf(error) });
      }
    }
    return faults;
  }

  /** One step; returns whether there is more to remove. */
  removeSomeOf(day: string, orgId: string): boolean {
    return this.#exists(day) && this.#writeTo(day, (file) => file.removeSomeOf(orgId));
  }

  /** One step; returns whether there is more to free. */
  shrink(day: string): boolean {
    return this.#exists(day) && this.#writeTo(day, (file) => file.shrink());
  }

  /** Days with a file. */
  days(): string[] {
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith(suffix))
      .map((name) => name.slice(0, -suffix.length));
  }

  /** Changes since the last call. */
  takeChanges(): FolderChanges {
    return { setAside: this.#setAsidePaths.splice(0), replaced: this.#replacedPaths.splice(0) };
  }

  problems(): FileProblems {
    const unusable = this.days().flatMap((day): DayFault[] => {
      const earlier = this.#unusable.get(day);
      if (earlier?.fault === "damaged") return [earlier];
      try {
        if (earlier !== undefined) this.#writeTo(day, (file) => file.probe());
        else if (!this.#open.has(day)) checkClosedFile(this.#folder, day);
        this.#unusable.delete(day);
        return [];
      } catch (error) {
        return [{ day, fault: this.faultOf(error), reason: reasonOf(error) }];
      }
    });
    return { setAside: listSetAside(this.#folder), unusable: unusable.filter(isLasting) };
  }

  close(): void {
    for (const day of [...this.#open.keys()]) this.#close(day);
  }

  /**
   * A damaged file must not prevent storing or removing for a whole day: it is set aside, and a new one is created. One
   * error is not enough, because reopening repairs faults that are only in memory or in the log's index.
   */
  #writeTo<T>(day: string, write: (file: DayFile) => T): T {
    try {
      return this.#tryToWrite(day, write);
    } catch (error) {
      if (faultOf(error) !== "damaged") throw error;
    }
    try {
      return this.#tryToWrite(day, write);
    } catch (error) {
      if (faultOf(error) !== "damaged") throw error;
    }
    this.#setAside(day);
    return this.#tryToWrite(day, write);
  }

  /** Closes the file after an error, unless it is busy or the disk is full. */
  #tryToWrite<T>(day: string, write: (file: DayFile) => T): T {
    // The file may be convertible by now.
    if (this.#open.get(day)?.hasWriteAheadLog === false) this.#close(day);
    try {
      const result = write(this.#file(day));
      // The file was deleted or replaced meanwhile, so that the write is lost.
      return this.#closeIfReplaced(day) ? write(this.#file(day)) : result;
    } catch (error) {
      const fault = faultOf(error);
      // A log cannot be opened again while there is no room for its index.
      if ((fault === "busy" || fault === "full") && this.#open.get(day)?.hasWriteAheadLog) throw error;
      // The next opening recovers the file.
      this.#close(day);
      throw error;
    }
  }

  #noteFault(day: string, error: unknown): DayFault {
    const fault = { day, fault: this.faultOf(error), reason: reasonOf(error) };
    if (isLasting(fault)) this.#unusable.set(day, fault);
    return fault;
  }

  /** Another program may delete or replace an open file: further writes to it would be lost. */
  #closeIfReplaced(day: string): boolean {
    if (this.#open.get(day)?.isInPlace() !== false) return false;
    this.#close(day);
    this.#replacedDays.add(day);
    this.#replacedPaths.push(this.#pathOf(day));
    return true;
  }

  /** The file must be closed. */
  #setAside(day: string): void {
    const path = this.#pathOf(day);
    const aside = `${path}${asideSuffix}${Date.now()}`;
    for (const companion of companions) {
      if (existsSync(path + companion)) renameSync(path + companion, aside + companion);
    }
    renameSync(path, aside);
    this.#setAsidePaths.push(aside);
  }

  #exists(day: string): boolean {
    this.#closeIfReplaced(day);
    return this.#open.has(day) || existsSync(this.#pathOf(day));
  }

  #file(day: string): DayFile {
    this.#closeIfReplaced(day);
    const file = this.#open.get(day) ?? this.#opened(day);
    // The most recently used is last.
    this.#open.delete(day);
    this.#open.set(day, file);
    if (this.#open.size > openMax) this.#close(this.#open.keys().next().value!);
    return file;
  }

  #opened(day: string): DayFile {
    const path = this.#pathOf(day);
    const aside = `${day}${suffix}${asideSuffix}`;
    const hasPredecessor =
      this.#replacedDays.has(day) || readdirSync(this.#folder).some((name) => name.startsWith(aside));
    return new DayFile(path, { hasPredecessor });
  }

  #close(day: string): void {
    const file = this.#open.get(day);
    this.#open.delete(day);
    file?.close();
  }

  #pathOf(day: string): string {
    return join(this.#folder, `${day}${suffix}`);
  }
}

/** A file that is locked, or a disk that is full or cannot be written, is not the file's own problem. */
function isLasting({ fault }: DayFault): boolean {
  return fault === "damaged" || fault === "unwritable";
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function byDay(payloads: readonly Payload[]): Map<string, number[]> {
  return Map.groupBy(payloads.keys(), (index) => dayOf(payloads[index]!.profileId) ?? "");
}
