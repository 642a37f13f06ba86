import process from "node:process";
import { startPostgres } from "@flamekeep/server/testing/postgres";
import type { Verdict } from "./cluster/judge.ts";
import { priceOfMoreServers } from "./cluster/price.ts";
import { runScenarios } from "./cluster/run.ts";
import { scaleThereAndBack } from "./cluster/scale.ts";
import { scenarios, scenariosOfOne } from "./cluster/scenarios.ts";
import { atLeast, atMost, type BenchResult, type Measurement } from "./result.ts";

const membersMin = 2;
const membersMax = 4;
const differencesShown = 10;

/** Word for the measurement of CPU, which comes after the scenarios. */
const price = "price";

/** Word for the sequence of docs/operate/cluster.md, which starts its servers itself. */
const scale = "scale";
const scaleLoad = { restMs: 10_000, betweenMs: 300 };

/**
 * BENCH_CLUSTER_ROUNDS (3) says how often, each time with another number of servers; BENCH_CLUSTER_SEED repeats a run, and
 * BENCH_CLUSTER_SCENARIOS chooses scenarios by words of their names, separated by commas; `price` is the CPU of a profile, and
 * `scale` makes three servers of one, and one again.
 */
export async function benchCluster(): Promise<BenchResult> {
  const { BENCH_CLUSTER_ROUNDS, BENCH_CLUSTER_SEED, BENCH_CLUSTER_SCENARIOS: words } = process.env;
  const seed = Number(BENCH_CLUSTER_SEED ?? Date.now() % 1_000_000);
  const rounds = Number(BENCH_CLUSTER_ROUNDS ?? membersMax - membersMin + 1);
  const chosen = Object.entries(scenarios).filter(([name]) => isChosen(name, words));
  const chosenOfOne = Object.entries(scenariosOfOne).filter(([name]) => isChosen(name, words));
  if (chosen.length + chosenOfOne.length === 0 && !isChosen(price, words) && !isChosen(scale, words))
    throw new Error("BENCH_CLUSTER_SCENARIOS chooses none of the scenarios");
  const postgres = await startPostgres();
  if (postgres === undefined)
    throw new Error("PostgreSQL is not installed (Debian: apt-get install postgresql)");
  await using _stop = { [Symbol.asyncDispose]: () => postgres.stop() };
  const verdicts = new Map<string, Verdict[]>();
  const note = (name: string, verdict: Verdict) =>
    verdicts.set(name, [...(verdicts.get(name) ?? []), verdict]);
  for (let round = 0; round < (chosen.length === 0 ? 0 : rounds); round++) {
    const members = membersMin + (round % (membersMax - membersMin + 1));
    await runScenarios({
      postgres,
      members,
      seed: seed + round,
      scenarios: Object.fromEntries(chosen),
      onVerdict(name, verdict) {
        show(`${members} servers, ${name}`, verdict);
        note(name, verdict);
      },
    });
  }
  if (chosenOfOne.length > 0) {
    await runScenarios({
      postgres,
      members: 1,
      seed,
      scenarios: Object.fromEntries(chosenOfOne),
      onVerdict(name, verdict) {
        show(`1 server, ${name}`, verdict);
        note(name, verdict);
      },
    });
  }
  if (isChosen(scale, words)) {
    const onStep = (what: string) => void process.stderr.write(`  scale: ${what}\n`);
    const { atThree, backAtOne } = await scaleThereAndBack({ postgres, seed, ...scaleLoad, onStep });
    for (const [name, verdict] of Object.entries({ "scale to three": atThree, "scale to one": backAtOne })) {
      show(name, verdict);
      note(name, verdict);
    }
  }
  const prices = isChosen(price, words) ? await priceOfMoreServers(postgres, seed) : [];
  return {
    name: "cluster",
    input: `${rounds} rounds of ${chosen.length} scenarios (seed ${seed}) with ${membersMin} to ${membersMax} servers, and of some with one, compared with one server with the same uploads; then loads of CPU profiles of about 70 KB`,
    measurements: [...[...verdicts].flatMap(([name, all]) => measurementsOf(name, all)), ...prices],
  };
}

function isChosen(name: string, words: string | undefined): boolean {
  return words === undefined || words.split(",").some((word) => name.includes(word));
}

function measurementsOf(name: string, verdicts: readonly Verdict[]): Measurement[] {
  const sum = (count: (verdict: Verdict) => number) =>
    verdicts.reduce((total, verdict) => total + count(verdict), 0);
  const none = atMost(0, true);
  const wrong = {
    "lost, or removed wrongly": sum(({ lost, wronglyLeft }) => lost + wronglyLeft),
    doubled: sum(({ rows }) => rows.doubledProfiles + rows.doubledOriginals),
    "counted wrongly, or without frames": sum(({ rows }) => rows.countedWrongly + rows.unknownStacks),
    "calls with other figures than one server": sum(({ differences }) => differences.length),
  };
  return [
    {
      what: `${name}: acknowledged`,
      value: sum(({ acknowledged }) => acknowledged),
      unit: "uploads",
      bar: atLeast(1, true),
    },
    {
      what: `${name}: tries that were not acknowledged`,
      value: sum(({ triedAgain }) => triedAgain),
      unit: "",
      ...(name in scenariosOfOne && { bar: none }),
    },
    ...Object.entries(wrong).map(([what, value]) => ({
      what: `${name}: ${what}`,
      value,
      unit: "",
      bar: none,
    })),
  ];
}

function show(name: string, { differences, ...verdict }: Verdict): void {
  process.stderr.write(`  ${name}: ${JSON.stringify(verdict)}\n`);
  for (const difference of differences.slice(0, differencesShown))
    process.stderr.write(`    ${difference}\n`);
}
