import { minuteMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { ColumnClient } from "#store/column/client/client.ts";
import type { ClientSource } from "#store/column/client/client-source.ts";
import type { OpenOperations } from "#store/column/client/open-operations.ts";
import { type MaintenanceQuery, maintenanceQuery } from "#store/column/query.ts";
import type { Changes } from "#store/column/read-cache/changes.ts";
import { hourSeconds } from "#store/column/utc.ts";
import { Count } from "#store/column/values.ts";
import type { SeriesHour } from "#store/column/write/doubtful-hours.ts";
import { JobLog } from "#store/job-log.ts";
import type { StoreLog } from "#store/log.ts";
import { Turns } from "#store/turns.ts";
import { recountStore } from "./recount-hours.ts";
import { endless, isInTerm, type RollUpLimits } from "./roll-up-chunks.ts";
import { HourRollUps, type RollUpLag } from "./roll-up-hours.ts";
import { onCluster, type RemovedRows, RowRemover, type ServiceKey } from "./row-remover.ts";

/** Work on the store as a whole: no user's request needs it to be answered. */
export interface ColumnMaintenance {
  query<P, R>(query: MaintenanceQuery<P, R>, params: P): Promise<R[]>;
  /**
   * Brings the hourly roll-ups up to date, for half of five minutes at most; returns how many hours of series it wrote. Also runs every
   * five minutes.
   */
  rollUp(now: Date): Promise<number>;
  rollUpLag(): RollUpLag;
  /** From now on, the roll-up that runs every five minutes runs only where this process leads it. */
  leadRollUps(lead: () => Promise<RollUpTerm | undefined>): void;
  /** Calls every five minutes with the seconds by which the roll-ups are behind the newest hour that is complete. */
  watchRollUps(observe: (behindSeconds: number) => void): void;
  /**
   * Counts the roll-ups of these hours again from their rows. Nothing may be inserted meanwhile. Does nothing if a
   * ClickHouse server is used. Rejects after the current step once `stopped` is aborted: the hours stay doubtful.
   */
  recount(hours: readonly SeriesHour[], stopped?: AbortSignal): Promise<void>;
  /** Recounts the days whose roll-ups differ from their rows. Nothing may be inserted meanwhile, by this or another server. */
  recountStore(steps: Parameters<typeof recountStore>[2]): Promise<void>;
  /** Hours with rows that roll-ups may lack, to be passed to `recount`: hours of failed inserts, and marked hours. */
  doubtfulHours(): readonly SeriesHour[];
  markDoubtful(hours: readonly SeriesHour[]): void;
  /**
   * Drops whole days before `before` (YYYY-MM-DD) from all tables; returns the number of partitions. Once `stopped` is
   * aborted it ends after the current step, as do `removeDays` and `purge`: the same call continues from there.
   */
  dropDays(before: string, stopped?: AbortSignal): Promise<number>;
  /** As `dropDays`, of the table of payloads alone. */
  dropPayloads(before: string, stopped?: AbortSignal): Promise<number>;
  /**
   * Removes one organization's days before `before` from all tables. It does not wait for rows of this or other servers, which might wait
   * for the caller: rows that come later stay.
   */
  removeDays(orgId: string, before: string, stopped?: AbortSignal): Promise<RemovedRows>;
  /** Removes the profiles of one type of days before `before`, of all organizations; names of functions stay until their day is dropped. */
  removeType(type: string, before: string, stopped?: AbortSignal): Promise<RemovedRows>;
  /**
   * Removes all rows of a service. Names of functions stay, because other services may share them. Nothing of the
   * service may be inserted meanwhile.
   */
  removeService(service: ServiceKey): Promise<RemovedRows>;
  /** Frees the disk space of removed rows; returns the number of partitions with rewritten parts. */
  purge(stopped?: AbortSignal): Promise<number>;
}

/** For how long this process alone may roll up. */
interface RollUpTerm {
  /** Higher for each next process. */
  readonly number: number;
  readonly ended: AbortSignal;
  leftMs(): number;
}

/** Profiles arrive a little after they were taken; by then all of an hour should have arrived. */
const rollUpGraceSeconds = 300;
const rollUpEveryMs = 5 * minuteMs;
/** The rest is for uploads and reads. */
const rollUpMsMax = rollUpEveryMs / 2;

interface Dependencies {
  readonly source: ClientSource;
  readonly operations: OpenOperations;
  readonly withClient: <T>(operation: (client: ColumnClient) => Promise<T>) => Promise<T>;
  readonly changes: Changes;
  /** Called when a removal begins and when it ends: rows read before may be gone. */
  readonly onRemoval: () => void;
  readonly cluster: string | undefined;
  readonly log: StoreLog;
}

/** `stop` ends the repeated roll-up. */
export function openMaintenance(dependencies: Dependencies): ColumnMaintenance & { stop(): void } {
  const { source, operations, withClient, changes, onRemoval, cluster, log } = dependencies;
  // A roll-up that read before a removal must not write after it.
  const turns = new Turns();
  const hourRollUps = new HourRollUps(log);
  const rollUp = (now: Date, term?: RollUpTerm) =>
    turns.run(() =>
      withClient((client) => {
        const isStopped = () => operations.isFinishing || turns.isWaitedFor || term?.ended.aborted === true;
        return rollUpAll(client, now, { hourRollUps, isStopped, changes, term });
      }),
    );
  const remove = async <T>(
    operation: (remover: RowRemover) => Promise<T>,
    stopped?: AbortSignal,
  ): Promise<T> => {
    onRemoval();
    try {
      return await turns.run(() =>
        changes.during("everything", () =>
          withClient((client) => operation(new RowRemover(client, cluster, stopped))),
        ),
      );
    } finally {
      hourRollUps.forget();
      onRemoval();
    }
  };
  // A roll-up that waited would end the running one early.
  const repeated = repeatRollUp(async (now, term) => turns.isFree && rollUp(now, term), hourRollUps, log);
  return {
    ...repeated,
    query: (definition, params) =>
      withClient((client) => source.reading(() => client.query(definition, params))),
    rollUp: (now) => rollUp(now),
    rollUpLag: () => hourRollUps.lag(),
    recount: (hours, stopped) =>
      operations.run(() =>
        turns.run(async () => {
          await changes.during(hours, () => source.recount(hours, stopped));
          hourRollUps.forget();
        }),
      ),
    recountStore: (steps) => withClient((client) => recountStore(client, onCluster(cluster), steps)),
    doubtfulHours: source.doubtfulHours,
    markDoubtful: source.markDoubtful,
    dropDays: (before, stopped) => remove((remover) => remover.dropDays(before), stopped),
    dropPayloads: (before, stopped) =>
      withClient((client) => new RowRemover(client, cluster, stopped).dropDays(before, "payloads")),
    removeDays: (orgId, before, stopped) => remove((remover) => remover.removeDays(orgId, before), stopped),
    removeType: (type, before, stopped) => remove((remover) => remover.removeType(type, before), stopped),
    removeService: (service) => remove((remover) => remover.removeService(service)),
    purge: (stopped) => remove((remover) => remover.purge(), stopped),
  };
}

interface RollUpRun {
  readonly hourRollUps: HourRollUps;
  readonly isStopped: () => boolean;
  readonly changes: Changes;
  readonly term: RollUpTerm | undefined;
}

async function rollUpAll(
  client: ColumnClient,
  now: Date,
  { hourRollUps, isStopped, changes, term }: RollUpRun,
): Promise<number> {
  const untilSeconds = lastWholeHour(now, rollUpGraceSeconds);
  const endAt = performance.now() + rollUpMsMax;
  const limits = {
    shouldStop: () => isStopped() || performance.now() > endAt,
    endsAt: term === undefined ? () => endless : await endOnStoreClock(client, term),
  };
  let isChanged = true;
  try {
    const http = await rollUpHttp(client, untilSeconds, limits);
    const series = await hourRollUps.run(client, untilSeconds, limits);
    isChanged = http + series > 0;
    return series;
  } finally {
    // No sum is different, but which hours are rolled up is. One that failed may have written some.
    if (isChanged) changes.recordAll();
  }
}

const storeClock = maintenanceQuery({
  name: "roll-up.clock",
  sql: "SELECT toUnixTimestamp64Milli(now64(3)) AS atMs",
  params: z.object({}),
  row: z.object({ atMs: Count }),
});

/**
 * A process that hung may send a statement when another one leads. So each statement carries the end of the term on the store's clock,
 * after which it writes nothing.
 */
async function endOnStoreClock(client: ColumnClient, term: RollUpTerm): Promise<() => number> {
  const [{ atMs } = { atMs: 0 }] = await client.query(storeClock, {});
  const aheadMs = atMs - performance.now();
  return () => Math.floor((aheadMs + performance.now() + term.leftMs()) / 1000);
}

/** The end of the latest hour whose profiles should all have arrived. */
function lastWholeHour(now: Date, graceSeconds: number): number {
  return Math.floor((now.getTime() / 1000 - graceSeconds) / hourSeconds) * hourSeconds;
}

function repeatRollUp(
  rollUp: (now: Date, term: RollUpTerm | undefined) => Promise<unknown>,
  hourRollUps: HourRollUps,
  log: StoreLog,
): Pick<ColumnMaintenance, "watchRollUps" | "leadRollUps"> & { stop(): void } {
  const jobLog = new JobLog(log, "the hourly roll-up");
  let observeLag: (behindSeconds: number) => void = () => undefined;
  let lead: (() => Promise<RollUpTerm | undefined>) | undefined;
  let latestTerm: number | undefined;
  const runIfLeading = async (now: Date): Promise<void> => {
    const term = await lead?.();
    const isNew = term !== undefined && term.number !== latestTerm;
    latestTerm = term?.number;
    if (lead !== undefined && (term === undefined || isNew)) hourRollUps.standBy();
    // The last statement of the process that led before may still run.
    if (lead === undefined || (term !== undefined && (!isNew || term.number === 1))) await rollUp(now, term);
  };
  const run = async (now: Date): Promise<void> => {
    try {
      await runIfLeading(now);
      jobLog.succeeded();
    } catch (error) {
      jobLog.failed(error);
    }
    hourRollUps.noteLag();
    observeLag(hourRollUps.behindSeconds(lastWholeHour(now, rollUpGraceSeconds)));
  };
  const timer = setInterval(() => void run(new Date()), rollUpEveryMs).unref();
  return {
    watchRollUps(observe) {
      observeLag = observe;
    },
    leadRollUps(leadNow) {
      lead = leadNow;
    },
    stop: () => clearInterval(timer),
  };
}

/** Requests may be older than their upload. Later arrivals are read from the totals by minute. */
const backSeconds = 2 * 86_400;

const Stale = z.object({ orgId: z.uuid(), service: z.string(), hourSeconds: z.int() });

/** Hours whose roll-up is missing or counts other requests than the totals by minute. */
const staleHours = maintenanceQuery({
  name: "roll-up.stale-http-hours",
  sql: `SELECT org_id AS orgId, service, toUnixTimestamp(hour) AS hourSeconds
        FROM (
          SELECT org_id, service, toStartOfHour(minute) AS hour, sum(requests) AS counted, 0 AS summed
          FROM http_service_totals_1m
          WHERE minute >= toDateTime({fromSeconds:UInt32}, 'UTC') AND minute < toDateTime({untilSeconds:UInt32}, 'UTC')
          GROUP BY org_id, service, hour
          UNION ALL
          SELECT org_id, service, hour, 0 AS counted, sum(requests) AS summed
          FROM http_totals_1h
          WHERE hour >= toDateTime({fromSeconds:UInt32}, 'UTC') AND hour < toDateTime({untilSeconds:UInt32}, 'UTC')
          GROUP BY org_id, service, hour
        )
        GROUP BY org_id, service, hour
        HAVING sum(counted) != sum(summed)
        ORDER BY hourSeconds DESC, orgId, service`,
  params: z.object({ fromSeconds: z.int(), untilSeconds: z.int() }),
  row: Stale,
});

/** Brings http_totals_1h up to date for the hours before `untilSeconds`, until it is to stop; returns how many it wrote. */
async function rollUpHttp(
  client: ColumnClient,
  untilSeconds: number,
  { shouldStop, endsAt }: RollUpLimits,
): Promise<number> {
  const stale = await client.query(staleHours, { fromSeconds: untilSeconds - backSeconds, untilSeconds });
  let written = 0;
  for (const [hourSeconds, ofHour] of Map.groupBy(stale, (row) => row.hourSeconds)) {
    for (let at = 0; at < ofHour.length && !shouldStop(); at += servicesPerStatement) {
      const services = ofHour.slice(at, at + servicesPerStatement);
      const params = {
        hour: new Date(hourSeconds * 1000),
        orgIds: services.map(({ orgId }) => orgId),
        services: services.map(({ service }) => service),
        endsAt: endsAt(),
      };
      await client.command(removeHour, params);
      await client.command(sumHour, params);
      written += services.length;
    }
  }
  return written;
}

/** Parameters are part of a statement, whose length the engine limits: a name may have 200 characters. */
const servicesPerStatement = 500;

const ofServices = "(org_id, service) IN arrayZip({orgIds:Array(UUID)}, {services:Array(String)})";

const removeHour = `DELETE FROM http_totals_1h WHERE hour = {hour:DateTime('UTC')} AND ${ofServices}
SETTINGS lightweight_deletes_sync = 2`;

// Rows that were removed must be inserted again, so deduplication is off.
const sumHour = `INSERT INTO http_totals_1h
  (org_id, service, method, path, status_class, hour, requests, duration_seconds, durations)
SELECT org_id, service, method, path, status_class, toStartOfHour(minute) AS hour, sum(minutes.requests) AS requests,
  sum(minutes.duration_seconds) AS duration_seconds, sumMap(minutes.durations) AS durations
FROM http_totals_1m AS minutes
WHERE minute >= {hour:DateTime('UTC')} AND minute < {hour:DateTime('UTC')} + INTERVAL 1 HOUR AND ${ofServices} AND ${isInTerm}
GROUP BY org_id, service, method, path, status_class, hour
SETTINGS max_threads = 1, insert_deduplicate = 0, max_bytes_before_external_group_by = 100000000`;
