import { type Bar, meetsBar } from "#result";
import type { Measured } from "./measure.ts";
import { median, outcomesOf } from "./outcomes.ts";

const nameWidth = 66;

/** The confusion of one row in one line, with the bars and whether they are met. */
export function toLine(measured: Measured): string {
  return `${toConfusion(measured)} | ${toWanted(measured)}`;
}

function toWanted(measured: Measured): string {
  const held = outcomesOf(measured).filter(({ bar }) => bar !== undefined && !isNotHeld(bar));
  const missed = held.filter((each) => !meetsBar(each)).map(({ unit }) => unit);
  const wanted = held.map(({ bar, unit }) => `${bar!.kind} ${bar!.value} ${unit}`).join(", ");
  if (held.length === 0) return "as far as statistics allow";
  return `wanted ${wanted}: ${missed.length === 0 ? "met" : `missed (${missed.join(", ")})`}`;
}

const isNotHeld = (bar: Bar) => bar.kind === "at least" && bar.value === 0;

function toConfusion({ row, ...measured }: Measured): string {
  const { falseAlerts, serviceMonths, found, services, minutes, sizes, resolvedEarly } = measured;
  const alarms = `false ${(falseAlerts / serviceMonths).toFixed(2)} (${falseAlerts} in ${serviceMonths.toFixed(0)})`;
  if (row.kind === "quiet") return `${row.name.padEnd(nameWidth)} ${alarms}`;
  const parts = [
    `found ${found} of ${services}`,
    alarms,
    `after ${medianText(minutes, 0)} min`,
    `first size ${medianText(
      sizes.map((size) => 100 * size),
      1,
    )}%`,
    `off by ${medianText(
      measured.sizeErrors.map((error) => 100 * Math.abs(error)),
      0,
    )}%`,
    `resolved early ${resolvedEarly}`,
  ];
  return `${row.name.padEnd(nameWidth)} ${parts.join(", ")}`;
}

function medianText(values: readonly number[], decimals: number): string {
  return values.length === 0 ? "-" : median(values).toFixed(decimals);
}
