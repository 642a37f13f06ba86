import { dayMs } from "@flamekeep/contract/durations";
import { profileOf } from "@flamekeep/profile/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Context } from "#context";
import { findProfile } from "#store/profiles/profile-lookup.ts";
import { readServiceRemovals } from "#store/row/service-removals.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { removeOldDays } from "./job.ts";

let server: TestApp;
beforeAll(async () => {
  server = await startApp({
    hasSeparateColumns: true,
    at: "2026-11-20T12:00:00.000Z",
    env: { RETENTION_DAYS: "10" },
  });
});
afterAll(() => server.close());

async function sender() {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const send = async (app: FastifyInstance, daysAgo: number) => {
    const started_at = new Date(server.ctx.now().getTime() - daysAgo * dayMs).toISOString();
    return server.send(profileOf("main\n1"), { app, headers, query: { started_at } });
  };
  const isStored = async (id: string) =>
    (await findProfile(server.ctx.columns, person.orgId, id)) !== undefined;
  return { person, send, isStored };
}

it("continues a deletion after a restart if the server stops during it", async () => {
  const { person, send, isStored } = await sender();
  const { payloads } = server.ctx;
  const removals: string[][] = [];
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const remove: typeof payloads.remove = async (orgId, ids, stopped) => {
    removals.push([...ids]);
    begun.resolve();
    await goOn.promise;
    await payloads.remove(orgId, ids, stopped);
  };
  const app = await server.createApp({ payloads: { ...payloads, remove } });
  const days = [3, 2, 1];
  const sent: { profile_id: string }[] = [];
  for (const day of days) sent.push(await send(app, day));
  const deleting = app.inject({
    method: "DELETE",
    url: "/api/v1/protected/services/s",
    headers: person.headers,
    payload: { confirm: "s" },
  });
  await begun.promise;
  const closing = app.close();
  goOn.resolve();
  const reply = await deleting;
  await closing;
  expect([reply.statusCode, reply.json().error]).toEqual([
    503,
    "The server is stopping. The deletion continues after the restart.",
  ]);
  expect(removals.length).toBe(1);
  expect(await isStored(sent[2]!.profile_id)).toBe(true);

  const next = await server.createApp();
  await next.listen({ host: "127.0.0.1", port: 0 });
  await expect
    .poll(() => readServiceRemovals(server.ctx.rows), { timeout: 30_000 })
    .toMatchObject({ unfinished: [] });
  for (const { profile_id } of sent) expect(await isStored(profile_id)).toBe(false);
  expect((await send(next, 1)).duplicate).toBe(false);
  await next.close();
});

it("leaves days that are too old to the next call when it is stopped at any of its steps", async () => {
  const { person, send, isStored } = await sender();
  const url = "/api/v1/protected/organization/retention";
  const retain = (days: number | null) =>
    server.app.inject({ method: "PUT", url, headers: person.headers, payload: { retention_days: days } });
  const old = await send(server.app, 6);
  await retain(3);
  const { columns, payloads } = server.ctx;
  const stopping = new AbortController();
  const dropping = columns.maintenance.removeDays(person.orgId, "2026-11-17", stopping.signal);
  stopping.abort();
  expect(await dropping).toEqual({});
  expect(await isStored(old.profile_id)).toBe(true);

  const halfway = new AbortController();
  const ctx: Context = {
    ...server.ctx,
    payloads: {
      ...payloads,
      async removeDays(...call) {
        await payloads.removeDays(...call);
        if (call[1] !== undefined) halfway.abort();
      },
    },
  };
  expect((await removeOldDays(ctx, halfway.signal)).rows).toBe(0);
  expect(await payloads.read(person.orgId, old.profile_id)).toBeUndefined();
  expect(await isStored(old.profile_id)).toBe(true);
  expect((await removeOldDays(server.ctx)).rows).toBeGreaterThan(0);
  expect(await isStored(old.profile_id)).toBe(false);
  expect(await columns.maintenance.purge()).toBe(0);

  await retain(null);
  await send(server.app, 9);
  server.clock.advance(2 * dayMs);
  expect(await columns.maintenance.dropDays("2026-11-12", AbortSignal.abort())).toBe(0);
  expect((await removeOldDays(server.ctx, AbortSignal.abort())).partitions).toBe(0);
  expect((await removeOldDays(server.ctx)).partitions).toBeGreaterThan(0);
});
