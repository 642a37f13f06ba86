import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { AnalysisFacts } from "#analysis/tasks.ts";
import type { Context } from "#context";
import { readInstances, readRequests, type Traffic, trafficOf } from "#decoding/traffic.ts";
import type { SubjectFacts } from "#rules/subject.ts";
import { readOriginal } from "#store/payloads/read-payload.ts";
import type { ProfileRow } from "#store/profiles/profile-row.ts";
import { versionTags } from "#store/profiles/tag-names.ts";
import { relatedProfiles, type StoredProfile, seriesProfiles, versionsOfRange } from "./queries.ts";

/** Requests and instances are counted this long before and after a profile. */
const aroundMs = 5 * minuteMs;
const earlierMs = dayMs;
const earlierCount = 4;
const relatedBeforeMs = hourMs;
const relatedAfterMs = 10 * minuteMs;
/** Stored bytes of a neighbour: a larger one would take longer to read than the analysis itself. */
const neighbourBytesMax = 2 * 1024 * 1024;
const deployMs = 7 * dayMs;

/** Reads the facts about one profile. Neighbours that cannot be read are left out: they only add to the analysis. */
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
  const [facts, before, others] = await Promise.all([
    gatherServiceFacts(ctx, { ...series, fromMs: atMs - aroundMs, toMs: endMs + aroundMs }),
    ctx.columns.query(seriesProfiles, { ...series, ...datesOf(atMs - earlierMs, atMs), tagNames, tagValues }),
    ctx.columns.query(relatedProfiles, {
      ...series,
      ...datesOf(atMs - relatedBeforeMs, endMs + relatedAfterMs),
      tagValues,
    }),
  ]);
  const [earlier, related] = await Promise.all([
    readOriginals(ctx, orgId, evenlySpaced(before.filter(isSmall)).toReversed()),
    readOriginals(ctx, orgId, others.filter(isSmall)),
  ]);
  return {
    ...facts,
    goVersion: row.tags.go_version,
    earlier: earlier.map(({ original, atMs }) => ({ original, atMs })),
    related: related.map(({ original, type }) => ({ original, type })),
  };
}

interface FactsRange {
  readonly orgId: string;
  readonly service: string;
  readonly type: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface ServiceFacts extends SubjectFacts {
  /** Undefined without HTTP metrics. */
  readonly traffic: Traffic | undefined;
}

export async function gatherServiceFacts(
  ctx: Pick<Context, "columns">,
  { orgId, service, type, fromMs, toMs }: FactsRange,
): Promise<ServiceFacts> {
  const dates = datesOf(fromMs, toMs);
  const [requests, instances, versions] = await Promise.all([
    readRequests(ctx.columns, { orgId, service, ...wholeMinutes(fromMs, toMs) }),
    readInstances(ctx.columns, { orgId, service, type, ...dates }),
    ctx.columns.query(versionsOfRange, {
      orgId,
      service,
      ...datesOf(toMs - deployMs, toMs),
      names: [...versionTags],
    }),
  ]);
  const traffic = trafficOf(requests, instances);
  return {
    traffic,
    requestsPerSecond: traffic?.requestsPerSecond,
    instances,
    deploys: versions.toReversed(),
  };
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

async function readOriginals<P extends StoredProfile>(ctx: Context, orgId: string, profiles: readonly P[]) {
  const read = await Promise.allSettled(
    profiles.map(async (profile) => ({
      ...profile,
      original: await readOriginal(ctx.payloads, orgId, profile.profileId),
      atMs: profile.startedAt.getTime(),
    })),
  );
  return read.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
}

function datesOf(fromMs: number, toMs: number): { from: Date; to: Date } {
  return { from: new Date(fromMs), to: new Date(toMs) };
}

function wholeMinutes(fromMs: number, toMs: number): { from: Date; to: Date } {
  return datesOf(Math.floor(fromMs / minuteMs) * minuteMs, Math.ceil(toMs / minuteMs) * minuteMs);
}
