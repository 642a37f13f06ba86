import type { AlertMute } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { profileTypeLabel } from "#format/names.ts";
import { plural } from "#format/number.ts";
import { msOfWallTime, repeatedMs, type Zone } from "#format/wall-time.ts";

/** When a mute ends, for people: `Ends in 3 hours`. Rounded up, so that it never says that it has ended too early. */
export function endText(until: string | null, nowMs: number): string {
  if (until === null) return "Until unmuted";
  return `Ends ${inText(Date.parse(until) - nowMs)}`;
}

/** When a schedule mutes the next time: `Next in 3 hours`. */
export function nextText(from: string, nowMs: number): string {
  return `Next ${inText(Date.parse(from) - nowMs)}`;
}

function inText(leftMs: number): string {
  if (leftMs <= minuteMs) return "within a minute";
  if (leftMs <= hourMs) return `in ${plural(Math.ceil(leftMs / minuteMs), "minute")}`;
  if (leftMs <= 2 * dayMs) return `in ${plural(Math.ceil(leftMs / hourMs), "hour")}`;
  return `in ${plural(Math.ceil(leftMs / dayMs), "day")}`;
}

/** The alerts that a mute silences: `CPU alerts of checkout with env:staging`. */
export function scopeText({
  service,
  type,
  tags = {},
}: Pick<AlertMute, "service" | "type" | "tags">): string {
  const alerts = type === null ? "all alerts" : `${profileTypeLabel(type)} alerts`;
  const names = Object.entries(tags).map(([name, value]) => `${name}:${value}`);
  const tagged = names.length === 0 ? "" : ` with ${names.join(", ")}`;
  return `${alerts} of ${service ?? "all services"}${tagged}`;
}

/**
 * The times that a field for date and time means, `2026-11-21T22:00`: two in the hour that a clock change repeats, none if the field
 * is empty.
 */
export function instantsOf(text: string, zone: Zone): string[] {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/\D/).map(Number);
  if (text === "") return [];
  const ms = msOfWallTime({ year, month, day, hour, minute, second: 0 }, zone);
  return [ms, repeatedMs(ms, zone) ?? []].flat().map((each) => new Date(each).toISOString());
}
