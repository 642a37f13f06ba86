import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { functionTotals } from "./describe/function-totals.ts";
import { readProfile } from "./read/read-profile.ts";
import { sumStacks } from "./stacks/sum-stacks.ts";

const folder = new URL("../../../examples/regressions/", import.meta.url);

interface Switch {
  readonly id: string;
  readonly function: string;
  readonly file: string;
  readonly line: number;
}

const services: readonly { readonly service: string; readonly switches: readonly Switch[] }[] = JSON.parse(
  readFileSync(new URL("manifest.json", folder), "utf8"),
);

/** A function's share of the CPU, 0 where it is missing. */
function shareOf(service: string, recorded: string, wanted: string): number {
  const bytes = gunzipSync(readFileSync(new URL(`recorded/${service}/${recorded}.gz`, folder)));
  const read = readProfile(new Uint8Array(bytes));
  if (!read.ok) throw new Error(`${service}/${recorded}: ${read.error.message}`);
  const stacks = sumStacks(read.profile);
  const column = read.profile.sampleTypes.findIndex(({ type }) => type === "cpu");
  const weights = Float64Array.from(stacks.values[column] ?? [], Number);
  const { names, cum } = functionTotals(stacks, weights);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return names.reduce((share, name, i) => (name === wanted ? share + cum[i]! / total : share), 0);
}

const switches = services.flatMap(({ service, switches }) => switches.map((one) => ({ service, one })));

it("ten switches are recorded, each off and on", () => {
  expect(switches).toHaveLength(10);
});

it.each(switches)("$service: $one.id makes its function use a larger share", ({ service, one }) => {
  const rise = shareOf(service, one.id, one.function) - shareOf(service, "off", one.function);
  expect(rise).toBeGreaterThan(0.1);
});

it.each(switches)("$service: $one.id is in the file and line of the manifest", ({ one }) => {
  const lines = readFileSync(new URL(one.file, folder), "utf8").split("\n").slice(0, one.line).reverse();
  const name = one.function.split(".").at(-1)!;
  expect(lines.slice(0, 10).some((line) => line.includes(`${name}(`))).toBe(true);
});
