import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Circumstances } from "#alerts/stored-alert.ts";
import type { Context } from "#context";
import { versionTags } from "#store/profiles/tag-names.ts";
import { versionStarts } from "./describe-queries.ts";
import { datesOf } from "./query-dates.ts";

/** A release this close to the beginning is named: change points of noisy series are known to about an hour. */
const releaseNearMs = hourMs;
/** Routes have a value for each ten minutes, and a version is known from its first profile. */
const impreciseMs = 15 * minuteMs;
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

/** When a rise began. A release just after the first high value is the more precise time: the values before it vary. */
export function beganWith(release: Circumstances["release"], onsetMs: number): number {
  if (release === null) return onsetMs;
  const releasedMs = Date.parse(release.at);
  return releasedMs > onsetMs && releasedMs - onsetMs <= impreciseMs ? releasedMs : onsetMs;
}
