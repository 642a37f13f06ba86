import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Account, signUp } from "@flamekeep/e2e/sign-up";
import type { Flamekeep } from "@flamekeep/e2e/start-flamekeep";
import { loadServices, startUnderLoad } from "./load/conditions.ts";
import { runLoad } from "./load/run-load.ts";
import { usageOf } from "./processes.ts";
import { typicalCpuProfiles } from "./profiles.ts";
import { atLeast, atMost, type BenchResult, quantile } from "./result.ts";

const starts = 3;
const rounds = 4;
const connections = 64;
const idleMs = 40_000;
const warmUpSeconds = 5;
const loadedSeconds = 8;
/** Rows of a load are inserted and merged before the next. */
const restMs = 5000;

interface Side {
  readonly server: Flamekeep;
  readonly account: Account;
}

/** Measurements of one version, an entry for each start or each load. */
class Figures {
  readonly idleBytes: number[] = [];
  readonly perSecond: number[] = [];
  readonly cpuMs: number[] = [];
}

/**
 * Idle memory and the price of uploads, compared with a built checkout of another version (BENCH_BASE): both servers run, and are loaded in
 * turn. The order of the two changes from round to round.
 */
export async function benchAgainstBase(): Promise<BenchResult> {
  const { BENCH_BASE } = process.env;
  if (BENCH_BASE === undefined) throw new Error("BENCH_BASE names a built checkout to compare with");
  const [base, now] = [new Figures(), new Figures()];
  for (let start = 0; start < starts; start++) await measure(BENCH_BASE, base, now);
  const over = (figure: keyof Figures) => quantile(now[figure], 0.5) / quantile(base[figure], 0.5);
  const spread = (values: readonly number[]) => 100 * (Math.max(...values) / Math.min(...values) - 1);
  return {
    name: "against-base",
    input: `${starts} starts of both, ${idleMs / 1000} s idle, then ${rounds} loads of ${loadedSeconds} s of each in turn, CPU profiles of about 70 KB; medians`,
    measurements: [
      { what: "idle memory, this over base", value: over("idleBytes"), unit: "x", bar: atMost(1.03) },
      {
        what: "idle memory of the base, widest over narrowest start",
        value: spread(base.idleBytes),
        unit: "% more",
      },
      {
        what: "acknowledged a second, this over base",
        value: over("perSecond"),
        unit: "x",
        bar: atLeast(0.97),
      },
      { what: "CPU of a profile, this over base", value: over("cpuMs"), unit: "x", bar: atMost(1.03) },
      {
        what: "CPU of a profile of the base, widest over narrowest load",
        value: spread(base.cpuMs),
        unit: "% more",
      },
    ],
  };
}

async function measure(checkout: string, base: Figures, now: Figures): Promise<void> {
  await using baseServer = await startUnderLoad({}, checkout);
  await using server = await startUnderLoad();
  const sides = [
    { side: { server: baseServer, account: await signUp(baseServer.url) }, figures: base },
    { side: { server, account: await signUp(server.url) }, figures: now },
  ];
  await sleep(idleMs);
  for (const { side, figures } of sides) figures.idleBytes.push(usageOf(side.server.pid).residentBytes);
  for (const { side } of sides) await loaded(side, warmUpSeconds);
  for (let round = 0; round < rounds; round++) {
    for (const { side, figures } of round % 2 === 0 ? sides : sides.toReversed()) {
      const { perSecond, cpuMs } = await loaded(side, loadedSeconds);
      figures.perSecond.push(perSecond);
      figures.cpuMs.push(cpuMs);
    }
  }
}

/** CPU includes what is left to do for a profile once it is acknowledged. */
async function loaded({ server, account }: Side, seconds: number) {
  const before = usageOf(server.pid).cpuSeconds;
  const { acknowledged, seconds: lasted } = await runLoad({
    url: server.url,
    key: account.key,
    services: loadServices,
    profiles: typicalCpuProfiles(4).map(({ body }) => body),
    connections,
    seconds,
  });
  await sleep(restMs);
  const cpuSeconds = usageOf(server.pid).cpuSeconds - before;
  return { perSecond: acknowledged / lasted, cpuMs: (1000 * cpuSeconds) / acknowledged };
}
