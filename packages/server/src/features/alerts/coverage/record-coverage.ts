import { setImmediate } from "node:timers/promises";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { ObservedSeries } from "#alerts/detect/observed.ts";
import { sensitivityOf } from "#alerts/detect/sensitivity.ts";
import type { Context } from "#context";
import { instanceTags, versionTags } from "#store/profiles/tag-names.ts";
import { retentionMs, sentSampleTypes, sentTags, storeCoverage } from "./queries.ts";
import { type Sent, type StoredCoverage, toStoredSignal } from "./stored-coverage.ts";

const renewalMs = 30 * minuteMs;
/** The tags and sample types of a service are read from its uploads of this time. */
const recentMs = 4 * hourMs;

/** When this process last stored the coverage of each service, by organization. Forgotten at a restart: it then stores all of them. */
const stored = new WeakMap<Context["rows"], Map<string, Map<string, number>>>();

/**
 * Stores what alerts can see of each service, at most every half hour.
 *
 * @param judged the series of all services, as the evaluation judged them
 */
export async function recordCoverage(
  ctx: Context,
  orgId: string,
  judged: readonly ObservedSeries[],
  atMs: number,
): Promise<void> {
  const times = timesOf(ctx, orgId);
  const byService = Map.groupBy(judged, ({ service }) => service);
  const due = [...byService].filter(([service]) => {
    const lastMs = times.get(service) ?? -Infinity;
    return atMs >= lastMs + renewalMs || atMs < lastMs;
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
    const signals = series.map((each) => toStoredSignal(each, sensitivityOf(each.observed, each.type, atMs)));
    const coverage: StoredCoverage = { signals, sent };
    rows.push({ service, judgedAt, coverage: JSON.stringify(coverage) });
  }
  await storeCoverage(ctx.rows, orgId, rows, new Date(atMs - retentionMs));
  for (const service of times.keys()) if (!byService.has(service)) times.delete(service);
  for (const { service } of rows) times.set(service, atMs);
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

function timesOf({ rows }: Context, orgId: string): Map<string, number> {
  const ofStore = stored.get(rows) ?? new Map<string, Map<string, number>>();
  stored.set(rows, ofStore);
  const times = ofStore.get(orgId) ?? new Map<string, number>();
  ofStore.set(orgId, times);
  return times;
}
