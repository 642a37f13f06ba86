import { type Measure, scaled } from "./measure.ts";

const steps = [
  [1, "ns"],
  [1e3, "µs"],
  [1e6, "ms"],
  [1e9, "s"],
  [60e9, "min"],
  [3600e9, "h"],
] as const;

export function durationMeasure(ns: number): Measure {
  if (ns === 0) return { number: "0", unit: "s" };
  return scaled(ns, steps);
}

export function durationMsMeasure(ms: number): Measure {
  return durationMeasure(ms * 1e6);
}
