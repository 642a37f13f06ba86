import type { InsertBatch, SeriesHour } from "#store/column/column-store.ts";
import { hourOf } from "#store/column/utc.ts";
import { toWordsBase64 } from "#store/column/values.ts";

export interface ProfileRow {
  readonly orgId?: string;
  readonly service?: string;
  readonly profileId: string;
  readonly startedAt?: Date;
  readonly sampleTypes?: readonly string[];
  readonly stacks: readonly bigint[];
  /** One list per sample type, parallel to `stacks`. */
  readonly values: readonly (readonly bigint[])[];
}

const defaultService = "checkout";
export const testOrg = "6f9619ff-8b86-4011-b42d-00c04fc964ff";

const columns = [
  "org_id",
  "service",
  "type",
  "started_at",
  "profile_id",
  "received_at",
  "duration_ns",
  "tags",
  "sample_types",
  "totals",
  "deltas_totals",
  "sample_count",
  "stack_count",
  "original_bytes",
  "stacks_b64",
  "values",
] as const;

/** The insert ingestion makes for profiles. */
export function profileBatch(rows: readonly ProfileRow[], dedupToken: string): InsertBatch {
  const lines = rows.map((row) => {
    const sampleTypes = row.sampleTypes ?? ["samples/count", "cpu/nanoseconds"];
    const startedMs = startedMsOf(row);
    const totals = row.values.map((list) => String(list.reduce((sum, value) => sum + value, 0n)));
    return JSON.stringify([
      row.orgId ?? testOrg,
      row.service ?? defaultService,
      "cpu",
      // A number with decimals is seconds; milliseconds as an integer would be read as ticks of the column.
      startedMs,
      row.profileId,
      startedMs,
      10_000_000_000,
      { region: "eu" },
      sampleTypes,
      totals,
      totals,
      row.stacks.length,
      row.stacks.length,
      1000,
      toWordsBase64(BigUint64Array.from(row.stacks)),
      row.values.map((list) => list.map(String)),
    ]);
  });
  return { table: "profiles", columns, rows: lines.join("\n"), dedupToken, hours: rows.map(hourOfProfile) };
}

function startedMsOf({ startedAt }: ProfileRow): number {
  return (startedAt ?? new Date("2026-11-20T10:00:00.123Z")).getTime();
}

function hourOfProfile(row: ProfileRow): SeriesHour {
  const hourSeconds = hourOf(Math.floor(startedMsOf(row) / 1000));
  return { orgId: row.orgId ?? testOrg, service: row.service ?? defaultService, hourSeconds };
}
