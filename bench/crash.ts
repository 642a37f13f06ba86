import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type Account, signUp } from "@flamekeep/e2e/sign-up";
import { Random } from "#random";
import { CounterSeries, shownCounters } from "./crash/counter-series.ts";
import { planRounds, type Round, runRound } from "./crash/round.ts";
import { type ServerProcess, startServer } from "./crash/server-process.ts";
import { storedProfiles, unreadable } from "./crash/stored-profiles.ts";
import { typicalCpuProfiles } from "./profiles.ts";
import { atLeast, atMost, type BenchResult } from "./result.ts";

export interface CrashOptions {
  readonly rounds: readonly Round[];
  /** Gzipped profiles to send. */
  readonly profiles: readonly Uint8Array[];
  readonly connections?: number;
}

export interface CrashResult {
  /** Rounds in which the process that was to be killed still ran. */
  readonly kills: number;
  readonly acknowledged: number;
  /** Acknowledged, and not listed after the last restart. */
  readonly lost: readonly string[];
  /** Stored without having been acknowledged: the kill came between the disk and the answer. */
  readonly unacknowledged: number;
  readonly listedTwice: number;
  /** Column stores that a start moved aside. */
  readonly movedStores: number;
  /** Profiles in the roll-ups beyond, or short of, the profiles stored, added up over services. */
  readonly rollUpDifference: number;
  /** Snapshots of a cumulative series that were acknowledged. */
  readonly snapshots: number;
  /** Differences between the series and its acknowledged snapshots, in either direction: number, contentions and delay added up. */
  readonly snapshotDifference: number;
  readonly payloadsRead: number;
  readonly payloadsUnreadable: number;
  /** From the start of the process to serving, after the last kill. */
  readonly restartMs: number;
}

const payloadsReadMax = 100;

/** BENCH_CRASH_ROUNDS (100) says how often, BENCH_CRASH_SEED repeats a run, BENCH_CRASH_MOMENTS=start only kills at the start. KEEP_ORIGINALS is that of the server. */
export async function benchCrash(): Promise<BenchResult> {
  const { BENCH_CRASH_ROUNDS, BENCH_CRASH_SEED, BENCH_CRASH_MOMENTS, KEEP_ORIGINALS = "on" } = process.env;
  const seed = Number(BENCH_CRASH_SEED ?? Date.now() % 1_000_000);
  const count = Number(BENCH_CRASH_ROUNDS ?? 100);
  const only = BENCH_CRASH_MOMENTS === "start" ? { moments: ["start"] as const } : {};
  const rounds = planRounds(count, new Random(seed), only);
  const profiles = typicalCpuProfiles(2).map(({ body }) => body);
  const result = await runCrash({ rounds, profiles });
  const none = atMost(0, true);
  const moments = [...new Set(rounds.map(({ moment }) => moment))].join(", ");
  return {
    name: "crash",
    input: `${count} rounds of kill -9 of server, engine or both (${moments}; seed ${seed}), KEEP_ORIGINALS=${KEEP_ORIGINALS}, ${profiles.map(({ length }) => length).join(", ")} bytes gzipped`,
    measurements: [
      { what: "kills", value: result.kills, unit: "rounds", bar: atLeast(1, true) },
      { what: "acknowledged", value: result.acknowledged, unit: "profiles", bar: atLeast(1, true) },
      { what: "acknowledged and lost", value: result.lost.length, unit: "profiles", bar: none },
      { what: "stored twice", value: result.listedTwice, unit: "profiles", bar: none },
      { what: "stores moved aside", value: result.movedStores, unit: "stores", bar: none },
      {
        what: "counted wrongly in roll-ups",
        value: result.rollUpDifference,
        unit: "profiles",
        bar: none,
      },
      {
        what: "acknowledged snapshots of a cumulative series",
        value: result.snapshots,
        unit: "profiles",
        bar: atLeast(1),
      },
      {
        what: "its contentions and nanoseconds shown wrongly",
        value: result.snapshotDifference,
        unit: "units",
        bar: none,
      },
      { what: "original bytes read again", value: result.payloadsRead, unit: "profiles" },
      { what: "original bytes unreadable", value: result.payloadsUnreadable, unit: "profiles", bar: none },
      { what: "stored, the answer cut off", value: result.unacknowledged, unit: "profiles" },
      { what: "start after the last kill", value: result.restartMs, unit: "ms" },
    ],
  };
}

/** Kills a server at every stage of its life, then looks for every profile that it had acknowledged. */
export async function runCrash(options: CrashOptions): Promise<CrashResult> {
  const dataDir = mkdtempSync(join(tmpdir(), "flamekeep-crash-"));
  try {
    return await crashIn(dataDir, options);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function crashIn(
  dataDir: string,
  { rounds, profiles, connections = 16 }: CrashOptions,
): Promise<CrashResult> {
  const acknowledged = new Set<string>();
  const account = await withServer(dataDir, async (url) => {
    const account = await signUp(url);
    // A store that a failed start would hide must hold something.
    // Now, not when it was recorded: the list that is read at the end covers one day.
    const query = `service=before&started_at=${new Date().toISOString()}`;
    acknowledged.add(await account.send(Buffer.from(profiles[0]!), query));
    return account;
  });
  const onAcknowledged = (ids: readonly string[]) => {
    for (const id of ids) acknowledged.add(id);
  };
  // The first start does more than later ones.
  const startMs = await withServer(dataDir, async (_, durationMs) => durationMs);
  const counters = new CounterSeries();
  let kills = 0;
  for (const [number, round] of rounds.entries()) {
    const context = { dataDir, account, profiles, connections, counters, startMs, onAcknowledged };
    const wasKilled = await runRound(round, context).catch((cause: unknown) => {
      throw new Error(`round ${number + 1} failed: ${JSON.stringify(round)}`, { cause });
    });
    if (wasKilled) kills++;
  }
  return withServer(dataDir, async (url, restartMs) => {
    await counters.finish(url, account.key, onAcknowledged);
    const found = await find(url, account, acknowledged);
    const snapshots = await compareCounters(url, account, counters);
    return { kills, restartMs, movedStores: movedStores(dataDir), ...snapshots, ...found };
  });
}

async function withServer<T>(dataDir: string, use: (url: string, startMs: number) => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const server: ServerProcess = startServer(dataDir);
  try {
    const url = await server.url;
    return await use(url, Math.round(performance.now() - startedAt));
  } finally {
    server.stop();
    await server.ended();
  }
}

function movedStores(dataDir: string): number {
  return readdirSync(dataDir).filter((name) => name.startsWith("quarantine-")).length;
}

async function compareCounters(url: string, account: Account, counters: CounterSeries) {
  const expected = counters.expected();
  const shown = await shownCounters(url, await account.signIn(url));
  const names = ["snapshots", "contentions", "delayNs"] as const;
  const differences = names.map((name) => Math.abs(shown[name] - expected[name]));
  return {
    snapshots: expected.snapshots,
    snapshotDifference: differences.reduce((sum, each) => sum + each, 0),
  };
}

async function find(url: string, account: Account, acknowledged: ReadonlySet<string>) {
  const headers = await account.signIn(url);
  const stored = await storedProfiles(url, headers);
  const ids = new Set(stored.ids);
  const step = Math.max(1, Math.floor(acknowledged.size / payloadsReadMax));
  const read = [...acknowledged].filter((_, i) => i % step === 0);
  return {
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter((id) => !ids.has(id)),
    unacknowledged: [...ids].filter((id) => !acknowledged.has(id)).length,
    listedTwice: stored.ids.length - ids.size,
    rollUpDifference: stored.rollUpDifference,
    payloadsRead: read.length,
    payloadsUnreadable: await unreadable(url, headers, read),
  };
}
