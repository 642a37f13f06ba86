import type { ProfileType, ValueType } from "@flamekeep/profile";
import { z } from "zod";
import { unprocessable } from "#failure";
import { query } from "#store/column/query.ts";
import { SeriesRange } from "#store/column/values.ts";
import { toValueType } from "#store/profiles/profile-row.ts";

/** Index of the sample type called `type` or `type/unit`; -1 if there is none. */
export function sampleTypeNamed(sampleTypes: readonly ValueType[], name: string): number {
  const exact = sampleTypes.findIndex(({ type, unit }) => `${type}/${unit}` === name);
  return exact === -1 ? sampleTypes.findIndex(({ type }) => type === name) : exact;
}

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

/** The sample types of the latest profile of a range, in its order; the last one is the main one. */
export const latestSampleTypes = query({
  name: "profiles.latest-sample-types",
  sql: `SELECT sample_types AS sampleTypes FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
        ORDER BY started_at DESC LIMIT 1`,
  params: SeriesRange,
  row: z.object({ sampleTypes: z.array(z.string()) }),
});

/** The main sample type of most profiles of a type; empty if no type is the main one in most profiles. */
export const fallbackSampleTypes: Readonly<Record<ProfileType, string>> = {
  cpu: "cpu/nanoseconds",
  memory: "inuse_space/bytes",
  goroutine: "goroutine/count",
  mutex: "delay/nanoseconds",
  block: "delay/nanoseconds",
  custom: "",
};

/** In the order of a profile's own sample types; the others come first, because the last one is the main one. */
export function inOrderOf(sampleTypes: readonly string[], ofProfile: readonly string[] = []): string[] {
  return sampleTypes.toSorted((a, b) => ofProfile.indexOf(a) - ofProfile.indexOf(b) || (a < b ? -1 : 1));
}
