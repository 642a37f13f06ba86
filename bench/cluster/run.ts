import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signUp } from "@flamekeep/e2e/sign-up";
import type { RunningPostgres } from "@flamekeep/server/testing/postgres";
import { Random } from "#random";
import { startServer } from "#server-process";
import { serverSettings, startCluster } from "./cluster.ts";
import { judge, type Verdict } from "./judge.ts";
import type { Scenario } from "./scenarios.ts";
import { periodAt } from "./uploads.ts";

export interface RunOptions {
  /** In which the cluster gets an empty database. */
  readonly postgres: RunningPostgres;
  readonly members: number;
  readonly seed: number;
  readonly scenarios: Readonly<Record<string, Scenario>>;
  /** Called after each scenario. */
  readonly onVerdict?: (name: string, verdict: Verdict) => void;
}

/** Runs the scenarios one after the other on one cluster, each with a new organization, and next to it a single server with the built-in stores. */
export async function runScenarios({
  postgres,
  members,
  seed,
  scenarios,
  onVerdict,
}: RunOptions): Promise<ReadonlyMap<string, Verdict>> {
  const random = new Random(seed);
  await using cluster = await startCluster(postgres, { members, random });
  await using one = await startOne();
  const verdicts = new Map<string, Verdict>();
  for (const [name, scenario] of Object.entries(scenarios)) {
    const account = await signUp(cluster.url);
    const orgId = account.registered.user.organization.id;
    const stage = { cluster, account, orgId, period: periodAt(Date.now()), random, acknowledged: [] };
    const verdict = await judge(scenario, stage, one.url).catch((cause: unknown) => {
      throw new Error(`${name}, ${members} members, seed ${seed}`, { cause });
    });
    verdicts.set(name, verdict);
    onVerdict?.(name, verdict);
  }
  return verdicts;
}

/** A single server with the built-in stores, to compare with. */
export async function startOne(): Promise<{ readonly url: string } & AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), "flamekeep-one-"));
  const server = startServer(folder, serverSettings);
  return {
    url: await server.url,
    async [Symbol.asyncDispose]() {
      await server.kill("both");
      await server.ended();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
