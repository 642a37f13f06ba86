import { globSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fleetTypes } from "./million/data-set.ts";
import type { BenchResult } from "./result.ts";
import { assumed, sizingTable } from "./sizing.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(`${root}/docs/operate/sizing.md`, "utf8");

/** The newest run of all benches that is stored. */
function measuredBy(bench: string, what: string): number {
  const files = globSync("bench/results/????-??-??-2c-24g.json", { cwd: root }).sort();
  const report = JSON.parse(readFileSync(`${root}/${files.at(-1)}`, "utf8")) as { results: BenchResult[] };
  const measurements = report.results.find(({ name }) => name === bench)?.measurements ?? [];
  const found = measurements.find((each) => each.what === what);
  if (found === undefined) throw new Error(`${files.at(-1)} has no ${bench}: ${what}`);
  return found.value;
}

/** The mean of the means of the types, because a service sends as many of each. */
function uploadBytes(): number {
  const means = fleetTypes.map((type) => {
    const files = globSync(`examples/shop/recorded/*/*/${type}-*.pb.gz`, { cwd: root });
    expect(files.length).toBeGreaterThan(10);
    return files.reduce((sum, file) => sum + statSync(`${root}/${file}`).size, 0) / files.length;
  });
  return means.reduce((sum, mean) => sum + mean, 0) / means.length;
}

test("the sizing table follows from the stored results of benches and from the assumptions that its page names", () => {
  const measured = {
    cpuMsPerProfile: measuredBy("ingestion", "CPU of all processes for a profile"),
    residentMb: measuredBy("ingestion", "resident memory of all processes, peak until idle"),
    uploadBytes: uploadBytes(),
  };
  expect(page).toContain(sizingTable(measured));
  expect(page).toContain(`**${measured.cpuMsPerProfile.toFixed(2)} ms**`);
  expect(page).toContain(`**${Math.round(measured.residentMb)} MB**`);
  expect(page).toContain(`**${(measured.uploadBytes / 1000).toFixed(1)} kB**`);
  expect(page).toContain(`a core with its memory ${assumed.usdPerCoreMonth} USD`);
  expect(page).toContain(`a GB on a local SSD ${assumed.usdPerDiskGbMonth.toFixed(2)} USD`);
  expect(page).toContain(`a GB in object storage ${assumed.usdPerObjectGbMonth} USD`);
});
