import { randomUUID } from "node:crypto";
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import type { Span } from "#alerts/detect/series/series.ts";
import { releaseNear } from "#alerts/evaluate/nearest-release.ts";
import { partsOfProfiles } from "#alerts/evaluate/tag-parts.ts";
import type { RuleChange } from "#alerts/rules/threshold.ts";
import type { Circumstances, NewAlert } from "#alerts/stored-alert.ts";
import type { Context } from "#context";
import { evidenceOf } from "./measured-series.ts";
import type { RuleOfAlert, StoredRule } from "./stored-rule.ts";
import { newestOfService, taggedProfiles } from "./value-queries.ts";

/** The range before is as long as the values were beyond the threshold, and at least this long. */
const beforeMsMin = hourMs;
/** Requests may be beyond the threshold for less time than there is between two profiles. */
const evidenceMsMin = hourMs;
/** A batch of requests begins at its first one. */
const batchMsMax = dayMs;

type Opening = Extract<RuleChange, { kind: "opened" }>;

/** The stored form of the alert of a rule. The threshold has the place of the value before. */
export async function describeRuleAlert(
  ctx: Context,
  rule: StoredRule,
  { atMs, beganMs, value }: Opening,
): Promise<NewAlert> {
  const { orgId, service, threshold, signal, sampleType } = rule;
  const evidence = evidenceOf(rule);
  const [profiles, release] = await Promise.all([
    readProfiles(ctx, rule, { fromMs: Math.min(beganMs, atMs - evidenceMsMin), toMs: atMs }),
    releaseNear(ctx, { orgId, service }, beganMs, atMs),
  ]);
  const newest = profiles.toSorted((a, b) => b.newestMs - a.newestMs)[0]?.newestId;
  const parts = partsOfProfiles(
    profiles.map((each) => ({
      tags: each.tags,
      profilesAfter: each.profiles,
      before: 0,
      after: 0,
      profilesBefore: 0,
    })),
  );
  const circumstances: Circumstances = { release, parts, highest: null, beganErrorMs: 0 };
  const iso = (ms: number) => new Date(ms).toISOString();
  const beforeMs = Math.max(beforeMsMin, atMs - beganMs);
  return {
    id: randomUUID(),
    orgId,
    service,
    type: evidence.type,
    sampleType: signal === "profile" ? evidence.sampleType : (sampleType ?? signal),
    profileId: newest ?? (await anyProfile(ctx, rule, atMs)),
    beganAt: iso(beganMs),
    openedAt: iso(atMs),
    resolvedAt: null,
    previousValue: threshold,
    currentValue: value,
    increase: threshold > 0 ? (value - threshold) / threshold : 0,
    baselineFrom: iso(beganMs - beforeMs),
    baselineTo: iso(beganMs),
    currentFrom: iso(beganMs),
    currentTo: iso(atMs),
    functions: "[]",
    reference: "{}",
    circumstances: JSON.stringify(circumstances),
    ruleId: rule.id,
    severity: rule.severity,
    rule: JSON.stringify(ruleOfAlert(rule)),
  };
}

function readProfiles(ctx: Context, rule: StoredRule, span: Span) {
  const { orgId, service, tags } = rule;
  return ctx.columns.query(taggedProfiles, {
    orgId,
    service,
    type: evidenceOf(rule).type,
    ...span,
    tagNames: Object.keys(tags),
    tagValues: Object.values(tags),
  });
}

/** A service that sends requests alone has their batches. */
async function anyProfile(ctx: Context, { orgId, service }: StoredRule, toMs: number): Promise<string> {
  const range = { fromMs: toMs - batchMsMax, toMs };
  const [newest] = await ctx.columns.query(newestOfService, { orgId, service, ...range });
  if (newest === undefined) throw new Error(`No profile of ${service} was found for the alert of a rule`);
  return newest.profileId;
}

function ruleOfAlert({ name, signal, comparison, threshold, minutes, tags }: StoredRule): RuleOfAlert {
  return { name, signal, comparison, threshold, minutes, tags: { ...tags } };
}
