import { rmSync } from "node:fs";
import process from "node:process";
import { signUp } from "@flamekeep/e2e/sign-up";
import { type Flamekeep, startFlamekeep } from "@flamekeep/e2e/start-flamekeep";
import { runLoad } from "./load/run-load.ts";
import { usageOf } from "./processes.ts";
import { typicalCpuProfiles } from "./profiles.ts";
import { atLeast, atMost, type BenchResult, quantile } from "./result.ts";
import { storedIn } from "./stored.ts";

const connections = 256;
const services = 5;
/** The kernel goes through all pages for it: once a second that was 1 % of what the machine did. */
const sampleMs = 2000;

/** CPU profiles of about 70 KB over HTTP, as fast as they are acknowledged; BENCH_SECONDS says for how long. */
export async function benchIngestion(): Promise<BenchResult> {
  const seconds = Number(process.env.BENCH_SECONDS ?? 60);
  const profiles = typicalCpuProfiles(4);
  const env = { DEMO: "off", LOG_LEVEL: "error", INGEST_PER_MINUTE: "10000000" };
  const server = await startFlamekeep({ env });
  const { key } = await signUp(server.url);
  const memory = watchMemory(server);
  const before = usageOf(server.pid);
  const order = { url: server.url, key, seconds, connections, services };
  const load = await runLoad({ ...order, profiles: profiles.map(({ body }) => body) });
  const cpuSeconds = usageOf(server.pid).cpuSeconds - before.cpuSeconds;
  const resident = memory.end();
  await server.stop("SIGTERM");
  const stored = storedIn(server.dataDir);
  rmSync(server.dataDir, { recursive: true, force: true });

  const refused = Object.values(load.refusedByStatus).reduce((sum, count) => sum + count, 0);
  return {
    name: "ingestion",
    input: `${profiles.map(({ body }) => body.length).join(", ")} bytes gzipped, ${services} services, ${connections} connections, ${load.seconds.toFixed(0)} s, the sender on the same machine`,
    measurements: [
      {
        what: "acknowledged",
        value: load.acknowledged / load.seconds,
        unit: "profiles/s",
        bar: atLeast(500),
      },
      { what: "acknowledged after, p50", value: load.p50Ms, unit: "ms" },
      { what: "acknowledged after, p99", value: load.p99Ms, unit: "ms", bar: atMost(500) },
      { what: "refused or broken", value: refused + load.broken, unit: "requests", bar: atMost(0, true) },
      {
        what: "acknowledged but not stored",
        value: load.acknowledged - load.duplicates - stored.profiles,
        unit: "profiles",
        bar: atMost(0, true),
      },
      {
        what: "resident memory of all processes, peak",
        value: Math.max(...resident) / 1e6,
        unit: "MB",
        bar: atMost(900),
      },
      {
        what: "resident memory, last quarter over second",
        value: growth(resident),
        unit: "x",
        bar: atMost(1.1),
      },
      {
        what: "CPU of all processes for a profile",
        value: (1000 * cpuSeconds) / load.acknowledged,
        unit: "ms",
      },
      { what: "CPU of the sender", value: load.senderCpuSeconds / load.seconds, unit: "cores" },
      {
        what: "on disk beside the original bytes",
        value: 100 * (stored.bytes / stored.payloadBytes - 1),
        unit: "%",
        bar: atMost(10),
      },
    ],
  };
}

function watchMemory(server: Flamekeep): { end(): readonly number[] } {
  const resident: number[] = [];
  const timer = setInterval(() => resident.push(usageOf(server.pid).residentBytes), sampleMs);
  return {
    end() {
      clearInterval(timer);
      return resident;
    },
  };
}

function growth(values: readonly number[]): number {
  const quarter = Math.max(1, Math.floor(values.length / 4));
  return quantile(values.slice(-quarter), 0.5) / quantile(values.slice(quarter, 2 * quarter), 0.5);
}
