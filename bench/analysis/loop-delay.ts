import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { signUp } from "@flamekeep/e2e/sign-up";
import { createApp, openContext, openLog, readConfig } from "@flamekeep/server";
import { type RealProfile, realProfiles, typicalCpuProfiles } from "#profiles";

const rounds = 10;
const pollMs = 100;

export interface LoopDelays {
  readonly input: string;
  readonly idleMs: number;
  readonly analysingMs: number;
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
  const analyse = async (profile: RealProfile, round: number): Promise<void> => {
    const query = `service=bench&started_at=${Date.now() - round * 10_000}`;
    const profileId = await account.send(profile.body, query);
    const headers = { ...account.headers, "content-type": "application/json" };
    const start = { method: "POST", headers, body: "{}" };
    await sleep(1000);
    await watching(async () => {
      const { id } = await json(fetch(`${url}/api/v1/protected/profile/${profileId}/analyze`, start));
      let status = "pending";
      while (status === "pending" || status === "processing") {
        await sleep(pollMs);
        status = (await json(fetch(`${url}/api/v1/protected/analysis/${id}`, { headers: account.headers })))
          .status;
      }
      if (status !== "completed") throw new Error(`the analysis of ${profile.name} is ${status}`);
    });
  };
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  const longest: number[] = [];
  const watching = async (work: () => Promise<unknown>): Promise<void> => {
    histogram.reset();
    histogram.enable();
    await work();
    histogram.disable();
    longest.push(histogram.max / 1e6);
  };
  // The first analysis loads modules and starts a thread.
  for (const profile of profiles) await analyse(profile, 0);
  longest.length = 0;
  await watching(() => sleep(5000));
  const idleMs = longest.pop()!;
  for (let round = 1; round <= rounds; round++) for (const profile of profiles) await analyse(profile, round);
  return { idleMs, analysingMs: Math.max(...longest) };
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
