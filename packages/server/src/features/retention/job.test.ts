import { profileOf } from "@flamekeep/profile/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { rowBackends } from "#store/testing/backends.ts";
import type { Person, TestApp } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";
import { storeAlert } from "#testing/store-alert.ts";
import { removeDeletedOrganizations } from "./job.ts";
import { type RemovalContext, serviceRemoval } from "./remove-whole.ts";

const backends = await rowBackends();
const keptTables = ["organization_removals", "service_removals"];

describe.each(backends)("the data of a deleted organization on $name", (backend) => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startAppOn(backend, { hasSeparateColumns: true, at: "2026-11-20T12:00:00.000Z" });
  });
  afterAll(() => server.close());

  const runBetweenBatches: RemovalContext["runBetweenBatches"] = (operation) =>
    operation(new AbortController().signal);
  const run = () => {
    const atOwner: RemovalContext["atOwner"] = (_name, operation) => operation;
    const ctx = { ...server.ctx, runBetweenBatches, atOwner };
    return removeDeletedOrganizations({ ...ctx, removeService: serviceRemoval(ctx) });
  };

  /** Numbers of the organization's rows by table, of both stores, without tables that have none. */
  async function rowsOf(orgId: string): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    const columnTables = await server.ctx.columns.maintenance.query(
      maintenanceQuery({
        name: "test.tables",
        sql: `SELECT DISTINCT table FROM system.columns WHERE database = currentDatabase() AND name = 'org_id'
              AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree')`,
        params: z.object({}),
        row: z.object({ table: z.string() }),
      }),
      {},
    );
    expect(columnTables.length).toBeGreaterThan(5);
    for (const { table } of columnTables) {
      const counting = maintenanceQuery({
        name: "test.count",
        sql: `SELECT count() AS count FROM \`${table}\` WHERE org_id = {orgId:UUID}`,
        params: z.object({ orgId: z.uuid() }),
        row: z.object({ count: Count }),
      });
      const [{ count = 0 } = {}] = await server.ctx.columns.maintenance.query(counting, { orgId });
      if (count > 0) counts[`columns ${table}`] = count;
    }
    const plain = server.rows.withoutPlugins();
    for (const { name, columns } of await plain.introspection.getTables()) {
      const hasOrganization = columns.some((column) => column.name === "org_id");
      if (!hasOrganization || keptTables.includes(name)) continue;
      const { rows } = await sql`SELECT 1 FROM ${sql.table(name)} WHERE org_id = ${orgId}`.execute(plain);
      if (rows.length > 0) counts[`rows ${name}`] = rows.length;
    }
    return counts;
  }

  async function fill(person: Person): Promise<string> {
    const { headers } = await server.makeKey(person);
    const sent = await server.send(profileOf("main\nwork\n1"), { headers });
    const payload = [
      { timestamp: "2026-11-20T11:59:00Z", duration: 1, status_code: 200, method: "GET", path: "/" },
    ];
    const post = (url: string, body: object, sender: Readonly<Record<string, string>>) =>
      server.app.inject({ method: "POST", url, headers: sender, payload: body });
    const replies = [
      await post("/api/v1/ingest/http-metrics?service=web", payload, headers),
      await post("/api/v1/protected/projects", { name: "Till" }, person.headers),
      await post("/api/v1/protected/organization/invitations", {}, person.headers),
      await post(`/api/v1/protected/profile/${sent.profile_id}/analyze`, {}, person.headers),
      await post("/api/v1/protected/alerts/mute", { service: "s", type: "cpu" }, person.headers),
    ];
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 201, 201, 200, 200]);
    const opened = { orgId: person.orgId, service: "web", at: "2026-11-20T11:59:00.000Z" };
    const incident = await storeAlert(server.rows, { ...opened, profileId: sent.profile_id });
    const url = `/api/v1/protected/incidents/${incident}`;
    const assignee = { user_id: person.userId };
    const assign = {
      method: "PUT",
      url: `${url}/assignee`,
      payload: assignee,
      headers: person.headers,
    } as const;
    expect((await server.app.inject(assign)).statusCode).toBe(200);
    expect((await post(`${url}/comments`, { text: "Twice" }, person.headers)).statusCode).toBe(201);
    return sent.profile_id;
  }

  it("is removed from every table a minute later, and that of others stays", async () => {
    const [ada, eve] = [await server.signUp(), await server.signUp()];
    const profileId = await fill(ada);
    await fill(eve);
    const deleted = await server.app.inject({
      method: "DELETE",
      url: "/api/v1/protected/organization",
      headers: ada.headers,
      payload: { confirm: "Ada's organization" },
    });
    expect(deleted.statusCode).toBe(200);
    // Otherwise they may be written between the two counts.
    await server.ctx.keyUsage.flush();
    const [before, others] = [await rowsOf(ada.orgId), await rowsOf(eve.orgId)];
    expect(Object.keys(before).length).toBeGreaterThan(11);
    await run();
    expect(await rowsOf(ada.orgId)).toEqual(before);
    server.clock.advance(60_000);
    await run();
    expect(await rowsOf(ada.orgId)).toEqual({});
    expect(await rowsOf(eve.orgId)).toEqual(others);
    await expect(server.ctx.payloads.read(ada.orgId, profileId)).resolves.toBeUndefined();
    const removals = await server.rows.selectFrom("organizationRemovals").select("finishedAt").execute();
    expect(removals).toEqual([{ finishedAt: server.clock.now().toISOString() }]);
  });
});
