import { type ProfileType, profileTypeEntry } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import { defaultSampleType } from "@flamekeep/profile";
import { z } from "zod";
import { unprocessable } from "#failure";
import { type ColumnReader, query } from "#store/column/query.ts";
import { Count, SeriesRange } from "#store/column/values.ts";
import { toValueType } from "#store/profiles/profile-row.ts";
import { sampleTypeNamed } from "#store/profiles/sample-type-named.ts";

/**
 * Index of the sample type a caller names, `inuse_space` or `inuse_space/bytes`; undefined when none is named.
 * Throws `unprocessable` with the names there are.
 */
export function sampleTypeIndex(
  sampleTypes: readonly string[],
  named: string | undefined,
  where = "profile",
): number | undefined {
  if (named === undefined) return undefined;
  const types = sampleTypes.map(toValueType);
  const index = sampleTypeNamed(types, named);
  if (index !== -1) return index;
  const known = types.map(({ type }) => type).join(", ");
  throw unprocessable(`This ${where} has no sample type ${JSON.stringify(named)}; it has ${known}`);
}

/** The sample types of a series' latest profile, in its order. */
export type LatestSampleTypes = z.output<typeof latestSampleTypes.row>;

/** Undefined if the range has no profile. */
export async function readLatestSampleTypes(
  columns: ColumnReader,
  range: z.input<typeof SeriesRange>,
): Promise<LatestSampleTypes | undefined> {
  const { from, to } = range;
  const lastDay = new Date(Math.max(from.getTime(), to.getTime() - dayMs));
  const [late] = await columns.query(latestSampleTypes, { ...range, from: lastDay });
  // Most ranges have a profile on their last day, and reading that day takes a tenth of the time.
  const [latest] = late === undefined ? await columns.query(latestSampleTypes, range) : [late];
  return latest;
}

const latestSampleTypes = query({
  name: "profiles.latest-sample-types",
  isCacheable: true,
  sql: `SELECT sample_types AS sampleTypes, toUnixTimestamp64Milli(started_at) AS startedMs FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
        ORDER BY started_at DESC LIMIT 1`,
  params: SeriesRange,
  row: z.object({ sampleTypes: z.array(z.string()), startedMs: Count }),
});

/** The main sample type of most profiles of a type; empty for custom ones. */
export function fallbackSampleType(type: ProfileType): string {
  return profileTypeEntry(type).measuredBy[0] ?? "";
}

/** Index of the main sample type of a range, whose sample types are in the order of its profiles. */
export function mainSampleType(
  sampleTypes: readonly string[],
  totals: readonly (number | bigint)[],
  type: ProfileType,
): number {
  return defaultSampleType(
    { sampleTypes: sampleTypes.map(toValueType), totals, defaultSampleType: "" },
    type,
  );
}

/** In the order of a profile's own sample types; the others come first, because the last one is the main one. */
export function inOrderOf(
  sampleTypes: readonly string[],
  latest: Pick<LatestSampleTypes, "sampleTypes"> | undefined,
): string[] {
  const ofProfile = latest?.sampleTypes ?? [];
  return sampleTypes.toSorted((a, b) => ofProfile.indexOf(a) - ofProfile.indexOf(b) || (a < b ? -1 : 1));
}
