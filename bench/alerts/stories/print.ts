import type { Measured } from "./measure.ts";

const nameWidth = 66;

/** The confusion of one row in one line. */
export function toLine({ row, ...measured }: Measured): string {
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

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

function medianText(values: readonly number[], decimals: number): string {
  return median(values)?.toFixed(decimals) ?? "-";
}
