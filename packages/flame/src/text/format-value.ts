/**
 * Value with the unit a person reads: time in ms, from 1000 ms on in s; bytes in KiB, MiB, GiB; counts with K from a thousand and M
 * from a million; other units as they are.
 *
 * @param unit as profiles name it: nanoseconds, bytes, count, ...
 */
export function formatValue(value: number, unit: string): string {
  const ms = millisecondsIn[unit];
  if (ms !== undefined) return formatDuration(value * ms);
  if (unit === "bytes") return formatBytes(value);
  const count = formatCount(value);
  return unit === "count" || unit === "" ? count : `${count} ${unit}`;
}

const millisecondsIn: Readonly<Record<string, number>> = {
  nanoseconds: 1e-6,
  microseconds: 1e-3,
  milliseconds: 1,
  seconds: 1000,
};

export function formatDuration(ms: number): string {
  return Math.abs(ms) >= 1000 ? `${rounded(ms / 1000)} s` : `${rounded(ms)} ms`;
}

export function formatBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let step = 0;
  let value = bytes;
  while (Math.abs(value) >= 1024 && step < units.length - 1) {
    value /= 1024;
    step++;
  }
  return `${rounded(value)} ${units[step]}`;
}

export function formatCount(count: number): string {
  const size = Math.abs(count);
  if (size >= 1e6) return `${rounded(count / 1e6)}M`;
  if (size >= 1e3) return `${rounded(count / 1e3)}K`;
  return rounded(count);
}

/** Share of a whole with one decimal; what is more than nothing is never shown as nothing. */
export function formatPercent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return "0.0%";
  const percent = (part / whole) * 100;
  if (Math.abs(percent) < 0.05) return percent < 0 ? ">-0.1%" : "<0.1%";
  return `${percent.toFixed(1)}%`;
}

/** Three digits that count: 1234 -> 1234, 12.345 -> 12.3, 0.012345 -> 0.0123. */
function rounded(value: number): string {
  const size = Math.abs(value);
  if (size >= 100 || size === 0) return String(Math.round(value));
  if (size < 1e-6) return value.toExponential(1);
  return String(Number(value.toPrecision(3)));
}
