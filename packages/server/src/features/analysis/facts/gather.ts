import { profileTypes } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { AnalysisFacts } from "#analysis/ranges/tasks.ts";
import type { Context } from "#context";
import type { SubjectFacts } from "#rules/subject.ts";
import {
  cpuTime,
  type ProfiledTime,
  profiledRequests,
  readInstances,
  readTraffic,
  type Traffic,
} from "#stacks/traffic/traffic.ts";
import { query } from "#store/column/query.ts";
import { Count, Instant, SeriesRange } from "#store/column/values.ts";
import { type Original, readOriginal, type StoredAs } from "#store/payloads/read-payload.ts";
import type { ProfileRow } from "#store/profiles/profile-row.ts";
import { versionTags } from "#store/profiles/tag-names.ts";

const StoredProfile = z.object({
  profileId: z.string(),
  startedAt: Instant,
  sampleTypes: z.array(z.string()),
  payloadBytes: Count,
});
type StoredProfile = z.output<typeof StoredProfile>;

/** The profiles of one series (service, type and tags) in a range, newest first. */
const seriesProfiles = query({
  name: "analysis.series-profiles",
  sql: `SELECT profile_id AS profileId, started_at AS startedAt, sample_types AS sampleTypes,
          greatest(original_bytes, toUInt32OrZero(facts['shared_bytes'])) AS payloadBytes
        FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
          AND mapKeys(tags) = {tagNames:Array(String)} AND mapValues(tags) = {tagValues:Array(String)}
        ORDER BY started_at DESC
        LIMIT 500`,
  params: SeriesRange.extend({ tagNames: z.array(z.string()), tagValues: z.array(z.string()) }),
  row: StoredProfile,
});

/** The newest profile of each other type of the service in a range; one with the same tags if there is one. */
const relatedProfiles = query({
  name: "analysis.related-profiles",
  sql: `SELECT type,
          argMax(profile_id, (mapValues(tags) = {tagValues:Array(String)}, started_at)) AS profileId,
          argMax(started_at, (mapValues(tags) = {tagValues:Array(String)}, started_at)) AS startedAt,
          argMax(sample_types, (mapValues(tags) = {tagValues:Array(String)}, started_at)) AS sampleTypes,
          argMax(greatest(original_bytes, toUInt32OrZero(facts['shared_bytes'])), (mapValues(tags) = {tagValues:Array(String)}, started_at)) AS payloadBytes
        FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String}
          AND type != {type:String} AND type != 'metrics'
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
        GROUP BY type`,
  params: SeriesRange.extend({ tagValues: z.array(z.string()) }),
  row: StoredProfile.extend({ type: z.enum(profileTypes) }),
});

/** Versions of the service and when each was first seen, oldest first. */
const versionsOfRange = query({
  name: "analysis.versions",
  sql: `SELECT version, toFloat64(toUnixTimestamp64Milli(min(started_at))) AS atMs
        FROM (
          SELECT tags[arrayFirst(name -> tags[name] != '', {names:Array(String)})] AS version, started_at
          FROM profiles
          WHERE org_id = {orgId:UUID} AND service = {service:String}
            AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
            AND hasAny(mapKeys(tags), {names:Array(String)})
        )
        GROUP BY version
        ORDER BY atMs DESC
        LIMIT 20`,
  params: SeriesRange.omit({ type: true }).extend({ names: z.array(z.string()) }),
  row: z.object({ version: z.string(), atMs: z.number() }),
});

/** Requests and instances are counted this long before and after a profile. */
const aroundMs = 5 * minuteMs;
const earlierMs = dayMs;
const earlierCount = 4;
const relatedBeforeMs = hourMs;
const relatedAfterMs = 10 * minuteMs;
/** Stored bytes of a neighbour: a larger one would take longer to read than the analysis itself. */
const neighbourBytesMax = 2 * 1024 * 1024;
const deployMs = 7 * dayMs;

/**
 * Reads the facts about one profile. Neighbours that cannot be read are left out: they only add to the analysis.
 *
 * One read after the other: a batch of uploads would wait for several at once, and nobody waits for a few milliseconds here.
 */
export async function gatherProfileFacts(
  ctx: Context,
  orgId: string,
  row: ProfileRow,
): Promise<AnalysisFacts> {
  const atMs = row.started_at.getTime();
  const endMs = atMs + Number(row.duration_ns / 1_000_000n);
  const series = { orgId, service: row.service, type: row.type };
  const tags = Object.entries(row.tags);
  const tagNames = tags.map(([name]) => name);
  const tagValues = tags.map(([, value]) => value);
  const range = { ...series, fromMs: atMs - aroundMs, toMs: endMs + aroundMs };
  const facts = await gatherServiceFacts(ctx, range);
  const before = await ctx.columns.query(seriesProfiles, {
    ...series,
    ...datesOf(atMs - earlierMs, atMs),
    tagNames,
    tagValues,
  });
  const others = await ctx.columns.query(relatedProfiles, {
    ...series,
    ...datesOf(atMs - relatedBeforeMs, endMs + relatedAfterMs),
    tagValues,
  });
  const sameType = evenlySpaced(before.filter(isSmall)).toReversed();
  const earlier = await readOriginals(
    ctx,
    orgId,
    sameType.map((profile) => ({ ...profile, type: row.type })),
  );
  const related = await readOriginals(ctx, orgId, others.filter(isSmall));
  return {
    ...facts,
    requestsPerSecond: requestsPerSecondOf(facts.traffic, profiledTimeOf(row)),
    goVersion: row.tags.go_version,
    earlier,
    related: related.map(({ original }) => original),
  };
}

function profiledTimeOf({
  duration_ns: durationNs,
  sample_types: sampleTypes,
  totals,
}: ProfileRow): ProfiledTime {
  const cpu = totals[sampleTypes.indexOf(cpuTime)];
  return { durationMs: Number(durationNs) / 1e6, cpuNs: cpu === undefined ? undefined : Number(cpu) };
}

interface FactsRange {
  readonly orgId: string;
  readonly service: string;
  readonly type: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Those that select the profiles; none by default. */
  readonly tags?: Readonly<Record<string, string>>;
}

export interface ServiceFacts extends Omit<SubjectFacts, "requestsPerSecond"> {
  /** Undefined without HTTP metrics, and for profiles that tags select: requests are counted for the whole service. */
  readonly traffic: Traffic | undefined;
}

/** Requests per second of one instance; undefined if values per request would say nothing about the profiles. */
export function requestsPerSecondOf(
  traffic: Traffic | undefined,
  profiled: ProfiledTime,
): number | undefined {
  return traffic && profiledRequests(traffic, profiled).ok ? traffic.requestsPerSecond : undefined;
}

export async function gatherServiceFacts(
  ctx: Pick<Context, "columns">,
  { orgId, service, type, fromMs, toMs, tags = {} }: FactsRange,
): Promise<ServiceFacts> {
  const dates = datesOf(fromMs, toMs);
  const series = { orgId, service, type, ...dates };
  const isSelected = Object.keys(tags).length > 0;
  const traffic = isSelected ? undefined : await readTraffic(ctx.columns, series);
  const instances = await readInstances(ctx.columns, series);
  return { traffic, instances, deploys: await readVersions(ctx.columns, { orgId, service }, toMs) };
}

/** The latest versions of a service and when each was first seen, oldest first. */
export async function readVersions(
  columns: Context["columns"],
  service: Pick<FactsRange, "orgId" | "service">,
  toMs: number,
  withinMs = deployMs,
): Promise<NonNullable<SubjectFacts["deploys"]>> {
  const dates = datesOf(toMs - withinMs, toMs);
  const versions = await columns.query(versionsOfRange, { ...service, ...dates, names: [...versionTags] });
  return versions.toReversed();
}

function isSmall({ payloadBytes }: StoredProfile): boolean {
  return payloadBytes <= neighbourBytesMax;
}

/** The newest and the oldest, and others at about equal distances between them. */
function evenlySpaced<T>(newestFirst: readonly T[]): T[] {
  if (newestFirst.length <= earlierCount) return [...newestFirst];
  const step = (newestFirst.length - 1) / (earlierCount - 1);
  return Array.from({ length: earlierCount }, (_, index) => newestFirst[Math.round(index * step)]!);
}

async function readOriginals(ctx: Context, orgId: string, profiles: readonly (StoredProfile & StoredAs)[]) {
  const read: { readonly original: Original; readonly atMs: number }[] = [];
  for (const profile of profiles) {
    const original = await readOriginal(ctx.payloads, orgId, profile).catch(() => undefined);
    if (original !== undefined) read.push({ original, atMs: profile.startedAt.getTime() });
  }
  return read;
}

function datesOf(fromMs: number, toMs: number): { from: Date; to: Date } {
  return { from: new Date(fromMs), to: new Date(toMs) };
}
