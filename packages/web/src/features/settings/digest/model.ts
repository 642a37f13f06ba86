import type { AlertDigest, DigestChannel } from "@flamekeep/contract";
import { digestWeekdays } from "@flamekeep/contract";
import { twoDigits } from "#format/number.ts";
import { exactTime } from "#format/time.ts";

/** The fields of the form. */
export type DigestDraft = Pick<
  AlertDigest,
  "frequency" | "hour_utc" | "weekday" | "channels" | "is_sent_when_empty"
>;

export function draftOf({
  frequency,
  hour_utc,
  weekday,
  channels,
  is_sent_when_empty,
}: DigestDraft): DigestDraft {
  return { frequency, hour_utc, weekday, channels, is_sent_when_empty };
}

export const frequencies = [
  { value: "off", label: "Off" },
  { value: "daily", label: "Every day" },
  { value: "weekly", label: "Every week" },
] as const;

export const weekdays = digestWeekdays.map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}));

/** A select has texts as values. */
export const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${twoDigits(hour)}:00 UTC`,
}));

export function withChannel(channels: readonly DigestChannel[], channel: DigestChannel): DigestChannel[] {
  return channels.includes(channel) ? channels.filter((each) => each !== channel) : [...channels, channel];
}

/** Why the digest would reach nobody; undefined if it is off or has a channel that is set up. */
export function problemOf(
  { frequency, channels }: DigestDraft,
  setUp: readonly DigestChannel[],
): string | undefined {
  if (frequency === "off" || channels.some((channel) => setUp.includes(channel))) return undefined;
  return setUp.length === 0
    ? "No channel is set up: set one up above, or the digest reaches nobody."
    : "Choose a channel that is set up, or the digest reaches nobody.";
}

/** `Next: Nov 21, 2026, 07:00:00 UTC.`, and how the last one went. */
export function statusText({ next_at, last }: Pick<AlertDigest, "next_at" | "last">): string {
  const next = next_at === null ? "" : `Next: ${exactTime(next_at, "utc")}.`;
  if (last === null) return next;
  const failed = last.deliveries.filter(({ status }) => status !== "delivered");
  const [first] = failed;
  const result =
    first === undefined
      ? "was delivered"
      : `${first.status === "due" ? "is not delivered yet" : "was not delivered"}${first.error === null ? "" : `: ${first.error}`}`;
  return `${next} The last one, up to ${exactTime(last.to, "utc")}, ${result}.`.trim();
}
