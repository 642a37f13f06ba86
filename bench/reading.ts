import { setTimeout as sleep } from "node:timers/promises";
import { flameGraphContentType } from "@flamekeep/contract";
import { type Account, signUp } from "@flamekeep/e2e/sign-up";
import { type Flamekeep, startFlamekeep } from "@flamekeep/e2e/start-flamekeep";
import { comparisonMediaType } from "@flamekeep/flame/compare";
import { type Call, labelledCallsAt } from "./labelled-calls.ts";
import { labelledProfile } from "./load/labelled.ts";
import { variantsOf } from "./load/variants.ts";
import { usageOf } from "./processes.ts";
import { typicalCpuProfiles } from "./profiles.ts";
import { atMost, type BenchResult, type Measurement, quantile } from "./result.ts";

const profiles = 20_000;
const senders = 16;
const rounds = 40;
/** For each call: one first call alone says little on a machine that is not always equally fast. */
const starts = 5;
const hourMs = 3_600_000;
/** A server brings its roll-ups up to date every five minutes, and takes a few seconds for a day. */
const rolledUpMs = 330_000;
/** Longer than the start's own work and the pauses in which threads end and memory is released. */
const idleMs = 150_000;

/** Calls of a page for a service that sends 20,000 profiles in 24 hours: right after they were sent, once they are rolled up, and the first call after a start. */
export async function benchReading(): Promise<BenchResult> {
  const env = { DEMO: "off", LOG_LEVEL: "error" };
  await using server = await startFlamekeep({ env });
  const account = await signUp(server.url);
  const calls = callsAt(Date.now());
  await sendDay(account, "bench", typicalCpuProfiles(1)[0]!.body);
  const fresh = await timesOf(server, account.headers, calls);
  await sleep(rolledUpMs);
  const rolledUp = await timesOf(server, account.headers, calls);
  const others = otherRangesAt(Date.now());
  const otherTimes = await timesOf(server, account.headers, others);
  await server.stop();
  const firstTime = async (callAt: (nowMs: number) => Call) => {
    const times: number[] = [];
    for (let start = 0; start < starts; start++) {
      await using restarted = await startFlamekeep({ env, dataDir: server.dataDir });
      const headers = await account.signIn(restarted.url);
      // The ranges that a page asks for at this time: a start makes the same calls.
      times.push(await timeOf(restarted, headers, callAt(Date.now())));
    }
    return quantile(times, 0.5);
  };
  const first: number[] = [];
  for (const index of calls.keys()) first.push(await firstTime((nowMs) => callsAt(nowMs)[index]!));
  const unread = await firstTime((nowMs) => otherRangesAt(nowMs - 6 * hourMs)[0]!);
  return {
    name: "reading",
    input: `${profiles} profiles of ${Math.round(typicalCpuProfiles(1)[0]!.body.length / 1000)} KB over 24 h, ${rounds} calls each, ${starts} starts for each first call`,
    measurements: [
      ...calls.flatMap((call, index) => measurementsOf(call, fresh[index]!, rolledUp[index]!, first[index]!)),
      ...others.map(({ what, barMs }, index) => ({
        what: `${what}, another range each time, p50`,
        value: quantile(otherTimes[index]!, 0.5),
        unit: "ms",
        bar: atMost(barMs),
      })),
      {
        what: "merged flame graph, 1 h, six hours earlier, first call after a start, p50",
        value: unread,
        unit: "ms",
      },
      {
        what: "idle memory of both processes after a start",
        value: (await idleBytes(env, server.dataDir)) / 1e6,
        unit: "MB",
        bar: atMost(300),
      },
      ...(await readLabels(env)),
    ],
  };
}

/** As above, on a server whose profiles have labels. Each round reads a range that begins a minute earlier, so that no reply is cached. */
async function readLabels(env: Headers): Promise<Measurement[]> {
  await using server = await startFlamekeep({ env });
  const account = await signUp(server.url);
  const calls = labelledCallsAt("labelled", Date.now());
  await sendDay(account, "labelled", labelledProfile(typicalCpuProfiles(1)[0]!.profile));
  const fresh = await timesOf(server, account.headers, calls);
  await sleep(rolledUpMs);
  const rolledUp = await timesOf(server, account.headers, calls, rounds);
  return calls.flatMap((call, index) => measurementsOf(call, fresh[index]!, rolledUp[index]!));
}

function callsAt(nowMs: number): Call[] {
  const at = (ms: number) => new Date(ms).toISOString();
  const hour = Math.floor(nowMs / hourMs) * hourMs;
  const sides = new URLSearchParams({
    service: "bench",
    type: "cpu",
    before_from: at(hour - 2 * hourMs),
    before_to: at(hour - hourMs),
    after_from: at(hour - hourMs),
    after_to: at(hour),
  });
  const json = "application/json";
  const flame = flameGraphContentType;
  return [
    { what: "services", barMs: 5, path: () => "services", accept: json },
    {
      what: "merged flame graph, 1 h",
      barMs: 12,
      path: () => "flamegraph/service/bench/cpu?from=1h",
      accept: flame,
    },
    {
      what: "merged flame graph, 24 h",
      barMs: 40,
      path: () => "flamegraph/service/bench/cpu?from=24h",
      accept: flame,
    },
    {
      what: "timeline, 24 h",
      barMs: 10,
      path: () => "timeline/service/bench/cpu?from=24h&bucket=15m",
      accept: json,
    },
    {
      what: "comparison of two hours",
      barMs: 25,
      path: () => `flamegraph/diff?${sides}`,
      accept: comparisonMediaType,
    },
  ];
}

/** Ranges that begin a minute earlier in each round, so that no reply is cached. */
function otherRangesAt(nowMs: number): Call[] {
  const flame = { accept: flameGraphContentType };
  const at = (ms: number) => new Date(ms).toISOString();
  const range = (hours: number, round: number) => {
    const toMs = nowMs - round * 60_000;
    return `from=${toMs - hours * hourMs}&to=${toMs}`;
  };
  const sides = (round: number) => {
    const toMs = nowMs - round * 60_000;
    const [before, middle, after] = [toMs - 2 * hourMs, toMs - hourMs, toMs].map(at);
    const times = `before_from=${before}&before_to=${middle}&after_from=${middle}&after_to=${after}`;
    return `flamegraph/diff?service=bench&type=cpu&${times}`;
  };
  const graph = "flamegraph/service/bench/cpu";
  return [
    { what: "merged flame graph, 1 h", barMs: 12, ...flame, path: (round) => `${graph}?${range(1, round)}` },
    {
      what: "merged flame graph, 24 h",
      barMs: 40,
      ...flame,
      path: (round) => `${graph}?${range(24, round)}`,
    },
    {
      what: "timeline, 24 h",
      barMs: 10,
      accept: "application/json",
      path: (round) => `timeline/service/bench/cpu?${range(24, round)}&bucket=15m`,
    },
    { what: "comparison of two hours", barMs: 25, accept: comparisonMediaType, path: sides },
  ];
}

function measurementsOf(
  { what, barMs }: Call,
  fresh: number[],
  rolledUp: number[],
  first?: number,
): Measurement[] {
  return [
    {
      what: `${what}, right after they were sent, p50`,
      value: quantile(fresh, 0.5),
      unit: "ms",
      bar: atMost(barMs),
    },
    { what: `${what}, p50`, value: quantile(rolledUp, 0.5), unit: "ms", bar: atMost(barMs) },
    ...(first === undefined
      ? []
      : [
          {
            what: `${what}, first call after a start, p50`,
            value: first,
            unit: "ms",
            bar: atMost(2 * barMs),
          },
        ]),
  ];
}

async function sendDay(account: Account, service: string, profile: Uint8Array): Promise<void> {
  const variants = variantsOf(profile);
  const nowMs = Date.now();
  let next = 0;
  const send = async () => {
    for (let index = next++; index < profiles; index = next++) {
      const startedAtMs = Math.round(nowMs - ((index + 1) * 24 * hourMs) / profiles);
      const body = Buffer.concat(variants.at(BigInt(startedAtMs) * 1_000_000n));
      await account.send(body, `service=${service}&type=cpu&started_at=${startedAtMs}`);
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
}

type Headers = Readonly<Record<string, string>>;

async function timesOf(
  server: Flamekeep,
  headers: Headers,
  calls: readonly Call[],
  firstRound = 0,
): Promise<number[][]> {
  const times: number[][] = calls.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, call] of calls.entries())
      times[index]!.push(await timeOf(server, headers, call, firstRound + round));
  }
  return times;
}

async function timeOf(
  server: Flamekeep,
  headers: Headers,
  { path, accept }: Call,
  round = 0,
): Promise<number> {
  const url = `${server.url}/api/v1/protected/${path(round)}`;
  const startedAt = performance.now();
  const reply = await fetch(url, { headers: { ...headers, accept } });
  const size = (await reply.arrayBuffer()).byteLength;
  if (!reply.ok || size === 0) throw new Error(`${url} answered ${reply.status}`);
  return performance.now() - startedAt;
}

async function idleBytes(env: Headers, dataDir: string): Promise<number> {
  await using server = await startFlamekeep({ env, dataDir });
  await sleep(idleMs);
  return usageOf(server.pid).residentBytes;
}
