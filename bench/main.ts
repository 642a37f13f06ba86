// `npm run bench [name...]`: prints a table and JSON; a run of all benches is kept in bench/results.
import { mkdirSync, writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { benchAgainstBase } from "./against-base.ts";
import { benchAlerts } from "./alerts.ts";
import { benchAnalysis } from "./analysis.ts";
import { benchAnalysisLoad } from "./analysis-load.ts";
import { benchBackup } from "./backup.ts";
import { benchCluster } from "./cluster.ts";
import { benchComparison } from "./comparison.ts";
import { benchCrash } from "./crash.ts";
import { benchDecoding } from "./decoding.ts";
import { benchDefinitions } from "./definitions.ts";
import { benchFairness } from "./fairness.ts";
import { benchFigures } from "./figures.ts";
import { benchFlameBrowser } from "./flame-browser.ts";
import { benchFlameGraph } from "./flame-graph.ts";
import { benchFullLength } from "./full-length.ts";
import { benchHostile } from "./hostile.ts";
import { benchIngestion } from "./ingestion.ts";
import { machine } from "./machine.ts";
import { benchMillion } from "./million.ts";
import { benchOriginals } from "./originals.ts";
import { benchPull } from "./pull.ts";
import { benchRates } from "./rates.ts";
import { benchReaders } from "./readers.ts";
import { benchReading } from "./reading.ts";
import { type BenchResult, meetsBar, toTable } from "./result.ts";
import { benchRollUps } from "./roll-ups.ts";
import { benchSecurity } from "./security.ts";
import { benchSoak } from "./soak.ts";
import { benchStart } from "./start.ts";
import { benchTransforms } from "./transforms.ts";
import { benchWeb } from "./web.ts";
import { benchWide } from "./wide.ts";

const benches: Readonly<Record<string, () => Promise<BenchResult>>> = {
  // Benches that time this process run before those that fill its memory.
  decoding: benchDecoding,
  transforms: benchTransforms,
  figures: benchFigures,
  ingestion: benchIngestion,
  fairness: benchFairness,
  hostile: benchHostile,
  "flame-graph": benchFlameGraph,
  comparison: benchComparison,
  reading: benchReading,
  readers: benchReaders,
  start: benchStart,
  crash: benchCrash,
  alerts: benchAlerts,
  analysis: benchAnalysis,
  "flame-browser": benchFlameBrowser,
};

/** Take minutes to an hour, and gigabytes: run when they are named. */
const onDemand: typeof benches = {
  backup: benchBackup,
  "against-base": benchAgainstBase,
  cluster: benchCluster,
  definitions: benchDefinitions,
  "full-length": benchFullLength,
  million: benchMillion,
  originals: benchOriginals,
  pull: benchPull,
  rates: benchRates,
  "roll-ups": benchRollUps,
  security: benchSecurity,
  soak: benchSoak,
  web: benchWeb,
  wide: benchWide,
  "analysis-load": benchAnalysisLoad,
};

/** Results of these are also kept if they run alone. */
const stored: ReadonlySet<string> = new Set([
  "million",
  "alerts",
  "analysis",
  "analysis-load",
  "reading",
  "security",
  "web",
  "wide",
  "soak",
]);

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(benches);
const before = machine();
const results: BenchResult[] = [];
for (const name of wanted) {
  const bench = benches[name] ?? onDemand[name];
  if (bench === undefined) {
    process.stderr.write(
      `There is no bench ${name}. Choose from: ${Object.keys({ ...benches, ...onDemand }).join(", ")}.\n`,
    );
    process.exit(1);
  }
  process.stderr.write(`  ${name} ...\n`);
  results.push(await bench());
}

const report = { at: new Date().toISOString(), machine: before, results };
process.stdout.write(`${JSON.stringify(report, null, 2)}\n\n${toTable(results)}\n`);
const isComplete = process.argv.length === 2;
if (isComplete || (wanted.length === 1 && stored.has(wanted[0]!))) {
  const { cores, memoryGib } = report.machine;
  const folder = fileURLToPath(new URL("./results", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/${report.at.slice(0, 10)}-${cores}c-${memoryGib}g${isComplete ? "" : `-${wanted[0]}`}.json`;
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}
const missed = results.flatMap(({ measurements }) => measurements.filter((each) => !meetsBar(each)));
process.exitCode = missed.some(({ bar }) => bar?.isHeld) ? 1 : 0;
