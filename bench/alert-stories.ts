// `node bench/alert-stories.ts [words of the row's name] [--seeds 1,2] [--services 8]`: some rows, for tuning.
import process from "node:process";
import { parseArgs } from "node:util";
import { measureFunctions, toFunctionLine } from "./alerts/functions/measure.ts";
import { functionRows } from "./alerts/functions/rows.ts";
import { measure } from "./alerts/stories/measure.ts";
import { toLine } from "./alerts/stories/print.ts";
import { rows } from "./alerts/stories/table.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: "string", default: "1" }, services: { type: "string" } },
});
const seeds = values.seeds.split(",").map(Number);
const isWanted = ({ name }: { readonly name: string }) =>
  positionals.length === 0 || positionals.some((words) => name.includes(words));
const servicesOf = (row: { readonly services: number }) =>
  values.services === undefined ? row.services : Number(values.services);
for (const row of rows.filter(isWanted))
  process.stdout.write(`${toLine(measure(row, seeds, servicesOf(row)))}\n`);
for (const row of functionRows.filter(isWanted))
  process.stdout.write(`${toFunctionLine(measureFunctions(row, seeds, servicesOf(row)))}\n`);
