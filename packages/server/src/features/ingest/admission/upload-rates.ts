import { minuteMs } from "@flamekeep/contract/durations";
import type { Refusal } from "#ingest/upload/refusal.ts";
import { type Limit, raising } from "#store/row/organization-limits.ts";

/** The uploads of an organization in one minute. */
interface Minute {
  startedAtMs: number;
  count: number;
  /** The uploads of the minute before. */
  countBefore: number;
}

/** Counts the uploads of each organization by minute, and refuses those beyond its limit. */
export class UploadRates {
  readonly #elapsedMs: () => number;
  readonly #minutes = new Map<string, Minute>();

  /** @param elapsedMs monotonic milliseconds from any moment on */
  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /** Counts an upload unless it is refused. */
  take(orgId: string, limit: Limit): Refusal | undefined {
    const nowMs = this.#elapsedMs();
    const minute = this.#minuteOf(orgId, nowMs);
    if (minute.count >= limit.value) return tooMany(limit, minute.startedAtMs + minuteMs - nowMs);
    minute.count++;
    return undefined;
  }

  /** Counts uploads that other servers have taken. */
  noteOthers(orgId: string, uploads: number): void {
    this.#minuteOf(orgId, this.#elapsedMs()).count += uploads;
  }

  /** The uploads of the last full minute. */
  lastMinute(orgId: string): number {
    return this.#minutes.has(orgId) ? this.#minuteOf(orgId, this.#elapsedMs()).countBefore : 0;
  }

  #minuteOf(orgId: string, nowMs: number): Minute {
    const minute = this.#minutes.get(orgId);
    const startedAtMs = Math.floor(nowMs / minuteMs) * minuteMs;
    if (minute === undefined) {
      const first = { startedAtMs, count: 0, countBefore: 0 };
      this.#minutes.set(orgId, first);
      return first;
    }
    if (minute.startedAtMs !== startedAtMs) {
      minute.countBefore = startedAtMs - minute.startedAtMs === minuteMs ? minute.count : 0;
      minute.startedAtMs = startedAtMs;
      minute.count = 0;
    }
    return minute;
  }
}

function tooMany(limit: Limit, waitMs: number): Refusal {
  return {
    code: "rate_limited",
    reason: "organization_uploads_per_minute",
    message: `Your organization has sent ${limit.value} uploads in this minute, as many as its limit allows. Send less often, or ${raising(limit)}.`,
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  };
}
