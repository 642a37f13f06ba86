import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fleetTypes, makeFleetHour } from "./million/data-set.ts";
import { type BenchServer, startServer } from "./million/server.ts";
import { sendTemplates } from "./million/templates.ts";
import { usageOf } from "./processes.ts";
import { atMost, type BenchResult } from "./result.ts";

const hour = new Date("2026-11-20T11:00:00.000Z");
/** The hour is over, and so is the time in which late profiles are waited for. */
const at = new Date("2026-11-20T12:10:00.000Z");
const seriesAnHour = 50_000;
const secondsMax = 300;

/** CPU of the server and its engine for rolling up an hour of BENCH_SERVICES (2,000) services with five types, merges included. */
export async function benchRollUps(): Promise<BenchResult> {
  const services = Number(process.env.BENCH_SERVICES ?? 2000);
  const dataDir = mkdtempSync(join(tmpdir(), "flamekeep-roll-ups-"));
  try {
    await fill(dataDir, services);
    await using server = await startServer(dataDir, at, "reader");
    await untilIdle();
    const before = usageOf(process.pid);
    const startedAt = performance.now();
    const rolled = await rollUpAll(server);
    const seconds = (performance.now() - startedAt) / 1000;
    const wrote = usageOf(process.pid);
    await untilIdle();
    const merged = usageOf(process.pid);
    const msOf = (end: typeof before) => (1000 * (end.cpuSeconds - before.cpuSeconds)) / rolled;
    const share = (seriesAnHour * msOf(merged)) / 3_600_000;
    return {
      name: "roll-ups",
      input: `${services} services x ${fleetTypes.length} types x 1 hour, a profile a minute from recorded profiles; rolled up ${rolled} in ${seconds.toFixed(1)} s; the share is extrapolated by CPU per series and hour`,
      measurements: [
        { what: "CPU per series and hour, until it is written", value: msOf(wrote), unit: "ms" },
        { what: "CPU per series and hour, merges included", value: msOf(merged), unit: "ms" },
        {
          what: `share of a core for ${seriesAnHour.toLocaleString("en")} series an hour`,
          value: share,
          unit: "",
          bar: atMost(0.25),
        },
        { what: "memory, server and engine", value: wrote.residentBytes / 1e6, unit: "MB" },
      ],
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function fill(dataDir: string, services: number): Promise<void> {
  let templateOrgId: string;
  {
    await using server = await startServer(dataDir, at, "templates");
    await sendTemplates(server, at);
    templateOrgId = server.orgId;
    await server.rollUp();
  }
  let orgId: string;
  {
    await using server = await startServer(dataDir, at, "reader");
    orgId = server.orgId;
  }
  makeFleetHour(dataDir, { orgId, templateOrgId, services, hour });
}

/** Ends early where it takes very long. */
async function rollUpAll(server: BenchServer): Promise<number> {
  const endAt = performance.now() + secondsMax * 1000;
  let rolled = 0;
  while (performance.now() < endAt) {
    const written = await server.rollUp();
    if (written === 0) break;
    rolled += written;
  }
  return rolled;
}

/** Until what was written is merged: less than a tenth of a core is used, for a minute at most. */
async function untilIdle(): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const { cpuSeconds } = usageOf(process.pid);
    await sleep(3000);
    if (usageOf(process.pid).cpuSeconds - cpuSeconds < 0.3) return;
  }
}
