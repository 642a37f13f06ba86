import process from "node:process";
import { measureFunctions, outcomesOfFunctions, toFunctionLine } from "./alerts/functions/measure.ts";
import { functionRows } from "./alerts/functions/rows.ts";
import { measureJudging } from "./alerts/judging.ts";
import { type Confusion, simulate } from "./alerts/simulate.ts";
import { measure } from "./alerts/stories/measure.ts";
import { outcomesOf } from "./alerts/stories/outcomes.ts";
import { toLine } from "./alerts/stories/print.ts";
import { rows } from "./alerts/stories/table.ts";
import { atLeast, atMost, type BenchResult } from "./result.ts";

const fleet = { seed: 1, services: 200, days: 30 };

/** Not used while the detector is tuned: that is done with seeds below 100 (alert-stories.ts). Others up to 802 were seen before. */
const finalSeeds = [803, 804, 805, 806, 807];

/** Of functions: those from 701 to 715 were seen while the stories of doublings were made. */
const functionSeeds = [721, 722, 723, 724, 725];

/** The detector over a simulated fleet and over stories of single services; prints what it found and missed. */
export function benchAlerts(): Promise<BenchResult> {
  const startedAt = performance.now();
  const table = simulate(fleet.seed, fleet.services, fleet.days);
  const seconds = (performance.now() - startedAt) / 1000;
  process.stderr.write(`${toConfusionTable(table)}\n`);
  const stories = rows.map((row) => {
    const measured = measure(row, finalSeeds);
    process.stderr.write(`  ${toLine(measured)}\n`);
    return measured;
  });
  const functions = functionRows.map((row) => {
    const measured = measureFunctions(row, functionSeeds, row.kind === "worse" ? 3 : row.services);
    process.stderr.write(`  ${toFunctionLine(measured)}\n`);
    return measured;
  });
  const judging = measureJudging();
  return Promise.resolve({
    name: "alerts",
    input: `${fleet.services} services, ${fleet.days} days, seed ${fleet.seed}; stories with ${finalSeeds.length} other seeds`,
    measurements: [
      ...toMeasurements(table),
      { what: "the simulated fleet", value: seconds, unit: "s" },
      ...stories.flatMap(outcomesOf),
      ...functions.flatMap(outcomesOfFunctions),
      ...judging,
    ],
  });
}

function toMeasurements(table: Confusion): BenchResult["measurements"] {
  return [
    {
      what: "regressions of 30% and more found within two windows",
      value: (100 * table.largeFound) / table.large,
      unit: "%",
      bar: atLeast(95, true),
    },
    {
      what: "false alerts per service and month",
      value: table.falseAlerts / table.serviceMonths,
      unit: "",
      bar: atMost(1, true),
    },
    {
      what: "the same, where HTTP metrics exist",
      value:
        (table.falseAlerts - table.uncountedFalseAlerts) /
        (table.serviceMonths - table.uncountedServiceMonths),
      unit: "",
      bar: atMost(1, true),
    },
    {
      what: "the same, where no HTTP metrics exist",
      value: table.uncountedFalseAlerts / table.uncountedServiceMonths,
      unit: "",
    },
    {
      what: "precision",
      value: (100 * table.trueAlerts) / (table.trueAlerts + table.falseAlerts),
      unit: "%",
    },
    {
      what: "resolved within two windows of the rollback",
      value: (100 * table.resolved) / table.rolledBack,
      unit: "%",
    },
  ];
}

/** Rows are what was true, columns what the detector said. */
export function toConfusionTable(table: Confusion): string {
  const found = (all: number, hits: number) => [String(hits), String(all - hits)];
  const rows = [
    ["", "alert", "no alert"],
    ["regression of 30 to 100%", ...found(table.large, table.largeFound)],
    ["regression of 20 to 30%", ...found(table.medium, table.mediumFound)],
    ["regression of 10 to 20%", ...found(table.small, table.smallFound)],
    [
      "nothing worse",
      String(table.falseAlerts),
      `${table.harmless} harmless deploys, ${table.doublings} doublings`,
    ],
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map(
      (row) =>
        `  ${row
          .map((cell, i) => cell.padEnd(widths[i]!))
          .join("  ")
          .trimEnd()}`,
    )
    .join("\n");
}
