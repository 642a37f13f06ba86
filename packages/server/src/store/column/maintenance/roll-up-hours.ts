import { z } from "zod";
import type { ColumnClient } from "#store/column/client/client.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { daySeconds } from "#store/column/utc.ts";
import { Count, Day } from "#store/column/values.ts";
import type { StoreLog } from "#store/log.ts";
import { QueryTooExpensive, StoreDamaged, StoreOutOfMemory, StoreUnavailable } from "#store/unavailable.ts";
import {
  hourLimits,
  type RollUpChunk,
  type RollUpLimits,
  rollUpProfiles,
  rollUpStacks,
  type StaleSeries,
  toChunks,
} from "./roll-up-chunks.ts";
import { rollUpLabels } from "./roll-up-labels.ts";

/** How far the hourly roll-ups are behind the profiles. */
export interface RollUpLag {
  /** Since they last held all profiles that they are to hold. */
  readonly seconds: number;
  /** Profiles of hours that are over and not rolled up. */
  readonly profiles: number;
  /** An operator is to know. */
  readonly isLong: boolean;
}

/** Readers of long ranges notice it when roll-ups are further behind. */
const lagSecondsMax = 2 * 3600;

/**
 * Rolls up hours that are over: the newest and the oldest in turns, so that neither waits for the other. An hour is done when its
 * roll-ups hold as many profiles as are stored; a late profile makes it stale again.
 */
export class HourRollUps {
  readonly #log: Pick<StoreLog, "warn">;
  readonly #nowMs: () => number;
  /** Profiles of days and hours in which nothing was stale, so that they are looked at again only when more are stored. */
  readonly #doneDays = new Map<string, number>();
  readonly #doneHours = new Map<number, number>();
  /** Profiles that are not rolled up, by hour. */
  readonly #backlog = new Map<number, number>();
  #isNewestNext = true;
  #latestMs = 0;
  #caughtUpMs: number;
  /** The end of the hours that were complete when nothing was left to roll up. */
  #doneUntilSeconds = Number.POSITIVE_INFINITY;
  #isWarned = false;

  constructor(log: Pick<StoreLog, "warn">, nowMs: () => number = Date.now) {
    this.#log = log;
    this.#nowMs = nowMs;
    this.#caughtUpMs = nowMs();
  }

  /**
   * Rolls up hours before `untilSeconds` until `shouldStop`; returns how many hours of series it wrote. A series that fails does not
   * keep the others from their turn: the first failure is thrown in the end.
   */
  async run(
    client: ColumnClient,
    untilSeconds: number,
    { shouldStop, endsAt }: RollUpLimits,
  ): Promise<number> {
    const hours = await this.#staleHours(client, untilSeconds);
    this.#backlog.clear();
    for (const { hourSeconds: hour, missing } of hours) this.#backlog.set(hour, missing);
    const ends = { newest: new OpenHour(client, this.#nowMs), oldest: new OpenHour(client, this.#nowMs) };
    const failures: FailedSeries[] = [];
    let written = 0;
    while (hours.length > 0 && !shouldStop()) {
      const hour = this.#isNewestNext ? hours.at(-1)! : hours[0]!;
      // The last hour is the newest and the oldest one.
      const open = this.#isNewestNext || ends.newest.hour === hour ? ends.newest : ends.oldest;
      this.#isNewestNext = !this.#isNewestNext;
      const chunk = await open.next(hour);
      if (chunk === undefined) {
        hours.splice(hours.indexOf(hour), 1);
        if (!open.hasFailed) this.#finish(hour);
        continue;
      }
      const failed = await this.#write(client, { ...chunk, endsAt: endsAt() });
      written += chunk.series.length - new Set(failed.map(({ series }) => series)).size;
      failures.push(...failed);
      open.hasFailed ||= failed.length > 0;
    }
    if (failures.length > 0) throw failures[0]!.error;
    if (hours.length === 0) {
      this.#caughtUpMs = this.#nowMs();
      this.#doneUntilSeconds = untilSeconds;
    }
    return written;
  }

  /** To be called after rows were removed or counted again: equal counts may now be of other rows. */
  forget(): void {
    this.#doneDays.clear();
    this.#doneHours.clear();
  }

  /** To be called while another process rolls up, and when this one begins to: what it knew may have changed, and it is behind nothing. */
  standBy(): void {
    this.forget();
    this.#backlog.clear();
    this.#caughtUpMs = this.#nowMs();
  }

  lag(): RollUpLag {
    const seconds = Math.max(0, (this.#nowMs() - this.#caughtUpMs) / 1000);
    const profiles = [...this.#backlog.values()].reduce((sum, missing) => sum + missing, 0);
    return { seconds, profiles, isLong: seconds > lagSecondsMax };
  }

  /** From the oldest hour whose roll-ups lack profiles to the end of the newest complete one; 0 where none lacks any. */
  behindSeconds(untilSeconds: number): number {
    return Math.max(0, untilSeconds - Math.min(this.#doneUntilSeconds, ...this.#backlog.keys()));
  }

  /** Warns once when the roll-ups are far behind, and says when they have caught up. */
  noteLag(): void {
    const lag = this.lag();
    if (lag.isLong === this.#isWarned) return;
    this.#isWarned = lag.isLong;
    const text = lag.isLong
      ? "the hourly roll-ups are more than two hours behind: long ranges read single profiles and may fail; give the server more CPU, or send fewer profiles"
      : "the hourly roll-ups have caught up";
    this.#log.warn({ profiles: lag.profiles, seconds: Math.round(lag.seconds) }, text);
  }

  async #staleHours(client: ColumnClient, untilSeconds: number): Promise<CountedHour[]> {
    const stale: CountedHour[] = [];
    for (const { day, profiles } of await client.query(storedDays, {})) {
      const startSeconds = Date.parse(day) / 1000;
      if (startSeconds >= untilSeconds || this.#doneDays.get(day) === profiles) continue;
      const hours = await client.query(countedHours, { day, untilSeconds });
      const ofDay = hours.filter(
        (hour) =>
          (hour.stored !== hour.summed || hour.stored !== hour.rolled) &&
          this.#doneHours.get(hour.hourSeconds) !== hour.stored,
      );
      if (ofDay.length === 0 && startSeconds + daySeconds <= untilSeconds) this.#doneDays.set(day, profiles);
      for (const hour of ofDay) {
        stale.push({ ...hour, missing: Math.max(0, hour.stored - Math.min(hour.summed, hour.rolled)) });
      }
    }
    return stale;
  }

  #finish({ hourSeconds: hour, stored }: CountedHour): void {
    this.#doneHours.set(hour, stored);
    this.#backlog.delete(hour);
  }

  async #write(client: ColumnClient, chunk: RollUpChunk): Promise<FailedSeries[]> {
    const { series } = chunk;
    const part = (ofPart: readonly StaleSeries[], write: Write) =>
      inHalves({ ...chunk, series: ofPart }, write);
    const ofTotals = await part(
      series.filter(({ profiles, summed }) => profiles !== summed),
      (each, isRepeated) => rollUpProfiles(client, each, isRepeated),
    );
    const ofStacks = series.filter(({ profiles, rolled }) => profiles > 0 && profiles !== rolled);
    // Labels first: a series whose stacks are rolled up has all of its roll-ups.
    const ofLabels = await part(
      ofStacks.filter(({ isLabelled }) => isLabelled),
      (each) => rollUpLabels(client, each, this.#nextVersion(each)),
    );
    const isLabelFailure = new Set(ofLabels.map((failed) => failed.series));
    const rest = await part(
      ofStacks.filter((each) => !isLabelFailure.has(each)),
      (each) => rollUpStacks(client, each, this.#nextVersion(each)),
    );
    return [...ofTotals, ...ofLabels, ...rest];
  }

  /**
   * By the clock: an interrupted attempt leaves sums under a version that no table names. A later attempt has a higher one, because
   * merges keep the sums of the highest. Where the clock was ahead, above the latest.
   */
  #nextVersion({ series }: RollUpChunk): number {
    this.#latestMs = Math.max(this.#nowMs(), this.#latestMs + 1);
    const latest = series.reduce((highest, each) => Math.max(highest, each.latest), 0);
    return latest < this.#latestMs ? this.#latestMs : latest + Math.max(1, this.#latestMs - raiseSinceMs);
  }
}

/** Keeps versions that are raised thousands of times within 53 bits. */
const raiseSinceMs = Date.UTC(2026, 0, 1);

interface FailedSeries {
  readonly series: StaleSeries;
  readonly error: unknown;
}

type Write = (chunk: RollUpChunk, isRepeated: boolean) => Promise<void>;

/**
 * Writes a chunk; one that takes too much, or reads something damaged, is written in halves, down to single series. Throws if the store
 * is away.
 */
async function inHalves(chunk: RollUpChunk, write: Write, isRepeated = false): Promise<FailedSeries[]> {
  const { series } = chunk;
  if (series.length === 0) return [];
  try {
    await write(chunk, isRepeated);
    return [];
  } catch (error) {
    const isTooMuch = error instanceof QueryTooExpensive || error instanceof StoreOutOfMemory;
    if (error instanceof StoreUnavailable && !isTooMuch) throw error;
    if (series.length === 1 || !(isTooMuch || error instanceof StoreDamaged))
      return series.map((each) => ({ series: each, error }));
    const middle = Math.ceil(series.length / 2);
    const first = await inHalves({ ...chunk, series: series.slice(0, middle) }, write, true);
    return [...first, ...(await inHalves({ ...chunk, series: series.slice(middle) }, write, true))];
  }
}

/** The chunks of an hour, which are read when the first is asked for. */
class OpenHour {
  readonly #client: ColumnClient;
  readonly #nowMs: () => number;
  #chunks: Omit<RollUpChunk, "endsAt">[] = [];
  hour: CountedHour | undefined;
  hasFailed = false;

  constructor(client: ColumnClient, nowMs: () => number) {
    this.#client = client;
    this.#nowMs = nowMs;
  }

  /** Undefined after the last one. */
  async next(hour: CountedHour): Promise<Omit<RollUpChunk, "endsAt"> | undefined> {
    if (this.hour !== hour) {
      const series = await this.#client.query(staleSeries, { hour: new Date(hour.hourSeconds * 1000) });
      this.#chunks = toChunks(hour.hourSeconds, series, this.#nowMs()).reverse();
      this.hour = hour;
      this.hasFailed = false;
    }
    return this.#chunks.pop();
  }
}

/** ClickHouse answers it from the metadata of the parts, without reading rows. */
const storedDays = maintenanceQuery({
  name: "roll-up.stored-days",
  sql: "SELECT toDate(started_at) AS day, count() AS profiles FROM profiles GROUP BY day ORDER BY day",
  params: z.object({}),
  row: z.object({ day: Day, profiles: Count }),
});

/** Profiles of the hours of a day, of all series: which are stored, and which the roll-ups hold. */
const countedHours = maintenanceQuery({
  name: "roll-up.counted-hours",
  sql: `SELECT toUnixTimestamp(hour) AS hourSeconds, sum(stored) AS stored, sum(summed) AS summed, sum(rolled) AS rolled
        FROM (
          SELECT toStartOfHour(started_at) AS hour, count() AS stored, 0 AS summed, 0 AS rolled
          FROM profiles WHERE toDate(started_at) = {day:Date} GROUP BY hour
          UNION ALL
          SELECT hour, 0 AS stored, sum(profiles) AS summed, 0 AS rolled
          FROM profile_totals_1h WHERE toDate(hour) = {day:Date} GROUP BY hour
          UNION ALL
          SELECT hour, 0 AS stored, 0 AS summed, sum(profiles) AS rolled
          FROM rolled_hours FINAL WHERE toDate(hour) = {day:Date} GROUP BY hour
        )
        WHERE hour < toDateTime({untilSeconds:UInt32}, 'UTC')
        GROUP BY hour
        ORDER BY hour`,
  params: z.object({ day: Day, untilSeconds: z.int() }),
  row: z.object({ hourSeconds: z.int(), stored: Count, summed: Count, rolled: Count }),
});

type CountedHour = ReturnType<(typeof countedHours)["row"]["parse"]> & { readonly missing: number };

/** Series of an hour whose roll-ups hold other profiles than are stored. Ordered as they are stored. */
const staleSeries = maintenanceQuery({
  name: "roll-up.stale-series",
  sql: `SELECT org_id AS orgId, service, type, sum(stored) AS profiles, sum(summed) AS summed, sum(rolled) AS rolled,
          max(version) AS latest, sum(stack_values) AS values, max(is_labelled) AS isLabelled
        FROM (
          SELECT org_id, service, type, count() AS stored, 0 AS summed, 0 AS rolled, 0 AS version,
            sum(toUInt64(stack_count) * length(sample_types)) AS stack_values, max(notEmpty(label_sets)) AS is_labelled
          FROM profiles WHERE ${hourLimits}
          GROUP BY org_id, service, type
          UNION ALL
          SELECT org_id, service, type, 0, sum(profiles), 0, 0, 0, 0
          FROM profile_totals_1h WHERE hour = {hour:DateTime('UTC')} GROUP BY org_id, service, type
          UNION ALL
          SELECT org_id, service, type, 0, 0, argMax(profiles, rolled_hours.version), max(rolled_hours.version), 0, 0
          FROM rolled_hours WHERE hour = {hour:DateTime('UTC')} GROUP BY org_id, service, type
          UNION ALL
          SELECT org_id, service, type, 0, 0, 0, max(rolled_label_hours.version), 0, 0
          FROM rolled_label_hours WHERE hour = {hour:DateTime('UTC')} GROUP BY org_id, service, type
        )
        GROUP BY org_id, service, type
        HAVING profiles != summed OR (profiles > 0 AND profiles != rolled)
        ORDER BY org_id, service, type`,
  params: z.object({ hour: z.date() }),
  row: z.object({
    orgId: z.uuid(),
    service: z.string(),
    type: z.string(),
    profiles: Count,
    summed: Count,
    rolled: Count,
    latest: Count,
    values: Count,
    isLabelled: z.int().transform((flag) => flag === 1),
  }),
});
