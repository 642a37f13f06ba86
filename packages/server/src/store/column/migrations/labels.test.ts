import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { connectColumns } from "#store/column/client/client.ts";
import { toLogins } from "#store/column/client/embedded-source.ts";
import { openColumnStore } from "#store/column/column-store.ts";
import { startEngine } from "#store/column/engine/supervisor.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { columnStoreFolder, quietLog } from "#store/testing/backends.ts";
import { profileBatch } from "#store/testing/profile-rows.ts";

const folder = await columnStoreFolder();
afterAll(() => folder.remove());
const config = { kind: "embedded" as const, dataDir: folder.path };
const limits = {
  executionSecondsMax: 20,
  memoryBytesMax: 300_000_000,
  resultRowsMax: 1000,
  resultBytesMax: 1_000_000,
  threadsMax: 2,
};

const stored = maintenanceQuery({
  name: "test.labels",
  sql: `SELECT profile_id AS id, labels_recorded AS recorded, length(label_sets) AS sets,
          (SELECT count() FROM rolled_label_hours) AS rolledHours
        FROM profiles ORDER BY id`,
  params: z.object({}),
  row: z.object({ id: z.string(), recorded: Count, sets: Count, rolledHours: Count }),
});

/** Leaves the schema of a version that knew no labels. */
async function removeLabels(): Promise<void> {
  const engine = await startEngine({ ...config, memoryBytesMax: 500_000_000, limits }, quietLog);
  const client = connectColumns({ ...toLogins(engine.address()!), limits });
  for (const column of ["labels_recorded", "label_sets", "sample_sets", "label_totals"])
    await client.command(`ALTER TABLE profiles DROP COLUMN ${column}`);
  await client.command("DROP TABLE label_totals_1h");
  await client.command("DROP TABLE rolled_label_hours");
  await client.command(
    "DELETE FROM schema_migrations WHERE number >= 12 SETTINGS lightweight_deletes_sync = 2",
  );
  await client.close();
  await engine.stop();
}

test("profiles from before labels were recorded stay, without labels and without a roll-up of them", async () => {
  const stacks = { stacks: [1n], values: [[1n], [10n]] };
  const before = await openColumnStore(config, quietLog);
  await before.insert(profileBatch([{ profileId: "old", ...stacks }], "old"));
  await before[Symbol.asyncDispose]();
  await removeLabels();

  const migrated = await openColumnStore(config, quietLog);
  await migrated.insert(profileBatch([{ profileId: "without labels", ...stacks }], "new"));
  await migrated.maintenance.rollUp(new Date("2026-11-20T12:10:00Z"));
  const row = { recorded: 0, sets: 0, rolledHours: 0 };
  expect(await migrated.maintenance.query(stored, {})).toEqual([
    { id: "old", ...row },
    { id: "without labels", ...row },
  ]);
  await migrated[Symbol.asyncDispose]();
});
