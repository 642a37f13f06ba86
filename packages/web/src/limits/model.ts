import type { LimitName, LimitSource, LimitsInUse } from "@flamekeep/contract";
import { bytesMeasure, measureText } from "#format/measure.ts";
import { exactCount, plural } from "#format/number.ts";

export const limitLabels: Readonly<Record<LimitName, string>> = {
  stored_bytes: "Stored",
  uploads_per_minute: "Uploads per minute",
  services: "Services",
  retention_days: "Retention",
  analyses_per_day: "Analyses today",
};

/** The usual source, the server, is not named. */
export const sourceTexts: Readonly<Record<LimitSource, string>> = {
  server: "",
  operator: "Set by the operator",
  file: "From the file",
};

type LimitInUse = LimitsInUse[LimitName];

/** `12.3 GB of 50 GB`. */
export function usageText(name: LimitName, { used, value }: LimitInUse): string {
  if (name === "stored_bytes") return `${sizeText(used)} of ${sizeText(value)}`;
  if (name !== "retention_days") return `${exactCount(used)} of ${exactCount(value)}`;
  return used === value ? plural(value, "day") : `${exactCount(used)} of ${plural(value, "day")}`;
}

export type LimitState = "free" | "near" | "reached";

/** Nearly used up from nine tenths on. Days are a choice and not used up. */
export function stateOf(name: LimitName, { used, value }: LimitInUse): LimitState {
  if (name === "retention_days") return "free";
  if (used >= value) return "reached";
  return used >= 0.9 * value ? "near" : "free";
}

/** The used part of a limit, at most 1; undefined for days. */
export function usedShare(name: LimitName, { used, value }: LimitInUse): number | undefined {
  if (name === "retention_days") return undefined;
  return value === 0 ? 1 : Math.min(1, used / value);
}

export function sizeText(bytes: number): string {
  return measureText(bytesMeasure(bytes));
}
