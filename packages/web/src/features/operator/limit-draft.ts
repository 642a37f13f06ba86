import {
  bytesOfGigabyte,
  demoLimitNames,
  type LimitName,
  type LimitsChange,
  type LimitsInUse,
  limitNames,
  organizationLimits,
} from "@flamekeep/contract";
import { exactCount, plural } from "#format/number.ts";
import { sizeText } from "#limits/model.ts";
import type { Problem } from "#ui/controls/form-problems.tsx";

/** The texts of the fields; empty for the default of the server. Bytes are in GB. */
export type LimitDraft = Readonly<Record<LimitName, string>>;

export const fieldLabels: Readonly<Record<LimitName, string>> = {
  stored_bytes: "Stored GB",
  uploads_per_minute: "Uploads per minute",
  services: "Services",
  retention_days: "Days of retention",
  analyses_per_day: "Analyses per day",
};

/** The limits that the form can change. */
export function editableLimits(limits: LimitsInUse, isDemo: boolean): readonly LimitName[] {
  return limitNames.filter(
    (name) => limits[name].source !== "file" && (!isDemo || demoLimitNames.includes(name)),
  );
}

export function draftOf(limits: LimitsInUse): LimitDraft {
  const text = (name: LimitName) => {
    const { source, value } = limits[name];
    if (source === "server") return "";
    return name === "stored_bytes" ? gigabytesText(value) : String(value);
  };
  return Object.fromEntries(limitNames.map((name) => [name, text(name)])) as Record<LimitName, string>;
}

/** Without an exponent, and with the digits of a byte. */
function gigabytesText(bytes: number): string {
  return (bytes / bytesOfGigabyte).toFixed(10).replace(/\.?0{1,10}$/, "");
}

/** Undefined if the text is no value of the limit, null for the default of the server. */
function parsed(name: LimitName, text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  if (!/^\d{1,16}(\.\d{1,20})?$/.test(trimmed)) return undefined;
  const value = name === "stored_bytes" ? Math.round(Number(trimmed) * bytesOfGigabyte) : Number(trimmed);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** @param daysMax the retention of the server */
export function draftProblems(draft: LimitDraft, daysMax: number): readonly Problem[] {
  return limitNames.flatMap((name) => {
    const { min, max } = organizationLimits[name];
    const largest = name === "retention_days" ? daysMax : max;
    const value = parsed(name, draft[name]);
    if (value === null || (value !== undefined && value >= min && value <= largest)) return [];
    const text =
      name === "stored_bytes"
        ? "Stored GB must be a number, 0 or more"
        : `${fieldLabels[name]} must be a whole number from ${min} to ${exactCount(largest)}`;
    return [{ field: name, text }];
  });
}

/** The limits that differ from the present ones; undefined if none does. */
export function changeOf(draft: LimitDraft, limits: LimitsInUse): LimitsChange | undefined {
  const before = draftOf(limits);
  const changed = limitNames.filter((name) => draft[name].trim() !== before[name]);
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((name) => [name, parsed(name, draft[name])]));
}

/** The days that are kept after the change, if they are fewer. */
export function shortenedDays(
  draft: LimitDraft,
  { retention_days: { used } }: LimitsInUse,
): number | undefined {
  const days = parsed("retention_days", draft.retention_days);
  return typeof days === "number" && days > 0 && days < used ? days : undefined;
}

/** The default of the server under a field. */
export function defaultHint(name: LimitName, value: number): string {
  if (name === "stored_bytes") return `Empty: ${sizeText(value)}, as for other organizations`;
  const text = name === "retention_days" ? plural(value, "day") : exactCount(value);
  return `Empty: ${text}, as for other organizations`;
}
