import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Account, signUp } from "@flamekeep/e2e/sign-up";
import { createApp, openContext, openLog, readConfig } from "@flamekeep/server";
import { type RealProfile, realProfiles, typicalCpuProfiles } from "#profiles";
import { type LongestHold, LoopWatch } from "./loop-watch.ts";

const rounds = 10;
const pollMs = 100;

export interface LoopDelays {
  readonly input: string;
  readonly idle: LongestHold;
  readonly analysing: LongestHold;
}

/**
 * The longest time that the event loop of a server without other requests is held, while it is idle and while it analyses a
 * profile of about 70 KB and the largest one. The server runs in this process.
 */
export async function longestLoopDelay(): Promise<LoopDelays> {
  const largest = realProfiles().sort((a, b) => b.raw.length - a.raw.length)[0]!;
  const profiles = [typicalCpuProfiles(1)[0]!, largest];
  const dataDir = mkdtempSync(join(tmpdir(), "flamekeep-bench-"));
  const config = readConfig({ DEMO: "off", DATA_DIR: dataDir, LOG_LEVEL: "error" });
  try {
    await using ctx = await openContext(config, await openLog(config, false));
    const app = await createApp(ctx);
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    try {
      return { input: describe(profiles), ...(await measure(url, profiles)) };
    } finally {
      await app.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(url: string, profiles: readonly RealProfile[]): Promise<Omit<LoopDelays, "input">> {
  const account = await signUp(url);
  // The first analysis loads modules and starts a thread.
  for (const profile of profiles) await analyse(account, url, await send(account, profile, 0));
  const idle = new LoopWatch();
  await idle.during(() => sleep(5000));
  const analysing = new LoopWatch();
  for (let round = 1; round <= rounds; round++) {
    for (const profile of profiles) {
      const profileId = await send(account, profile, round);
      await sleep(1000);
      await analysing.during(() => analyse(account, url, profileId));
    }
  }
  return { idle: idle.longest, analysing: analysing.longest };
}

function send(account: Account, { body }: RealProfile, round: number): Promise<string> {
  return account.send(body, `service=bench&started_at=${Date.now() - round * 10_000}`);
}

async function analyse({ headers }: Account, url: string, profileId: string): Promise<void> {
  const start = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: "{}" };
  const { id } = await json(fetch(`${url}/api/v1/protected/profile/${profileId}/analyze`, start));
  let status = "pending";
  while (status === "pending" || status === "processing") {
    await sleep(pollMs);
    status = (await json(fetch(`${url}/api/v1/protected/analysis/${id}`, { headers }))).status;
  }
  if (status !== "completed") throw new Error(`the analysis of profile ${profileId} is ${status}`);
}

async function json(reply: Promise<Response>): Promise<{ readonly id: string; readonly status: string }> {
  const answered = await reply;
  if (!answered.ok) throw new Error(`${answered.url} answered ${answered.status}: ${await answered.text()}`);
  return (await answered.json()) as { readonly id: string; readonly status: string };
}

function describe(profiles: readonly RealProfile[]): string {
  const sizes = profiles.map(({ raw }) => `${Math.round(raw.length / 1000)} KB inflated`);
  return `${rounds} analyses each of profiles of ${sizes.join(" and ")} on an otherwise idle server`;
}
