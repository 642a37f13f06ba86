import { profileOf } from "@flamekeep/profile/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Context } from "#context";
import type { ColumnMaintenance } from "#store/column/column-store.ts";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { readServiceRemovals } from "#store/row/service-removals.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const at = "2026-11-20T09:30:00.000Z";
let server: TestApp;
beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true, at: "2026-11-20T12:00:00.000Z" });
});
afterAll(() => server.close());

const killed = () => Promise.reject(new Error("Killed."));

function withRemoveService(
  { columns }: Context,
  removeService: ColumnMaintenance["removeService"],
): Partial<Context> {
  return { columns: { ...columns, maintenance: { ...columns.maintenance, removeService } } };
}

/** The steps after which the server is killed during a deletion. */
const cuts: readonly { readonly when: string; readonly cut: (ctx: Context) => Partial<Context> }[] = [
  { when: "before anything is gone", cut: ({ payloads }) => ({ payloads: { ...payloads, remove: killed } }) },
  {
    when: "after the bytes are gone",
    cut: (ctx) => withRemoveService(ctx, killed),
  },
  {
    when: "after the bytes and the rows are gone",
    cut: (ctx) =>
      withRemoveService(ctx, (service) => ctx.columns.maintenance.removeService(service).then(killed)),
  },
];

const storedOf = query({
  name: "test.stored-of-service",
  sql: `SELECT (SELECT count() FROM profiles WHERE org_id = {orgId:UUID} AND service = 'cut') AS profiles,
          (SELECT sumIf(profiles, sample_type = '') FROM type_totals_1m
            WHERE org_id = {orgId:UUID} AND service = 'cut') AS counted`,
  params: z.object({ orgId: z.uuid() }),
  row: z.object({ profiles: Count, counted: Count }),
});

async function sender() {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const send = async (app: FastifyInstance, stack: string, service = "cut") => {
    const query = { service, started_at: at };
    const reply = await server.trySend(profileOf(`main;${stack}\n1`), { app, headers, query });
    return { status: reply.statusCode, body: reply.json() };
  };
  const stored = async () => (await server.ctx.columns.query(storedOf, { orgId: person.orgId }))[0];
  return { person, send, stored };
}

describe("deleting a service, cut off", () => {
  it.each(cuts)(
    "$when, is finished by the next start, and nothing sent again counts twice",
    async ({ cut }) => {
      const { person, send, stored } = await sender();
      const dying = await server.createApp(cut(server.ctx));
      await send(dying, "first");
      await send(dying, "second");
      const url = "/api/v1/protected/services/cut";
      const payload = { confirm: "cut" };
      const cutOff = await dying.inject({ method: "DELETE", url, headers: person.headers, payload });
      expect(cutOff.statusCode).toBe(500);
      await dying.close();

      const next = await server.createApp();
      const early = await send(next, "first");
      expect([early.status, early.body.code]).toEqual([503, "unavailable"]);
      expect(early.body.error).toBe("The service cut is being deleted. Send it again in a moment.");
      expect((await send(next, "first", "other")).status).toBe(200);
      await next.listen({ host: "127.0.0.1", port: 0 });
      await expect
        .poll(() => readServiceRemovals(server.ctx.rows), { timeout: 30_000 })
        .toMatchObject({ unfinished: [] });
      expect(await stored()).toEqual({ profiles: 0, counted: 0 });

      for (const isDuplicate of [false, true]) {
        const { status, body } = await send(next, "first");
        expect([status, body.duplicate]).toEqual([200, isDuplicate]);
        expect(await server.ctx.payloads.read(person.orgId, body.profile_id)).toBeDefined();
      }
      expect(await stored()).toEqual({ profiles: 1, counted: 1 });
      await next.close();
    },
  );

  it("by a store that was away, is finished while the server runs", async () => {
    const { person, send, stored } = await sender();
    const { columns } = server.ctx;
    let isAway = true;
    const removeService: ColumnMaintenance["removeService"] = (service) =>
      isAway ? killed() : columns.maintenance.removeService(service);
    const app = await server.createApp(withRemoveService(server.ctx, removeService));
    await send(app, "first");
    const url = "/api/v1/protected/services/cut";
    const call = { method: "DELETE", url, headers: person.headers, payload: { confirm: "cut" } } as const;
    expect((await app.inject(call)).statusCode).toBe(500);
    expect((await send(app, "first")).status).toBe(503);
    isAway = false;
    expect((await app.inject(call)).statusCode).toBe(200);
    expect((await readServiceRemovals(server.ctx.rows)).unfinished).toEqual([]);
    expect((await send(app, "first")).body.duplicate).toBe(false);
    expect(await stored()).toEqual({ profiles: 1, counted: 1 });
    await app.close();
  });
});
