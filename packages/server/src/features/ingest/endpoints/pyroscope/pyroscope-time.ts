import { impossibleTime } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";

const relative = /^now(?:-(\d{1,9})(s|m|h|d))?$/;
const unitMs = { s: 1000, m: minuteMs, h: hourMs, d: dayMs } as const;

/**
 * `from` and `until` of `/ingest` in Unix nanoseconds, distinguished by their number of digits: 8 `YYYYMMDD`,
 * 13 milliseconds, 16 microseconds, 19 nanoseconds, any other count seconds; also `now` and `now-1h`
 * (Pyroscope, pkg/og/util/attime). Undefined when it is none of these.
 */
export function parsePyroscopeTime(text: string, nowMs: number): bigint | undefined {
  const match = relative.exec(text);
  if (match !== null) {
    const back = match[1] === undefined ? 0 : Number(match[1]) * unitMs[match[2] as keyof typeof unitMs];
    return BigInt(nowMs - back) * 1_000_000n;
  }
  if (!/^\d{1,19}$/.test(text)) return undefined;
  if (text.length === 8) {
    const date = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
    const day = Date.parse(`${date}T00:00:00Z`);
    // Date.parse takes February 30 for March 2; of a month 13 or a day 32 it makes nothing.
    if (!Number.isNaN(day)) {
      return impossibleTime(date) === undefined ? BigInt(day) * 1_000_000n : undefined;
    }
  }
  const value = BigInt(text);
  if (text.length === 13) return value * 1_000_000n;
  if (text.length === 16) return value * 1000n;
  if (text.length === 19) return value;
  return value * 1_000_000_000n;
}
