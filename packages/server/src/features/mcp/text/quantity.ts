import { readableLine } from "@flamekeep/contract/readable";

const steps = {
  nanoseconds: [
    [1, "ns"],
    [1e3, "µs"],
    [1e6, "ms"],
    [1e9, "s"],
  ],
  bytes: [
    [1, "B"],
    [2 ** 10, "KB"],
    [2 ** 20, "MB"],
    [2 ** 30, "GB"],
  ],
} as const satisfies Record<string, readonly (readonly [number, string])[]>;

/** `1.2 s`, `340 MB`, `12 goroutines`: a value of a sample type with three digits. */
export function quantityText(value: number, unit: string): string {
  const scale = unit === "nanoseconds" || unit === "bytes" ? steps[unit] : undefined;
  if (scale === undefined) return `${threeDigits(value)} ${unit}`;
  const [factor, name] = scale.findLast(([size]) => Math.abs(value) >= size) ?? scale[0];
  return `${threeDigits(value / factor)} ${name}`;
}

export function percentOf(part: number, whole: number): string {
  return whole === 0 ? "0%" : `${((part / whole) * 100).toFixed(1)}%`;
}

function threeDigits(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en-US", { useGrouping: false });
}

const nameLengthMax = 256;

/** A name from a profiled program on one line, without hidden characters, of bounded length. */
export function printableName(name: string): string {
  const line = readableLine(name);
  return line.length <= nameLengthMax ? line : `${line.slice(0, nameLengthMax)}…`;
}

/** ` (file:line)`: empty without a file. */
export function placeText(file: string, line: number): string {
  return file === "" ? "" : ` (${printableName(file)}${line > 0 ? `:${line}` : ""})`;
}
