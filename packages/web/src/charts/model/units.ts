import {
  bytesMeasure,
  coresColumn,
  coresMeasure,
  durationMeasure,
  durationMsMeasure,
  type Measure,
  measureText,
  threeDigits,
  withMinus,
} from "#format/measure.ts";
import { countMeasure, countText } from "#format/number.ts";

/** Units of a chart's numbers. The axis of `bytes` is in MB (1,048,576 bytes) and GB, as the specification asks. */
export type ChartUnit =
  | "cores"
  | "percent"
  | "bytes"
  | "count"
  | "perSecond"
  | "bytesPerSecond"
  | "seconds"
  | "milliseconds"
  | "nanoseconds";

interface Step {
  /** The smallest value that this step shows. */
  readonly from: number;
  readonly factor: number;
  readonly suffix: string;
}

const megabyte = 2 ** 20;
const gigabyte = 2 ** 30;

/** Time units from seconds of a smaller unit: `perSecond` is how many of them make a second. */
function timeSteps(perSecond: number): readonly Step[] {
  return [
    { from: 0, factor: perSecond / 1e9, suffix: " ns" },
    { from: perSecond / 1e6, factor: perSecond / 1e6, suffix: " µs" },
    { from: perSecond / 1e3, factor: perSecond / 1e3, suffix: " ms" },
    { from: perSecond, factor: perSecond, suffix: " s" },
    { from: 120 * perSecond, factor: 60 * perSecond, suffix: " min" },
    { from: 7200 * perSecond, factor: 3600 * perSecond, suffix: " h" },
  ];
}

const byteSteps = [
  { from: 0, factor: megabyte, suffix: " MB" },
  { from: 1000 * megabyte, factor: gigabyte, suffix: " GB" },
];
const countSteps = [
  { from: 0, factor: 1, suffix: "" },
  { from: 1e3, factor: 1e3, suffix: "K" },
  { from: 1e6, factor: 1e6, suffix: "M" },
];

function perSecond(steps: readonly Step[]): readonly Step[] {
  return steps.map((step) => ({ ...step, suffix: `${step.suffix}/s` }));
}

/** How an axis that ends at a value labels its ticks. The spec switches the memory axis to GB at 1,000 MB. */
const axisSteps: Record<ChartUnit, readonly Step[]> = {
  cores: [
    { from: 0, factor: 1e-3, suffix: " mcores" },
    { from: 0.1, factor: 1, suffix: " cores" },
  ],
  percent: [{ from: 0, factor: 1, suffix: "%" }],
  bytes: byteSteps,
  bytesPerSecond: perSecond(byteSteps),
  count: countSteps,
  perSecond: perSecond(countSteps),
  seconds: timeSteps(1),
  milliseconds: timeSteps(1e3),
  nanoseconds: timeSteps(1e9),
};

function stepOf(steps: readonly Step[], value: number): Step {
  const size = Math.abs(value);
  return steps.findLast(({ from }) => size >= from) ?? { from: 0, factor: 1, suffix: "" };
}

/** The smallest of 1, 2, 5, 10, 20, ... that is not below the value. */
function roundStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5].find((each) => each * power >= value * (1 - 1e-9)) ?? 10;
  return factor * power;
}

export interface ValueTicks {
  /** The value at the top of the axis. */
  readonly top: number;
  readonly values: readonly number[];
  readonly texts: readonly string[];
}

const ticksMax = 4;

/** Ticks from 0 to a round value not below `highest`. Counts get whole numbers only. */
export function valueTicks(unit: ChartUnit, highest: number): ValueTicks {
  const size = highest > 0 && Number.isFinite(highest) ? highest : 1;
  const { factor, suffix } = stepOf(axisSteps[unit], size);
  const raw = roundStep(size / factor / ticksMax);
  const step = unit === "count" && factor === 1 ? Math.max(raw, 1) : raw;
  const count = Math.max(1, Math.ceil(size / factor / step - 1e-9));
  const scaled = Array.from({ length: count + 1 }, (_, index) => index * step);
  return {
    top: count * step * factor,
    values: scaled.map((value) => value * factor),
    texts: scaled.map((value) => tickText(value, unit, suffix)),
  };
}

/** Two decimals would give small ticks one text. */
const tickFormat = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });

/** `0`, not `0K`: a thousand is no unit. */
function tickText(value: number, unit: ChartUnit, suffix: string): string {
  if (value === 0 && unit === "count") return "0";
  if (value === 0 && unit === "perSecond") return "0/s";
  return `${tickFormat.format(value)}${value === 1 && suffix === " cores" ? " core" : suffix}`;
}

const measures: Record<ChartUnit, (value: number) => Measure> = {
  cores: coresMeasure,
  percent: (value) => ({ number: withMinus(value.toFixed(1)), unit: "%" }),
  count: (value) => countMeasure(value),
  perSecond: (value) => ({ number: value < 1000 ? threeDigits(value) : countText(value), unit: "/s" }),
  bytes: bytesMeasure,
  bytesPerSecond(value) {
    const { number, unit } = bytesMeasure(value);
    return { number, unit: `${unit}/s` };
  },
  seconds: (value) => durationMeasure(value * 1e9),
  milliseconds: durationMsMeasure,
  nanoseconds: durationMeasure,
};

/** A value with its unit, for tiles and legends. Missing values are N/A. */
export function unitMeasure(value: number | null, unit: ChartUnit): Measure {
  return value === null ? { number: "N/A", unit: "" } : measures[unit](value);
}

/** Texts of the values of one column or list. Values in cores are all alike. */
export function columnTextOf(values: readonly number[], unit: ChartUnit): (value: number) => string {
  if (unit !== "cores") return (value) => unitText(value, unit);
  const measure = coresColumn(Math.max(0, ...values));
  return (value) => measureText(measure(value));
}

/** `12.0%`, `3.2/s`, `48.2 MB`. */
export function unitText(value: number | null, unit: ChartUnit): string {
  return measureText(unitMeasure(value, unit));
}

/** The unit of the raw numbers, for the header of an exported file. */
export const rawUnits: Record<ChartUnit, string> = {
  cores: "cores",
  percent: "%",
  bytes: "bytes",
  bytesPerSecond: "bytes/s",
  count: "count",
  perSecond: "per second",
  seconds: "s",
  milliseconds: "ms",
  nanoseconds: "ns",
};
