import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ColumnStore, openColumnStore } from "#store/column/column-store.ts";
import { query } from "#store/column/query.ts";
import { toWordsBase64 } from "#store/column/values.ts";
import { quietLog, temporaryFolder } from "#store/testing/backends.ts";
import { damageRows } from "#store/testing/damage-rows.ts";
import { profileBatch, testOrg } from "#store/testing/profile-rows.ts";
import { requestBatch } from "#store/testing/request-rows.ts";
import { copyColumnStore } from "#store/testing/templates.ts";
import { restoreQuarantined } from "./restore-quarantined.ts";

const program = fileURLToPath(new URL("../../../repair-columns.ts", import.meta.url));

const noOptions = { removals: [] };

const made: ReturnType<typeof temporaryFolder>[] = [];

/** A folder that is removed after the last test. */
function lastingFolder(): string {
  const created = temporaryFolder();
  made.push(created);
  return created.path;
}

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());
afterAll(async () => {
  await (await reference)?.[Symbol.asyncDispose]();
  for (const each of made) each.remove();
});

async function withStore<T>(dataDir: string, use: (columns: ColumnStore) => Promise<T>): Promise<T> {
  await copyColumnStore(dataDir);
  const columns = await openColumnStore({ kind: "embedded", dataDir }, quietLog);
  try {
    return await use(columns);
  } finally {
    await columns[Symbol.asyncDispose]();
  }
}

function startedAtOf(number: number): Date {
  const hour = String(number % 4).padStart(2, "0");
  return new Date(`2026-11-${number % 2 === 0 ? 19 : 20}T${hour}:10:00.123Z`);
}

/** One profile for each number, each with a different stack. Every fifth represents two HTTP requests. */
async function store(columns: ColumnStore, numbers: readonly number[], orgId = testOrg): Promise<void> {
  const token = numbers.join();
  await columns.insert({
    table: "stacks",
    columns: ["org_id", "day", "stack_id", "frame_ids_b64"],
    rows: numbers
      .map((number) => {
        const day = startedAtOf(number).toISOString().slice(0, 10);
        return JSON.stringify([orgId, day, number, toWordsBase64(BigUint64Array.of(BigInt(number)))]);
      })
      .join("\n"),
    dedupToken: `stacks-${token}`,
  });
  const requests = numbers
    .filter((number) => number % 5 === 0)
    .flatMap((number) => {
      const at = startedAtOf(number).toISOString().replace("T", " ").replace("Z", "");
      const request = { orgId, service: "checkout", at, seconds: 0.1, status: 500, profileId: `p${number}` };
      return [request, { ...request, status: 200 }];
    });
  await columns.insert(requestBatch(requests, `requests-${token}`));
  const profiles = numbers.map((number) => ({
    orgId,
    profileId: `p${number}`,
    startedAt: startedAtOf(number),
    stacks: [BigInt(number)],
    values: [[1n], [BigInt(number) * 10n]],
  }));
  const batch = profileBatch(profiles, `profiles-${token}`);
  const rows = String(batch.rows)
    .split("\n")
    .map((row, index) => (numbers[index]! % 5 === 0 ? row.replace('"cpu"', '"metrics"') : row));
  await columns.insert({ ...batch, rows: rows.join("\n") });
}

const contents = [
  `SELECT groupArray(toString(row)) AS rows FROM (SELECT (service, type, started_at, profile_id, tags, totals, stacks, values) AS row
   FROM profiles WHERE org_id = {orgId:UUID} ORDER BY profile_id)`,
  `SELECT groupArray(toString(row)) AS rows FROM (SELECT (day, stack_id, frame_ids) AS row
   FROM stacks FINAL WHERE org_id = {orgId:UUID} ORDER BY stack_id)`,
  `SELECT groupArray(toString(row)) AS rows FROM (SELECT (at, status_code, profile_id) AS row
   FROM http_requests WHERE org_id = {orgId:UUID} ORDER BY row)`,
  `SELECT groupArray(toString(row)) AS rows FROM (SELECT (type, sample_type, minute, sum(value), sum(profiles), sum(samples)) AS row
   FROM type_totals_1m WHERE org_id = {orgId:UUID} GROUP BY type, sample_type, minute ORDER BY type, sample_type, minute)`,
  `SELECT groupArray(toString(row)) AS rows FROM (SELECT (minute, status_class, sum(requests)) AS row
   FROM http_totals_1m WHERE org_id = {orgId:UUID} GROUP BY minute, status_class ORDER BY minute, status_class)`,
  `SELECT groupArray(toString(row)) AS rows FROM (SELECT (minute, sum(requests), sum(requests_5xx)) AS row
   FROM http_service_totals_1m WHERE org_id = {orgId:UUID} GROUP BY minute ORDER BY minute)`,
  `SELECT groupArray(toString(row)) AS rows FROM (SELECT (type, sample_type, hour, stack_id, value) AS row
   FROM stack_totals_1h FINAL WHERE org_id = {orgId:UUID} ORDER BY row)`,
  `SELECT groupArray(toString(row)) AS rows FROM (SELECT (type, hour, sum(profiles), sum(samples)) AS row
   FROM profile_totals_1h WHERE org_id = {orgId:UUID} GROUP BY type, hour ORDER BY type, hour)`,
].map((sql) =>
  query({
    name: "test.contents",
    sql,
    params: z.object({ orgId: z.string() }),
    row: z.object({ rows: z.array(z.string()) }),
  }),
);

const afterAllProfiles = new Date("2026-11-21T00:00:00Z");

/** Rows and roll-ups of all tables, rolled up as the server does by itself. */
async function contentsOf(columns: ColumnStore, orgId = testOrg): Promise<unknown[]> {
  await columns.maintenance.rollUp(afterAllProfiles);
  const found = [];
  for (const each of contents) {
    const [row] = await columns.query(each, { orgId });
    expect(row!.rows.length).toBeGreaterThan(0);
    found.push(row!.rows);
  }
  return found;
}

let reference: Promise<ColumnStore> | undefined;
const referenceContents = new Map<string, Promise<unknown[]>>();

/** The contents of a store that was never moved aside, with these profiles. One store has them all, in different organizations. */
function contentsWith(numbers: readonly number[]): Promise<unknown[]> {
  const key = numbers.join();
  const existing = referenceContents.get(key);
  if (existing !== undefined) return existing;
  const found = storeInReference(numbers);
  referenceContents.set(key, found);
  return found;
}

async function storeInReference(numbers: readonly number[]): Promise<unknown[]> {
  reference ??= openReference();
  const columns = await reference;
  const orgId = randomUUID();
  await store(columns, numbers, orgId);
  return contentsOf(columns, orgId);
}

async function openReference(): Promise<ColumnStore> {
  const dataDir = lastingFolder();
  await copyColumnStore(dataDir);
  return openColumnStore({ kind: "embedded", dataDir }, quietLog);
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

const preparedStores = new Map<string, string>();

/** The folder of a closed store with these profiles. Each is made once: tests use the same profiles where they can. */
async function storeWith(name: "first" | "second", numbers: readonly number[]): Promise<string> {
  const key = `${name} ${numbers.join()}`;
  const existing = preparedStores.get(key);
  if (existing !== undefined) return existing;
  const dataDir = lastingFolder();
  await copyColumnStore(dataDir, name);
  if (numbers.length > 0) {
    await withStore(dataDir, async (columns) => {
      await store(columns, numbers);
      if (name === "first") await columns.maintenance.rollUp(afterAllProfiles);
    });
  }
  const path = join(dataDir, "columns");
  preparedStores.set(key, path);
  return path;
}

/** A store that was moved aside, as a start does with an unreadable one, and the one that took its place. */
async function moveAside(numbers: readonly number[], later: readonly number[]): Promise<void> {
  const stores = {
    "quarantine-1": await storeWith("first", numbers),
    columns: await storeWith("second", later),
  };
  for (const [name, path] of Object.entries(stores)) {
    cpSync(path, join(folder.path, name), { recursive: true, verbatimSymlinks: true });
  }
}

async function expectAll(numbers: readonly number[]): Promise<void> {
  expect(await withStore(folder.path, contentsOf)).toEqual(await contentsWith(numbers));
  expect(readdirSync(folder.path).filter((name) => name.startsWith("quarantine"))).toEqual([]);
}

/** Each test opens a store several times. */
describe("a store that was moved aside", () => {
  it("is copied into the current store where that is larger, in halves if the rows are too large for one insert", async () => {
    await moveAside(range(1, 10), range(5, 20));
    const options = { removals: [], insertBytesMax: 300 };
    const restored = await restoreQuarantined(folder.path, undefined, quietLog, options);
    expect(restored).toMatchObject({ leftover: "merged-quarantine-1-1", profiles: 4, inBoth: 6 });
    await expectAll(range(1, 20));
  });

  const removedFrom: [string, number[], number[], number][] = [
    ["larger", range(1, 10), [4, 5, 16, 20], 4],
    ["smaller", range(1, 10), range(5, 20), 0],
  ];

  it.each(isFullLength ? removedFrom : removedFrom.slice(0, 1))(
    "comes back without a service deleted meanwhile, if it is the %s store",
    async (_, old, later, profiles) => {
      await moveAside(old, later);
      const removals = [
        { id: "1", orgId: testOrg, service: "checkout", at: new Date("2026-11-21T00:00:00Z") },
      ];
      const restored = await restoreQuarantined(folder.path, undefined, quietLog, { removals });
      expect(restored).toMatchObject({ removedServices: 1, mixedServices: [], profiles });
      const [found, expected] = [await withStore(folder.path, contentsOf), await contentsWith(later)];
      // Services share definitions of stacks, which go with their day.
      expect(found.toSpliced(1, 1)).toEqual(expected.toSpliced(1, 1));
    },
  );

  it.runIf(isFullLength)(
    "keeps and names a service that has profiles from before and after its deletion",
    async () => {
      await moveAside(range(1, 10), [4, 5, 16, 20]);
      const removals = [
        { id: "1", orgId: testOrg, service: "checkout", at: new Date("2026-11-20T00:00:00Z") },
      ];
      const restored = await restoreQuarantined(folder.path, undefined, quietLog, { removals });
      expect(restored).toMatchObject({ removedServices: 0, mixedServices: ["checkout"] });
      await expectAll([...range(1, 10), 16, 20]);
    },
  );

  it("takes the place of an empty one", async () => {
    await moveAside(range(1, 10), []);
    const restored = await restoreQuarantined(folder.path, undefined, quietLog, noOptions);
    expect(restored).toEqual({
      folder: "quarantine-1",
      leftover: "merged-columns-1",
      profiles: 0,
      inBoth: 0,
      lostParts: 0,
      removedServices: 0,
      mixedServices: [],
      stored: 10,
    });
    await expectAll(range(1, 10));
  });

  it("is not touched while a server runs, if it is damaged, or if no name selects it", async () => {
    await moveAside(range(1, 10), [4, 5, 16, 20]);
    const restore = (wanted?: string) => restoreQuarantined(folder.path, wanted, quietLog, noOptions);
    await withStore(folder.path, () =>
      expect(restore()).rejects.toThrow(/is in use by another Flamekeep\. Stop it/),
    );
    await expect(restore("quarantine-7")).rejects.toThrow(/There is no quarantine-7 in .*: quarantine-1\./);
    const definitions = readdirSync(join(folder.path, "quarantine-1", "store"), {
      recursive: true,
      encoding: "utf8",
    }).filter((name) => name.endsWith(".sql"));
    expect(definitions.length).toBeGreaterThan(0);
    for (const name of definitions) writeFileSync(join(folder.path, "quarantine-1", "store", name), "");
    await expect(restore()).rejects.toThrow(/quarantine-1 did not open: the engine reports/);
    const names = readdirSync(folder.path);
    expect(names).toEqual(expect.arrayContaining(["columns", "quarantine-1"]));
    expect(names.filter((name) => /^merged-|^quarantine-[^1]/.test(name))).toEqual([]);
    expect(await withStore(folder.path, contentsOf)).toEqual(await contentsWith([4, 5, 16, 20]));
  });

  it("is not restored if a row cannot be read, and the error names its part", async () => {
    for (const damagedFolder of isFullLength ? ["quarantine-1", "columns"] : ["quarantine-1"]) {
      await moveAside(range(1, 10), [4, 5, 16, 20]);
      expect(damageRows(join(folder.path, damagedFolder))).toBeGreaterThan(0);
      const refused = restoreQuarantined(folder.path, undefined, quietLog, noOptions);
      await expect(refused).rejects.toThrow(
        new RegExp(`^${damagedFolder} has damaged parts that cannot be read:\n {2}profiles 20261\\S+: /`),
      );
      const names = readdirSync(folder.path);
      expect(names).toEqual(expect.arrayContaining(["columns", "quarantine-1"]));
      expect(names.filter((name) => name.startsWith("merged-"))).toEqual([]);
      folder.remove();
      folder = temporaryFolder();
    }
  });

  it("gives what can be read to a store that is kept, and names each damaged part", async () => {
    await moveAside(range(1, 10), [4, 5, 16, 20]);
    const damaged = damageRows(join(folder.path, "quarantine-1"), "20261119");
    expect(damaged).toBeGreaterThan(0);
    const lines: string[] = [];
    const progress = (line: string) => void lines.push(line);
    const options = { removals: [], isIntoCurrent: true, progress };
    const restored = await restoreQuarantined(folder.path, undefined, quietLog, options);
    expect(restored).toMatchObject({ profiles: 4, inBoth: 1, lostParts: damaged, stored: 8 });
    const named = lines.filter((line) => line.includes("damaged"));
    expect(named).toHaveLength(damaged);
    expect(named[0]).toMatch(/^ {2}Leaving out profiles 20261119\S+, which is damaged: \//);
    const [found, expected] = [
      await withStore(folder.path, contentsOf),
      await contentsWith([1, 3, 4, 5, 7, 9, 16, 20]),
    ];
    // Stacks of profiles that were left out are copied too.
    expect(found.toSpliced(1, 1)).toEqual(expected.toSpliced(1, 1));
  });

  it.runIf(isFullLength)("is not confused with a folder that holds no store", async () => {
    await withStore(folder.path, (columns) => store(columns, [5]));
    mkdirSync(join(folder.path, "quarantine-3"));
    mkdirSync(join(folder.path, "quarantine-4"));
    writeFileSync(join(folder.path, "quarantine-4", "x"), "junk");
    for (const [wanted, named] of [
      [undefined, "quarantine-3"],
      ["quarantine-4", "quarantine-4"],
    ] as const) {
      await expect(restoreQuarantined(folder.path, wanted, quietLog, noOptions)).rejects.toThrow(
        `${named} holds no column store. It was left as it is.`,
      );
    }
    expect(readdirSync(join(folder.path, "quarantine-3"))).toEqual([]);
    expect(readdirSync(join(folder.path, "quarantine-4"))).toEqual(["x"]);
    await withStore(folder.path, async (columns) => expect(await columns.quarantined()).toEqual([]));
  });

  const run = (args: readonly string[] = [], dataDir = folder.path) =>
    new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
      const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: "silent" };
      const child = spawn(process.execPath, [program, "restore-quarantine", ...args], {
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      let out = "";
      let err = "";
      child.stdout.on("data", (text: Buffer) => {
        out += text.toString();
      });
      child.stderr.on("data", (text: Buffer) => {
        err += text.toString();
      });
      child.on("close", (code) => resolve({ code, out, err }));
    });

  it("needs the server's data folder, as the command says", async () => {
    const missing = join(folder.path, "missing");
    expect(await run([], missing)).toEqual({
      code: 1,
      out: "",
      err: `There is no data folder at ${missing}; set DATA_DIR to the server's.\n`,
    });
    expect(existsSync(missing)).toBe(false);
    const help = await run(["--help"], missing);
    expect(help).toMatchObject({ code: 0, err: "" });
    expect(help.out).toMatch(/^Usage: npm run restore-quarantine/);
  });

  it("is put back by the command, which says what it does, with the profiles stored meanwhile, each once, and correct roll-ups", async () => {
    await moveAside(range(1, 10), [4, 5, 16, 20]);
    const first = await run();
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toMatch(/^Opening columns\nOpening quarantine-1\nChecking quarantine-1: 10 profiles\n/);
    expect(first.out).toMatch(/\n {2}2026-11-19: 2 profiles to copy, 1 in both\n/);
    for (const when of ["before", "after"]) {
      expect(first.out).toMatch(new RegExp(`\\n {2}totals ${when} copying: 2 of 2 days\\n`));
    }
    expect(first.out).toMatch(/\nquarantine-1 is restored: 2 profiles were copied .*, 2 were in both\.\n/);
    expect(first.out).toContain("The store has 12 profiles now.");
    expect(readdirSync(folder.path)).toContain("merged-columns-1");
    expect(await run()).toEqual({
      code: 1,
      out: "",
      err: `There is no quarantine folder in ${folder.path}: nothing to restore.\n`,
    });
    await expectAll([...range(1, 10), 16, 20]);
  });
});
