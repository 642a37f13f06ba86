import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { openColumnStore } from "#store/column/column-store.ts";
import { startEngine } from "#store/column/engine/supervisor.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { keepingLog, quietLog, temporaryFolder } from "#store/testing/backends.ts";
import { profileBatch } from "#store/testing/profile-rows.ts";
import { copyColumnStore } from "#store/testing/templates.ts";
import { StoreRefused } from "#store/unavailable.ts";

const stored = maintenanceQuery({
  name: "test.stored",
  sql: "SELECT count() AS profiles FROM profiles",
  params: z.object({}),
  row: z.object({ profiles: Count }),
});

const fast = { retryDelay: 20, lockedMax: 500 };

let folder: ReturnType<typeof temporaryFolder>;
/** The engine that other tests of this worker share. */
let others: ReadonlySet<number> = new Set();
beforeEach(() => {
  folder = temporaryFolder();
  others = new Set();
  others = new Set(engineProcesses());
});
afterEach(() => folder.remove());

async function storeOneProfile(): Promise<void> {
  await copyColumnStore(folder.path);
  const columns = await openColumnStore({ kind: "embedded", dataDir: folder.path }, quietLog);
  await columns.insert(
    profileBatch([{ service: "s", profileId: "p1", stacks: [1n], values: [[1n], [2n]] }], "b"),
  );
  await columns[Symbol.asyncDispose]();
}

async function expectOneProfile(): Promise<void> {
  const columns = await openColumnStore({ kind: "embedded", dataDir: folder.path, timing: fast }, quietLog);
  expect(await columns.maintenance.query(stored, {})).toEqual([{ profiles: 1 }]);
  expect(await columns.quarantined()).toEqual([]);
  await columns[Symbol.asyncDispose]();
}

function quarantined(): string[] {
  return readdirSync(folder.path).filter((name) => name.startsWith("quarantine"));
}

/** Ids of engine processes that serve or open this test's folder. */
function engineProcesses(): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const isEngine = readFileSync(`/proc/${name}/cmdline`, "utf8").includes("engine/child.ts");
      const parent = / (\d+) /.exec(readFileSync(`/proc/${name}/stat`, "utf8").replace(/^.*\) \w/, ""))?.[1];
      const isOurs = Number(parent) === process.pid && !others.has(Number(name));
      return isEngine && isOurs ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

async function nextEngineProcess(seen: ReadonlySet<number> = new Set()): Promise<number> {
  for (;;) {
    const found = engineProcesses().find((pid) => !seen.has(pid));
    if (found !== undefined) return found;
    await sleep(1);
  }
}

/** Whether the process has files of the store open. */
function hasOpened(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/maps`, "utf8").includes("chdb");
  } catch {
    return false;
  }
}

describe.runIf(process.platform === "linux")("a start whose engine is killed", () => {
  it.each(["at once", "with its library loaded"])("%s goes on with another one", async (moment) => {
    await storeOneProfile();
    const log = keepingLog();
    const opening = openColumnStore({ kind: "embedded", dataDir: folder.path, timing: fast }, log);
    const pid = await nextEngineProcess();
    while (moment !== "at once" && !hasOpened(pid)) await sleep(1);
    process.kill(pid, "SIGKILL");
    const columns = await opening;
    expect(await columns.maintenance.query(stored, {})).toEqual([{ profiles: 1 }]);
    await columns[Symbol.asyncDispose]();
    expect(quarantined()).toEqual([]);
    expect(log.lines.map(({ message }) => message)).toContain("the column store did not open; trying again");
  });

  it("while it migrates an empty folder goes on with another one", async () => {
    const kills = 3;
    const log = keepingLog();
    let killed = 0;
    const killing = {
      ...log,
      info(fields: object, message: string) {
        log.info(fields, message);
        if (killed === kills || !message.startsWith("migrating")) return;
        killed++;
        for (const pid of engineProcesses()) process.kill(pid, "SIGKILL");
      },
    };
    const columns = await openColumnStore({ kind: "embedded", dataDir: folder.path }, killing);
    expect(killed).toBe(kills);
    await columns[Symbol.asyncDispose]();
    await storeOneProfile();
    await expectOneProfile();
  });

  it("at every attempt fails with a clear error and does not touch the store", async () => {
    await storeOneProfile();
    const seen = new Set<number>();
    let isOver = false;
    const opening = openColumnStore({ kind: "embedded", dataDir: folder.path, timing: fast }, quietLog)
      .catch((error: unknown) => error)
      .finally(() => {
        isOver = true;
      });
    while (!isOver) {
      for (const pid of engineProcesses().filter((each) => !seen.has(each))) {
        seen.add(pid);
        process.kill(pid, "SIGKILL");
      }
      await sleep(1);
    }
    const error = await opening;
    expect(error).toBeInstanceOf(StoreRefused);
    expect((error as Error).message).toMatch(
      /^The column store in \S+ did not open: its process was ended by SIGKILL.*Nothing in it was changed or moved\./,
    );
    expect(seen.size).toBe(5);
    expect(quarantined()).toEqual([]);
    await expectOneProfile();
  });

  it("stops waiting for an engine that hangs", async () => {
    await storeOneProfile();
    const seen = new Set<number>();
    const opening = openColumnStore(
      { kind: "embedded", dataDir: folder.path, timing: { ...fast, openMax: 300 } },
      quietLog,
    ).catch((error: unknown) => error);
    while (seen.size < 2) {
      const pid = await nextEngineProcess(seen);
      seen.add(pid);
      process.kill(pid, "SIGSTOP");
    }
    expect(((await opening) as Error).message).toMatch(
      /did not finish within the time limit.*STORE_OPEN_SECONDS/,
    );
    expect(quarantined()).toEqual([]);
    await expectOneProfile();
  });
});

describe("a start whose engine cannot be loaded", () => {
  it("ends with a sentence that names what is missing, and leaves the store alone", async () => {
    await storeOneProfile();
    const program = join(folder.path, "engine.mjs");
    writeFileSync(program, 'import "@chdb/not-installed";');
    const starting = startEngine(
      {
        dataDir: folder.path,
        memoryBytesMax: 500_000_000,
        limits: {
          executionSecondsMax: 20,
          memoryBytesMax: 200_000_000,
          resultRowsMax: 1_000_000,
          resultBytesMax: 100_000_000,
          threadsMax: 2,
        },
        program: pathToFileURL(program),
        timing: fast,
      },
      quietLog,
    );
    await expect(starting).rejects.toThrow(
      /did not open: its process ended before it could open anything \(exit code 1\): .*@chdb\/not-installed/,
    );
    expect(quarantined()).toEqual([]);
    await expectOneProfile();
  });
});

describe("a store that another build wrote", () => {
  it("is left alone, and the sentence names what is unknown", async () => {
    await storeOneProfile();
    const store = join(folder.path, "columns", "store");
    const definition = readdirSync(store, { recursive: true, encoding: "utf8" }).find((name) =>
      name.endsWith("/profiles.sql"),
    )!;
    const file = join(store, definition);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("index_granularity = 256", "from_the_future = 256"));
    const opening = openColumnStore({ kind: "embedded", dataDir: folder.path, timing: fast }, quietLog);
    await expect(opening).rejects.toThrow("Unknown setting 'from_the_future'");
    expect(quarantined()).toEqual([]);
    writeFileSync(file, text);
    await expectOneProfile();
  });
});

describe("a store that was moved aside", () => {
  it("is named in the log at every start until an operator removes it", async () => {
    const columns = await openColumnStore({ kind: "embedded", dataDir: folder.path }, quietLog);
    await columns[Symbol.asyncDispose]();
    const store = join(folder.path, "columns", "store");
    const definitions = readdirSync(store, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".sql"),
    );
    expect(definitions.length).toBeGreaterThan(0);
    for (const name of definitions) writeFileSync(join(store, name), "");
    for (const _ of ["the start that moves it", "the next start"]) {
      const log = keepingLog();
      const again = await openColumnStore({ kind: "embedded", dataDir: folder.path, timing: fast }, log);
      expect(log.lines).toContainEqual({
        level: "error",
        message: expect.stringMatching(/^PROFILES ARE MISSING.*restore-quarantine/),
        fields: { dataDir: folder.path, folders: ["quarantine-1"] },
      });
      expect(await again.quarantined()).toEqual(["quarantine-1"]);
      await again[Symbol.asyncDispose]();
    }
  });
});
