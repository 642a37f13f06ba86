import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Beginning } from "#alerts/detect/opening/onset.ts";
import type { Circumstances } from "#alerts/stored-alert.ts";
import type { Context } from "#context";
import { versionTags } from "#store/profiles/tag-names.ts";
import { versionStarts } from "./describe-queries.ts";
import { datesOf } from "./query-dates.ts";

/** A release this close to the beginning is named: change points of noisy series are known to about an hour. */
const releaseNearMs = hourMs;
/** Routes have a value for each ten minutes, and a version is known from its first profile. */
const impreciseMs = 15 * minuteMs;
/** The first profile of a version may be of another type, taken a little earlier. */
const clockMs = minuteMs;
const versionsBeforeMs = dayMs;

export async function releaseNear(
  ctx: Context,
  series: { readonly orgId: string; readonly service: string },
  beganMs: number,
  atMs: number,
): Promise<Circumstances["release"]> {
  const dates = datesOf({ fromMs: beganMs - releaseNearMs - versionsBeforeMs, toMs: atMs });
  const versions = await ctx.columns.query(versionStarts, { ...series, ...dates, names: versionTags });
  return nearestRelease(
    versions.map(({ version, firstAt }) => ({ version, firstMs: firstAt.getTime() })),
    beganMs,
  );
}

/** The version that replaced another nearest to the beginning; `versions` are ordered by their first profile. */
export function nearestRelease(
  versions: readonly { readonly version: string; readonly firstMs: number }[],
  beganMs: number,
): Circumstances["release"] {
  const near = versions
    .map(({ version, firstMs }, index) => ({ version, firstMs, before: versions[index - 1]?.version }))
    .filter(({ before, firstMs }) => before !== undefined && Math.abs(firstMs - beganMs) <= releaseNearMs)
    .sort((a, b) => Math.abs(a.firstMs - beganMs) - Math.abs(b.firstMs - beganMs));
  const [found] = near;
  if (found?.before === undefined) return null;
  return { before: found.before, after: found.version, at: new Date(found.firstMs).toISOString() };
}

/**
 * When a rise began, and by how much that can be off. A release within the error of the onset is the more precise time: nothing is
 * left of the error then. No error either where the onset is between two neighbouring profiles.
 */
export function beganWith(
  release: Circumstances["release"],
  { atMs, earliestMs, latestMs, gapMs }: Beginning,
): { readonly atMs: number; readonly errorMs: number } {
  const releasedMs = release === null ? Number.NaN : Date.parse(release.at);
  if (releasedMs >= earliestMs - clockMs && releasedMs <= latestMs + impreciseMs)
    return { atMs: releasedMs, errorMs: 0 };
  return { atMs, errorMs: Math.max(0, atMs - earliestMs - gapMs, latestMs - atMs) };
}
