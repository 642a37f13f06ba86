import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { quietLog, rowBackends } from "#store/testing/backends.ts";
import { firstRow, prepared } from "./prepared.ts";
import { openRowStore, type RowStore, type RowStoreConfig } from "./row-store.ts";
import { runSteps } from "./steps.ts";

const backends = await rowBackends();

describe.each(backends)("prepared statements on $name", (backend) => {
  let place: { config: RowStoreConfig; remove(): Promise<void> };
  let rows: RowStore;
  beforeEach(async () => {
    place = await backend.create();
    rows = await openRowStore(place.config, quietLog);
  });
  afterEach(async () => {
    await rows.destroy();
    await place.remove();
  });

  const built = vi.fn();
  const insert = prepared((db, { subject, fullAtMs }: { subject: string; fullAtMs: number }) => {
    built();
    return db.insertInto("tokenBuckets").values({ subject, fullAtMs });
  });
  const fullAfter = prepared((db, { fullAtMs }: { fullAtMs: number }) =>
    db
      .selectFrom("tokenBuckets")
      .select(["subject", "fullAtMs"])
      .where("fullAtMs", ">", fullAtMs)
      .orderBy("fullAtMs"),
  );

  it("are built once for each database, and bind their values at each run", async () => {
    built.mockClear();
    await rows.executeQuery(insert(rows, { subject: "a", fullAtMs: 1 }));
    await runSteps(rows, [{ statement: insert(rows, { subject: "b", fullAtMs: 2 }) }]);
    await rows.transaction().execute(async (transaction) => {
      await transaction.executeQuery(insert(transaction, { subject: "c", fullAtMs: 3 }));
    });
    expect(built).toHaveBeenCalledOnce();
    expect(await firstRow(rows, fullAfter(rows, { fullAtMs: 0 }))).toEqual({ subject: "a", fullAtMs: 1 });
    expect(await firstRow(rows, fullAfter(rows, { fullAtMs: 2 }))).toEqual({ subject: "c", fullAtMs: 3 });
    expect(await firstRow(rows, fullAfter(rows, { fullAtMs: 3 }))).toBeUndefined();
  });

  it("refuse to run without a value, which Kysely would have left out of the statement", () => {
    const values = { subject: "d", fullAtMs: undefined as unknown as number };
    expect(() => insert(rows, values)).toThrow('no value for "fullAtMs"');
  });

  it("refuse to be built from a computed value, which would be that of the first run forever", () => {
    const computed = prepared((db, { nowMs }: { nowMs: number }) =>
      db.deleteFrom("tokenBuckets").where("fullAtMs", "<", nowMs - 1),
    );
    expect(() => computed(rows, { nowMs: 5 })).toThrow('computes with "nowMs" instead of binding it');
  });
});
