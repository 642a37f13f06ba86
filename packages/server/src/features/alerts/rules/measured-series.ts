import type { RuleSignal } from "@flamekeep/contract";
import { isGauge } from "@flamekeep/profile";
import { evidenceSampleType, evidenceType } from "#alerts/detect/http-signals.ts";
import { toValueType } from "#store/profiles/profile-row.ts";
import type { RuleSeries } from "./stored-rule.ts";

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
