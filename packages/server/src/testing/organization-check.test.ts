import {
  CamelCasePlugin,
  type Compilable,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import { describe, expect, it } from "vitest";
import { acrossOrganizations, type Database, type RowStore } from "#store/row/row-store.ts";
import { organizationCheck } from "./organization-check.ts";

const dialect = {
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (rows: Kysely<unknown>) => new SqliteIntrospector(rows),
  createQueryCompiler: () => new SqliteQueryCompiler(),
};
const rows: RowStore = new Kysely<Database>({ dialect, plugins: [new CamelCasePlugin(), organizationCheck] });

// Subqueries from here are checked only as parts of the query around them.
const everywhere = acrossOrganizations(rows);
const alerts = rows.selectFrom("alerts").select("alerts.id");
const key = {
  id: "k",
  publicId: "p",
  secretHash: "h",
  name: "n",
  prefix: "x",
  isActive: 1,
  createdBy: null,
} as const;
const times = { createdAt: "t", updatedAt: "t", lastUsedAt: null };
const project = {
  service: "s",
  name: "n",
  description: null,
  status: null,
  tags: null,
  isHidden: 0,
  updatedAt: "t",
} as const;

const refused: Readonly<Record<string, Compilable>> = {
  "a read of everything": rows.selectFrom("alerts").selectAll(),
  "a read by id": alerts.where("id", "=", "a"),
  "an update by id": rows.updateTable("apiKeys").set({ name: "n" }).where("id", "=", "k"),
  "a removal by id": rows.deleteFrom("projects").where("id", "=", "p"),
  "one side of an OR": alerts.where((eb) => eb.or([eb("orgId", "=", "o"), eb("id", "=", "a")])),
  "another organization": alerts.where("orgId", "!=", "o"),
  "organizations of a subquery": alerts.where("orgId", "in", rows.selectFrom("organizations").select("id")),
  "a table under another name": rows.selectFrom("alerts as a").select("a.id").where("a.id", "=", "a"),
  "a table compared with itself": alerts.whereRef("alerts.orgId", "=", "alerts.orgId"),
  "a join by id": alerts
    .innerJoin("alertDeliveries", "alertDeliveries.alertId", "alerts.id")
    .where("alerts.orgId", "=", "o"),
  "two tables that only bind each other": alerts.innerJoin("alertMutes", "alertMutes.orgId", "alerts.orgId"),
  "the left side of a LEFT JOIN": alerts.leftJoin("alertMutes", (join) =>
    join.on("alertMutes.orgId", "=", "o").on("alerts.orgId", "=", "o"),
  ),
  "a subquery in a condition": alerts
    .where("orgId", "=", "o")
    .where(({ eb, selectFrom }) => eb("id", "in", selectFrom("alertDeliveries").select("alertId"))),
  "a subquery as a table": rows
    .selectFrom(({ selectFrom }) => selectFrom("alerts").select("id").as("a"))
    .select("a.id"),
  "a common table expression": rows
    .with("a", () => everywhere.selectFrom("alerts").select("id"))
    .selectFrom("a")
    .select("a.id"),
  "the second query of a UNION": alerts
    .where("orgId", "=", "o")
    .union(everywhere.selectFrom("alerts").select("id")),
  "an insert of rows read elsewhere": rows
    .insertInto("alertMutes")
    .columns(["orgId", "service", "type", "createdAt"])
    .expression(everywhere.selectFrom("alerts").select(["orgId", "service", "type", "openedAt"])),
  // The type of an insert demands the organization; this is one that goes around it.
  "an insert without it": rows.insertInto("apiKeys").values({ ...key, ...times } as never),
  "an insert that updates any row on conflict": rows
    .insertInto("apiKeys")
    .values({ ...key, ...times, orgId: "o" })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ name: "n" })),
  "raw SQL": { compile: () => sql`DELETE FROM alerts WHERE service = ${"s"}`.compile(rows) },
  "raw SQL with the table as a parameter": {
    compile: () => sql`DELETE FROM ${sql.table("alerts")}`.compile(rows),
  },
};

const accepted: Readonly<Record<string, Compilable>> = {
  "a value": alerts.where("orgId", "=", "o"),
  "a list of values": alerts.where("orgId", "in", ["o", "p"]),
  "a value among other conditions": alerts.where((eb) =>
    eb.and([eb("orgId", "=", "o"), eb.or([eb("id", "=", "a"), eb("id", "=", "b")])]),
  ),
  "a join that binds what it joins": alerts
    .leftJoin("alertMutes", (join) => join.onRef("alertMutes.orgId", "=", "alerts.orgId"))
    .where("alerts.orgId", "=", "o"),
  "a chain of joins": alerts
    .innerJoin("alertDeliveries as d", "d.orgId", "alerts.orgId")
    .innerJoin("alertSettings as s", "s.orgId", "d.orgId")
    .where("s.orgId", "=", "o"),
  "a subquery bound by the query around it": rows
    .selectFrom("alerts as a")
    .select("a.id")
    .where("a.orgId", "=", "o")
    .where(({ exists, selectFrom }) =>
      exists(selectFrom("alertMutes").select("service").whereRef("alertMutes.orgId", "=", "a.orgId")),
    ),
  "an update": rows.updateTable("apiKeys").set({ name: "n" }).where("orgId", "=", "o").where("id", "=", "k"),
  "a removal": rows.deleteFrom("projects").where("orgId", "=", "o"),
  "an insert": rows.insertInto("apiKeys").values([{ ...key, ...times, orgId: "o" }]),
  "an insert that updates the organization's row": rows
    .insertInto("derivedProjects")
    .values({ ...project, orgId: "o" })
    .onConflict((conflict) => conflict.columns(["orgId", "service"]).doUpdateSet(project)),
  "tables without an organization": rows.selectFrom("users").selectAll().where("id", "=", "u"),
  "a query across organizations": acrossOrganizations(rows).selectFrom("alerts").selectAll(),
};

describe("the organization check", () => {
  it.each(Object.entries(refused))("refuses %s", (_, query) => {
    expect(() => query.compile()).toThrow(/does not bind org_id/);
  });

  it.each(Object.entries(accepted))("accepts %s", (_, query) => {
    expect(query.compile().sql).not.toBe("");
  });

  it("checks the queries of a transaction, and none across organizations in it", async () => {
    const inTransaction = rows.transaction();
    await expect(inTransaction.execute((own) => own.deleteFrom("alerts").execute())).rejects.toThrow(
      'A query of "alerts" does not bind org_id',
    );
    await inTransaction.execute((own) => acrossOrganizations(own).deleteFrom("alerts").execute());
  });
});
