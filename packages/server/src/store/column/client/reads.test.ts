import { expect, it } from "vitest";
import { z } from "zod";
import { openColumnStore } from "#store/column/column-store.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count, Instant } from "#store/column/values.ts";
import { columnBackends, quietLog } from "#store/testing/backends.ts";
import { toParamText } from "./reads.ts";

const texts = [
  "",
  "it's",
  "tab\tline\nreturn\r",
  "back\\slash \\N \\t",
  "{a:String} -- ;",
  "ünï 🔥",
  "%41+&=?",
];

const echo = maintenanceQuery({
  name: "test.echo",
  sql: `SELECT {text:String} AS text, {texts:Array(String)} AS texts, {lists:Array(Array(String))} AS lists, {at:DateTime64(3,'UTC')} AS at,
          {numbers:Array(UInt64)} AS numbers, {number:Int64} AS number, {missing:Nullable(String)} AS missing,
          {yes:Bool} AS yes, {no:Bool} AS no`,
  params: z.object({
    text: z.string(),
    texts: z.array(z.string()),
    lists: z.array(z.array(z.string())),
    at: z.date(),
    numbers: z.array(z.bigint()),
    number: z.int(),
    missing: z.string().nullable(),
    yes: z.boolean(),
    no: z.boolean(),
  }),
  row: z.object({
    text: z.string(),
    texts: z.array(z.string()),
    lists: z.array(z.array(z.string())),
    at: Instant,
    numbers: z.array(z.string()),
    number: z.string(),
    missing: z.string().nullable(),
    yes: z.boolean(),
    no: z.boolean(),
  }),
});

it.each(columnBackends())("$name reads every parameter as it was given", async (backend) => {
  const store = await backend.create();
  const columns = await openColumnStore(store.config, quietLog);
  const at = new Date("2026-11-19T12:00:00.007Z");
  const others = { at, numbers: [0n, 2n ** 64n - 1n], number: -1, missing: null, yes: true, no: false };
  for (const text of texts) {
    expect(await columns.maintenance.query(echo, { ...others, text, texts, lists: [texts, []] })).toEqual([
      { ...others, text, texts, lists: [texts, []], numbers: ["0", "18446744073709551615"], number: "-1" },
    ]);
  }
  const early = new Date(7);
  const long = "x".repeat(2_000_000);
  const [row] = await columns.maintenance.query(echo, { ...others, at: early, text: long, texts, lists: [] });
  expect(row?.at).toEqual(early);
  expect(row?.text === long).toBe(true);
  await columns[Symbol.asyncDispose]();
  await store.remove();
});

const slowCount = maintenanceQuery({
  name: "test.slow-count",
  hasWideRows: true,
  sql: `SELECT countIf(sipHash64(number) != {round:UInt64}) AS numbers
        FROM (SELECT arrayJoin(range(300000)) AS number)
        WHERE {orgId:UUID} != toUUID('00000000-0000-0000-0000-000000000000')`,
  params: z.object({ orgId: z.uuid(), round: z.int() }),
  row: z.object({ numbers: Count }),
});

it("lets an organization read before the many reads of another one are done", async () => {
  const [backend] = columnBackends();
  const store = await backend!.create();
  const columns = await openColumnStore(store.config, quietLog);
  const done: string[] = [];
  const read = async (orgId: string, round: number) => {
    await columns.maintenance.query(slowCount, { orgId, round });
    done.push(orgId);
  };
  const [busy, quiet] = ["6f9619ff-8b86-4011-b42d-00c04fc964ff", "6f9619ff-8b86-4011-b42d-00c04fc96400"];
  const busyReads = Array.from({ length: 60 }, (_, round) => read(busy, round));
  await Promise.all([...busyReads, read(quiet, 0)]);
  expect(done).toHaveLength(61);
  expect(done.indexOf(quiet)).toBeLessThan(30);
  await columns[Symbol.asyncDispose]();
  await store.remove();
});

it.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, {}, [[{}]]])("refuses %s", (value) => {
  expect(() => toParamText(value)).toThrow(TypeError);
});
