import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { parseApiKey } from "./api-key.ts";
import { openKeyLookup } from "./key-lookup.ts";
import { KeyUsageCounts } from "./key-usage.ts";

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T10:00:00.000Z" });
});
afterAll(() => server.close());

const openLookup = () => openKeyLookup(server.rows, server.ctx.log, server.clock.now, server.ctx.audit);

it("does not keep a key that was revoked while it was read", async () => {
  const { id, key } = await server.makeKey(await server.signUp());
  const publicId = parseApiKey(key)!.publicId;
  const lookup = openLookup();
  const reading = lookup.find(key);
  lookup.forget(publicId);
  expect((await reading)?.keyId).toBe(id);
  await server.rows.updateTable("apiKeys").set({ isActive: 0 }).where("id", "=", id).execute();
  expect(await lookup.find(key)).toBeUndefined();
});

it("writes the last use of each key once a minute, also where several are used in turn", async () => {
  const person = await server.signUp();
  const keys = [await server.makeKey(person), await server.makeKey(person)];
  const lookup = openLookup();
  const writing = vi.spyOn(server.rows, "updateTable");
  const useAll = async () => {
    for (const { key } of keys) await lookup.find(key);
  };
  for (const writes of [2, 2, 4]) {
    await useAll();
    expect(writing).toHaveBeenCalledTimes(writes);
    server.clock.advance(30_000);
  }
});

it("writes what keys send every ten seconds, and the rest at its end", async () => {
  const person = await server.signUp();
  const { id } = await server.makeKey(person);
  const stored = async () =>
    (await server.rows.selectFrom("apiKeyUsage").select("profiles").where("keyId", "=", id).execute())[0];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const counts = new KeyUsageCounts(server.rows, server.ctx.log, server.clock.now);
    const count = () => counts.countStored({ orgId: person.orgId, keyId: id }, 1, 10);
    for (const profiles of [1, 2]) {
      count();
      vi.advanceTimersByTime(10_000);
      await expect.poll(stored).toEqual({ profiles });
    }
    count();
    await counts[Symbol.asyncDispose]();
    expect(await stored()).toEqual({ profiles: 3 });
  } finally {
    vi.useRealTimers();
  }
});
