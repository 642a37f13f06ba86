import { spanMs } from "@flamekeep/contract";
import { msOfWallTime, wallTimeOf, type Zone } from "#format/wall-time.ts";

/** How long a mute can last. */
export const muteSpans = [
  { value: "1h", label: "1 hour" },
  { value: "morning", label: "Until 08:00 tomorrow" },
  { value: "24h", label: "1 day" },
  { value: "7d", label: "1 week" },
  { value: "unlimited", label: "Until unmuted" },
] as const;
export type MuteSpan = (typeof muteSpans)[number]["value"];

/** The spans of a mute that begins later, whose morning is not tomorrow's. */
export const laterSpans = muteSpans.map((span) =>
  span.value === "morning" ? { ...span, label: "Until 08:00 the next day" } : span,
);

const morningHour = 8;

/** When a mute that begins at a time ends; null if it does not end by itself. */
export function muteEnd(span: MuteSpan, beginMs: number, zone: Zone): string | null {
  if (span === "morning") {
    const { year, month, day } = wallTimeOf(beginMs, zone);
    const morning = { year, month, day: day + 1, hour: morningHour, minute: 0, second: 0 };
    return new Date(msOfWallTime(morning, zone)).toISOString();
  }
  const ms = spanMs(span);
  return ms === undefined ? null : new Date(beginMs + ms).toISOString();
}
