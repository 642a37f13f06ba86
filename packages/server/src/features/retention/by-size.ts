import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { dayMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { Context, SpaceFreed } from "#context";
import { maintenanceQuery } from "#store/column/query.ts";
import { utcDayOf } from "#store/column/utc.ts";
import { Count, Day } from "#store/column/values.ts";
import { ignoreMissing } from "#store/data-folder.ts";
import { uploadsFolder } from "#store/payloads/segment-file.ts";

/** A warning stays for a day: somebody should see it. */
const shownMs = dayMs;

interface DayBytes {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly bytes: number;
}

/** The first days that have so many bytes together; undefined if all of them have fewer. */
export function daysToRemove(days: readonly DayBytes[], bytes: number): readonly DayBytes[] | undefined {
  const oldestFirst = days.toSorted((a, b) => (a.day < b.day ? -1 : 1));
  let sum = 0;
  const last = oldestFirst.findIndex((each) => {
    sum += each.bytes;
    return sum >= bytes;
  });
  return last === -1 ? undefined : oldestFirst.slice(0, last + 1);
}

/**
 * Removes the oldest days of all organizations where the disk has less free space than the setting says: never today, and nothing where
 * all earlier days would not be enough, because then other files fill the disk. The result goes to the log and to the operator's warnings.
 * The engine frees the space of removed rows some minutes later: call it again after a quarter of an hour at the earliest.
 */
export async function removeBySize(
  ctx: Context,
  stopped?: AbortSignal,
  usedBytes = usedBytesOf,
): Promise<readonly string[]> {
  const { config, log, spaceFreed } = ctx;
  const wantedBytes = config.retentionFreeBytes;
  if (wantedBytes === 0) return [];
  const freeBytes = await ctx.disk.freeBytes();
  if (freeBytes >= wantedBytes) {
    const { latest } = spaceFreed;
    if (latest !== undefined && !isShown(latest, ctx.now())) delete spaceFreed.latest;
    return [];
  }
  const days = await bytesByDay(ctx);
  const today = utcDayOf(ctx.now().getTime());
  const removed =
    daysToRemove(
      days.filter(({ day }) => day < today),
      wantedBytes - freeBytes,
    ) ?? [];
  const ownBytes = sumOf(days);
  const otherBytes = Math.max(0, (await usedBytes(config.dataDir)) - ownBytes);
  const names = removed.map(({ day }) => day);
  spaceFreed.latest = { at: ctx.now(), days: names, freeBytes, wantedBytes, ownBytes, otherBytes };
  if (removed.length === 0) {
    log.error(
      spaceFreed.latest,
      "REMOVAL BY SIZE CANNOT FREE ENOUGH: nothing was removed, other files fill the disk",
    );
    return [];
  }
  log.warn(
    { ...spaceFreed.latest, removedBytes: sumOf(removed) },
    "removing the oldest days of all organizations, because the disk has less free space than RETENTION_FREE_GB",
  );
  const before = utcDayOf(Date.parse(names.at(-1)!) + dayMs);
  await ctx.payloads.removeDays(before, undefined, stopped);
  await ctx.columns.maintenance.dropDays(before, stopped);
  return names;
}

function isShown({ at, days }: SpaceFreed, now: Date): boolean {
  return days.length > 0 && now.getTime() - at.getTime() < shownMs;
}

function sumOf(days: readonly DayBytes[]): number {
  return days.reduce((sum, { bytes }) => sum + bytes, 0);
}

const partBytes = maintenanceQuery({
  name: "retention.bytes-by-day",
  sql: `SELECT partition AS day, sum(bytes_on_disk) AS bytes FROM system.parts
        WHERE database = currentDatabase() AND active AND match(partition, '^\\\\d{4}-\\\\d{2}-\\\\d{2}$')
        GROUP BY day`,
  params: z.object({}),
  row: z.object({ day: Day, bytes: Count }),
});

/** The bytes of rows and of uploads. */
async function bytesByDay({ columns, config }: Context): Promise<readonly DayBytes[]> {
  const bytes = new Map<string, number>();
  for (const row of await columns.maintenance.query(partBytes, {})) bytes.set(row.day, row.bytes);
  const folder = join(config.dataDir, uploadsFolder);
  for (const day of await readdir(folder)) {
    if (Day.safeParse(day).success)
      bytes.set(day, (bytes.get(day) ?? 0) + (await folderBytes(join(folder, day))));
  }
  return [...bytes].map(([day, ofDay]) => ({ day, bytes: ofDay }));
}

async function folderBytes(folder: string): Promise<number> {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  const files = await Promise.all(names.map((name) => stat(join(folder, name)).catch(ignoreMissing)));
  return files.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}

/** Bytes of all files on the disk of the folder. */
async function usedBytesOf(folder: string): Promise<number> {
  const { blocks, bfree, bsize } = await statfs(folder);
  return (blocks - bfree) * bsize;
}
