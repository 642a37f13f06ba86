import { hourOf } from "#store/column/utc.ts";
import type { ReadScope } from "./changes.ts";

/**
 * The rows that a query with these parameters reads. By convention, parameters are named alike in all queries: `orgId`; `service`,
 * where "" means all; a range from `from` or `fromSeconds` until before `to` or `toSeconds`; and `hours`.
 */
export function scopeOf(params: unknown): ReadScope | undefined {
  const { orgId, service, from, to, fromSeconds, toSeconds, hours } = params as Readonly<
    Record<string, unknown>
  >;
  if (typeof orgId !== "string") return undefined;
  return {
    orgId,
    ...(typeof service === "string" && service !== "" ? { service } : {}),
    ...hoursBetween(secondsOf(from) ?? secondsOf(fromSeconds), secondsOf(to) ?? secondsOf(toSeconds), hours),
  };
}

function secondsOf(time: unknown): number | undefined {
  if (time instanceof Date) return time.getTime() / 1000;
  return typeof time === "number" ? time : undefined;
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
