// Runs once around all test files: gives them a folder for stores that are made once and then copied or shared.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning } from "./files-in-memory.ts";

const stopMsMax = 10_000;

let folder = "";

export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), "flamekeep-test-stores-"));
  process.env.FLAMEKEEP_TEST_STORES = folder;
}

export async function teardown(): Promise<void> {
  // Each names the folder of a PostgreSQL that a worker started. It does not end with the worker.
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".running"))) {
    await stopPostgres(readFileSync(join(folder, name), "utf8"));
  }
  rmSync(folder, { recursive: true, force: true });
}

async function stopPostgres(postgres: string): Promise<void> {
  const [pid] = readFileSync(join(postgres, "data", "postmaster.pid"), "utf8").split("\n");
  process.kill(Number(pid), "SIGINT");
  for (
    const startedAt = performance.now();
    performance.now() - startedAt < stopMsMax && isRunning(Number(pid));
  ) {
    await sleep(20);
  }
  rmSync(postgres, { recursive: true, force: true });
}
