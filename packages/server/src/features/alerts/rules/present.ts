import type { Alert, AlertRule, ProfileType } from "@flamekeep/contract";
import { quantity } from "#alert-text";
import { evidenceSampleType } from "#alerts/detect/http-signals.ts";
import type { AlertRow } from "#alerts/stored-alert.ts";
import { unitOfSeries } from "./measured-series.ts";
import type { ListedRule } from "./queries.ts";
import { toRuleOfAlert } from "./stored-rule.ts";

export function presentRule(rule: ListedRule, isFiring: boolean): AlertRule {
  return {
    id: rule.id,
    name: rule.name,
    service: rule.service,
    signal: rule.signal,
    profile_type: rule.profileType,
    sample_type: rule.sampleType,
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

type RuleFields = Pick<Alert, "sample_type" | "signal" | "unit" | "rule">;

/** The fields of an alert that a rule has opened; undefined if the detector did. */
export function ruleFields({ ruleId, rule, sampleType, type }: AlertRow): RuleFields | undefined {
  if (ruleId === null || rule === null) return undefined;
  const { signal, name, comparison, threshold, minutes, tags, ended } = toRuleOfAlert(rule);
  const values = {
    ...(signal === "profile" ? {} : { signal }),
    unit: unitOfSeries({ signal, sampleType }),
  };
  const condition = `${comparison} ${quantity(threshold, { ...values, profile_type: type as ProfileType })}`;
  return {
    sample_type: signal === "profile" ? sampleType : evidenceSampleType,
    ...values,
    rule: {
      id: ruleId,
      name,
      condition,
      comparison,
      threshold,
      minutes,
      tags,
      ...(ended === undefined ? {} : { ended }),
    },
  };
}
