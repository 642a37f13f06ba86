import {
  closeSync,
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
import type { Payload } from "./payload-store.ts";

/** Today's, and those of a sender that catches up. */
const openMax = 8;
const suffix = ".sqlite";
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damageCodes = new Set([11, 26]);

/** The folder is on disk when the one it stands in is. */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const parent = openSync(dirname(folder), "r");
  fsyncSync(parent);
  closeSync(parent);
}

/** All days' files of a folder. Synchronous: it lives in a thread of its own. */
export class DayFiles {
  readonly #folder: string;
  readonly #open = new Map<string, DayFile>();
  /** Paths of files that were set aside because they are damaged. */
  readonly setAside: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** For each payload whether it was there before. */
  put(payloads: readonly Payload[]): boolean[] {
    const wasThere = new Array<boolean>(payloads.length).fill(false);
    for (const [day, indexes] of byDay(payloads)) {
      const ofDay = indexes.map((index) => payloads[index]!);
      const known = this.#writeTo(day, (file) => file.put(ofDay));
      for (const [at, index] of indexes.entries()) wasThere[index] = known[at]!;
    }
    return wasThere;
  }

  read(orgId: string, profileId: string): Uint8Array | undefined {
    return this.#existing(dayOf(profileId) ?? "")?.read(orgId, profileId);
  }

  remove(orgId: string, profileIds: readonly string[]): void {
    const ids = Map.groupBy(profileIds, (profileId) => dayOf(profileId) ?? "");
    for (const [day, ofDay] of ids) this.#existing(day)?.remove(orgId, ofDay);
  }

  removeDays(before: string, orgId: string | undefined): void {
    for (const day of this.#days().filter((each) => each < before)) {
      if (orgId !== undefined) {
        this.#existing(day)?.removeAllOf(orgId);
        continue;
      }
      this.#close(day);
      rmSync(this.#pathOf(day), { force: true });
      rmSync(`${this.#pathOf(day)}-journal`, { force: true });
    }
  }

  /** One step; tells whether there is more to give back. */
  shrink(): boolean {
    return this.#days().some((day) => this.#existing(day)?.shrink());
  }

  close(): void {
    for (const day of [...this.#open.keys()]) this.#close(day);
  }

  /** A damaged file must not keep a whole day from being stored: it is set aside, and a new one begun. */
  #writeTo<T>(day: string, write: (file: DayFile) => T): T {
    try {
      return write(this.#file(day));
    } catch (error) {
      if (!damageCodes.has((error as { errcode?: number }).errcode ?? 0)) throw error;
      this.#close(day);
      const aside = `${this.#pathOf(day)}.damaged-${this.setAside.length + 1}-${process.pid}`;
      renameSync(this.#pathOf(day), aside);
      this.setAside.push(aside);
      return write(this.#file(day));
    }
  }

  #existing(day: string): DayFile | undefined {
    return this.#open.has(day) || existsSync(this.#pathOf(day)) ? this.#file(day) : undefined;
  }

  #file(day: string): DayFile {
    const file = this.#open.get(day) ?? new DayFile(this.#pathOf(day));
    // Last used last.
    this.#open.delete(day);
    this.#open.set(day, file);
    if (this.#open.size > openMax) this.#close(this.#open.keys().next().value!);
    return file;
  }

  #close(day: string): void {
    this.#open.get(day)?.close();
    this.#open.delete(day);
  }

  #days(): string[] {
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith(suffix))
      .map((name) => name.slice(0, -suffix.length));
  }

  #pathOf(day: string): string {
    return join(this.#folder, `${day}${suffix}`);
  }
}

function byDay(payloads: readonly Payload[]): Map<string, number[]> {
  return Map.groupBy(payloads.keys(), (index) => dayOf(payloads[index]!.profileId) ?? "");
}
