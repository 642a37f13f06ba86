// `node bench/alert-stories.ts [words of the row's name] [--seeds 1,2] [--services 8]`: some rows, for tuning.
import process from "node:process";
import { parseArgs } from "node:util";
import { measure } from "./alerts/stories/measure.ts";
import { toLine } from "./alerts/stories/print.ts";
import { rows } from "./alerts/stories/table.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: "string", default: "1" }, services: { type: "string" } },
});
const seeds = values.seeds.split(",").map(Number);
for (const row of rows) {
  if (positionals.length > 0 && !positionals.some((words) => row.name.includes(words))) continue;
  const services = values.services === undefined ? row.services : Number(values.services);
  process.stdout.write(`${toLine(measure(row, seeds, services))}\n`);
}
