import { setTimeout as sleep } from "node:timers/promises";
import { signUp } from "@flamekeep/e2e/sign-up";
import { differencesOf } from "./differences.ts";
import { type Figures, figuresOf, listProfiles, type Reader } from "./figures.ts";
import type { Left } from "./remove-service.ts";
import { type Acknowledged, sendUntilAcknowledged } from "./send.ts";
import type { Served, Stage } from "./stage.ts";
import { type StoredRows, storedRows } from "./stored-rows.ts";

/** Rows of acknowledged uploads reach the column store within seconds, and those of a restarted server after its start. */
const settleMsMax = 20_000;
/** Reading all figures takes some seconds of CPU. */
const readAgainMs = 2000;

export interface Verdict {
  readonly acknowledged: number;
  /** Tries that were not acknowledged. */
  readonly triedAgain: number;
  /** Acknowledged, and not listed. */
  readonly lost: number;
  /** Uploads of a removed service: there although they were acknowledged before, or gone although they were sent afterwards. */
  readonly wronglyLeft: number;
  readonly figures: number;
  /** Calls whose figures differ from those of one process, by the member that differs most. */
  readonly differences: readonly string[];
  readonly rows: StoredRows;
  /** From the end of the scenario until all figures were equal. */
  readonly settledMs: number;
}

/** @param oneUrl a single server, which is sent what the cluster has acknowledged */
export async function judge<C extends Served>(
  scenario: (stage: Stage<C>) => Promise<Left | void>,
  stage: Stage<C>,
  oneUrl: string,
): Promise<Verdict> {
  const left = (await scenario(stage)) ?? { uploads: stage.acknowledged, wronglyLeft: 0 };
  const startedAt = performance.now();
  const expected = await figuresOfOne(oneUrl, left.uploads, stage);
  const differences = await differencesOfCluster(stage, expected);
  const settledMs = Math.round(performance.now() - startedAt);
  const { cluster, orgId, acknowledged } = stage;
  const kept = new Set(left.uploads.map(({ profileId }) => profileId));
  const listed = await listProfiles(readerOf(stage, cluster.url), stage.period);
  for (const { profile_id } of listed) kept.delete(profile_id);
  return {
    acknowledged: acknowledged.length,
    triedAgain: acknowledged.reduce((sum, { tries }) => sum + tries - 1, 0),
    lost: kept.size,
    wronglyLeft: left.wronglyLeft,
    figures: expected.size,
    differences,
    rows: await storedRows(cluster.endpoint.url, orgId),
    settledMs,
  };
}

function readerOf({ account }: Stage<Served>, url: string): Reader {
  return { url, headers: account.headers };
}

async function figuresOfOne(
  url: string,
  uploads: readonly Acknowledged[],
  { period }: Stage<Served>,
): Promise<Figures> {
  const account = await signUp(url);
  // Uploads of one process are sent in their order.
  const series = Map.groupBy(uploads, ({ upload }) => upload.path.replace(/started_at=\d+/, ""));
  await Promise.all(
    [...series.values()].map(async (own) => {
      for (const { upload } of own) await sendUntilAcknowledged(upload, url, account.key);
    }),
  );
  return figuresOf({ url, headers: account.headers }, period);
}

/** As each of the members shows them. */
async function differencesOfCluster(stage: Stage<Served>, expected: Figures): Promise<readonly string[]> {
  let most: readonly string[] = [];
  for (const { url } of stage.cluster.members) {
    for (const startedAt = performance.now(); ; await sleep(readAgainMs)) {
      const found = differencesOf(expected, await figuresOf(readerOf(stage, url), stage.period));
      if (found.length > 0 && performance.now() - startedAt < settleMsMax) continue;
      if (found.length > most.length) most = found;
      break;
    }
  }
  return most;
}
