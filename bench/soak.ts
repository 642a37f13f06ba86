import { loadavg } from "node:os";
import process from "node:process";
import { signUp } from "@flamekeep/e2e/sign-up";
import { startUnderLoad } from "./load/conditions.ts";
import { type LoadResult, refusedOf, runLoad } from "./load/run-load.ts";
import { type MemorySample, MemoryWatch } from "./memory.ts";
import { realProfiles } from "./profiles.ts";
import { atLeast, atMost, type BenchResult, quantile } from "./result.ts";

export interface SoakOptions {
  readonly seconds: number;
  readonly perSecond: number;
  /** Gzipped profiles, sent whole and damaged. */
  readonly profiles: readonly Uint8Array[];
  /** Between two samples of the memory. */
  readonly sampleMs?: number;
}

export interface SoakResult {
  readonly load: LoadResult;
  /** Median resident memory of all processes before `baselineSeconds`, and at the end of the load. */
  readonly baselineBytes: number;
  readonly endBytes: number;
  readonly baselineSeconds: number;
  /** Until the merges after the load were over. */
  readonly peakBytes: number;
  readonly idleBytes: number;
  readonly samples: readonly MemorySample[];
}

const damagedShare = 0.8;
const connections = 32;
const services = 20;
const hourSeconds = 3600;
/** Time in which the caches of a server fill. */
const baselineSecondsMax = 300;
/** Larger ones measure the sender. */
const rawBytesMax = 512 * 1024;

/** Damaged and whole uploads for BENCH_SECONDS (an hour), BENCH_PER_SECOND (300) of them a second: what memory does meanwhile and in the merges afterwards. */
export async function benchSoak(): Promise<BenchResult> {
  const seconds = Number(process.env.BENCH_SECONDS ?? hourSeconds);
  const profiles = realProfiles().filter(({ raw }) => raw.length <= rawBytesMax);
  const perSecond = Number(process.env.BENCH_PER_SECOND ?? 300);
  const options = { seconds, perSecond, profiles: profiles.map(({ body }) => body) };
  const { load, ...memory } = await runSoak(options);
  const failed = Object.entries(load.refusedByStatus).filter(([status]) => Number(status) >= 500);
  const baseline = `${memory.baselineSeconds.toFixed(0)} s`;
  const toMb = (bytes: number) => bytes / 1e6;
  return {
    name: "soak",
    input: `${profiles.length} real profiles, ${100 * damagedShare}% of the uploads damaged, ${perSecond}/s on ${connections} connections, ${load.seconds.toFixed(0)} s, load of the machine in the last 15 minutes ${loadavg()[2]!.toFixed(0)}`,
    measurements: [
      { what: "uploads answered", value: load.acknowledged + refusedOf(load) - load.broken, unit: "uploads" },
      { what: "of these accepted", value: load.acknowledged, unit: "uploads", bar: atLeast(1, true) },
      {
        what: "answered with 5xx or broken",
        value: failed.reduce((sum, [, count]) => sum + count, load.broken),
        unit: "uploads",
        bar: atMost(0, true),
      },
      { what: `resident memory after ${baseline}`, value: toMb(memory.baselineBytes), unit: "MB" },
      { what: "resident memory at the end", value: toMb(memory.endBytes), unit: "MB" },
      {
        what: `end over ${baseline}`,
        value: memory.endBytes / memory.baselineBytes,
        unit: "x",
        bar: atMost(1.1, seconds >= hourSeconds),
      },
      {
        what: "peak, merges afterwards included",
        value: toMb(memory.peakBytes),
        unit: "MB",
        bar: atMost(900),
      },
      { what: "resident memory when idle again", value: toMb(memory.idleBytes), unit: "MB" },
    ],
  };
}

export async function runSoak({ seconds, perSecond, profiles, sampleMs }: SoakOptions): Promise<SoakResult> {
  await using server = await startUnderLoad();
  const watch = new MemoryWatch(server.pid, sampleMs);
  try {
    const { key } = await signUp(server.url);
    const order = { url: server.url, key, seconds, connections, perSecond, services, damagedShare };
    const load = await runLoad({ ...order, profiles });
    const during = [...watch.samples];
    await watch.untilIdle();
    const baselineSeconds = Math.min(baselineSecondsMax, seconds / 3);
    const medianOf = (from: number, to: number) => {
      const inside = during.filter((sample) => sample.seconds >= from && sample.seconds <= to);
      // A short run on a busy machine may have no sample in the window.
      const samples = inside.length > 0 ? inside : watch.samples.slice(-1);
      return quantile(
        samples.map(({ residentBytes }) => residentBytes),
        0.5,
      );
    };
    return {
      load,
      baselineSeconds,
      baselineBytes: medianOf(0.5 * baselineSeconds, 1.5 * baselineSeconds),
      endBytes: medianOf(load.seconds - 0.4 * baselineSeconds, Number.POSITIVE_INFINITY),
      peakBytes: watch.peakBytes,
      idleBytes: watch.samples.at(-1)!.residentBytes,
      samples: watch.samples,
    };
  } finally {
    watch.end();
  }
}
