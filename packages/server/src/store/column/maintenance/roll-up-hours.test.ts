import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { connectColumns } from "#store/column/client/client.ts";
import { toLogins } from "#store/column/client/embedded-source.ts";
import { openColumnStore } from "#store/column/column-store.ts";
import { startEngine } from "#store/column/engine/supervisor.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { columnStoreFolder, quietLog } from "#store/testing/backends.ts";
import { testOrg } from "#store/testing/profile-rows.ts";
import { rollUpLabels } from "./roll-up-labels.ts";

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

const rolled = maintenanceQuery({
  name: "test.rolled",
  sql: `SELECT argMax(profiles, version) AS profiles, argMax(has_rows, version) AS hasRows,
          (SELECT count() FROM label_totals_1h) AS rows
        FROM rolled_label_hours`,
  params: z.object({}),
  row: z.object({ profiles: Count, hasRows: Count, rows: Count }),
});

/** A profile of one stack without labels and one with a label. */
const insertProfile = `INSERT INTO profiles (org_id, service, type, started_at, profile_id, sample_types, totals, deltas_totals, stacks, values,
  labels_recorded, label_sets, sample_sets, label_totals)
SELECT {orgId:UUID}, 'shop', 'cpu', toDateTime64('2026-11-20 10:15:00', 3, 'UTC'), {id:String}, ['cpu/nanoseconds'], [30], [30], [1, 2], [[10, 20]],
  1, [map('handler', {id:String})], [0, 1], [[20]]`;

test("an hour with too many sets of labels is noted and gets no rows, until the limit allows it", async () => {
  await (await openColumnStore(config, quietLog))[Symbol.asyncDispose]();
  const engine = await startEngine({ ...config, memoryBytesMax: 500_000_000, limits }, quietLog);
  const client = connectColumns({ ...toLogins(engine.address()!), limits });
  const range = {
    from: new Date("2026-11-20T00:00:00Z"),
    untilSeconds: Date.parse("2026-11-20T12:00:00Z") / 1000,
    now: new Date("2026-11-20T12:10:00Z"),
  };
  const rollUp = (setsMax: number) => rollUpLabels(client, range, () => false, setsMax);
  await client.command(insertProfile, { orgId: testOrg, id: "a" });
  await client.command(insertProfile, { orgId: testOrg, id: "b" });
  // Samples without labels are a set, too.
  expect(await rollUp(2)).toBe(1);
  expect(await client.query(rolled, {})).toEqual([{ profiles: 2, hasRows: 0, rows: 0 }]);
  expect(await rollUp(2)).toBe(0);
  await client.command(insertProfile, { orgId: testOrg, id: "c" });
  expect(await rollUp(4)).toBe(1);
  expect(await client.query(rolled, {})).toEqual([{ profiles: 3, hasRows: 1, rows: 4 }]);
  await client.close();
  await engine.stop();
});
