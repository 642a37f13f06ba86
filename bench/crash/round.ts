import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "@flamekeep/e2e/sign-up";
import { runLoad } from "#load/run-load.ts";
import type { Random } from "#random";
import type { CounterSeries } from "./counter-series.ts";
import { type ServerProcess, startServer, type Victim } from "./server-process.ts";

export type Moment = "start" | "load" | "stop";

/** One kill: when, of what, and after how much. */
export interface Round {
  readonly moment: Moment;
  readonly victim: Victim;
  /** For a kill at the start or while stopping: the share of that which is over. */
  readonly delayShare: number;
  /** Acknowledged uploads before the kill or the stop. */
  readonly acknowledged: number;
}

const moments: readonly Moment[] = ["start", "load", "stop"];
const victims: readonly Victim[] = ["server", "engine", "both"];
const stopMs = 400;

/** Rounds that cover every moment and victim in turn, each at another point of the commit. */
export function planRounds(
  count: number,
  random: Random,
  {
    moments: only = moments,
    acknowledgedMax = 250,
  }: { moments?: readonly Moment[]; acknowledgedMax?: number } = {},
): Round[] {
  return Array.from({ length: count }, (_, index) => {
    const moment = only[index % only.length]!;
    return {
      moment,
      victim: victims[Math.floor(index / only.length) % victims.length]!,
      delayShare: random.between(0, 1),
      acknowledged: Math.round(random.between(acknowledgedMax / 10, acknowledgedMax)),
    };
  });
}

export interface RoundContext {
  readonly dataDir: string;
  readonly account: Account;
  readonly profiles: readonly Uint8Array[];
  readonly connections: number;
  readonly counters: CounterSeries;
  /** Duration of a start that nothing disturbs, on this machine with its other work. */
  readonly startMs: number;
  readonly onAcknowledged: (ids: readonly string[]) => void;
}

/** For the load of one round: a server that acknowledges too little in this time ends the round. */
const roundSecondsMax = 120;
/** After its engine was killed, a server has to acknowledge again. */
const acknowledgedAfterKill = 10;

/** Starts the server, kills as planned, and resolves when nothing of it runs. False where nothing was left to kill. */
export async function runRound(round: Round, context: RoundContext): Promise<boolean> {
  const server = startServer(context.dataDir);
  const run = { start: killAtStart, load: killUnderLoad, stop: killWhileStopping }[round.moment];
  const wasKilled = await run(server, round, context);
  if (round.victim === "engine") server.stop();
  await server.ended();
  return wasKilled;
}

async function killAtStart(
  server: ServerProcess,
  { victim, delayShare }: Round,
  { startMs }: RoundContext,
): Promise<boolean> {
  if (victim === "engine") await server.enginePid();
  await sleep(delayShare * startMs);
  const wasKilled = await server.kill(victim);
  // A server whose engine was killed starts it again.
  if (victim === "engine") await server.url;
  return wasKilled;
}

async function killUnderLoad(server: ServerProcess, round: Round, context: RoundContext): Promise<boolean> {
  const load = startLoad(await server.url, context);
  await load.acknowledged(round.acknowledged);
  const wasKilled = await server.kill(round.victim);
  if (round.victim === "engine") await load.acknowledged(round.acknowledged + acknowledgedAfterKill);
  await load.end();
  return wasKilled;
}

async function killWhileStopping(
  server: ServerProcess,
  round: Round,
  context: RoundContext,
): Promise<boolean> {
  const load = startLoad(await server.url, context);
  await load.acknowledged(round.acknowledged);
  server.stop();
  await sleep(round.delayShare * stopMs);
  const wasKilled = await server.kill(round.victim);
  await load.end();
  return wasKilled;
}

/** The sender goes on until the round is over: kills fall between other uploads' first and last steps. */
function startLoad(url: string, { account, profiles, connections, counters, onAcknowledged }: RoundContext) {
  const over = new AbortController();
  let count = 0;
  let wanted = { count: Number.POSITIVE_INFINITY, reached: () => {} };
  const load = runLoad({
    url,
    key: account.key,
    seconds: roundSecondsMax,
    connections,
    services: 3,
    profiles,
    until: over.signal,
    onAcknowledged: (ids) => {
      onAcknowledged(ids);
      count += ids.length;
      if (count >= wanted.count) wanted.reached();
    },
  });
  const counting = counters.send(url, account.key, over.signal, onAcknowledged);
  // It is awaited when the round ends.
  counting.catch(() => undefined);
  return {
    acknowledged: async (least: number) => {
      if (count >= least) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      wanted = { count: least, reached: resolve };
      await Promise.race([promise, load]);
      if (count < least) throw new Error(`only ${count} uploads were acknowledged in ${roundSecondsMax} s`);
    },
    end: async () => {
      over.abort();
      await load;
      await counting;
    },
  };
}
