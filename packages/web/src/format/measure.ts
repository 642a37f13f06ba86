/** A number and its unit, separate so that a page can style the unit. */
export interface Measure {
  readonly number: string;
  readonly unit: string;
}

export function measureText(measure: Measure): string {
  return measure.unit === "" ? measure.number : `${measure.number} ${measure.unit}`;
}

/** Three significant digits below 1,000, whole numbers above; no trailing zeros. */
export function threeDigits(value: number): string {
  const size = Math.abs(value);
  if (size >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(size >= 10 ? 1 : 2).replace(/\.?0+$/, "");
}

/** The largest step not above the value's size. `steps` go from small to large and start at 1 or below. */
function scaled(value: number, steps: readonly (readonly [factor: number, unit: string])[]): Measure {
  const size = Math.abs(value);
  const fitting = steps.findLast(([factor]) => size >= factor) ?? steps[0];
  if (fitting === undefined) return { number: threeDigits(value), unit: "" };
  return { number: threeDigits(value / fitting[0]), unit: fitting[1] };
}

const byteSteps = [
  [1, "B"],
  [1024, "KiB"],
  [1024 ** 2, "MiB"],
  [1024 ** 3, "GiB"],
  [1024 ** 4, "TiB"],
] as const;

export function bytesMeasure(bytes: number): Measure {
  return scaled(bytes, byteSteps);
}

const durationSteps = [
  [1, "ns"],
  [1e3, "µs"],
  [1e6, "ms"],
  [1e9, "s"],
  [60e9, "min"],
  [3600e9, "h"],
] as const;

export function durationMeasure(ns: number): Measure {
  if (ns === 0) return { number: "0", unit: "s" };
  return scaled(ns, durationSteps);
}

export function durationMsMeasure(ms: number): Measure {
  return durationMeasure(ms * 1e6);
}

/** CPU time per time, as cores. */
export function coresMeasure(cores: number): Measure {
  const number = cores.toLocaleString("en-US", { maximumSignificantDigits: 3 });
  return { number, unit: number === "1" ? "core" : "cores" };
}
