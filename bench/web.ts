import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { missingBrowser } from "@flamekeep/e2e/browser";
import { type Flamekeep, freePort, startFlamekeep } from "@flamekeep/e2e/start-flamekeep";
import type { BenchResult } from "./result.ts";
import { measureColdOpen } from "./web/cold-open.ts";
import { measureLayout } from "./web/layout.ts";
import { measureRouteChanges, measureScrolling } from "./web/moves.ts";
import { measurePaints } from "./web/paints.ts";
import { profiles, seed, services } from "./web/seed.ts";
import { measureViews } from "./web/views.ts";
import { Visitor } from "./web/visitor.ts";

const name = "web";

/** Frames come as fast as they can be made: the time between two is what one costs. */
const unlimited = ["--disable-frame-rate-limit"];

/** The web app in Chromium: how soon its pages show something, how smoothly they move, what they ask the server for. */
export async function benchWeb(): Promise<BenchResult> {
  const missing = missingBrowser();
  if (missing !== undefined) {
    process.stderr.write(`  ${name} is not measured: ${missing}\n`);
    return { name, input: `not measured: ${missing}`, measurements: [] };
  }
  const dataDir = mkdtempSync(join(tmpdir(), "flamekeep-bench-web-"));
  const port = await freePort();
  const start = () => startFlamekeep({ dataDir, port, env: { LOG_LEVEL: "error" } });
  try {
    const { load, seeded, measurements } = await measurePages(start);
    return {
      name,
      input: `a service with ${profiles} profiles, one every 10 s, ${services} services with one, and the demo; Chromium without GPU, ${load}`,
      measurements: [...measurements, ...(await measureColdOpen(start, seeded))],
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measurePages(start: () => Promise<Flamekeep>) {
  await using server = await start();
  const seeded = await seed(server.url);
  const load = `load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores before`;
  await using visitor = await Visitor.open(server.url, seeded);
  const measurements = [
    ...(await measurePaints(visitor)),
    ...(await measureRouteChanges(visitor)),
    ...(await measureViews(visitor)),
    ...(await measureLayout(visitor)),
  ];
  await using mover = await Visitor.open(server.url, seeded, unlimited);
  return { load, seeded, measurements: [...measurements, ...(await measureScrolling(mover))] };
}
