import { closeSync, fdatasyncSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { flameGraphContentType } from "@flamekeep/contract";
import { type Account, signUp } from "@flamekeep/e2e/sign-up";
import type { Flamekeep } from "@flamekeep/e2e/start-flamekeep";
import { loadServices, startUnderLoad } from "./load/conditions.ts";
import { type LoadResult, runLoad } from "./load/run-load.ts";
import { MemoryWatch } from "./memory.ts";
import { usageOf } from "./processes.ts";
import { cpuProfilesNear } from "./profiles.ts";
import { atMost, type BenchResult, type Measurement, quantile } from "./result.ts";

/** The highest first: at the others, servers spend more on compiling their code than on profiles, until they have run for some minutes. */
const rates = [100, 20, 2];
/** The base's price over the new one. */
const gainsMin: Readonly<Record<number, number>> = { 2: 8, 20: 6, 100: 2.5 };
const rateSeconds = 30;
/** A rate is measured once the work that the load before left is done. */
const deferredSeconds = 15;
/** Rows wait for company up to a hundred uploads and a second: a measurement has the price of two batches, after a whole one. */
const batchSeconds = (rate: number): number => 100 / rate + 1;
const startMs = 2000;
const connections = 64;
const connectionsPerRate = 4;
const saturatedConnections = 128;
const saturatedSeconds = 20;
const readRate = 20;
const reads = 40;
const readEveryMs = 100;
const sizes = [
  { bytes: 6_000, over: 1.25 },
  { bytes: 18_000, over: 1.15 },
  { bytes: 72_000, over: 1.08 },
];
const sizeSeconds = 20;
/** The engine looks every half minute for parts that it has merged a minute ago. */
const mergedSeconds = 120;
const appends = 200;
/** As many small profiles as an organization sends in a day or two; the base would take a quarter of an hour. */
const manyProfiles = 100_000;
const manyProfilesWhat = "files for 100,000 profiles, 6 KB";

/** The figures of one version, by what they measure. */
type Figures = ReadonlyMap<string, number>;

/**
 * The price of an upload at the rates that people have, when as many are sent as are answered, and on disk, and the price of reads
 * meanwhile. BENCH_BASE names a built checkout of another version: it is measured first, and its figures are in the same table.
 */
export async function benchRates(): Promise<BenchResult> {
  const { BENCH_BASE } = process.env;
  const base = BENCH_BASE === undefined ? undefined : await figuresOf(BENCH_BASE);
  const now = await figuresOf(undefined);
  const besides: Measurement[] = [...(base ?? [])].map(([what, value]) => ({
    what: `base: ${what}`,
    value,
    unit: "",
  }));
  return {
    name: "rates",
    input: `${bodiesNear(70_000).map(({ length }) => length)} bytes gzipped, ${loadServices} services, ${rateSeconds} s or more each`,
    measurements: [
      ...besides,
      ...[...now].map(([what, value]) => ({ what, value, unit: "", ...barOf(what) })),
      ...(base === undefined ? [] : gains(base, now)),
    ],
  };
}

function barOf(what: string): Pick<Measurement, "bar"> {
  const bars: Readonly<Record<string, number>> = {
    "saturated: CPU of a profile over inflating it": 3.2,
    "20/s: answer over an append with fdatasync, p50": 10,
    "20/s: answer over an append with fdatasync, p99": 40,
    "saturated: peak memory until idle, MB": 500,
    [manyProfilesWhat]: 500,
    ...Object.fromEntries(readCalls.map(({ what }) => [`${what} while 20/s arrive, over without`, 3])),
    ...Object.fromEntries(
      sizes.map(({ bytes, over }) => [`on disk over what was sent, ${bytes / 1000} KB`, over]),
    ),
  };
  const value = bars[what];
  return value === undefined ? {} : { bar: atMost(value) };
}

function gains(base: Figures, now: Figures): Measurement[] {
  const over = (what: string) => base.get(what)! / now.get(what)!;
  return [
    ...rates.map((rate) => ({
      what: `${rate}/s: CPU of a profile, base over this`,
      value: over(`${rate}/s: CPU of a profile, ms`),
      unit: "x",
      bar: { kind: "at least" as const, value: gainsMin[rate]!, isHeld: false },
    })),
    {
      what: "saturated: p99, base over this",
      value: over("saturated: p99, ms"),
      unit: "x",
      bar: { kind: "at least" as const, value: 2, isHeld: false },
    },
  ];
}

async function figuresOf(checkout: string | undefined): Promise<Figures> {
  const figures = new Map<string, number>();
  await steadyFigures(checkout, figures);
  await saturatedFigures(checkout, figures);
  for (const { bytes } of sizes) {
    const { used, sent, acknowledged } = await filled(checkout, bytes, 1);
    figures.set(`on disk over what was sent, ${bytes / 1000} KB`, used.bytes / sent);
    figures.set(`files more for 1,000 profiles, ${bytes / 1000} KB`, (1000 * used.files) / acknowledged);
  }
  if (checkout !== undefined) return figures;
  const { used, acknowledged } = await filled(checkout, sizes[0]!.bytes, manyProfiles);
  figures.set(manyProfilesWhat, (manyProfiles * used.files) / acknowledged);
  return figures;
}

async function steadyFigures(checkout: string | undefined, figures: Map<string, number>): Promise<void> {
  await using server = await startUnderLoad({}, checkout);
  const account = await signUp(server.url);
  const load = (perSecond: number, seconds: number, until?: AbortSignal) =>
    runLoad({
      ...orderFor(server, account),
      // Each sends every few seconds: servers close connections that wait for longer.
      connections: Math.min(connections, connectionsPerRate * perSecond),
      perSecond,
      seconds,
      ...(until && { until }),
    });
  for (const rate of rates) {
    await load(rate, Math.max(deferredSeconds, batchSeconds(rate)));
    const before = usageOf(server.pid).cpuSeconds;
    const seconds = Math.max(rateSeconds, 2 * batchSeconds(rate));
    const loading = load(rate, seconds);
    await sleep(1000 * seconds);
    const cpuSeconds = usageOf(server.pid).cpuSeconds - before;
    const result = await loading;
    const cpuMs = (1000 * cpuSeconds) / result.acknowledged;
    figures.set(`${rate}/s: CPU of a profile, ms`, cpuMs);
    figures.set(`${rate}/s: p50, ms`, result.p50Ms);
    figures.set(`${rate}/s: p99, ms`, result.p99Ms);
  }
  const append = appendTimes(server.dataDir, bodiesNear(70_000)[0]!);
  for (const [name, share] of [
    ["p50", 0.5],
    ["p99", 0.99],
  ] as const) {
    const ms = quantile(append, share);
    figures.set(
      `20/s: answer over an append with fdatasync, ${name}`,
      figures.get(`20/s: ${name}, ms`)! / ms,
    );
  }
  const quiet = await readTimes(server, account);
  const stop = new AbortController();
  const loading = load(readRate, 600, stop.signal);
  await sleep(startMs);
  const busy = await readTimes(server, account);
  stop.abort();
  await loading;
  for (const { what } of readCalls) {
    figures.set(`${what}, ms`, quiet.get(what)!);
    figures.set(`${what} while 20/s arrive, ms`, busy.get(what)!);
    figures.set(`${what} while 20/s arrive, over without`, busy.get(what)! / quiet.get(what)!);
  }
}

async function saturatedFigures(checkout: string | undefined, figures: Map<string, number>): Promise<void> {
  await using server = await startUnderLoad({}, checkout);
  const account = await signUp(server.url);
  const order = { ...orderFor(server, account), connections: saturatedConnections };
  await runLoad({ ...order, seconds: 5 });
  await sleep(1000 * deferredSeconds);
  const watch = new MemoryWatch(server.pid);
  const before = usageOf(server.pid).cpuSeconds;
  const result: LoadResult = await runLoad({ ...order, seconds: saturatedSeconds });
  await sleep(1000 * deferredSeconds);
  const cpuMs = (1000 * (usageOf(server.pid).cpuSeconds - before)) / result.acknowledged;
  await watch.untilIdle();
  watch.end();
  figures.set("saturated: profiles/s", result.acknowledged / result.seconds);
  figures.set("saturated: CPU of a profile, ms", cpuMs);
  figures.set("saturated: CPU of a profile over inflating it", cpuMs / inflatingMs(order.profiles));
  figures.set("saturated: p99, ms", result.p99Ms);
  figures.set("saturated: peak memory until idle, MB", watch.peakBytes / 1e6);
}

/** Bytes and files that profiles of this size add to a folder once parts are merged. They are sent for some seconds, and until there are enough. */
async function filled(checkout: string | undefined, profileBytes: number, profilesMin: number) {
  await using server = await startUnderLoad({}, checkout);
  const account = await signUp(server.url);
  const empty = onDisk(server.dataDir);
  const order = { ...orderFor(server, account), profiles: bodiesNear(profileBytes), connections };
  let [acknowledged, sent] = [0, 0];
  do {
    const load = await runLoad({ ...order, seconds: sizeSeconds });
    acknowledged += load.acknowledged;
    sent += load.bytes;
  } while (acknowledged < profilesMin);
  await sleep(1000 * mergedSeconds);
  await server.stop("SIGTERM");
  const { bytes, files } = onDisk(server.dataDir);
  return { used: { bytes: bytes - empty.bytes, files: files - empty.files }, sent, acknowledged };
}

function orderFor({ url }: Flamekeep, { key }: Account) {
  return { url, key, services: loadServices, profiles: bodiesNear(70_000) };
}

function bodiesNear(bytes: number): readonly Buffer[] {
  return cpuProfilesNear(bytes, 4).map(({ body }) => body);
}

/** Milliseconds of one append and fdatasync of such bytes on the same disk, with nothing else to do. */
function appendTimes(folder: string, bytes: Uint8Array): number[] {
  const path = join(folder, "appends");
  const file = openSync(path, "w");
  const times = Array.from({ length: appends }, () => {
    const startedAt = performance.now();
    writeSync(file, bytes);
    fdatasyncSync(file);
    return performance.now() - startedAt;
  });
  closeSync(file);
  rmSync(path);
  return times;
}

/** CPU to inflate one of these, in milliseconds, over a second of trying. */
function inflatingMs(bodies: readonly Uint8Array[]): number {
  const before = process.cpuUsage();
  let count = 0;
  for (const endAt = performance.now() + 1000; performance.now() < endAt; count++)
    gunzipSync(bodies[count % bodies.length]!);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / count;
}

interface ReadCall {
  readonly what: string;
  readonly path: string;
  readonly accept: string;
}

const json = "application/json";
const readCalls: readonly ReadCall[] = [
  { what: "services", path: "services?since=24h", accept: json },
  { what: "graph of 1 h", path: "flamegraph/service/load-0/cpu?from=1h", accept: flameGraphContentType },
  { what: "graph of 24 h", path: "flamegraph/service/load-0/cpu?from=24h", accept: flameGraphContentType },
  { what: "timeline of 24 h", path: "timeline/service/load-0/cpu?from=24h&bucket=15m", accept: json },
];

/** Medians, by call. */
async function readTimes({ url }: Flamekeep, { headers }: Account): Promise<Figures> {
  const times = new Map<string, number>();
  for (const { what, path, accept } of readCalls) {
    const all: number[] = [];
    for (let at = -1; at < reads; at++) {
      const startedAt = performance.now();
      const reply = await fetch(`${url}/api/v1/protected/${path}`, { headers: { ...headers, accept } });
      const { byteLength } = await reply.arrayBuffer();
      if (!reply.ok || byteLength === 0) throw new Error(`${path} answered ${reply.status}`);
      // The first call of a kind is not the rule.
      if (at >= 0) all.push(performance.now() - startedAt);
      await sleep(readEveryMs);
    }
    times.set(what, quantile(all, 0.5));
  }
  return times;
}

/** Without the row store, which profiles do not make larger: its log of changes has 5 MB until the stop. */
function onDisk(folder: string): { readonly bytes: number; readonly files: number } {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names
    // The engine's folder of names has links to the folders of tables.
    .filter((name) => !name.startsWith("flamekeep.sqlite") && !name.startsWith("columns/data/"))
    // Merged parts may go meanwhile.
    .flatMap((name) => statSync(join(folder, name), { throwIfNoEntry: false }) ?? [])
    .filter((found) => found.isFile());
  return { bytes: files.reduce((sum, { size }) => sum + size, 0), files: files.length };
}
