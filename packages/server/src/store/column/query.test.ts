import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { bytesQuery, query, queryAtMostOne, queryOne } from "./query.ts";

const params = z.object({ orgId: z.uuid() });
const row = z.object({ count: z.int() });
const ofOrganization = "org_id = {orgId:UUID}";

const build = (sql: string) => () => query({ name: "test", sql, params, row });

it.each([
  ["one table", `SELECT count() AS count FROM profiles WHERE ${ofOrganization}`],
  [
    "a table inside a condition",
    `SELECT count() AS count FROM stacks WHERE ${ofOrganization}
      AND stack_id IN (SELECT arrayJoin(stacks) FROM profiles WHERE ${ofOrganization})`,
  ],
  [
    "a common table expression",
    `WITH named AS (SELECT 1 AS count FROM profiles WHERE ${ofOrganization}) SELECT count FROM named`,
  ],
])("a query is accepted that binds the organization of %s", (_, sql) => {
  expect(build(sql)).not.toThrow();
});

it.each([
  ["has no condition on the organization", "SELECT count() AS count FROM profiles"],
  ["compares the organization with a literal", "SELECT count() AS count FROM profiles WHERE org_id = 'a'"],
  [
    "does not bind the table of a subquery",
    `SELECT count() AS count FROM stacks WHERE ${ofOrganization}
      AND stack_id IN (SELECT arrayJoin(stacks) FROM profiles)`,
  ],
  [
    "does not bind a joined table",
    `SELECT count() AS count FROM stacks JOIN frames USING id WHERE stacks.${ofOrganization}`,
  ],
  ["reads no table", "SELECT 1 AS count"],
])("a query is refused that %s", (_, sql) => {
  expect(build(sql)).toThrow(/^Query test reads .* binds an organization/);
  expect(() => bytesQuery({ name: "test", sql, params })).toThrow();
});

it("a query must have a parameter for the organization", () => {
  const sql = `SELECT count() AS count FROM profiles WHERE ${ofOrganization}`;
  // @ts-expect-error: the parameters name no organization.
  query({ name: "test", sql, params: z.object({ service: z.string() }), row });
});

it("every query of the server binds an organization", async () => {
  const source = new URL("../../", import.meta.url);
  const files = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && path !== "store/column/query.ts")
    .filter((path) => /\b(?:query|bytesQuery)\(\{/.test(readFileSync(new URL(path, source), "utf8")));
  expect(files.length).toBeGreaterThan(10);
  // A module with a query that binds none cannot be loaded.
  for (const path of files) await import(new URL(path, source).href);
});

it("a query of one row gives that row, and refuses none or several", async () => {
  const counted = query({
    name: "test",
    sql: `SELECT 1 AS count FROM profiles WHERE ${ofOrganization}`,
    params,
    row,
  });
  const columns = (count: number) => ({
    query: async () => Array.from({ length: count }, () => ({ count })) as never,
  });
  const given = { orgId: crypto.randomUUID() };
  expect(await queryOne(columns(1), counted, given)).toEqual({ count: 1 });
  expect(await queryAtMostOne(columns(0), counted, given)).toBeUndefined();
  await expect(queryOne(columns(0), counted, given)).rejects.toThrow("test has no row");
  await expect(queryAtMostOne(columns(2), counted, given)).rejects.toThrow("test has 2 rows instead of one");
});
