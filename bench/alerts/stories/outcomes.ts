import { atLeast, atMost, type Measurement } from "#result";
import type { Measured } from "./measure.ts";

/** The results of a row with what is wanted: false alerts per service and month, or regressions found of 20. */
export function outcomesOf({ row, ...measured }: Measured): readonly Measurement[] {
  if (row.kind === "quiet") {
    const value = measured.falseAlerts / measured.serviceMonths;
    return [{ what: row.name, value, unit: "false", bar: atMost(row.bar) }];
  }
  const found = (20 * measured.found) / measured.services;
  const { minutesMax, sizeErrorMax, resolvedEarlyMax } = row.alsoWanted ?? {};
  const minutes = median(measured.minutes);
  const off = median(measured.sizeErrors.map((error) => 100 * Math.abs(error)));
  return [
    { what: row.name, value: found, unit: "of 20", bar: atLeast(row.bar) },
    { what: `${row.name}: first message after`, value: minutes, unit: "min", ...barOf(minutesMax) },
    { what: `${row.name}: size in it off by`, value: off, unit: "%", ...barOf(sizeErrorMax) },
    {
      what: `${row.name}: resolved early`,
      value: measured.resolvedEarly,
      unit: "alerts",
      ...barOf(resolvedEarlyMax),
    },
  ].filter(({ value }) => !Number.isNaN(value));
}

const barOf = (max: number | undefined) => (max === undefined ? {} : { bar: atMost(max) });

/** NaN of no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}
