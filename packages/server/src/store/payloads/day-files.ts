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
} from "node:fs";
import { dirname, join } from "node:path";
import { dayOf } from "#store/profiles/profile-id.ts";
import { DayFile } from "./day-file.ts";
import type { Payload, StoredPayload } from "./payload-store.ts";

/** Today's, and those of a sender that catches up. */
const openMax = 8;
const suffix = ".sqlite";
/** Behind it the moment, so that one does not take the place of another. */
const asideSuffix = ".damaged-";
/** A day's file, its journal, and what was set aside of it. */
const namePattern = /^(\d{4}-\d{2}-\d{2})\.sqlite/;
/** SQLITE_CORRUPT and SQLITE_NOTADB: the low byte of what SQLite says, the rest of which tells more. */
const damageCodes = new Set([11, 26]);

/** Whether the file itself is what is wrong. */
export function isDamage(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  return damageCodes.has(errcode & 0xff);
}

/** The folder is on disk when the one it stands in is. Throws where it cannot be written. */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  const parent = openSync(dirname(folder), "r");
  fsyncSync(parent);
  closeSync(parent);
}

/** All days' files of a folder. Synchronous: it lives in a thread of its own. */
export class DayFiles {
  readonly #folder: string;
  readonly #open = new Map<string, DayFile>();
  readonly #setAsidePaths: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** For each payload whether it may have been there before. */
  put(payloads: readonly Payload[]): boolean[] {
    const wasThere = new Array<boolean>(payloads.length).fill(false);
    for (const [day, indexes] of byDay(payloads)) {
      const ofDay = indexes.map((index) => payloads[index]!);
      const known = this.#writeTo(day, (file) => file.put(ofDay));
      for (const [at, index] of indexes.entries()) wasThere[index] = known[at]!;
    }
    return wasThere;
  }

  read(orgId: string, profileId: string): StoredPayload | undefined {
    const day = dayOf(profileId) ?? "";
    return this.#exists(day) ? this.#file(day).read(orgId, profileId) : undefined;
  }

  /** At most `rowsPerStep`. */
  remove(orgId: string, profileIds: readonly string[]): void {
    const ids = Map.groupBy(profileIds, (profileId) => dayOf(profileId) ?? "");
    for (const [day, ofDay] of ids) {
      if (this.#exists(day)) this.#writeTo(day, (file) => file.remove(orgId, ofDay));
    }
  }

  /** The whole files of days before, those set aside too. */
  removeDays(before: string): void {
    for (const day of this.days().filter((each) => each < before)) this.#close(day);
    for (const name of readdirSync(this.#folder)) {
      const day = namePattern.exec(name)?.[1];
      if (day !== undefined && day < before) rmSync(join(this.#folder, name), { force: true });
    }
  }

  /** One step; tells whether there is more to remove. */
  removeSomeOf(day: string, orgId: string): boolean {
    return this.#exists(day) && this.#writeTo(day, (file) => file.removeSomeOf(orgId));
  }

  /** One step; tells whether there is more to give back. */
  shrink(day: string): boolean {
    return this.#exists(day) && this.#writeTo(day, (file) => file.shrink());
  }

  /** Those that have a file. */
  days(): string[] {
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith(suffix))
      .map((name) => name.slice(0, -suffix.length));
  }

  /** Paths of damaged files that were set aside since the last call. */
  takeSetAside(): readonly string[] {
    return this.#setAsidePaths.splice(0);
  }

  close(): void {
    for (const day of [...this.#open.keys()]) this.#close(day);
  }

  /** A damaged file must not keep a whole day from being stored or removed: it is set aside, and a new one begun. */
  #writeTo<T>(day: string, write: (file: DayFile) => T): T {
    try {
      return write(this.#file(day));
    } catch (error) {
      // Whatever state it is in, the next opening puts it right.
      this.#close(day);
      if (!isDamage(error)) throw error;
      this.#setAside(day);
      return write(this.#file(day));
    }
  }

  /** Not while it is open. */
  #setAside(day: string): void {
    const path = this.#pathOf(day);
    const aside = `${path}${asideSuffix}${Date.now()}`;
    // Its journal belongs to it: the new file would be rolled back by what stands there.
    if (existsSync(`${path}-journal`)) renameSync(`${path}-journal`, `${aside}-journal`);
    renameSync(path, aside);
    this.#setAsidePaths.push(aside);
  }

  #exists(day: string): boolean {
    return this.#open.has(day) || existsSync(this.#pathOf(day));
  }

  #file(day: string): DayFile {
    const file = this.#open.get(day) ?? this.#opened(day);
    // Last used last.
    this.#open.delete(day);
    this.#open.set(day, file);
    if (this.#open.size > openMax) this.#close(this.#open.keys().next().value!);
    return file;
  }

  #opened(day: string): DayFile {
    const path = this.#pathOf(day);
    const aside = `${day}${suffix}${asideSuffix}`;
    const followsAnother = readdirSync(this.#folder).some((name) => name.startsWith(aside));
    return new DayFile(path, { followsAnother });
  }

  #close(day: string): void {
    this.#open.get(day)?.close();
    this.#open.delete(day);
  }

  #pathOf(day: string): string {
    return join(this.#folder, `${day}${suffix}`);
  }
}

function byDay(payloads: readonly Payload[]): Map<string, number[]> {
  return Map.groupBy(payloads.keys(), (index) => dayOf(payloads[index]!.profileId) ?? "");
}
