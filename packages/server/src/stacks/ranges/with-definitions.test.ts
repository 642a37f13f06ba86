import { expect, it } from "vitest";
import { AwaitedRows } from "#store/column/awaited-rows.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import type { BytesQuery } from "#store/column/query.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import type { Resolved, StoredStacks } from "./stored-stacks.ts";
import { withDefinitions } from "./with-definitions.ts";

const dayMs = 86_400_000;
const toMs = Date.parse("2026-11-20T12:00:00Z");
const column = {
  sampleType: { type: "samples", unit: "count" },
  ids: BigUint64Array.of(1n, 2n),
  values: BigInt64Array.of(1n, 1n),
  divisor: 1,
};

/** The first days that definitions were read from, and what each try was given. */
async function runWith(days: number, replies: readonly (readonly bigint[])[]) {
  const firstDays: string[] = [];
  const tries: StoredStacks[] = [];
  const direct = {
    async queryBytes<P>({ name }: BytesQuery<P>, params: P): Promise<Buffer> {
      if (name === "stacks.definitions") firstDays.push((params as { first: string }).first);
      return Buffer.alloc(0);
    },
  };
  const run = async (stored: StoredStacks): Promise<Resolved<string>> => {
    tries.push(stored);
    const missing = replies[tries.length - 1] ?? replies.at(-1)!;
    return missing.length === 0
      ? { missing: undefined, value: "drawn" }
      : { missing: BigUint64Array.from(missing) };
  };
  const range = { orgId: "a", fromMs: toMs - days * dayMs, toMs, columns: [column] };
  const result = await withDefinitions(
    { direct, awaitedRows: new AwaitedRows() } as unknown as ColumnStore,
    range,
    run,
  ).catch((error: unknown) => error);
  return { result, firstDays, searched: tries.map((stored) => [...stored.searched]) };
}

it("searches the last days, then all days of the range, and then names what is left unknown", async () => {
  expect(await runWith(10, [[1n, 2n], [2n], []])).toEqual({
    result: "drawn",
    firstDays: ["2026-11-19", "2026-11-10"],
    searched: [[], [], [2n]],
  });
  expect(await runWith(0.5, [[1n], []])).toEqual({
    result: "drawn",
    firstDays: ["2026-11-20"],
    searched: [[], [1n]],
  });
});

it("reads definitions again that were dropped between two tries", async () => {
  expect(await runWith(10, [[2n], [2n], [1n], []])).toEqual({
    result: "drawn",
    firstDays: ["2026-11-19", "2026-11-10", "2026-11-10"],
    searched: [[], [], [2n], [2n, 1n]],
  });
});

it("asks to try later when definitions are dropped each time", async () => {
  const { result, firstDays } = await runWith(10, [[1n]]);
  expect(result).toBeInstanceOf(StoreUnavailable);
  expect(firstDays).toHaveLength(6);
});
