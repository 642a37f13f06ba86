import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { minuteMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import { Turns } from "#store/turns.ts";
import { StoreRefused } from "#store/unavailable.ts";

/** One hour of one service: the unit in which roll-ups are counted again from their rows. */
export interface SeriesHour {
  readonly orgId: string;
  readonly service: string;
  /** Start of the hour, in Unix seconds. */
  readonly hourSeconds: number;
}

interface HourState {
  readonly hour: SeriesHour;
  /** Inserts that are running. */
  inserts: number;
  /** An insert failed: there may be rows that no roll-up counts. */
  isDoubtful: boolean;
  /** Whether the file names it. */
  isRecorded: boolean;
  usedMs: number;
}

/** The file's name in the data folder. */
export const journalName = "columns-open";
const Line = z.tuple([z.uuid(), z.string(), z.int()]);
/**
 * An hour that was written this recently will probably be written again: it stays in the file. A backup copies the file after
 * `columns`, which may take a minute (old_parts_lifetime), and must find the hours of all inserts that ran meanwhile.
 */
const recentMs = 15 * minuteMs;

/**
 * A journal of the hours that are being written, on disk before their rows are.
 *
 * A materialized view writes its roll-up after the rows that it counts, so a kill in between leaves rows uncounted. The
 * next start counts the hours in this file again. The file names hours and not times of arrival, because a clock that
 * was wrong once would hide the hours that were open at the end.
 *
 * The file has one line for each hour, `[orgId, service, hourSeconds]`. A steady load writes the same few hours again
 * and again, so that most inserts need no line and no sync.
 */
export class HourJournal {
  readonly #path: string;
  readonly #states = new Map<string, HourState>();
  readonly #turns = new Turns();
  #mustRewrite = false;
  #rewrittenMs = 0;

  private constructor(path: string, left: readonly SeriesHour[]) {
    this.#path = path;
    for (const hour of left) this.#stateOf(hour).isDoubtful = true;
  }

  /**
   * Reads the file that the last run left. Throws a StoreRefused if it is damaged.
   *
   * @param storePath the store's folder: it holds the file if moving the store to quarantine was interrupted
   */
  static async open(dataDir: string, storePath: string): Promise<HourJournal> {
    const path = join(dataDir, journalName);
    const inStore = join(storePath, journalName);
    const left = [...parse(path, await readIfAny(path)), ...parse(inStore, await readIfAny(inStore))];
    const hours = new HourJournal(path, left);
    await hours.#turns.run(() => hours.#rewrite());
    if (inStore !== path) await rm(inStore, { force: true });
    return hours;
  }

  /** Hours whose rows roll-ups may not have counted. */
  doubtful(): readonly SeriesHour[] {
    return [...this.#states.values()].filter(({ isDoubtful }) => isDoubtful).map(({ hour }) => hour);
  }

  /** Runs `insert` once the hours of its rows are on disk. They become doubtful if it throws. */
  async during(hours: readonly SeriesHour[], insert: () => Promise<void>): Promise<void> {
    const states = hours.map((hour) => this.#stateOf(hour));
    for (const state of states) {
      state.inserts++;
      state.usedMs = performance.now();
    }
    try {
      if (states.some(({ isRecorded }) => !isRecorded)) await this.#turns.run(() => this.#record());
      await insert();
    } catch (error) {
      for (const state of states) state.isDoubtful = true;
      throw error;
    } finally {
      for (const state of states) {
        state.inserts--;
        state.usedMs = performance.now();
      }
    }
  }

  /** Resolves once the file contains these hours, so that even after a kill the next start recounts them. */
  async markDoubtful(hours: readonly SeriesHour[]): Promise<void> {
    const states = hours.map((hour) => this.#stateOf(hour));
    for (const state of states) state.isDoubtful = true;
    if (states.some(({ isRecorded }) => !isRecorded)) await this.#turns.run(() => this.#record());
  }

  /** Call it after the roll-ups of these hours were recounted from their rows. */
  settle(hours: readonly SeriesHour[]): void {
    for (const hour of hours) {
      const state = this.#states.get(keyOf(hour));
      if (state !== undefined) state.isDoubtful = false;
    }
  }

  /** Removes the file, unless hours are doubtful: then the next start counts them again. */
  async close(): Promise<void> {
    await this.#turns.run(async () => {
      if (this.doubtful().length === 0) await rm(this.#path, { force: true });
    });
  }

  #stateOf(hour: SeriesHour): HourState {
    const key = keyOf(hour);
    const existing = this.#states.get(key);
    if (existing !== undefined) return existing;
    const state = { hour, inserts: 0, isDoubtful: false, isRecorded: false, usedMs: performance.now() };
    this.#states.set(key, state);
    return state;
  }

  async #record(): Promise<void> {
    if (this.#mustRewrite || performance.now() - this.#rewrittenMs > recentMs) return this.#rewrite();
    const missing = [...this.#states.values()].filter(({ isRecorded }) => !isRecorded);
    if (missing.length === 0) return;
    // No line may follow one that a full disk has cut off.
    this.#mustRewrite = true;
    await writeAndSync(this.#path, "a", toLines(missing));
    this.#mustRewrite = false;
    for (const state of missing) state.isRecorded = true;
  }

  /** Replaces the file by one that names only hours that are open, doubtful or recent. */
  async #rewrite(): Promise<void> {
    for (const [key, { inserts, isDoubtful, usedMs }] of this.#states) {
      if (inserts === 0 && !isDoubtful && performance.now() - usedMs > recentMs) this.#states.delete(key);
    }
    const states = [...this.#states.values()];
    await writeAndSync(`${this.#path}.new`, "w", toLines(states));
    await rename(`${this.#path}.new`, this.#path);
    await syncFolder(dirname(this.#path));
    this.#mustRewrite = false;
    this.#rewrittenMs = performance.now();
    for (const state of states) state.isRecorded = true;
  }
}

function keyOf({ orgId, service, hourSeconds }: SeriesHour): string {
  return JSON.stringify([orgId, service, hourSeconds]);
}

function toLines(states: readonly HourState[]): string {
  return states.map(({ hour }) => `${keyOf(hour)}\n`).join("");
}

async function readIfAny(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
}

function parse(path: string, text: string): SeriesHour[] {
  // An incomplete last line was cut off before its insert began.
  const lines = text.split("\n").slice(0, -1);
  return lines.map((line, index) => {
    try {
      const [orgId, service, hourSeconds] = Line.parse(JSON.parse(line));
      return { orgId, service, hourSeconds };
    } catch (cause) {
      throw new StoreRefused(
        `${path} is damaged in line ${index + 1}. Restore it from a backup, or remove it: totals of the hours that were being written may then be too small.`,
        { cause },
      );
    }
  });
}

async function writeAndSync(path: string, flags: "a" | "w", text: string): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.appendFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Makes the renaming of a file in it durable. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
