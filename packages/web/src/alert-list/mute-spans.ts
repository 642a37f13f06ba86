import { spanMs } from "@flamekeep/contract";

/** How long a mute can last. */
export const muteSpans = [
  { value: "1h", label: "1 hour" },
  { value: "24h", label: "1 day" },
  { value: "7d", label: "1 week" },
  { value: "unlimited", label: "Until unmuted" },
] as const;
export type MuteSpan = (typeof muteSpans)[number]["value"];

/** When a mute of this length ends; null if it does not end by itself. */
export function muteEnd(span: MuteSpan, nowMs: number): string | null {
  const ms = spanMs(span);
  return ms === undefined ? null : new Date(nowMs + ms).toISOString();
}
