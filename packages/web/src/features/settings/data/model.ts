import type { getRetention, ReplyOf } from "@flamekeep/contract";
import { plural } from "#format/number.ts";
import type { Problem } from "#ui/controls/form-problems.tsx";

type Retention = ReplyOf<typeof getRetention>;

/** For how many days data is kept: never longer than the maximum of the organization. */
export function keptDays({ retention_days, server_retention_days }: Retention): number {
  return Math.min(retention_days ?? server_retention_days, server_retention_days);
}

/** The types that are kept for fewer days: `goroutine profiles for 3 days`; "" for none. */
export function fewerDaysText(retention: Retention): string {
  return Object.entries(retention.server_days_by_type)
    .filter(([, days]) => days < keptDays(retention))
    .map(([type, days]) => `${type} profiles for ${plural(days, "day")}`)
    .join(", ");
}

export interface RetentionDraft {
  /** False: the maximum of the organization. */
  readonly isLimited: boolean;
  readonly days: string;
}

export function draftOf(retention: Retention): RetentionDraft {
  return { isLimited: retention.retention_days !== null, days: String(keptDays(retention)) };
}

/** The value to save; undefined if the text is not a number of days. */
export function daysOf({ isLimited, days }: RetentionDraft): number | null | undefined {
  if (!isLimited) return null;
  return /^\d{1,4}$/.test(days.trim()) ? Number(days) : undefined;
}

export function problemsOf(
  draft: RetentionDraft,
  { server_retention_days: serverDays }: Retention,
): Problem[] {
  const days = daysOf(draft);
  if (days === null || (days !== undefined && days >= 1 && days <= serverDays)) return [];
  return [
    {
      field: "days",
      text: `Enter whole days from 1 to ${serverDays}, because data is kept for at most ${plural(serverDays, "day")}`,
    },
  ];
}

/** Whether saving removes data that is kept now. */
export function shortens(days: number | null, retention: Retention): boolean {
  return (days ?? retention.server_retention_days) < keptDays(retention);
}
