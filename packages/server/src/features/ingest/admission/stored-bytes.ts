import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { Log } from "#context";
import type { Refusal } from "#ingest/upload/refusal.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import { query } from "#store/column/query.ts";
import { utcDayOf } from "#store/column/utc.ts";
import { Count, Day } from "#store/column/values.ts";
import { JobLog } from "#store/job-log.ts";
import { type Limit, raising } from "#store/row/organization-limits.ts";

/** Bytes as sent of everything that an organization keeps, by day, from the totals by minute. */
const storedBytesByDay = query({
  name: "ingest.stored_bytes_by_day",
  sql: `SELECT toDate(minute) AS day, sum(stored_bytes) AS bytes FROM type_totals_1m
    WHERE org_id = {orgId:UUID} AND sample_type = '' GROUP BY day`,
  params: z.object({ orgId: z.uuid() }),
  row: z.object({ day: Day, bytes: Count }),
});

/** The same for some days. */
const storedBytesOfDays = query({
  name: "ingest.stored_bytes_of_days",
  sql: `SELECT toDate(minute) AS day, sum(stored_bytes) AS bytes FROM type_totals_1m
    WHERE org_id = {orgId:UUID} AND sample_type = '' AND toDate(minute) IN {days:Array(Date)} GROUP BY day`,
  params: z.object({ orgId: z.uuid(), days: z.array(Day) }),
  row: z.object({ day: Day, bytes: Count }),
});

const refreshMs = minuteMs;
/** Days that other servers removed are noticed after this time. */
const allDaysMs = hourMs;
/** Rows of an upload are stored by then, here or at another server. */
const unstoredMsMax = 2 * minuteMs;

interface Usage {
  bytes: number;
  /** As last read. */
  byDay: Map<string, number>;
  /** Days (UTC) with uploads that their sums may lack, and when the latest one came. */
  readonly changedDays: Map<string, number>;
  /** When all days were last read, and the store's `removalVersion` then. */
  allReadAtMs: number;
  allReadRemovalVersion: number;
  /** Bytes of pending uploads. */
  reserved: number;
  /** Undefined before the first sum. */
  readAtMs: number | undefined;
  /** Bytes accepted while the sum is being read: the sum may lack them. */
  acceptedSince: number;
  reading: Promise<void> | undefined;
}

/** Bytes of one upload that count towards the limit until it is stored or refused. */
export class ReservedBytes {
  readonly #usage: Pick<Usage, "bytes" | "reserved">;
  readonly #limit: Limit;
  #bytes = 0;

  constructor(usage: Pick<Usage, "bytes" | "reserved">, limit: Limit) {
    this.#usage = usage;
    this.#limit = limit;
  }

  /** Reserves more, or returns the refusal and changes nothing. */
  grow(bytes: number): Refusal | undefined {
    const wanted = this.#bytes + bytes;
    const stored = this.#usage.bytes + this.#usage.reserved - this.#bytes;
    if (wanted > this.#limit.value) return uploadTooLarge(wanted, this.#limit);
    if (stored + wanted > this.#limit.value) return quotaExceeded(stored, this.#limit);
    this.#usage.reserved += bytes;
    this.#bytes = wanted;
    return undefined;
  }

  /** A second call does nothing. */
  release(): void {
    this.#usage.reserved -= this.#bytes;
    this.#bytes = 0;
  }
}

interface Dependencies {
  readonly store: Pick<ColumnStore, "query" | "removalVersion">;
  readonly log: Pick<Log, "warn">;
  readonly now: () => Date;
  /** Monotonic milliseconds from any moment on. */
  readonly elapsedMs: () => number;
}

/**
 * Limits the stored bytes of an organization. An upload costs an addition in memory. Once a minute the days that may have changed
 * are read from the store: today, yesterday and the days of uploads, here and at other servers. All days are read after a removal, and once
 * an hour.
 */
export class StoredBytesLimit {
  readonly #dependencies: Dependencies;
  readonly #jobLog: JobLog;
  readonly #usages = new Map<string, Usage>();
  #removalsNoted = 0;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#jobLog = new JobLog(dependencies.log, "the sum of an organization's stored bytes");
  }

  /**
   * Waits for the store at the first upload of an organization only. Between the check and the reservation nothing else
   * runs, so that parallel uploads cannot exceed the limit together.
   */
  async reserve(orgId: string, bytes: number, limit: Limit): Promise<ReservedBytes | Refusal> {
    const { elapsedMs } = this.#dependencies;
    let usage = this.#usages.get(orgId);
    if (usage === undefined) {
      usage = newUsage();
      this.#usages.set(orgId, usage);
    }
    if (usage.readAtMs === undefined) await this.#refresh(orgId, usage);
    else if (elapsedMs() - usage.readAtMs >= refreshMs) void this.#refresh(orgId, usage);
    const reserved = new ReservedBytes(usage, limit);
    return reserved.grow(bytes) ?? reserved;
  }

  /** @param days (UTC) of the stored profiles */
  noteAccepted(orgId: string, bytes: number, days: readonly string[]): void {
    const usage = this.#usages.get(orgId);
    if (usage === undefined) return;
    for (const day of days) usage.changedDays.set(day, this.#dependencies.elapsedMs());
    usage.bytes += bytes;
    usage.acceptedSince += bytes;
  }

  /** Reads the sums again with the next uploads, because something was removed. */
  noteRemoval(): void {
    this.#removalsNoted++;
    for (const usage of this.#usages.values()) {
      usage.allReadAtMs = Number.NEGATIVE_INFINITY;
      if (usage.readAtMs !== undefined) usage.readAtMs = Number.NEGATIVE_INFINITY;
    }
  }

  #refresh(orgId: string, usage: Usage): Promise<void> {
    usage.reading ??= this.#read(orgId, usage).finally(() => {
      usage.reading = undefined;
    });
    return usage.reading;
  }

  async #read(orgId: string, usage: Usage): Promise<void> {
    const { elapsedMs } = this.#dependencies;
    usage.acceptedSince = 0;
    const removalsSeen = this.#removalsNoted;
    try {
      const stored = await this.#readDays(orgId, usage);
      usage.bytes = stored + usage.acceptedSince;
      this.#jobLog.succeeded();
    } catch (error) {
      // Uploads go on with the last sum: a profile is worth more than an exact limit.
      this.#jobLog.failed(error, { orgId });
    }
    // A sum that began before a removal may still count removed profiles.
    usage.readAtMs = removalsSeen === this.#removalsNoted ? elapsedMs() : Number.NEGATIVE_INFINITY;
  }

  /** Returns the sum of all days. */
  async #readDays(orgId: string, usage: Usage): Promise<number> {
    const { store, now, elapsedMs } = this.#dependencies;
    const removalVersion = store.removalVersion();
    const startedAtMs = elapsedMs();
    const isAll =
      removalVersion !== usage.allReadRemovalVersion || startedAtMs - usage.allReadAtMs >= allDaysMs;
    const today = now().getTime();
    const days = [...new Set([utcDayOf(today), utcDayOf(today - dayMs), ...usage.changedDays.keys()])];
    const rows = isAll
      ? await store.query(storedBytesByDay, { orgId })
      : await store.query(storedBytesOfDays, { orgId, days });
    const before = isAll ? [] : [...usage.byDay].filter(([day]) => !days.includes(day));
    usage.byDay = new Map([...before, ...rows.map(({ day, bytes }) => [day, bytes] as const)]);
    for (const [day, sinceMs] of usage.changedDays)
      if (sinceMs < startedAtMs - unstoredMsMax) usage.changedDays.delete(day);
    if (isAll) {
      usage.allReadAtMs = startedAtMs;
      usage.allReadRemovalVersion = removalVersion;
    }
    return [...usage.byDay.values()].reduce((sum, bytes) => sum + bytes, 0);
  }
}

function newUsage(): Usage {
  return {
    bytes: 0,
    byDay: new Map(),
    changedDays: new Map(),
    allReadAtMs: Number.NEGATIVE_INFINITY,
    allReadRemovalVersion: 0,
    reserved: 0,
    readAtMs: undefined,
    acceptedSince: 0,
    reading: undefined,
  };
}

function quotaExceeded(bytes: number, limit: Limit): Refusal {
  return {
    code: "quota_exceeded",
    reason: "organization_stored_bytes",
    message: `Your organization stores ${bytes} bytes of profiles; its limit is ${limit.value}. Shorten the retention (PUT /api/v1/protected/organization/retention), delete a service, or ${raising(limit)}.`,
  };
}

function uploadTooLarge(bytes: number, limit: Limit): Refusal {
  return {
    code: "quota_exceeded",
    reason: "organization_stored_bytes",
    message: `This upload has ${bytes} bytes or more; the limit of your organization is ${limit.value} bytes of stored profiles. Send smaller profiles, or ${raising(limit)}.`,
  };
}
