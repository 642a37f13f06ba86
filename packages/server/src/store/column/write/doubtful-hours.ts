import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { StoreRefused } from "#store/unavailable.ts";

/** One hour of one service: the unit in which roll-ups are counted again from their rows. */
export interface SeriesHour {
  readonly orgId: string;
  readonly service: string;
  /** Start of the hour, in Unix seconds. */
  readonly hourSeconds: number;
}

/**
 * Hours whose roll-ups may lack rows: a view writes its roll-up after the rows that it counts, so that an insert that fails may leave
 * rows uncounted. They are known while the server runs. After a kill the upload log says which hours were written last.
 */
export class DoubtfulHours {
  readonly #hours: Map<string, SeriesHour>;

  constructor(hours: readonly SeriesHour[] = []) {
    this.#hours = new Map(hours.map((hour) => [keyOf(hour), hour]));
  }

  list(): readonly SeriesHour[] {
    return [...this.#hours.values()];
  }

  mark(hours: readonly SeriesHour[]): void {
    for (const hour of hours) this.#hours.set(keyOf(hour), hour);
  }

  /** Runs an insert of rows of these hours. They become doubtful if it throws. */
  async during(hours: readonly SeriesHour[], insert: () => Promise<void>): Promise<void> {
    try {
      await insert();
    } catch (error) {
      this.mark(hours);
      throw error;
    }
  }

  /** To be called after the roll-ups of these hours were counted again from their rows. */
  settle(hours: readonly SeriesHour[]): void {
    for (const hour of hours) this.#hours.delete(keyOf(hour));
  }
}

function keyOf({ orgId, service, hourSeconds }: SeriesHour): string {
  return JSON.stringify([orgId, service, hourSeconds]);
}

const formerName = "columns-open";
const Line = z.tuple([z.uuid(), z.string(), z.int()]);

/** The hours that an earlier version was writing when it was killed, in a file of the data folder. Throws StoreRefused if it is damaged. */
export async function formerDoubtfulHours(dataDir: string): Promise<readonly SeriesHour[]> {
  const path = join(dataDir, formerName);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
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

/** To be called once those hours were counted again. */
export function removeFormerHours(dataDir: string): Promise<void> {
  return rm(join(dataDir, formerName), { force: true });
}
