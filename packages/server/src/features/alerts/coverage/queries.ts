import { dayMs } from "@flamekeep/contract/durations";
import type { Selectable } from "kysely";
import { z } from "zod";
import type { Sensitivity } from "#alerts/detect/sensitivity.ts";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import type { Database, RowStore } from "#store/row/row-store.ts";

const Range = z.object({ orgId: z.uuid(), fromMs: z.int(), toMs: z.int() });

/** The sample types that each service sent. */
export const sentSampleTypes = query({
  name: "alerts.sent-sample-types",
  sql: `SELECT DISTINCT service, type, sample_type AS sampleType
        FROM type_totals_1m
        WHERE org_id = {orgId:UUID} AND sample_type != '' AND type != 'metrics'
          AND minute >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
          AND minute < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
        ORDER BY service, type, sampleType`,
  params: Range,
  row: z.object({ service: z.string(), type: z.string(), sampleType: z.string() }),
});

/** How many profiles of each service name a version, and how many instances its tags tell apart. Reads only the column of tags. */
export const sentTags = query({
  name: "alerts.sent-tags",
  sql: `SELECT service, countIf(hasAny(mapKeys(tags), {versionTags:Array(String)})) AS withVersion,
          uniqExactIf(tags[arrayFirst(name -> tags[name] != '', {instanceTags:Array(String)})],
            hasAny(mapKeys(tags), {instanceTags:Array(String)})) AS instances
        FROM profiles
        WHERE org_id = {orgId:UUID}
          AND started_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
          AND started_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
        GROUP BY service`,
  params: Range.extend({ versionTags: z.array(z.string()), instanceTags: z.array(z.string()) }),
  row: z.object({ service: z.string(), withVersion: Count, instances: Count }),
});

type CoverageRow = Omit<Selectable<Database["alertCoverage"]>, "orgId">;

/** The coverage of a silent service is stored this long. */
export const retentionMs = 8 * dayMs;

/** Undefined without a row that was judged since `oldest`. */
export function getCoverage(
  rows: RowStore,
  orgId: string,
  service: string,
  oldest: Date,
): Promise<CoverageRow | undefined> {
  return rows
    .selectFrom("alertCoverage")
    .select(["service", "judgedAt", "coverage"])
    .where("orgId", "=", orgId)
    .where("service", "=", service)
    .where("judgedAt", ">=", oldest.toISOString())
    .executeTakeFirst();
}

export interface MarkedCounts {
  /** Without alerts of rules, which cannot be marked as expected. */
  readonly opened: number;
  /** Those of them that are marked as expected. */
  readonly expected: number;
}

/** Counts the alerts of a service that opened since a time. */
export function countMarked(
  rows: RowStore,
  orgId: string,
  service: string,
  since: Date,
): Promise<MarkedCounts> {
  return rows
    .selectFrom("alerts")
    .leftJoin("alertHandling", (join) =>
      join.onRef("alertHandling.orgId", "=", "alerts.orgId").onRef("alertHandling.alertId", "=", "alerts.id"),
    )
    .select(({ fn }) => [
      fn.countAll<number>().as("opened"),
      fn.count<number>("alertHandling.expectedAt").as("expected"),
    ])
    .where("alerts.orgId", "=", orgId)
    .where("alerts.service", "=", service)
    .where("alerts.ruleId", "is", null)
    .where("alerts.openedAt", ">=", since.toISOString())
    .executeTakeFirstOrThrow();
}

/** Rows of one statement: SQLite binds at most 32,766 values. */
const rowsMax = 1000;

/** Replaces the rows of these services, and removes rows of the organization that were judged before `oldest`. */
export async function storeCoverage(
  rows: RowStore,
  orgId: string,
  coverage: readonly CoverageRow[],
  oldest: Date,
): Promise<void> {
  await rows.transaction().execute(async (transaction) => {
    for (let from = 0; from < coverage.length; from += rowsMax) {
      await transaction
        .insertInto("alertCoverage")
        .values(coverage.slice(from, from + rowsMax).map((row) => ({ orgId, ...row })))
        .onConflict((conflict) =>
          conflict.columns(["orgId", "service"]).doUpdateSet(({ ref }) => ({
            judgedAt: ref("excluded.judgedAt"),
            coverage: ref("excluded.coverage"),
          })),
        )
        .execute();
    }
    await transaction
      .deleteFrom("alertCoverage")
      .where("orgId", "=", orgId)
      .where("judgedAt", "<", oldest.toISOString())
      .execute();
  });
}

const Found = z.object({ rise: z.number(), withinMs: z.number() });

const StoredSignal = z.object({
  type: z.string(),
  sampleType: z.string(),
  judgedBy: z.enum(["learnt_noise", "first_days", "nothing"]),
  reason: z.enum(["few_days", "few_profiles", "no_profiles", "block_profiles"]).nullable(),
  knownMs: z.number(),
  noise: z.object({ windowMs: z.number(), deviation: z.number() }).nullable(),
  smallest: Found.nullable(),
  withinHour: Found.nullable(),
  /** One for each of `reportedRises`. */
  rises: z.array(Found.nullable()),
});
export type StoredSignal = z.output<typeof StoredSignal>;

/** Facts about a service's uploads that decide what alerts can see. */
const Sent = z.object({
  hasRequests: z.boolean(),
  hasVersions: z.boolean(),
  /** The number of instances that tags tell apart. */
  instances: z.number(),
  /** Sample types that are not judged. */
  notJudged: z.array(z.object({ type: z.string(), sampleType: z.string() })),
});
export type Sent = z.output<typeof Sent>;

/** The JSON of the column `coverage`. */
export const StoredCoverage = z.object({ signals: z.array(StoredSignal), sent: Sent });
export type StoredCoverage = z.output<typeof StoredCoverage>;

export function toStoredSignal(
  { type, sampleType }: { readonly type: string; readonly sampleType: string },
  { reason, noise, smallest, withinHour, rises, judgedBy, knownMs }: Sensitivity,
): StoredSignal {
  return {
    type,
    sampleType,
    judgedBy,
    knownMs,
    reason: reason ?? null,
    noise: noise ?? null,
    smallest: smallest ?? null,
    withinHour: withinHour ?? null,
    rises: rises.map((found) => found ?? null),
  };
}
