import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Beginning } from "#alerts/detect/opening/onset.ts";
import { cellMs } from "#alerts/detect/series/scales.ts";
import { datesOf, indexAt, meanOf } from "#alerts/detect/series/series.ts";
import type { Instance } from "#alerts/detect/watched/observed.ts";
import type { Circumstances } from "#alerts/row/stored-alert.ts";
import type { Context } from "#context";
import { versionTags } from "#store/profiles/tag-names.ts";
import { versionStarts } from "./describe-queries.ts";

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

/** How many instances run a version at a time; nothing where instances are not known. */
export function instancesOn(version: string, instances: readonly Instance[], atMs: number) {
  const alive = instancesAlive(instances, atMs);
  if (alive.length === 0) return {};
  const running = alive.filter((each) => each.version === version);
  return { instances: { running: running.length, all: alive.length } };
}

/** A mean of fewer profiles is no level. */
const comparedMin = 3;

/** The means of an instance on both versions, from when all of them ran: traffic and time are the same for both. */
export function valuesSideBySide(
  { before, after, at }: NonNullable<Circumstances["release"]>,
  instances: readonly Instance[],
  atMs: number,
): Pick<NonNullable<Circumstances["release"]>, "values"> {
  const alive = new Map(instancesAlive(instances, atMs).map(({ name, version }) => [name, version]));
  const compared = instances.filter(
    ({ name, version }) => alive.get(name) === version && (version === before || version === after),
  );
  const firstOf = ({ values }: Instance) => values.atMs[indexAt(values, Date.parse(at))] ?? atMs;
  const span = { fromMs: Math.max(Date.parse(at), ...compared.map(firstOf)), toMs: atMs };
  const levelOn = (wanted: string) => {
    const levels = compared
      .filter(({ version }) => version === wanted)
      .map(({ values }) => meanOf(values, span))
      .filter(({ count }) => count >= comparedMin);
    return levels.length === 0 ? 0 : levels.reduce((sum, { mean }) => sum + mean, 0) / levels.length;
  };
  const values = { before: levelOn(before), after: levelOn(after) };
  return values.before > 0 && values.after > 0 ? { values } : {};
}

/**
 * The instances that run at a time, with the version of each. Pods that a release has replaced do not count: an instance has ended if it
 * is silent for longer than between two of its profiles. The last cell is not complete.
 */
export function instancesAlive(instances: readonly Instance[], atMs: number) {
  const newest = new Map<
    string,
    { readonly name: string; readonly version: string; readonly lastMs: number; readonly gapMs: number }
  >();
  for (const { name, values, ...each } of instances) {
    const [before = Number.NaN, lastMs] = [-2, -1].map((back) => values.atMs[indexAt(values, atMs) + back]);
    if (lastMs === undefined || lastMs < (newest.get(name)?.lastMs ?? 0)) continue;
    newest.set(name, {
      name,
      version: each.version,
      lastMs,
      gapMs: Number.isNaN(before) ? cellMs : lastMs - before,
    });
  }
  const newestMs = Math.max(0, ...[...newest.values()].map(({ lastMs }) => lastMs));
  return [...newest.values()].filter(({ lastMs, gapMs }) => lastMs + gapMs + cellMs > newestMs);
}
