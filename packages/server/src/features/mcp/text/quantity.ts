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

interface Compared {
  readonly profileType: string;
  /** As `unitOf` gives it. */
  readonly unit: string;
  readonly per: "second" | "profile" | "mean";
}

/** How the values of a comparison are written, and a sentence about it: `0.31 cores`, `4.2 ms each second`, `12 goroutines`. */
export function wordingOf({ profileType, unit, per }: Compared): {
  readonly write: (value: number) => string;
  readonly about: string;
} {
  if (per === "mean")
    return { write: (value) => quantityText(value, plural(unit)), about: "mean of the profiles" };
  if (per === "profile") {
    return { write: (value) => quantityText(value, plural(unit)), about: "in one profile" };
  }
  if (profileType === "cpu" && unit === "nanoseconds") {
    return { write: coresText, about: "CPU of one instance: 1 core is a second of CPU time each second" };
  }
  return {
    write: (value) => `${quantityText(value, plural(unit))} each second`,
    about: "of one instance, each second of profiling",
  };
}

/** Never as a power of ten: `0.00002 cores`. */
function coresText(nanoseconds: number): string {
  const cores = (nanoseconds / 1e9).toLocaleString("en-US", {
    maximumSignificantDigits: 3,
    useGrouping: false,
  });
  return `${cores} ${cores === "1" ? "core" : "cores"}`;
}

/** `alloc_objects` and `goroutine` are units of counts. */
function plural(unit: string): string {
  if (unit === "nanoseconds" || unit === "bytes") return unit;
  const word = unit.replace(/^(?:alloc|inuse)_/, "").replaceAll("_", " ");
  return word.endsWith("s") ? word : `${word}s`;
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
