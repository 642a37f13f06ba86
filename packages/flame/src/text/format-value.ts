import type { TreeValue } from "#tree/call-tree.ts";
/**
 * Value with the unit a person reads: time in ns, µs, ms or s; bytes in B, KB, MB, GB or TB (1 MB is 2^20, as in pprof); counts with K from a thousand and M from a
 * million; other units as they are.
 *
 * @param unit as profiles name it: nanoseconds, bytes, count, ...
 */
export function formatValue(value: number, unit: string): string {
  const ns = nanosecondsIn[unit];
  if (ns !== undefined) return scaled(value * ns, timeSteps);
  if (unit === "bytes") return scaled(value, byteSteps);
  const count = formatCount(value);
  return unit === "count" || unit === "" ? count : `${count} ${unit}`;
}

/** The units in which values of a unit are read, largest first: how many of them are one. For pages that format values themselves. */
export function valueSteps(unit: string): Steps {
  const ns = nanosecondsIn[unit];
  if (ns !== undefined) return timeSteps.map(([factor, name]) => [factor / ns, name]);
  if (unit === "bytes") return byteSteps;
  const suffix = unit === "count" || unit === "" ? "" : ` ${unit}`;
  return [
    [1e6, `M${suffix}`],
    [1e3, `K${suffix}`],
    [1, suffix],
  ];
}

const nanosecondsIn: Readonly<Record<string, number>> = {
  nanoseconds: 1,
  microseconds: 1e3,
  milliseconds: 1e6,
  seconds: 1e9,
};

type Steps = readonly (readonly [factor: number, unit: string])[];

const timeSteps: Steps = [
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "µs"],
  [1, "ns"],
];

const byteSteps: Steps = [
  [2 ** 40, "TB"],
  [2 ** 30, "GB"],
  [2 ** 20, "MB"],
  [2 ** 10, "KB"],
  [1, "B"],
];

function scaled(value: number, steps: Steps): string {
  const [factor, unit] = steps.find(([at]) => Math.abs(value) >= at) ?? steps.at(-1)!;
  return `${rounded(value / factor)} ${unit}`;
}

/** One decimal. */
function formatCount(count: number): string {
  const compact = (value: number) => withMinus(value.toFixed(1).replace(/\.0$/, ""));
  if (Math.abs(count) >= 999_950) return `${compact(count / 1e6)}M`;
  return Math.abs(count) >= 1e3 ? `${compact(count / 1e3)}K` : rounded(count);
}

/** Share of a whole with one decimal; a share above zero is never shown as zero. */
export function formatPercent(part: TreeValue, whole: TreeValue): string {
  if (whole === 0 || part === 0) return "0.0%";
  const percent = (part / whole) * 100;
  if (Math.abs(percent) < 0.05) return percent < 0 ? ">−0.1%" : "<0.1%";
  return `${withMinus(percent.toFixed(1))}%`;
}

/** Three digits that count: 1234 -> 1234, 12.345 -> 12.3, 0.012345 -> 0.0123. */
function rounded(value: number): string {
  const size = Math.abs(value);
  if (size >= 100 || size === 0) return withMinus(String(Math.round(value)));
  return withMinus(String(Number(value.toPrecision(3))));
}

/** With a minus sign (U+2212), as the app writes all negative numbers. */
function withMinus(text: string): string {
  return text.replace(/^-/, "−");
}
