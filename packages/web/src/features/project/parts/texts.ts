import { spanMs } from "@flamekeep/contract";
import { dayMs, hourMs } from "@flamekeep/contract/durations";

/** The page's title: the specification names one service differently. */
export function projectTitle(service: string): string {
  return service === "example-service" ? "Example Service" : service;
}

/** `Over 5 days`: the time between the first and the last profile; in hours below a day. */
export function overDays(days: number): string {
  if (days >= 1) return `Over ${counted(days, "day")}`;
  return days * 24 < 1 ? "Over less than an hour" : `Over ${counted(days * 24, "hour")}`;
}

/** `1 day`, `1.5 days`. */
function counted(value: number, one: string): string {
  const rounded = Math.round(value * 10) / 10;
  return `${rounded} ${one}${rounded === 1 ? "" : "s"}`;
}

/** `Last 24 Hours` or `Last 7 Days`; undefined for a range that does not end now. */
export function rangeBadge(from: string): string | undefined {
  const ms = spanMs(from);
  if (ms === undefined) return undefined;
  const [count, unit] = ms <= dayMs ? [ms / hourMs, "Hour"] : [ms / dayMs, "Day"];
  return `Last ${counted(count, unit)}`;
}
