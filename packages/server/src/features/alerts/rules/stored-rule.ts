import type { Selectable } from "kysely";
import { z } from "zod";
import type { Database } from "#store/row/row-store.ts";

type RuleRow = Selectable<Database["alertRules"]>;

const Tags = z.record(z.string(), z.string());

/** A rule with its tags as an object. */
export type StoredRule = Omit<RuleRow, "tags"> & { readonly tags: Readonly<Record<string, string>> };

export function toStoredRule({ tags, ...row }: RuleRow): StoredRule {
  return { ...row, tags: Tags.parse(JSON.parse(tags)) };
}

/** The fields of a rule that name the values which it watches. */
export type RuleSeries = Pick<StoredRule, "service" | "signal" | "profileType" | "sampleType" | "tags">;

/** The JSON of the column `rule` of alerts. */
export const RuleOfAlert = z.object({
  name: z.string(),
  signal: z.enum(["profile", "http_p95", "http_error_rate", "http_request_rate"]),
  comparison: z.enum(["above", "below"]),
  threshold: z.number(),
  minutes: z.number(),
  tags: Tags,
  /** The change of the rule that resolved the alert. */
  ended: z.enum(["changed", "disabled", "removed"]).optional(),
});
export type RuleOfAlert = z.output<typeof RuleOfAlert>;

export function toRuleOfAlert(text: string): RuleOfAlert {
  return RuleOfAlert.parse(JSON.parse(text));
}
