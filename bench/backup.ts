import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { signUp } from "@flamekeep/e2e/sign-up";
import type { Flamekeep } from "@flamekeep/e2e/start-flamekeep";
import { loadServices, startUnderLoad } from "./load/conditions.ts";
import { type LoadOptions, refusedOf, runLoad } from "./load/run-load.ts";
import { typicalCpuProfiles } from "./profiles.ts";
import { atLeast, atMost, type BenchResult, quantile } from "./result.ts";

const program = fileURLToPath(new URL("../packages/server/src/back-up.ts", import.meta.url));
const connections = 64;
/** More than filling takes on any machine. */
const fillSecondsMax = 1800;

/**
 * The cost of a backup to ingestion, and the time of a restore. BENCH_PROFILES (11,000) are stored first; BENCH_SECONDS (10) is how long each load
 * lasts, BENCH_ROUNDS (3) how often each figure is measured, in turn with what it is compared with.
 */
export async function benchBackup(): Promise<BenchResult> {
  const count = Number(process.env.BENCH_PROFILES ?? 11_000);
  const seconds = Number(process.env.BENCH_SECONDS ?? 10);
  const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
  const profiles = typicalCpuProfiles(4).map(({ body }) => body);
  const folder = mkdtempSync(join(tmpdir(), "flamekeep-bench-backup-"));
  await using server = await startUnderLoad();
  try {
    const { key } = await signUp(server.url);
    const order = { url: server.url, key, services: loadServices, connections, profiles };
    await fill(order, count);
    const loads = await measureLoads({ ...order, seconds }, { server, folder, rounds });
    await run("backup", server.dataDir, join(folder, "kept"));
    await server.stop("SIGTERM");
    const times = await measureRestores(folder, rounds);
    return {
      name: "backup",
      input: `${count} profiles of ${profiles.map(({ length }) => length).join(", ")} bytes gzipped, and those of the loads; ${rounds} rounds in turn`,
      measurements: [
        { what: "acknowledged without a backup", value: loads.without, unit: "profiles/s" },
        {
          what: "acknowledged while backups run, over that without",
          value: loads.during / loads.without,
          unit: "x",
          bar: atLeast(0.8, true),
        },
        { what: "refused or broken", value: loads.refused, unit: "requests", bar: atMost(0, true) },
        { what: "backups that ended meanwhile", value: loads.backups, unit: "" },
        { what: "backup", value: times.bytes / 1e6, unit: "MB" },
        { what: "cp -a of the backup, synced", value: times.copyMs, unit: "ms" },
        { what: "restore", value: times.restoreMs, unit: "ms" },
        {
          what: "restore over the copy",
          value: times.restoreMs / times.copyMs,
          unit: "x",
          bar: atMost(3, true),
        },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Load = Omit<LoadOptions, "seconds" | "onAcknowledged" | "until">;

async function fill(load: Load, count: number): Promise<void> {
  let acknowledged = 0;
  const done = new AbortController();
  await runLoad({
    ...load,
    seconds: fillSecondsMax,
    until: done.signal,
    onAcknowledged: (ids) => {
      acknowledged += ids.length;
      if (acknowledged >= count) done.abort();
    },
  });
}

interface LoadRounds {
  readonly server: Flamekeep;
  readonly folder: string;
  readonly rounds: number;
}

/** Uploads as fast as they are acknowledged, in turn without backups and during complete ones. */
async function measureLoads(
  load: Load & { readonly seconds: number },
  { server, folder, rounds }: LoadRounds,
) {
  const sums = { without: 0, during: 0, refused: 0, backups: 0 };
  for (let round = 0; round < rounds; round++) {
    const alone = await runLoad(load);
    const ended = new AbortController();
    const backingUp = backUpUntil(ended.signal, server.dataDir, folder);
    const during = await runLoad(load);
    ended.abort();
    sums.backups += await backingUp;
    sums.without += alone.acknowledged / alone.seconds / rounds;
    sums.during += during.acknowledged / during.seconds / rounds;
    sums.refused += refusedOf(alone) + refusedOf(during);
  }
  return sums;
}

/** Returns the number of backups. The last one may end after the signal. */
async function backUpUntil(ended: AbortSignal, dataDir: string, folder: string): Promise<number> {
  let backups = 0;
  while (!ended.aborted) {
    const to = join(folder, "running");
    await run("backup", dataDir, to);
    rmSync(to, { recursive: true });
    backups++;
  }
  return backups;
}

/** The latest backup, copied and restored in turn; both are on disk at the end. */
async function measureRestores(folder: string, rounds: number) {
  const [name = ""] = readdirSync(join(folder, "kept")).filter((each) => each.endsWith("Z"));
  const backup = join(folder, "kept", name);
  const to = join(folder, "restored");
  const copyMs: number[] = [];
  const restoreMs: number[] = [];
  // A first copy reads the files from the disk.
  for (let round = 0; round <= rounds; round++) {
    const copied = await timed(() => command("sh", ["-c", 'cp -a "$0" "$1" && sync -f "$1"', backup, to]));
    rmSync(to, { recursive: true });
    if (round > 0) copyMs.push(copied);
    const restored = await timed(() => run("restore", to, backup));
    rmSync(to, { recursive: true });
    if (round > 0) restoreMs.push(restored);
  }
  return { bytes: bytesOf(backup), copyMs: quantile(copyMs, 0.5), restoreMs: quantile(restoreMs, 0.5) };
}

function run(name: "backup" | "restore", dataDir: string, folder: string): Promise<void> {
  return command(process.execPath, [program, name, folder], { DATA_DIR: dataDir });
}

async function command(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(file, args, {
    env: { ...process.env, DEMO: "off", ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${file} ${args[1]} ended with ${code}`);
}

async function timed(task: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await task();
  return performance.now() - startedAt;
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => statSync(join(folder, path)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}
