import type { Sender } from "@flamekeep/contract";
import { profileTypeName } from "#format/names.ts";
import { timeBetween } from "#format/time.ts";

type State = Pick<Sender, "state" | "since" | "types" | "last_received_at">;

/** `Silent for 50 min`, `Stopped sending CPU`, `Sending`, `Sent 3 h ago`. */
export function senderStateText(
  { state, since, types, last_received_at: last }: State,
  nowMs: number,
): string {
  const now = new Date(nowMs).toISOString();
  if (state === "silent") return `Silent for ${timeBetween(since ?? last, now)}`;
  if (state === "stopped_types") {
    const stopped = types.filter((each) => each.state === "silent").map(({ type }) => profileTypeName(type));
    return `Stopped sending ${stopped.join(", ")}`;
  }
  return state === "sending" ? "Sending" : `Sent ${timeBetween(last, now)} ago`;
}

/** `Nothing in 3 of the last 48 half hours`: the text of a strip. */
export function stripText(received: readonly number[]): string {
  const total = received.reduce((sum, count) => sum + count, 0);
  const gaps = received.filter((count) => count === 0).length;
  if (total === 0) return "No uploads in the last 24 hours";
  const profiles = `${total.toLocaleString("en-US")} uploads in the last 24 hours`;
  return gaps === 0 ? profiles : `${profiles}, none in ${gaps} of ${received.length} half hours`;
}

/** `every 15 s`, `every 10 min`, `every 2.5 h`. */
export function intervalText(seconds: number | null): string {
  if (seconds === null) return "–";
  if (seconds < 100) return `${rounded(seconds)} s`;
  return seconds < 5_400 ? `${rounded(seconds / 60)} min` : `${rounded(seconds / 3600)} h`;
}

function rounded(value: number): number {
  return value < 10 ? Math.round(value * 10) / 10 : Math.round(value);
}

/** Uploads take some time: less says nothing about the clock. */
const clockErrorSecondsMin = 60;

/** `Its clock is 3 min ahead`; undefined if nothing is wrong. */
export function clockText(seconds: number | null): string | undefined {
  if (seconds === null || Math.abs(seconds) < clockErrorSecondsMin) return undefined;
  const size = timeBetween(new Date(0).toISOString(), new Date(Math.abs(seconds) * 1000).toISOString());
  return seconds < 0
    ? `The sender's clock is ${size} ahead.`
    : `Profiles arrive ${size} after their end: the sender's clock is behind, or it sends late.`;
}
