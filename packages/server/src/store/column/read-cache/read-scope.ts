import { hourOf } from "#store/column/utc.ts";
import type { ReadScope } from "./changes.ts";

/**
 * The rows that a query with these parameters reads. By convention, parameters are named alike in all queries: `orgId`; `service`,
 * where "" means all; a range from `from`, `fromSeconds` or `fromMs` until before `to`, `toSeconds` or `toMs`; and `hours`.
 */
export function scopeOf(params: unknown): ReadScope | undefined {
  const named = params as Readonly<Record<string, unknown>>;
  const { orgId, service, hours } = named;
  if (typeof orgId !== "string") return undefined;
  return {
    orgId,
    ...(typeof service === "string" && service !== "" ? { service } : {}),
    ...hoursBetween(secondsOf(named, "from"), secondsOf(named, "to"), hours),
  };
}

function secondsOf(named: Readonly<Record<string, unknown>>, name: "from" | "to"): number | undefined {
  const { [name]: time, [`${name}Seconds`]: seconds, [`${name}Ms`]: ms } = named;
  if (time instanceof Date) return time.getTime() / 1000;
  if (typeof seconds === "number") return seconds;
  return typeof ms === "number" ? ms / 1000 : undefined;
}

function hoursBetween(
  from: number | undefined,
  to: number | undefined,
  hours: unknown,
): Pick<ReadScope, "firstHour" | "lastHour"> {
  if (from !== undefined && to !== undefined) {
    return { firstHour: hourOf(Math.floor(from)), lastHour: hourOf(Math.ceil(to) - 1) };
  }
  if (!Array.isArray(hours) || hours.length === 0) return {};
  const starts = hours as readonly number[];
  return { firstHour: Math.min(...starts), lastHour: Math.max(...starts) };
}
