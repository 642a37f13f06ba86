import { randomUUID } from "node:crypto";
import type { ColumnClient } from "#store/column/client/client.ts";

/** A service and type with profiles of an hour that roll-ups do not hold. */
export interface StaleSeries {
  readonly orgId: string;
  readonly service: string;
  readonly type: string;
  /** Stored ones, counted before they are summed. */
  readonly profiles: number;
  /** Profiles that profile_totals_1h holds. */
  readonly summed: number;
  /** Profiles that the latest roll-up of stacks holds. */
  readonly rolled: number;
  /** The highest version of a roll-up of stacks or labels; 0 for none. */
  readonly latest: number;
  /** Values of all stacks and sample types. */
  readonly values: number;
  readonly isLabelled: boolean;
}

export interface RollUpLimits {
  readonly shouldStop: () => boolean;
  /** Unix seconds of the store's clock from which on statements write nothing. */
  readonly endsAt: () => number;
}

/** The last second of a DateTime. */
export const endless = 2 ** 32 - 1;

/** In the condition of a statement that writes sums. */
export const isInTerm = "now() < toDateTime({endsAt:UInt32})";

/** Series that are summed by one statement. */
export interface RollUpChunk {
  /** Unix seconds. */
  readonly hourSeconds: number;
  /** See RollUpLimits. */
  readonly endsAt: number;
  readonly series: readonly StaleSeries[];
}

/** A statement's parameters stay below the length of a URL, and its rows within the memory of a query. */
const chunkMax = { series: 500, profiles: 100_000, values: 4_000_000 };

/** The series of an hour in as many chunks as the limits need. */
export function toChunks(
  hour: number,
  series: readonly StaleSeries[],
  nowMs: number,
): Omit<RollUpChunk, "endsAt">[] {
  const chunks: StaleSeries[][] = [];
  let [profiles, values] = [0, 0];
  // A version above the clock would be too high for others.
  const isAlone = ({ latest }: StaleSeries) => latest >= nowMs;
  for (const each of series) {
    profiles += each.profiles;
    values += each.values;
    const chunk = chunks.at(-1);
    const hasRoom =
      chunk !== undefined &&
      chunk.length < chunkMax.series &&
      profiles <= chunkMax.profiles &&
      values <= chunkMax.values;
    if (hasRoom && !isAlone(each) && !isAlone(chunk[0]!)) chunk.push(each);
    else {
      chunks.push([each]);
      [profiles, values] = [each.profiles, each.values];
    }
  }
  return chunks.map((each) => ({ hourSeconds: hour, series: each }));
}

export function paramsOf({ hourSeconds, series, endsAt }: RollUpChunk) {
  return {
    endsAt,
    hour: new Date(hourSeconds * 1000),
    orgIds: series.map(({ orgId }) => orgId),
    services: series.map(({ service }) => service),
    types: series.map(({ type }) => type),
  };
}

export const ofChunk =
  "(org_id, service, type) IN arrayZip({orgIds:Array(UUID)}, {services:Array(String)}, {types:Array(String)})";

/** With milliseconds: against a time without them, the engine may leave out profiles of the last second. */
export const hourLimits =
  "started_at >= {hour:DateTime64(3,'UTC')} AND started_at < {hour:DateTime64(3,'UTC')} + INTERVAL 1 HOUR";

/**
 * Writes the rows of a chunk to profile_totals_1h in place of those that are there. They count the profiles that they sum: if one
 * arrives meanwhile, the counts differ, so that readers do not use the roll-up of this hour and the next run renews it.
 */
export async function rollUpProfiles(
  client: ColumnClient,
  chunk: RollUpChunk,
  isRepeated: boolean,
): Promise<void> {
  const params = paramsOf(chunk);
  if (isRepeated || chunk.series.some(({ summed }) => summed > 0)) await client.command(removeTotals, params);
  await client.command(sumTotals, params);
}

const removeTotals = `DELETE FROM profile_totals_1h WHERE hour = {hour:DateTime('UTC')} AND ${ofChunk}
SETTINGS lightweight_deletes_sync = 2`;

/** The columns of profile_totals_1h that `figures` computes, in its order. */
const figureNames = `profiles, earliest, latest, samples, duration_ms, amount, weight, peak, allocated,
  allocations, peak_allocated, bins, bin_profiles`;

/** Columns that `figures` needs of each profile, in addition to `service`, `type` and `started_at`. */
const profileFigures = `duration_ns / 1e6 AS profile_ms,
  if(has(sample_types, 'samples/count'), deltas_totals[indexOf(sample_types, 'samples/count')],
    toInt64(sample_count)) AS sampled,
  multiIf(type = 'cpu', 100. * deltas_totals[indexOf(sample_types, 'cpu/nanoseconds')],
    type = 'memory', toFloat64(deltas_totals[indexOf(sample_types, 'inuse_space/bytes')]), 0.) AS figure,
  multiIf(type = 'cpu' AND has(sample_types, 'cpu/nanoseconds'), toFloat64(duration_ns),
    type = 'memory' AND has(sample_types, 'inuse_space/bytes'), 1., 0.) AS share,
  if(type = 'memory', greatest(0., toFloat64(deltas_totals[indexOf(sample_types, 'alloc_space/bytes')])), 0.) AS allocation,
  if(type = 'cpu', if(share > 0, figure / share, 0.), allocation) AS spread,
  if(spread > 0, toInt16(ceil(log(spread) / log(1.02))), toInt16(-32768)) AS bin,
  if(type = 'cpu', share > 0, allocation > 0) AS is_spread`;

const figures = `count() AS profiles, min(started_at) AS earliest, max(started_at) AS latest,
  sum(sampled) AS samples, sum(profile_ms) AS duration_ms,
  sumIf(figure, share > 0) AS amount, sum(share) AS weight, maxIf(figure / share, share > 0) AS peak,
  sum(allocation) AS allocated, countIf(allocation > 0) AS allocations, max(allocation) AS peak_allocated,
  sumMapIf([bin], [toUInt64(1)], is_spread) AS histogram, histogram.1 AS bins, histogram.2 AS bin_profiles`;

// Rows that were removed must be inserted again, so deduplication is off.
const sumTotals = `INSERT INTO profile_totals_1h (org_id, service, type, hour, ${figureNames})
SELECT org_id, service, type, hour, ${figureNames}
FROM (
  SELECT org_id, service, type, hour, ${figures}
  FROM (
    SELECT org_id, service, type, started_at, toStartOfHour(started_at) AS hour, ${profileFigures}
    FROM profiles WHERE ${hourLimits} AND ${ofChunk} AND ${isInTerm}
  )
  GROUP BY org_id, service, type, hour
)
SETTINGS max_threads = 1, insert_deduplicate = 0, max_bytes_before_external_group_by = 100000000,
  max_memory_usage = 300000000`;

/** Few wide rows at a time, and less memory than the engine's readers may use. */
export const wideSettings = `SETTINGS max_threads = 1, max_block_size = 256, max_bytes_before_external_group_by = 100000000,
  max_memory_usage = 300000000`;

/**
 * Writes the hourly totals of the stacks of a chunk. Profiles are counted before they are summed: if one arrives in between, the
 * minutes count more, so that readers do not use the roll-up of this hour and the next run renews it.
 */
export async function rollUpStacks(client: ColumnClient, chunk: RollUpChunk, version: number): Promise<void> {
  await client.command(sumStacks, { ...paramsOf(chunk), version });
  await noteRolled(client, chunk, version);
}

/**
 * Until a table names a version, readers do not see its sums.
 *
 * @param hasRows set for the labels of a series, which may have none
 */
export async function noteRolled(
  client: ColumnClient,
  { hourSeconds, series }: RollUpChunk,
  version: number,
  hasRows?: (series: StaleSeries) => boolean,
): Promise<void> {
  const columns = ["org_id", "service", "type", "hour", "version", "profiles"];
  const rows = series.map((each) => {
    const row = [each.orgId, each.service, each.type, hourSeconds, version, each.profiles];
    return JSON.stringify(hasRows === undefined ? row : [...row, hasRows(each) ? 1 : 0]);
  });
  await client.insert({
    table: hasRows === undefined ? "rolled_hours" : "rolled_label_hours",
    columns: hasRows === undefined ? columns : [...columns, "has_rows"],
    rows: rows.join("\n"),
    dedupToken: randomUUID(),
  });
}

/** A number in place of four columns, which takes a third of the time to group by. */
const seriesHash = "sipHash64(org_id, service, type, sample_type)";

const sumStacks = `INSERT INTO stack_totals_1h (org_id, service, type, sample_type, hour, stack_id, value, version)
SELECT org_id, service, type, sample_type, {hour:DateTime('UTC')}, stack_id, value, {version:UInt64}
FROM (
  SELECT series, stack_id, sum(part) AS value
  FROM (
    SELECT ${seriesHash} AS series, stacks, parts FROM profiles
    ARRAY JOIN sample_types AS sample_type, values AS parts
    WHERE ${hourLimits} AND ${ofChunk}
  )
  ARRAY JOIN stacks AS stack_id, parts AS part
  GROUP BY series, stack_id
) AS sums
INNER JOIN (
  SELECT DISTINCT org_id, service, type, sample_type, ${seriesHash} AS series FROM profiles
  ARRAY JOIN sample_types AS sample_type
  WHERE ${hourLimits} AND ${ofChunk}
) AS names USING (series)
${wideSettings}`;
