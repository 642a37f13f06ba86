import { setImmediate } from "node:timers/promises";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { sensitivityOf, silentMs } from "#alerts/detect/sensitivity.ts";
import type { ObservedSeries } from "#alerts/detect/watched/observed.ts";
import type { Context } from "#context";
import { instanceTags, versionTags } from "#store/profiles/tag-names.ts";
import {
  retentionMs,
  type Sent,
  type StoredCoverage,
  sentSampleTypes,
  sentTags,
  storeCoverage,
  toStoredSignal,
} from "./queries.ts";

const renewalMs = 30 * minuteMs;
/** The tags and sample types of a service are read from its uploads of this time. */
const recentMs = 4 * hourMs;

interface Stored {
  readonly atMs: number;
  /** The series that had profiles, as one text. */
  readonly active: string;
}

/** The last coverage that this process stored of each service, by organization. A restart forgets it, so that all are stored again. */
const stored = new WeakMap<Context["rows"], Map<string, Map<string, Stored>>>();

/**
 * Stores what alerts can see of each service, every half hour, and at once when one of its signals begins or ends.
 *
 * @param judged the series of all services, as the evaluation judged them
 */
export async function recordCoverage(
  ctx: Context,
  orgId: string,
  judged: readonly ObservedSeries[],
  atMs: number,
): Promise<void> {
  const storedOf = storedBy(ctx, orgId);
  const byService = Map.groupBy(judged, ({ service }) => service);
  const due = [...byService].filter(([service]) => {
    const last = storedOf.get(service);
    if (last === undefined || last.active !== activeIn(byService.get(service)!, atMs)) return true;
    return atMs >= last.atMs + renewalMs || atMs < last.atMs;
  });
  if (due.length === 0) return;
  const range = { orgId, fromMs: atMs - recentMs, toMs: atMs };
  const [sampleTypes, tags] = await Promise.all([
    ctx.columns.query(sentSampleTypes, range),
    ctx.columns.query(sentTags, {
      ...range,
      versionTags: [...versionTags],
      instanceTags: [...instanceTags],
    }),
  ]);
  const sampleTypesOf = Map.groupBy(sampleTypes, ({ service }) => service);
  const tagsOf = new Map(tags.map((row) => [row.service, row]));
  const judgedAt = new Date(atMs).toISOString();
  const rows: Parameters<typeof storeCoverage>[2][number][] = [];
  for (const [service, series] of due) {
    // Requests are answered in between: an organization can have thousands of series.
    await setImmediate();
    const own = tagsOf.get(service);
    const sent: Sent = {
      hasRequests: series.some(({ observed }) => observed.requests.atMs.length > 0),
      hasVersions: (own?.withVersion ?? 0) > 0,
      instances: own?.instances ?? 0,
      notJudged: notJudged(sampleTypesOf.get(service) ?? [], series),
    };
    const compared = series.filter(({ observed }) => !observed.isFault);
    const signals = compared.map((each) =>
      toStoredSignal(each, sensitivityOf(each.observed, each.type, atMs)),
    );
    const coverage: StoredCoverage = { signals, sent };
    rows.push({ service, judgedAt, coverage: JSON.stringify(coverage) });
  }
  await storeCoverage(ctx.rows, orgId, rows, new Date(atMs - retentionMs));
  for (const service of storedOf.keys()) if (!byService.has(service)) storedOf.delete(service);
  for (const [service, series] of due) storedOf.set(service, { atMs, active: activeIn(series, atMs) });
}

function activeIn(series: readonly ObservedSeries[], atMs: number): string {
  return series
    .filter(({ observed }) => atMs - (observed.values.atMs.at(-1) ?? -Infinity) <= silentMs)
    .map(({ type, sampleType }) => `${type} ${sampleType}`)
    .sort()
    .join("\n");
}

/** Sample types that are not judged. Those of standard profile types count only if no sample type of theirs is judged. */
function notJudged(
  sent: readonly { readonly type: string; readonly sampleType: string }[],
  judged: readonly ObservedSeries[],
): Sent["notJudged"] {
  const types = new Set(judged.map(({ type }) => type));
  const sampleTypes = new Set(judged.map(({ type, sampleType }) => `${type} ${sampleType}`));
  return sent
    .filter(({ type, sampleType }) =>
      type === "custom" ? !sampleTypes.has(`${type} ${sampleType}`) : !types.has(type),
    )
    .map(({ type, sampleType }) => ({ type, sampleType }));
}

function storedBy({ rows }: Context, orgId: string): Map<string, Stored> {
  const ofStore = stored.get(rows) ?? new Map<string, Map<string, Stored>>();
  stored.set(rows, ofStore);
  const services = ofStore.get(orgId) ?? new Map<string, Stored>();
  ofStore.set(orgId, services);
  return services;
}
