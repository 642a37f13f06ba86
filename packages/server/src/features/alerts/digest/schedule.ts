/** When a digest is due. Pure. */
import { dayMs, hourMs } from "@flamekeep/contract/durations";

export interface Schedule {
  readonly frequency: "daily" | "weekly";
  readonly hourUtc: number;
  /** 0 is Sunday. Only of a weekly digest. */
  readonly weekday: number;
}

/** The last moment of the schedule that is not after `ms`. */
export function lastDueMs({ frequency, hourUtc, weekday }: Schedule, ms: number): number {
  const ofDay = (dayStartMs: number) => dayStartMs + hourUtc * hourMs;
  const today = Math.floor(ms / dayMs) * dayMs;
  const latest = ofDay(today) <= ms ? today : today - dayMs;
  if (frequency === "daily") return ofDay(latest);
  const daysBack = (new Date(latest).getUTCDay() - weekday + 7) % 7;
  return ofDay(latest - daysBack * dayMs);
}

/** The first moment of the schedule after `ms`. */
export function nextDueMs(schedule: Schedule, ms: number): number {
  return lastDueMs(schedule, ms) + (schedule.frequency === "daily" ? dayMs : 7 * dayMs);
}
