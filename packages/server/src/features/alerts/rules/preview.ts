import type * as calls from "@flamekeep/contract";
import { type InputOf, limits, type RulePreview } from "@flamekeep/contract";
import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import { type RuleSeries, unitOfSeries } from "#alerts/row/stored-rule.ts";
import { type MinuteValue, type RuleChange, reachMsOf, ruleChanges } from "#alerts/rules/threshold.ts";
import type { Actor, Context } from "#context";
import { minuteValues } from "./minute-values.ts";

const bucketMs = 10 * minuteMs;

/** The alerts that a rule would have opened in the days before now. Nothing is stored. */
export async function previewAlertRule(
  ctx: Context,
  { orgId }: Actor,
  body: InputOf<typeof calls.previewAlertRule>,
): Promise<RulePreview> {
  const toMs = Math.floor(ctx.now().getTime() / minuteMs) * minuteMs;
  const fromMs = Math.floor((toMs - limits.rulePreviewDays * dayMs) / bucketMs) * bucketMs;
  const { service, signal, profile_type: profileType, sample_type: sampleType, tags } = body;
  const series: RuleSeries = { service, signal, profileType, sampleType, tags };
  const read = { fromMs: fromMs - reachMsOf(body), toMs };
  const [values = []] = await minuteValues(ctx, orgId, [series], read);
  const openings = openingsOf(ruleChanges(values, body, { fromMs, toMs }, false));
  const shown = values.filter(({ atMs }) => atMs >= fromMs);
  const count = Math.ceil((toMs - fromMs) / bucketMs);
  return {
    unit: unitOfSeries(series),
    from: new Date(fromMs).toISOString(),
    to: new Date(fromMs + count * bucketMs).toISOString(),
    bucket_seconds: bucketMs / 1000,
    values: means(shown, fromMs, count),
    minutes_with_values: shown.length,
    alerts: openings.slice(-limits.rulePreviewAlertsMax).reverse(),
    alerts_total: openings.length,
  };
}

function openingsOf(changes: readonly RuleChange[]): RulePreview["alerts"] {
  const iso = (ms: number) => new Date(ms).toISOString();
  return changes.flatMap((change, index) => {
    if (change.kind !== "opened") return [];
    const next = changes[index + 1];
    return {
      began_at: iso(change.beganMs),
      opened_at: iso(change.atMs),
      resolved_at: next === undefined ? null : iso(next.atMs),
      value: change.value,
    };
  });
}

function means(values: readonly MinuteValue[], fromMs: number, count: number): (number | null)[] {
  const sums = Array.from({ length: count }, () => ({ sum: 0, count: 0 }));
  for (const { atMs, value } of values) {
    const bucket = sums[Math.floor((atMs - fromMs) / bucketMs)]!;
    bucket.sum += value;
    bucket.count++;
  }
  return sums.map((bucket) => (bucket.count === 0 ? null : bucket.sum / bucket.count));
}
