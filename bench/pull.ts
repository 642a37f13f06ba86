import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { signUp } from "@flamekeep/e2e/sign-up";
import { writeProfile } from "@flamekeep/profile";
import { loadSeconds, startUnderLoad } from "./load/conditions.ts";
import { runLoad } from "./load/run-load.ts";
import { usageOf } from "./processes.ts";
import { realProfiles } from "./profiles.ts";
import { atLeast, atMost, type BenchResult } from "./result.ts";

export interface PullOptions {
  readonly targets: number;
  readonly intervalSeconds: number;
  /** How long the scrapes are measured, once each target had its first turn. */
  readonly seconds: number;
}

export interface PullOutcome {
  /** Answers by target, in the measured time. */
  readonly turns: readonly number[];
  readonly answers: number;
  readonly seconds: number;
  /** CPU of the server, its engine and its threads. */
  readonly cpuSeconds: number;
  /** The most turns that began in one of `windows` equal parts of the interval, over the mean. */
  readonly busiestWindow: number;
  readonly failing: number;
}

const windows = 15;
const kinds = ["cpu", "memory", "goroutine"] as const;
const bytesMax = 100_000;

/** 1,000 targets with CPU, heap and goroutines every 15 seconds on loopback, answered from recordings. */
export async function benchPull(): Promise<BenchResult> {
  const options = { targets: 1000, intervalSeconds: 15, seconds: Math.max(60, loadSeconds()) };
  const pulled = await runPull(options);
  const perSecond = pulled.answers / pulled.seconds;
  const pushed = await pushSame(perSecond, pulled.seconds);
  const coresOf = ({ cpuSeconds, seconds }: { readonly cpuSeconds: number; readonly seconds: number }) =>
    cpuSeconds / seconds;
  const expected = Math.floor(options.seconds / options.intervalSeconds);
  return {
    name: "pull",
    input: `${options.targets} targets every ${options.intervalSeconds} s with ${kinds.join(", ")}, ${options.seconds} s; ${perSecond.toFixed(0)} profiles a second`,
    measurements: [
      { what: "CPU with pulling, everything", value: coresOf(pulled), unit: "cores" },
      { what: "CPU with the same uploads pushed", value: coresOf(pushed), unit: "cores" },
      {
        what: "CPU in addition to the ingestion",
        value: coresOf(pulled) - coresOf(pushed),
        unit: "cores",
        bar: atMost(0.5),
      },
      {
        what: "fewest turns of a target",
        value: Math.min(...pulled.turns),
        unit: "turns",
        bar: atLeast(expected - 1, true),
      },
      {
        what: "busiest second of the interval over the mean",
        value: pulled.busiestWindow,
        unit: "x",
        bar: atMost(2, true),
      },
      { what: "targets that fail", value: pulled.failing, unit: "targets", bar: atMost(0, true) },
    ],
  };
}

/** Recorded profiles by path, without their time: each answer has another one. */
function recorded(): ReadonlyMap<string, readonly Uint8Array[]> {
  const profiles = realProfiles().filter(({ body }) => body.length < bytesMax);
  const withType = (name: string) =>
    profiles
      .filter(({ profile }) => profile.sampleTypes.some(({ type }) => type === name))
      // Snapshots only: some recordings are differences.
      .filter(({ profile }) => name === "cpu" || profile.durationNs === 0n)
      .slice(0, 4)
      .map(({ profile }) => gzipSync(writeProfile({ ...profile, timeNs: 0n })));
  return new Map([
    ["/debug/pprof/profile", withType("cpu")],
    ["/debug/pprof/heap", withType("inuse_space")],
    ["/debug/pprof/goroutine", withType("goroutine")],
  ]);
}

/** Field 9 of a profile, its time, as another member of the gzip file. */
function timeMember(): Buffer {
  const bytes = [9 << 3];
  for (let rest = BigInt(Date.now()) * 1_000_000n + BigInt(counter++); ; rest >>= 7n) {
    const isLast = rest < 0x80n;
    bytes.push(Number(rest & 0x7fn) | (isLast ? 0 : 0x80));
    if (isLast) break;
  }
  return gzipSync(Uint8Array.from(bytes), { level: 1 });
}
let counter = 0;

export async function runPull({ targets, intervalSeconds, seconds }: PullOptions): Promise<PullOutcome> {
  const bodies = recorded();
  const turns = new Map<string, number[]>();
  const answer = (path: string, host: string, response: ServerResponse): void => {
    const own = bodies.get(path) ?? [];
    // A process stays the same program: its counters only grow.
    const at = Number(/(\d+):/.exec(host)?.[1] ?? 0);
    response.end(Buffer.concat([own[at % own.length]!, timeMember()]));
  };
  const processes = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://x");
    const { host = "" } = request.headers;
    if (url.pathname === "/targets") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(listOf(targets, (processes.address() as AddressInfo).port)));
      return;
    }
    if (url.pathname === "/debug/pprof/heap") {
      const own = turns.get(host) ?? [];
      own.push(performance.now());
      turns.set(host, own);
    }
    // As Go does: a CPU profile takes its time.
    const heldMs = Number(url.searchParams.get("seconds") ?? 0) * 1000;
    setTimeout(() => answer(url.pathname, host, response), heldMs);
  }).listen(0, "0.0.0.0");
  await once(processes, "listening");
  try {
    return await measure({
      turns,
      port: (processes.address() as AddressInfo).port,
      targets,
      intervalSeconds,
      seconds,
    });
  } finally {
    processes.closeAllConnections();
    processes.close();
  }
}

/** Each target has an address of this machine. */
function listOf(targets: number, port: number) {
  return Array.from({ length: targets }, (_, at) => ({
    targets: [`127.1.${Math.floor(at / 250)}.${1 + (at % 250)}:${port}`],
    labels: { service_name: `service-${at % 50}` },
  }));
}

interface Measured extends PullOptions {
  readonly turns: ReadonlyMap<string, readonly number[]>;
  readonly port: number;
}

async function measure({ turns, port, targets, intervalSeconds, seconds }: Measured): Promise<PullOutcome> {
  await using server = await startUnderLoad({ PULL_PRIVATE_ADDRESSES: "127.0.0.0/8" });
  const { headers } = await signUp(server.url);
  const call = async (method: string, body?: object) => {
    const reply = await fetch(`${server.url}/api/v1/protected/targets`, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(await reply.text());
    return reply.json();
  };
  await call("POST", {
    name: "bench",
    source: { kind: "http", url: `http://127.0.0.1:${port}/targets` },
    interval_seconds: intervalSeconds,
    profiles: ["cpu", "heap", "goroutine"],
  });
  while (turns.size < targets) await sleep(200);
  const [startedMs, before] = [performance.now(), usageOf(server.pid)];
  await sleep(seconds * 1000);
  const [endedMs, after] = [performance.now(), usageOf(server.pid)];
  const own = [...turns.values()].map((times) => times.filter((at) => at >= startedMs && at < endedMs));
  const count = own.reduce((sum, times) => sum + times.length, 0);
  const [{ failing }] = (await call("GET")).targets;
  return {
    turns: own.map(({ length }) => length),
    answers: count * kinds.length,
    seconds: (endedMs - startedMs) / 1000,
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    busiestWindow: busiest(own.flat(), intervalSeconds * 1000),
    failing,
  };
}

function busiest(times: readonly number[], intervalMs: number): number {
  const counts = new Array<number>(windows).fill(0);
  for (const at of times) counts[Math.floor(((at % intervalMs) / intervalMs) * windows)]!++;
  return Math.max(...counts) / (times.length / windows);
}

/** The same profiles at the same rate, sent by clients. */
async function pushSame(perSecond: number, seconds: number) {
  await using server = await startUnderLoad();
  const { key } = await signUp(server.url);
  const profiles = [...recorded().values()].flat();
  const load = { url: server.url, key, profiles, services: 50, connections: 64, perSecond };
  await runLoad({ ...load, seconds: 5 });
  const before = usageOf(server.pid);
  const startedMs = performance.now();
  await runLoad({ ...load, seconds });
  return {
    cpuSeconds: usageOf(server.pid).cpuSeconds - before.cpuSeconds,
    seconds: (performance.now() - startedMs) / 1000,
  };
}
