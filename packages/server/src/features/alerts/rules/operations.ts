import { randomUUID } from "node:crypto";
import type * as calls from "@flamekeep/contract";
import { type AlertRule, type InputOf, limits, type ReplyOf, type RulePreview } from "@flamekeep/contract";
import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import type { Insertable } from "kysely";
import {
  type RuleOfAlert,
  type RuleSeries,
  type StoredRule,
  toRuleOfAlert,
  unitOfSeries,
} from "#alerts/row/stored-rule.ts";
import { resolveIn } from "#alerts/store/record-change.ts";
import type { Actor, Context, UserActor } from "#context";
import { notFound, quotaExceeded } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { replyTo } from "#http/reply/reply.ts";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import type { Database, RowStore } from "#store/row/row-store.ts";
import { limitRefusals } from "#telemetry/metrics.ts";
import { minuteValues } from "./minute-values.ts";
import {
  countRules,
  deleteRule,
  findRule,
  firingRules,
  insertRule,
  type ListedRule,
  listedRules,
  openAlertOfRule,
  storeRule,
  storeRuleText,
} from "./queries.ts";
import { type MinuteValue, type RuleChange, reachMsOf, ruleChanges } from "./threshold.ts";

type Definition = InputOf<typeof calls.createAlertRule>;
type RuleReply = ReplyOf<typeof calls.updateAlertRule>;

export async function listAlertRules(
  ctx: Context,
  { orgId }: Pick<Actor, "orgId">,
): Promise<ReplyOf<typeof calls.listAlertRules>> {
  const [rules, firing] = await Promise.all([listedRules(ctx.rows, orgId), firingRules(ctx.rows, orgId)]);
  return {
    rules: rules.map((rule) => presentRule(rule, firing.has(rule.id))),
    rules_max: ctx.config.organization.alertRulesMax,
  };
}

export async function createAlertRule(
  ctx: Context,
  { orgId, userId }: UserActor,
  body: Definition,
): Promise<RuleReply> {
  const id = randomUUID();
  const at = ctx.now().toISOString();
  const { alertRulesMax } = ctx.config.organization;
  const isCreated = await lockedTransaction(ctx.rows, orgId, async (rows) => {
    if ((await countRules(rows, orgId)) >= alertRulesMax) return false;
    const made = { id, orgId, createdBy: userId, createdAt: at, definedAt: at };
    await insertRule(rows, { ...made, ...toColumns(body) });
    return true;
  });
  if (!isCreated) {
    ctx.metrics.count(limitRefusals.name, limitRefusals.help, { limit: "alert_rules" });
    throw quotaExceeded(
      `Your organization has reached its limit of ${alertRulesMax} rules (ORG_ALERT_RULES_MAX). Delete one first.`,
    );
  }
  ctx.log.info({ orgId, userId, ruleId: id }, "alert rule created");
  return reply(ctx, orgId, id);
}

/** The alert of a rule that was changed is over: its message and its fields name the rule as it was. */
export const updateAlertRule: Operation<typeof calls.updateAlertRule> = async (
  ctx,
  { orgId, userId },
  { id, ...body },
) => {
  const now = ctx.now();
  const isChanged = await lockedTransaction(ctx.rows, orgId, async (rows) => {
    const rule = await ruleOf(rows, orgId, id);
    const columns = toColumns(body);
    const isRedefined = !isSameDefinition(rule, columns);
    if (!isRedefined && columns.name === rule.name) return false;
    await storeRule(rows, rule, { ...columns, ...(isRedefined && { definedAt: now.toISOString() }) });
    if (isRedefined) await endAlert(rows, rule, body.is_enabled ? "changed" : "disabled", now);
    return true;
  });
  if (isChanged) ctx.log.info({ orgId, userId, ruleId: id }, "alert rule changed");
  return replyTo(isChanged, await reply(ctx, orgId, id));
};

export const removeAlertRule: Operation<typeof calls.removeAlertRule> = async (
  ctx,
  { orgId, userId },
  { id },
) => {
  const now = ctx.now();
  const removed = await reply(ctx, orgId, id);
  await lockedTransaction(ctx.rows, orgId, async (rows) => {
    const rule = await ruleOf(rows, orgId, id);
    await deleteRule(rows, rule);
    await endAlert(rows, rule, "removed", now);
  });
  ctx.log.info({ orgId, userId, ruleId: id }, "alert rule deleted");
  return { rule: { ...removed.rule, is_firing: false } };
};

async function ruleOf(rows: RowStore, orgId: string, id: string): Promise<StoredRule> {
  const rule = await findRule(rows, orgId, id);
  if (rule === undefined) throw notFound("Rule", id);
  return rule;
}

async function reply(ctx: Context, orgId: string, id: string): Promise<RuleReply> {
  const { rules } = await listAlertRules(ctx, { orgId });
  const rule = rules.find((each) => each.id === id);
  if (rule === undefined) throw notFound("Rule", id);
  return { rule };
}

async function endAlert(
  rows: RowStore,
  { orgId, id }: StoredRule,
  ended: NonNullable<RuleOfAlert["ended"]>,
  now: Date,
): Promise<void> {
  const alert = await openAlertOfRule(rows, orgId, id);
  if (alert === undefined || alert.rule === null) return;
  await storeRuleText(rows, alert, JSON.stringify({ ...toRuleOfAlert(alert.rule), ended }));
  await resolveIn(rows, alert, now.toISOString(), now);
}

type Columns = Omit<
  Insertable<Database["alertRules"]>,
  "id" | "orgId" | "createdBy" | "createdAt" | "definedAt"
>;

function toColumns(body: Definition): Columns {
  // In the order of their names: the same tags are the same text.
  const tags = Object.entries(body.tags).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    name: body.name,
    service: body.service,
    signal: body.signal,
    profileType: body.profile_type,
    sampleType: body.sample_type,
    route: body.route,
    tags: JSON.stringify(Object.fromEntries(tags)),
    comparison: body.comparison,
    threshold: body.threshold,
    minutes: body.minutes,
    severity: body.severity,
    isEnabled: body.is_enabled ? 1 : 0,
  };
}

/** Everything but the name. */
function isSameDefinition({ tags, ...rule }: StoredRule, { name: _, ...columns }: Columns): boolean {
  const stored = { ...rule, tags: JSON.stringify(tags) };
  return (Object.keys(columns) as (keyof typeof columns)[]).every((key) => columns[key] === stored[key]);
}

function presentRule(rule: ListedRule, isFiring: boolean): AlertRule {
  return {
    id: rule.id,
    name: rule.name,
    service: rule.service,
    signal: rule.signal,
    profile_type: rule.profileType,
    sample_type: rule.sampleType,
    route: rule.route,
    tags: { ...rule.tags },
    comparison: rule.comparison,
    threshold: rule.threshold,
    minutes: rule.minutes,
    severity: rule.severity,
    is_enabled: rule.isEnabled === 1,
    unit: unitOfSeries(rule),
    is_firing: isFiring,
    created_by: rule.createdByName,
    created_at: rule.createdAt,
  };
}

const bucketMs = 10 * minuteMs;

/** The alerts that a rule would have opened in the days before now. Nothing is stored. */
export const previewAlertRule: Operation<typeof calls.previewAlertRule> = async (ctx, { orgId }, body) => {
  const toMs = Math.floor(ctx.now().getTime() / minuteMs) * minuteMs;
  const fromMs = Math.floor((toMs - limits.rulePreviewDays * dayMs) / bucketMs) * bucketMs;
  const { service, signal, profile_type: profileType, sample_type: sampleType, route, tags } = body;
  const series: RuleSeries = { service, signal, profileType, sampleType, route, tags };
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
};

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
