import { globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { openColumnStore } from "#store/column/column-store.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Day } from "#store/column/values.ts";
import { columnStoreFolder, keepingLog } from "#store/testing/backends.ts";
import { damageRows } from "#store/testing/damage-rows.ts";
import { profileBatch } from "#store/testing/profile-rows.ts";
import { StoreDamaged } from "#store/unavailable.ts";
import { damagedPartOf } from "./damage.ts";

const rowsOfDay = maintenanceQuery({
  name: "test.rows",
  sql: "SELECT toString(stacks) AS stacks, toString(totals) AS totals, toString(values) AS values, toString(tags) AS tags FROM profiles WHERE toDate(started_at) = {day:Date}",
  params: z.object({ day: Day }),
  row: z.looseObject({}),
});

it("a damaged part fails the reads that need it, is logged once and reported; other days are read", async () => {
  const folder = await columnStoreFolder();
  const log = keepingLog();
  const config = { kind: "embedded", dataDir: folder.path } as const;
  const before = await openColumnStore(config, log);
  for (const day of ["2026-11-19", "2026-11-20"]) {
    const startedAt = new Date(`${day}T12:00:00Z`);
    const stacks = Array.from({ length: 200 }, (_, index) => BigInt(index) * 0x9e3779b97f4a7c1n);
    const row = { profileId: day, startedAt, stacks, values: [stacks, stacks] };
    await before.insert(profileBatch([row], day));
  }
  await before[Symbol.asyncDispose]();
  expect(damageRows(join(folder.path, "columns"), "20261119")).toBe(1);
  const columns = await openColumnStore(config, log);
  try {
    for (const _ of ["the first read", "the second read"]) {
      await expect(columns.maintenance.query(rowsOfDay, { day: "2026-11-19" })).rejects.toThrow(StoreDamaged);
    }
    expect(await columns.maintenance.query(rowsOfDay, { day: "2026-11-20" })).toHaveLength(1);
    const damage = { table: "profiles", part: expect.stringMatching(/^20261119_/) };
    expect(columns.damagedParts()).toEqual([damage]);
    expect(log.lines.filter(({ level }) => level === "error")).toMatchObject([
      { fields: damage, message: expect.stringMatching(/^THE COLUMN STORE HAS A DAMAGED PART/) },
    ]);
  } finally {
    await columns[Symbol.asyncDispose]();
    folder.remove();
  }
});

it("rows of an insert that cannot be decoded are no damage", () => {
  expect(
    damagedPartOf(33, "Cannot read all data. Bytes read: 3.: While executing RowBinary"),
  ).toBeUndefined();
  expect(
    damagedPartOf(62, "(while reading from part /a/1_1_1_0/ in table default.profiles)"),
  ).toBeUndefined();
  expect(damagedPartOf(40, "(while reading from part /a/1_1_1_0/ in table default.profiles (id))")).toEqual({
    table: "profiles",
    part: "1_1_1_0",
  });
  expect(
    damagedPartOf(40, "(while reading from part /a/1_1_1_0/newest.proj/ in table default.profiles (id))"),
  ).toEqual({ table: "profiles", part: "1_1_1_0" });
});

it.each(["data.bin", "data.*"])("a part whose %s is missing is damaged as well", async (files) => {
  const folder = await columnStoreFolder();
  const config = { kind: "embedded", dataDir: folder.path } as const;
  const before = await openColumnStore(config, keepingLog());
  const startedAt = new Date("2026-11-19T12:00:00Z");
  await before.insert(
    profileBatch([{ profileId: "one", startedAt, stacks: [1n], values: [[1n], [10n]] }], "one"),
  );
  await before[Symbol.asyncDispose]();
  const log = keepingLog();
  const columns = await openColumnStore(config, log);
  try {
    const paths = globSync(`columns/store/*/*/20261119_*/${files}`, { cwd: folder.path });
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) rmSync(join(folder.path, path));
    for (const _ of ["the first read", "the second read"]) {
      await expect(columns.maintenance.query(rowsOfDay, { day: "2026-11-19" })).rejects.toThrow(StoreDamaged);
    }
    expect(columns.damagedParts()).toEqual([
      { table: expect.any(String), part: expect.stringMatching(/^20261119_/) },
    ]);
    expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  } finally {
    await columns[Symbol.asyncDispose]();
    folder.remove();
  }
});

it("a missing file outside the parts is no damage", () => {
  expect(damagedPartOf(107, "File /data/columns-incoming/7 doesn't exist")).toBeUndefined();
});
