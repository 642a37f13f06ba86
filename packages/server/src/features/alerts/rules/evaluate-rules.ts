import { randomUUID } from "node:crypto";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Span } from "#alerts/detect/series/series.ts";
import { anyProfile } from "#alerts/evaluate/describe-alert.ts";
import { graceMs } from "#alerts/evaluate/evaluate-organization.ts";
import { releaseNear } from "#alerts/evaluate/nearest-release.ts";
import { partsOfProfiles } from "#alerts/evaluate/tag-parts.ts";
import type { AlertRow, Circumstances, NewAlert } from "#alerts/row/stored-alert.ts";
import { evidenceOf, type RuleOfAlert, type StoredRule } from "#alerts/row/stored-rule.ts";
import { type MinuteValue, reachMsOf, ruleChanges } from "#alerts/rules/threshold.ts";
import { recordOpened, recordResolved } from "#alerts/store/record-change.ts";
import type { Context } from "#context";
import type { RowStore } from "#store/row/row-store.ts";
import { minuteValues } from "./minute-values.ts";
import { enabledRules, findRule, getRuleProgress, ruleAlertsSince, storeRuleProgress } from "./queries.ts";
import type { RuleChange } from "./threshold.ts";
import { taggedProfiles } from "./value-queries.ts";

/** Requests are sent in batches: a minute is complete later than one of profiles, which are means of those that are there. */
const requestsGraceMs = minuteMs;
/** After an interruption the last day is evaluated. */
const catchUpMs = dayMs;
/** An alert of a rule without values for this long is resolved: its service is gone. */
const goneMs = 7 * dayMs;

export interface Changes {
  opened: number;
  resolved: number;
}

/**
 * Evaluates the enabled rules of an organization from the end of the last evaluation until now. Nothing but the open alerts and
 * that time is kept between rounds: values are read again, so that late ones count.
 */
export async function evaluateRules(ctx: Context, orgId: string): Promise<Changes> {
  const done: Changes = { opened: 0, resolved: 0 };
  const toMs = Math.floor((ctx.now().getTime() - graceMs) / minuteMs) * minuteMs;
  const earliestMs = toMs - catchUpMs;
  // Alerts are read before rules: an alert of a rule that is created in between must not look like one whose rule was deleted.
  const alerts = await ruleAlertsSince(ctx.rows, orgId, new Date(earliestMs).toISOString());
  const rules = await enabledRules(ctx.rows, orgId);
  const progress = await getRuleProgress(ctx.rows, orgId);
  // A clock that was ahead must not stop the evaluation until that time.
  const fromMs = Math.min(toMs, Math.max(earliestMs, progress === undefined ? 0 : Date.parse(progress)));
  await resolveWithoutRule(ctx, alerts, rules, toMs, done);
  if (rules.length === 0) return done;
  const readFromMs = Math.min(...rules.map((rule) => fromMs - reachMsOf(rule)));
  const values = await minuteValues(ctx, orgId, rules, { fromMs: readFromMs, toMs });
  const failed: unknown[] = [];
  for (const [index, rule] of rules.entries()) {
    const own = alerts.filter(({ ruleId }) => ruleId === rule.id);
    const laterMs = rule.signal === "profile" ? 0 : requestsGraceMs;
    const span = { fromMs: startMsOf(rule, own, fromMs - laterMs), toMs: toMs - laterMs };
    if (span.fromMs >= span.toMs) continue;
    const complete = values[index]?.filter(({ atMs }) => atMs < span.toMs) ?? [];
    // A rule that fails is evaluated again in the next round, and does not keep the others back.
    await follow(ctx, { rule, span, values: complete, own }, done).catch((error: unknown) =>
      failed.push(error),
    );
  }
  if (failed.length > 0) throw new AggregateError(failed, `${failed.length} rules could not be evaluated`);
  await storeRuleProgress(ctx.rows, orgId, new Date(toMs).toISOString());
  return done;
}

/** A round that failed halfway is repeated: what it recorded must not be recorded again. */
function startMsOf(rule: StoredRule, own: readonly AlertRow[], fromMs: number): number {
  const changes = own.flatMap(({ openedAt, resolvedAt }) => [
    Date.parse(openedAt),
    Date.parse(resolvedAt ?? openedAt),
  ]);
  return Math.max(fromMs, Date.parse(rule.definedAt), ...changes);
}

interface Followed {
  readonly rule: StoredRule;
  readonly span: Span;
  readonly values: readonly MinuteValue[];
  readonly own: readonly AlertRow[];
}

async function follow(ctx: Context, { rule, span, values, own }: Followed, done: Changes): Promise<void> {
  let open: Pick<AlertRow, "orgId" | "id"> | undefined = own.find(({ resolvedAt }) => resolvedAt === null);
  for (const change of ruleChanges(values, rule, span, open !== undefined)) {
    if (change.kind === "resolved") {
      if (open === undefined) return;
      const at = new Date(change.atMs).toISOString();
      if (await recordResolved(ctx.rows, open, at, ctx.now())) done.resolved++;
      open = undefined;
    } else {
      const alert = await describeRuleAlert(ctx, rule, change);
      // Somebody may have changed or deleted the rule since it was read.
      if (!(await recordOpened(ctx.rows, alert, ctx.now(), isUnchanged(rule)))) return;
      open = alert;
      done.opened++;
    }
  }
  if (open !== undefined && values.length === 0 && (await isGone(ctx, rule, span.toMs))) {
    const at = new Date(span.toMs).toISOString();
    if (await recordResolved(ctx.rows, open, at, ctx.now())) done.resolved++;
  }
}

function isUnchanged({ orgId, id, definedAt }: StoredRule): (transaction: RowStore) => Promise<boolean> {
  return async (transaction) => {
    const found = await findRule(transaction, orgId, id);
    return found?.isEnabled === 1 && found.definedAt === definedAt;
  };
}

async function isGone(ctx: Context, rule: StoredRule, toMs: number): Promise<boolean> {
  const [values = []] = await minuteValues(ctx, rule.orgId, [rule], { fromMs: toMs - goneMs, toMs });
  return values.length === 0;
}

/** Changes of a rule resolve its alert themselves: this is for what a crash or a restored backup left behind. */
async function resolveWithoutRule(
  ctx: Context,
  alerts: readonly AlertRow[],
  rules: readonly StoredRule[],
  toMs: number,
  done: Changes,
): Promise<void> {
  const enabled = new Set(rules.map(({ id }) => id));
  const left = alerts.filter(({ resolvedAt, ruleId }) => resolvedAt === null && !enabled.has(ruleId ?? ""));
  for (const alert of left) {
    if (await recordResolved(ctx.rows, alert, new Date(toMs).toISOString(), ctx.now())) done.resolved++;
  }
}

/** The range before is as long as the values were beyond the threshold, and at least this long. */
const beforeMsMin = hourMs;
/** Requests may be beyond the threshold for less time than there is between two profiles. */
const evidenceMsMin = hourMs;
/** A batch of requests begins at its first one. */

type Opening = Extract<RuleChange, { kind: "opened" }>;

/** The stored form of the alert of a rule. The threshold has the place of the value before. */
async function describeRuleAlert(
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

function ruleOfAlert({ route, ...rule }: StoredRule): RuleOfAlert {
  const { name, signal, comparison, threshold, minutes, tags } = rule;
  return {
    name,
    signal,
    comparison,
    threshold,
    minutes,
    tags: { ...tags },
    ...(route !== null && { route }),
  };
}
