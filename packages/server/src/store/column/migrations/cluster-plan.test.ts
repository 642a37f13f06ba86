import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ColumnStore, openColumnStore } from "#store/column/column-store.ts";
import { RowRemover } from "#store/column/maintenance/row-remover.ts";
import { columnStoreFolder, quietLog } from "#store/testing/backends.ts";
import { profileBatch, testOrg } from "#store/testing/profile-rows.ts";
import { checkPlan, type PlannedStatement, toPlan } from "./cluster-plan.ts";

let folder: Awaited<ReturnType<typeof columnStoreFolder>>;
let columns: ColumnStore;
beforeAll(async () => {
  folder = await columnStoreFolder();
  columns = await openColumnStore({ kind: "embedded", dataDir: folder.path }, quietLog);
});
afterAll(async () => {
  await columns?.[Symbol.asyncDispose]();
  folder.remove();
});

describe("the statements for a cluster", () => {
  it("are taken by ClickHouse's parser, run on all servers, and make every table replicated", async () => {
    const plan = toPlan("main");
    const { problems, summary } = await checkPlan(columns, "main", plan);
    expect(problems).toEqual([]);
    expect(plan.length).toBeGreaterThan(70);
    expect(summary).toMatch(/^\d+ statements for the cluster main: .* all 1[7-9] tables are replicated\.$/);
  });

  it.each([
    ["a statement that ClickHouse does not know", "CREATE TABEL x", /Syntax error/],
    [
      "a table of one server",
      "CREATE TABLE x (a UInt8) ENGINE = Memory",
      /only one server .* CREATE TABLE x/,
    ],
    ["a column of one server", "ALTER TABLE profiles ADD COLUMN x UInt8", /only one server .* ALTER TABLE/],
    [
      "another cluster",
      "DROP TABLE x ON CLUSTER mainland",
      /only one server of the cluster would run DROP TABLE x/,
    ],
  ])("do not have %s", async (_, sql, problem) => {
    const { problems } = await checkPlan(columns, "main", [...toPlan("main"), { migration: "0099-x", sql }]);
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  it("replicate each table that one server has", async () => {
    const isOfStacks = ({ sql }: PlannedStatement) => sql.includes("CREATE TABLE IF NOT EXISTS stacks ");
    const plan = toPlan("main").map((each) =>
      isOfStacks(each) ? { ...each, sql: each.sql.replace("Replicated", "") } : each,
    );
    expect((await checkPlan(columns, "main", plan)).problems).toEqual([
      "The table stacks is not replicated.",
    ]);
  });

  it("that remove rows run on all servers too", async () => {
    await columns.insert(profileBatch([{ profileId: "one", stacks: [1n], values: [[1n], [10n]] }], "first"));
    const sent: string[] = [];
    const recording = { ...columns.maintenance, command: async (sql: string) => void sent.push(sql) };
    const remover = new RowRemover(recording, "main");
    const [orgId, service] = [testOrg, "checkout"];
    await remover.dropDays("2100-01-01");
    await remover.removeDays(orgId, "2100-01-01");
    await remover.removeService({ orgId, service });
    const plan = sent.map((sql) => ({ migration: "removal", sql }));
    const { problems } = await checkPlan(columns, "main", [...toPlan("main"), ...plan]);
    expect(problems).toEqual([]);
    expect(new Set(sent.map((sql) => sql.split(" ", 1)[0]))).toEqual(new Set(["ALTER", "DELETE"]));
  });
});
