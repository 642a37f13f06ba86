import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createApp, type OpenContext, openContext, openLog, readConfig } from "@flamekeep/server";
import { atMost, type Measurement } from "#result";

const checks = 5_000;
/** Longer than the look-up keeps what it read. */
const stepMs = 11_000;

/** CPU of one check of an API key, in a server of this process that does nothing else: kept in memory, and read from the store each time. */
export async function measureKeyChecks(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "flamekeep-keys-"));
  try {
    const config = readConfig({ DATA_DIR: dataDir, DEMO: "off", LOG_LEVEL: "warn" });
    let at = Date.now();
    await using ctx = await openContext(config, await openLog(config, false), { now: () => new Date(at) });
    const key = await makeKey(ctx);
    const check = async () => assert(await ctx.keys.find(key), "the key was not found");
    const inMemory = await cpuMsPerCall(check);
    const fromStore = await cpuMsPerCall(async () => {
      at += stepMs;
      await check();
    });
    return [
      { what: "check of an API key kept in memory, CPU", value: inMemory, unit: "ms", bar: atMost(0.2) },
      {
        what: "check of an API key read from the store, CPU",
        value: fromStore,
        unit: "ms",
        bar: atMost(0.2),
      },
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function makeKey(ctx: OpenContext): Promise<string> {
  const app = await createApp(ctx);
  const person = {
    email: "keys@example.com",
    password: "correct horse battery staple",
    first_name: "Bench",
    last_name: "Mark",
  };
  const registered = await app.inject({ method: "POST", url: "/auth/register", payload: person });
  const { tokens } = registered.json();
  const made = await app.inject({
    method: "POST",
    url: "/api/v1/protected/api-keys",
    headers: { authorization: `Bearer ${tokens.access_token}` },
    payload: { name: "bench" },
  });
  await app.close();
  return made.json().api_key.key;
}

/** CPU of all threads of this process for one call, in milliseconds: the mean over `checks` calls, one after the other. */
async function cpuMsPerCall(call: () => Promise<void>): Promise<number> {
  for (let i = 0; i < checks; i++) await call();
  const before = process.cpuUsage();
  for (let i = 0; i < checks; i++) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / checks;
}
