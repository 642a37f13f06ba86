import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type Account, signUp } from "@flamekeep/e2e/sign-up";
import { type ServerGroup, startServerGroup } from "./crash/server-group.ts";
import { storedProfiles, unreadable } from "./crash/stored-profiles.ts";
import { runLoad } from "./load/run-load.ts";
import { typicalCpuProfiles } from "./profiles.ts";
import { atLeast, atMost, type BenchResult } from "./result.ts";

export interface CrashOptions {
  readonly rounds: number;
  /** Gzipped profiles to send. */
  readonly profiles: readonly Uint8Array[];
  readonly connections?: number;
  /** How many profiles of a round are acknowledged before the kill. */
  readonly killAfter?: (round: number) => number;
}

export interface CrashResult {
  readonly rounds: number;
  readonly acknowledged: number;
  /** Acknowledged, and not listed after the last restart. */
  readonly lost: readonly string[];
  /** Stored without having been acknowledged: the kill came between the disk and the answer. */
  readonly unacknowledged: number;
  readonly listedTwice: number;
  /** Profiles in the roll-ups beyond, or short of, the profiles stored. */
  readonly rollUpDifference: number;
  readonly payloadsRead: number;
  readonly payloadsUnreadable: number;
  /** From the start of the process to serving, after a kill. */
  readonly restartMs: readonly number[];
}

const payloadsReadMax = 100;
/** For the load of one round: a server that acknowledges too little in this time fails the run. */
const roundSecondsMax = 120;

/** BENCH_CRASH_ROUNDS says how often; 20 times unless told otherwise. */
export async function benchCrash(): Promise<BenchResult> {
  const rounds = Number(process.env.BENCH_CRASH_ROUNDS ?? 20);
  const profiles = typicalCpuProfiles(2).map(({ body }) => body);
  const result = await runCrash({ rounds, profiles });
  const none = atMost(0, true);
  return {
    name: "crash",
    input: `${rounds} rounds of kill -9 of all processes under load, ${profiles.map(({ length }) => length).join(", ")} bytes gzipped`,
    measurements: [
      { what: "acknowledged", value: result.acknowledged, unit: "profiles", bar: atLeast(1, true) },
      { what: "acknowledged and lost", value: result.lost.length, unit: "profiles", bar: none },
      { what: "stored twice", value: result.listedTwice, unit: "profiles", bar: none },
      {
        what: "counted wrongly in roll-ups",
        value: Math.abs(result.rollUpDifference),
        unit: "profiles",
        bar: none,
      },
      { what: "original bytes read again", value: result.payloadsRead, unit: "profiles" },
      { what: "original bytes unreadable", value: result.payloadsUnreadable, unit: "profiles", bar: none },
      { what: "stored, the answer cut off", value: result.unacknowledged, unit: "profiles" },
      { what: "start after a kill, longest", value: Math.max(0, ...result.restartMs), unit: "ms" },
    ],
  };
}

/** Kills a whole server under load again and again, then looks for every profile it had acknowledged. */
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
  { rounds, profiles, connections = 16, killAfter = spread }: CrashOptions,
): Promise<CrashResult> {
  const acknowledged: string[] = [];
  const restartMs: number[] = [];
  let account: Account | undefined;
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    const server = await startServerGroup(dataDir);
    if (round > 0) restartMs.push(Math.round(performance.now() - startedAt));
    account ??= await signUp(server.url);
    await loadUntilKilled(
      server,
      { key: account.key, connections, profiles, killAfter: killAfter(round) },
      acknowledged,
    );
  }
  return look(dataDir, account!, { rounds, acknowledged, restartMs });
}

interface Round {
  readonly key: string;
  readonly connections: number;
  readonly profiles: readonly Uint8Array[];
  readonly killAfter: number;
}

/** The sender goes on until the server is dead: kills fall between other uploads' first and last steps. */
async function loadUntilKilled(server: ServerGroup, round: Round, acknowledged: string[]): Promise<void> {
  const dead = new AbortController();
  const enough = Promise.withResolvers<void>();
  let count = 0;
  const load = runLoad({
    url: server.url,
    key: round.key,
    seconds: roundSecondsMax,
    connections: round.connections,
    services: 3,
    profiles: round.profiles,
    until: dead.signal,
    onAcknowledged: (ids) => {
      acknowledged.push(...ids);
      count += ids.length;
      if (count >= round.killAfter) enough.resolve();
    },
  });
  await Promise.race([enough.promise, load]);
  await server.kill();
  dead.abort();
  await load;
}

/** Every phase of a commit has its turn: the counts share no factor with the size of a batch. */
function spread(round: number): number {
  return 37 + ((round * 61) % 240);
}

async function look(
  dataDir: string,
  { headers }: Account,
  seen: { rounds: number; acknowledged: readonly string[]; restartMs: readonly number[] },
): Promise<CrashResult> {
  const server = await startServerGroup(dataDir);
  try {
    const stored = await storedProfiles(server.url, headers);
    const ids = new Set(stored.ids);
    const acknowledged = new Set(seen.acknowledged);
    const step = Math.max(1, Math.floor(acknowledged.size / payloadsReadMax));
    const read = [...acknowledged].filter((_, i) => i % step === 0);
    return {
      rounds: seen.rounds,
      acknowledged: acknowledged.size,
      lost: [...acknowledged].filter((id) => !ids.has(id)),
      unacknowledged: [...ids].filter((id) => !acknowledged.has(id)).length,
      listedTwice: stored.ids.length - ids.size,
      rollUpDifference: stored.rolledUp - stored.ids.length,
      payloadsRead: read.length,
      payloadsUnreadable: await unreadable(server.url, headers, read),
      restartMs: seen.restartMs,
    };
  } finally {
    await server.kill();
  }
}
