import type { StackTable } from "@flamekeep/profile";
import { describe, expect, it } from "vitest";
import { type Resolved, type StackColumn, tableOf } from "./stored-stacks.ts";
import { fold, row } from "./testing/definition-rows.ts";

const samples = { type: "samples", unit: "count" };
const [orgA, orgB] = ["a", "b"];

function column(values: Record<string, bigint>, divisor = 1): StackColumn {
  return {
    sampleType: samples,
    ids: BigUint64Array.from(Object.keys(values), BigInt),
    values: BigInt64Array.from(Object.values(values)),
    divisor,
  };
}

function tableIn(resolved: Resolved<StackTable>): StackTable {
  if (resolved.missing !== undefined) throw new Error(`missing ${resolved.missing}`);
  return resolved.value;
}

const definitions = {
  stacks: row.stacks([
    [1n, [11n, 10n]],
    [2n ** 64n - 1n, [12n, 10n]],
  ]),
  frames: row.frames([
    [10n, "main"],
    [11n, "read"],
    [12n, "write"],
  ]),
};

describe("stored stacks", () => {
  const columns = [column({ "1": 30n, [String(2n ** 64n - 1n)]: 50n }, 4), column({ "1": 7n })];

  it("request each missing definition once", () => {
    const first = tableOf({ orgId: orgA, columns, definitions: undefined, searched: new BigUint64Array() });
    expect(first.missing).toEqual(BigUint64Array.of(1n, 2n ** 64n - 1n));
  });

  it("become a table once all definitions are known, with divided values and columns joined by stack", () => {
    const table = tableIn(tableOf({ orgId: orgA, columns, definitions, searched: new BigUint64Array() }));
    expect(fold(table, 0)).toEqual(["main;read 7.5", "main;write 12.5"]);
    expect(fold(table, 1)).toEqual(["main;read 7", "main;write 0"]);
  });

  it("are cached for their organization only", () => {
    const task = { columns, definitions: undefined, searched: new BigUint64Array() };
    expect(tableIn(tableOf({ ...task, orgId: orgA })).length).toBe(2);
    expect(tableOf({ ...task, orgId: orgB }).missing?.length).toBe(2);
  });

  it("without stored definitions are shown as unknown", () => {
    const more = [column({ "1": 5n, "77": 2n, "78": 1n })];
    const table = tableIn(
      tableOf({ orgId: orgA, columns: more, definitions: undefined, searched: BigUint64Array.of(77n, 78n) }),
    );
    expect(fold(table, 0)).toEqual(["main;read 5", "unknown 3"]);
    const forgotten = {
      orgId: "d",
      columns: more,
      definitions: undefined,
      searched: BigUint64Array.of(77n, 78n),
    };
    expect(tableOf(forgotten).missing).toEqual(BigUint64Array.of(1n));
  });

  it("are unknown while one of their frames is missing", () => {
    const half = { stacks: row.stacks([[5n, [10n, 99n]]]), frames: row.frames([[10n, "main"]]) };
    const task = { orgId: orgB, columns: [column({ "5": 1n })], searched: new BigUint64Array() };
    expect(tableOf({ ...task, definitions: half }).missing).toEqual(BigUint64Array.of(5n));
    const whole = { ...half, frames: row.frames([[99n, "late"]]) };
    expect(fold(tableIn(tableOf({ ...task, definitions: whole })), 0)).toEqual(["late;main 1"]);
  });

  it("are found among thousands", () => {
    const ids = Array.from({ length: 5000 }, (_, i) => (BigInt(i) * 0x9e3779b97f4a7c15n) & (2n ** 64n - 1n));
    const many = {
      stacks: row.stacks(ids.map((id, i) => [id, [BigInt(i)]])),
      frames: row.frames(ids.map((_, i) => [BigInt(i), `f${i}`])),
    };
    const columns = [column(Object.fromEntries(ids.map((id, i) => [String(id), BigInt(i)])))];
    const table = tableIn(
      tableOf({ orgId: "c", columns, definitions: many, searched: new BigUint64Array() }),
    );
    expect(fold(table, 0).toSorted()).toEqual(ids.map((_, i) => `f${i} ${i}`).toSorted());
  });
});
