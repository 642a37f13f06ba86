import type { ApiKey } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import { plural } from "#format/number.ts";

/** Enough time to replace a key in every program that uses it. */
const soonDays = 14;

/** The label of a key that has expired or will expire soon. */
export function expiryOf(
  { expires_at, is_active }: Pick<ApiKey, "expires_at" | "is_active">,
  nowMs: number,
): { readonly label: string; readonly tone: "warning" | "critical" } | undefined {
  if (expires_at === null) return undefined;
  const leftMs = Date.parse(expires_at) - nowMs;
  if (leftMs <= 0) return { label: "Expired", tone: "critical" };
  if (!is_active || leftMs > soonDays * dayMs) return undefined;
  // Rounded, so that a key that was created for 7 days does not show 6 a moment later.
  const days = Math.round(leftMs / dayMs);
  return {
    label: leftMs < dayMs ? "Expires in less than a day" : `Expires in ${plural(days, "day")}`,
    tone: "warning",
  };
}
