import type { RuleSignal } from "@flamekeep/contract";
import { isGauge } from "@flamekeep/profile";
import type { Selectable } from "kysely";
import { z } from "zod";
import { evidenceSampleType, evidenceType } from "#alerts/detect/watched/http-signals.ts";
import { toValueType } from "#store/profiles/profile-row.ts";
import type { Database } from "#store/row/row-store.ts";

type RuleRow = Selectable<Database["alertRules"]>;

const Tags = z.record(z.string(), z.string());

/** A rule with its tags as an object. */
export type StoredRule = Omit<RuleRow, "tags"> & { readonly tags: Readonly<Record<string, string>> };

export function toStoredRule({ tags, ...row }: RuleRow): StoredRule {
  return { ...row, tags: Tags.parse(JSON.parse(tags)) };
}

/** The fields of a rule that name the values which it watches. */
export type RuleSeries = Pick<
  StoredRule,
  "service" | "signal" | "profileType" | "sampleType" | "route" | "tags"
>;

/** The JSON of the column `rule` of alerts. */
export const RuleOfAlert = z.object({
  name: z.string(),
  signal: z.enum(["profile", "http_p95", "http_error_rate", "http_request_rate"]),
  comparison: z.enum(["above", "below"]),
  threshold: z.number(),
  minutes: z.number(),
  tags: Tags,
  /** Of requests of one route. */
  route: z.string().optional(),
  /** The change of the rule that resolved the alert. */
  ended: z.enum(["changed", "disabled", "removed"]).optional(),
});
export type RuleOfAlert = z.output<typeof RuleOfAlert>;

export function toRuleOfAlert(text: string): RuleOfAlert {
  return RuleOfAlert.parse(JSON.parse(text));
}

const httpUnits = {
  http_p95: "seconds",
  http_error_rate: "ratio",
  http_request_rate: "requests per second",
} as const satisfies Record<Exclude<RuleSignal, "profile">, string>;

/** Whether values are counts at one moment: then their mean is compared. All others are compared per second. */
export function isGaugeSeries(sampleType: string): boolean {
  return isGauge(toValueType(sampleType));
}

/** The unit of the threshold and the values. */
export function unitOfSeries({ signal, sampleType }: Pick<RuleSeries, "signal" | "sampleType">): string {
  if (signal !== "profile") return httpUnits[signal];
  if (sampleType === null) throw new TypeError("A rule about profiles has a sample type");
  const { unit } = toValueType(sampleType);
  return isGaugeSeries(sampleType) ? unit : `${unit} per second`;
}

/** The profiles that show what happened: those that are watched, or of requests the CPU profiles of the time. */
export function evidenceOf({ profileType, sampleType }: Pick<RuleSeries, "profileType" | "sampleType">) {
  return { type: profileType ?? evidenceType, sampleType: sampleType ?? evidenceSampleType };
}
