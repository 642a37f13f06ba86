import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { describe, expect, it } from "vitest";
import { startApp, type TestApp, type TestKey } from "#testing/start-app.ts";
import { ReservedBytes, StoredBytesLimit } from "./stored-bytes.ts";

const payloadOf = (name: string) => Buffer.from(writeProfile(profileOf(`main\n${name}\n1`)));
const bytes = payloadOf("a").length;
const of100 = { name: "stored_bytes", value: 100, source: "server" } as const;

function send(server: TestApp, key: TestKey, name: string, service = "checkout") {
  return server.trySend(payloadOf(name), { headers: key.headers, query: { service } });
}

it("refuses uploads over the organization's limit, until something is deleted", async () => {
  const env = { ORG_STORED_BYTES_MAX: String(2 * bytes) };
  const server = await startApp({ at: "2026-11-20T12:00:00.000Z", env });
  try {
    const person = await server.signUp();
    const key = await server.makeKey(person);
    const otherKey = await server.makeKey(await server.signUp());
    expect((await send(server, key, "a", "old")).statusCode).toBe(200);
    expect((await send(server, key, "a", "old")).json().duplicate).toBe(true);
    expect((await send(server, key, "b")).statusCode).toBe(200);
    const refused = await send(server, key, "c");
    expect([refused.statusCode, refused.json().code]).toEqual([403, "quota_exceeded"]);
    expect(refused.json().error).toBe(
      `Your organization stores ${2 * bytes} bytes of profiles; its limit is ${2 * bytes}. Shorten the retention (PUT /api/v1/protected/organization/retention), delete a service, or ask the server's operator to raise ORG_STORED_BYTES_MAX.`,
    );
    expect((await server.app.inject("/metrics")).body).toContain(
      'flamekeep_ingest_refused_total{reason="organization_stored_bytes"} 1',
    );
    expect((await send(server, otherKey, "c")).statusCode).toBe(200);
    const deletion = {
      method: "DELETE",
      url: "/api/v1/protected/services/old",
      payload: { confirm: "old" },
    } as const;
    expect((await server.app.inject({ ...deletion, headers: person.headers })).statusCode).toBe(200);
    await expect.poll(async () => (await send(server, key, "c")).statusCode, { timeout: 20_000 }).toBe(200);
  } finally {
    await server.close();
  }
});

it("keeps parallel uploads within the organization's limit together", async () => {
  const env = { ORG_STORED_BYTES_MAX: String(2 * bytes) };
  const server = await startApp({ at: "2026-11-20T12:00:00.000Z", env });
  try {
    const key = await server.makeKey(await server.signUp());
    const names = ["a", "b", "c", "d", "e", "f"];
    const replies = await Promise.all(names.map((name) => send(server, key, name)));
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 403, 403, 403, 403]);
  } finally {
    await server.close();
  }
});

describe("the sum of stored bytes", () => {
  const orgId = "6f0e0c7e-8f4e-4a43-9c0a-3f1f9d1b7a10";
  const now = () => new Date("2026-11-20T12:00:00Z");

  it("is read once a minute, whatever is uploaded meanwhile", async () => {
    const clock = { ms: 1_000_000 };
    let stored = 0;
    let reads = 0;
    const store = {
      query: async () => {
        reads++;
        return [{ day: "2026-11-20", bytes: stored }] as never;
      },
      removalVersion: () => 0,
    };
    const log = { warn: () => undefined };
    const limit = new StoredBytesLimit({ store, log, now, elapsedMs: () => clock.ms });
    const refusalOf = async (size: number) => {
      const outcome = await limit.reserve(orgId, size, of100);
      if (!(outcome instanceof ReservedBytes)) return outcome;
      outcome.release();
      return undefined;
    };
    for (let i = 0; i < 5; i++) {
      expect(await refusalOf(20)).toBeUndefined();
      limit.noteAccepted(orgId, 20, ["2026-11-20"]);
    }
    expect(await refusalOf(1)).toMatchObject({ code: "quota_exceeded" });
    expect(reads).toBe(1);
    stored = 50;
    clock.ms += 60_000;
    await refusalOf(1);
    await expect.poll(() => refusalOf(50)).toBeUndefined();
    expect(await refusalOf(51)).toBeDefined();
    expect(reads).toBe(2);
    stored = 0;
    limit.noteRemoval();
    await refusalOf(51);
    await expect.poll(() => refusalOf(100)).toBeUndefined();
    expect(reads).toBe(3);
  });

  it("reads only days that may have changed, and all of them after a removal and once an hour", async () => {
    const clock = { ms: 0 };
    const stored = new Map([
      ["2026-11-01", 30],
      ["2026-11-20", 10],
    ]);
    let removalVersion = 0;
    const reads: (readonly string[] | "all")[] = [];
    const store = {
      query: async (_query: unknown, { days }: { days?: readonly string[] }) => {
        reads.push(days ?? "all");
        const rows = [...stored].map(([day, bytes]) => ({ day, bytes }));
        return rows.filter(({ day }) => days?.includes(day) ?? true) as never;
      },
      removalVersion: () => removalVersion,
    } as unknown as ConstructorParameters<typeof StoredBytesLimit>[0]["store"];
    const log = { warn: () => undefined };
    const limit = new StoredBytesLimit({ store, log, now, elapsedMs: () => clock.ms });
    const freeBytes = async () => {
      const outcome = await limit.reserve(orgId, 100, of100);
      if (outcome instanceof ReservedBytes) throw new Error("nothing is stored");
      return 100 - Number(/stores (\d+) bytes/.exec(outcome.message)?.[1]);
    };
    const later = async (ms: number, expected: number) => {
      clock.ms += ms;
      const before = reads.length;
      await freeBytes();
      await expect.poll(() => reads.length).toBe(before + 1);
      await expect.poll(freeBytes).toBe(expected);
    };
    expect(await freeBytes()).toBe(60);
    stored.set("2026-11-01", 35);
    stored.set("2026-11-20", 15);
    limit.noteAccepted(orgId, 10, ["2026-11-01", "2026-11-20"]);
    await later(60_000, 50);
    await later(60_000, 50);
    // Retention removed a day.
    stored.delete("2026-11-01");
    removalVersion++;
    await later(60_000, 85);
    // Another server stored a late upload, and its message was lost.
    stored.set("2026-11-02", 20);
    await later(60_000, 85);
    await later(3_600_000, 65);
    const recent = ["2026-11-20", "2026-11-19"];
    // The row of an upload may come after a read.
    const changed = [...recent, "2026-11-01"];
    expect(reads).toEqual(["all", changed, changed, "all", recent, "all"]);
  });

  it("includes what was accepted while it was read", async () => {
    const clock = { ms: 0 };
    let answer = Promise.resolve(40);
    const store = {
      query: async () => [{ day: "2026-11-20", bytes: await answer }] as never,
      removalVersion: () => 0,
    };
    const log = { warn: () => undefined };
    const limit = new StoredBytesLimit({ store, log, now, elapsedMs: () => clock.ms });
    const tryReserve = async (size: number) => {
      const outcome = await limit.reserve(orgId, size, of100);
      if (outcome instanceof ReservedBytes) outcome.release();
      return outcome instanceof ReservedBytes ? "reserved" : outcome.message;
    };
    expect(await tryReserve(60)).toBe("reserved");
    const read = Promise.withResolvers<number>();
    answer = read.promise;
    clock.ms += 60_000;
    await tryReserve(1);
    limit.noteAccepted(orgId, 30, ["2026-11-20"]);
    read.resolve(50);
    await expect.poll(() => tryReserve(21)).toContain("stores 80 bytes");
    expect(await tryReserve(20)).toBe("reserved");
  });

  it("counts pending uploads, with or without a declared length", async () => {
    const store = { query: async () => [{ day: "2026-11-20", bytes: 40 }] as never, removalVersion: () => 0 };
    const log = { warn: () => undefined };
    const limit = new StoredBytesLimit({ store, log, now, elapsedMs: () => 0 });
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => limit.reserve(orgId, 20, of100)));
    const reserved = outcomes.filter((outcome) => outcome instanceof ReservedBytes);
    expect(reserved.length).toBe(3);
    for (const each of reserved) each.release();
    const chunked = await limit.reserve(orgId, 0, of100);
    if (!(chunked instanceof ReservedBytes)) throw new Error(chunked.message);
    expect(chunked.grow(60)).toBeUndefined();
    expect(chunked.grow(1)).toMatchObject({ code: "quota_exceeded" });
    expect(await limit.reserve(orgId, 1, of100)).toMatchObject({ code: "quota_exceeded" });
    chunked.release();
    expect(await limit.reserve(orgId, 101, of100)).toMatchObject({
      message: expect.stringContaining("This upload has 101 bytes"),
    });
    expect(await limit.reserve(orgId, 60, of100)).toBeInstanceOf(ReservedBytes);
  });

  it("does not keep uploads out while it cannot be read", async () => {
    const store = { query: () => Promise.reject(new Error("away")), removalVersion: () => 0 };
    const warnings: unknown[] = [];
    const log = { warn: (...of: unknown[]) => void warnings.push(of) };
    const limit = new StoredBytesLimit({ store, log, now, elapsedMs: () => 0 });
    expect(await limit.reserve(orgId, 60, of100)).toBeInstanceOf(ReservedBytes);
    expect(await limit.reserve(orgId, 60, of100)).toMatchObject({ code: "quota_exceeded" });
    expect(warnings).toHaveLength(1);
  });
});
