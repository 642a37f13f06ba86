import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { calls } from "./million/calls.ts";
import { days, services } from "./million/data-set.ts";
import { startServer } from "./million/server.ts";
import { sendTemplates } from "./million/templates.ts";
import { type Measured, measureCalls } from "./million-calls.ts";
import { atMost, type BenchResult, type Measurement } from "./result.ts";
import type { Stored } from "./stored.ts";

const profilesSmall = 10_000;
const growthMax = 2;
/** Below this, a doubling is the machine's noise. */
const noiseMs = 5;
/** So that the same set is made wherever and whenever. */
const at = new Date("2026-11-20T12:00:00.000Z");
const diskBytesMin = 20e9;
const makeFile = fileURLToPath(new URL("./million-make.ts", import.meta.url));

/** Reading calls at ten thousand profiles and at BENCH_PROFILES (a million), their growth, and memory. */
export async function benchMillion(): Promise<BenchResult> {
  const profiles = Number(process.env.BENCH_PROFILES ?? 1_000_000);
  const loads = loadavg().map((load) => load.toFixed(1));
  const small = await measured(profilesSmall);
  const large = await measured(profiles);
  const notServed = calls.filter(({ what }) => large.p95.get(what) === undefined).map(({ what }) => what);
  const count = profiles.toLocaleString("en");
  return {
    name: "million",
    input:
      `${count} profiles, ${services} services, ${days} days, from recorded profiles, without payloads, ` +
      `${(large.bytes / 1e9).toFixed(2)} GB on disk, made in ${large.seconds.toFixed(0)} s; ` +
      `${(10 * profiles).toLocaleString("en")} HTTP requests in 24 h; the busy service has ` +
      `${Math.round(0.0864 * profiles).toLocaleString("en")} profiles in 24 h; load before ${loads.join(" ")}` +
      (notServed.length > 0 ? `; not served: ${notServed.join(", ")}` : ""),
    measurements: [
      ...calls.flatMap(({ what, barMs, isFlat }): Measurement[] => {
        const [before, after] = [small.p95.get(what), large.p95.get(what)];
        if (before === undefined || after === undefined) return [];
        const growth = Math.max(after, noiseMs) / Math.max(before, noiseMs);
        return [
          { what: `${what}, p95 at 10,000`, value: before, unit: "ms" },
          { what: `${what}, p95 at ${count}`, value: after, unit: "ms", bar: atMost(barMs) },
          ...(isFlat ? [{ what: `${what}, growth`, value: growth, unit: "", bar: atMost(growthMax) }] : []),
        ];
      }),
      { what: "resident, server and engine", value: large.residentBytes / 1e6, unit: "MB", bar: atMost(900) },
    ],
  };
}

interface Made {
  readonly bytes: number;
  readonly seconds: number;
}

async function measured(profiles: number): Promise<Measured & Made> {
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < diskBytesMin)
    throw new Error(`${tmpdir()} has less than ${diskBytesMin / 1e9} GB free`);
  const kept = process.env.BENCH_DATA || undefined;
  const dataDir =
    kept === undefined ? mkdtempSync(join(tmpdir(), "flamekeep-million-")) : keptIn(kept, profiles);
  try {
    const made = await madeIn(dataDir, profiles);
    const results = await withServer(dataDir, "reader", measureCalls);
    return { ...results, ...made };
  } finally {
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true });
  }
}

function keptIn(folder: string, profiles: number): string {
  const dataDir = join(folder, String(profiles));
  mkdirSync(dataDir, { recursive: true });
  return dataDir;
}

/** Makes the data set, or finds it where an earlier run has kept it. */
async function madeIn(dataDir: string, profiles: number): Promise<Made> {
  const noted = join(dataDir, "made.json");
  if (existsSync(noted)) return JSON.parse(readFileSync(noted, "utf8")) as Made;
  const templates = await withServer(dataDir, "templates", async (server) => ({
    count: await sendTemplates(server, at),
    orgId: server.orgId,
  }));
  const orgId = await withServer(dataDir, "reader", async (server) => server.orgId);
  const startedAt = performance.now();
  const make = [makeFile, dataDir, String(profiles), orgId, templates.orgId, at.toISOString()];
  const printed = execFileSync(process.execPath, make, { encoding: "utf8" });
  const seconds = (performance.now() - startedAt) / 1000;
  const stored = JSON.parse(printed) as Stored;
  const count = stored.profiles - templates.count;
  if (count !== profiles) throw new Error(`${count} profiles instead of ${profiles}`);
  await withServer(dataDir, "reader", async (server) => void (await server.rollUp()));
  process.stderr.write(`  ${profiles} profiles made in ${seconds.toFixed(0)} s\n`);
  const made: Made = { bytes: stored.bytes, seconds };
  writeFileSync(noted, JSON.stringify(made));
  return made;
}

type Server = Awaited<ReturnType<typeof startServer>>;

async function withServer<T>(dataDir: string, name: string, use: (server: Server) => Promise<T>): Promise<T> {
  await using server = await startServer(dataDir, at, name);
  return await use(server);
}
