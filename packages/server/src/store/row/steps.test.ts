import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { quietLog, rowBackends } from "#store/testing/backends.ts";
import { openRowStore, type RowStore, type RowStoreConfig } from "./row-store.ts";
import { runSteps, type Step } from "./steps.ts";

const backends = await rowBackends();

describe.each(backends)("steps on $name", (backend) => {
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

  const add = (subject: string): Step => ({
    statement: rows.insertInto("tokenBuckets").values({ subject, fullAtMs: 1 }),
  });
  const change = (subject: string, orThrow?: () => Error): Step => ({
    statement: rows.updateTable("tokenBuckets").set({ fullAtMs: 2 }).where("subject", "=", subject),
    ...(orThrow && { orThrow }),
  });
  const stored = () => rows.selectFrom("tokenBuckets").selectAll().orderBy("subject").execute();
  const missing = () => new Error("nothing to change");

  it("run in their order, in one transaction", async () => {
    await runSteps(rows, [add("a"), change("a", missing), add("b")]);
    expect(await stored()).toEqual([
      { subject: "a", fullAtMs: 2 },
      { subject: "b", fullAtMs: 1 },
    ]);
  });

  it("leave nothing when one that must change a row changes none, and throw its error", async () => {
    await expect(runSteps(rows, [add("a"), change("b", missing), add("c")])).rejects.toThrow(missing());
    expect(await stored()).toEqual([]);
    await runSteps(rows, [add("a"), change("b")]);
    expect(await stored()).toEqual([{ subject: "a", fullAtMs: 1 }]);
  });

  it("leave nothing when a statement fails, and the next ones work", async () => {
    await expect(runSteps(rows, [add("a"), add("a")])).rejects.toThrow(/unique/i);
    expect(await stored()).toEqual([]);
    await runSteps(rows, [add("a")]);
    expect(await stored()).toHaveLength(1);
  });

  it("are part of the caller's transaction", async () => {
    const failing = rows.transaction().execute(async (transaction) => {
      await runSteps(transaction, [add("a")]);
      await runSteps(transaction, [change("b", missing)]);
    });
    await expect(failing).rejects.toThrow(missing());
    expect(await stored()).toEqual([]);
  });

  it("do not mix with others at the same time", async () => {
    const attempts = Array.from({ length: 20 }, () => runSteps(rows, [add("a"), add("b")]));
    const settled = await Promise.allSettled(attempts);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await stored()).toHaveLength(2);
  });
});
