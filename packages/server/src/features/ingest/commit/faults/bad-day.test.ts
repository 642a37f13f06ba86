import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Picture, pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedCounts, storedFolded, storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const badDay = "2026-11-15";
const noonOf = (day: string) => Date.parse(`${day}T12:00:00Z`);

let server: TestApp;
beforeEach(async () => {
  server = await startApp({ hasSeparateColumns: true, at: "2026-11-20T12:00:00.000Z" });
});
afterEach(() => server.close());

/** A file where the folder of the day belongs. */
const folderOf = (day: string) => join(server.ctx.config.dataDir, "uploads", day);

async function sender() {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const send = async (picture: Picture, startedAtMs: number, type = "cpu") => {
    const query = { type, started_at: String(startedAtMs) };
    const reply = await server.trySend(pprofOf(picture), { headers, query });
    return { status: reply.statusCode, retryAfter: reply.headers["retry-after"], ...reply.json() };
  };
  return { ...person, send };
}

const cpu = (name: string): Picture => ({
  sampleTypes: ["samples/count", "cpu/nanoseconds"],
  samples: [[`main;${name}`, 1, 10]],
  durationNs: 1n,
});
const mutex = (contentions: number): Picture => ({
  sampleTypes: ["contentions/count", "delay/nanoseconds"],
  samples: [["main;lock", contentions, 100 * contentions]],
});

const addedOf = async (orgId: string) =>
  (await storedProfiles(server.ctx.columns, orgId)).map(({ deltas_totals }) => deltas_totals[0]!);

test("the other days of a batch with a day that cannot be written are stored once and completely", async () => {
  const { send, orgId } = await sender();
  writeFileSync(folderOf(badDay), "");
  const uploads = [badDay, "2026-11-16", badDay, "2026-11-20"].map((day, index) =>
    send(cpu(`handle${index}`), noonOf(day) + index),
  );
  const replies = await Promise.all(uploads);
  expect(replies.map(({ status }) => status)).toEqual([503, 200, 503, 200]);
  expect(replies[0]).toMatchObject({
    code: "unavailable",
    retryAfter: "60",
    error: expect.stringContaining(`Profiles of ${badDay} cannot be stored now: their files cannot be used`),
  });
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 2, payloads: 2, rolledUp: 2 });
  rmSync(folderOf(badDay));
  // The stacks were sent with the refused upload, and are not sent again.
  expect(await send(cpu("handle0"), noonOf(badDay))).toMatchObject({ status: 200, duplicate: false });
  expect(await send(cpu("handle1"), noonOf("2026-11-16") + 1)).toMatchObject({
    status: 200,
    duplicate: true,
  });
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 3, payloads: 3, rolledUp: 3 });
  const folded = await storedFolded(server.ctx.columns, orgId, "samples/count");
  expect(folded.toSorted()).toEqual(["main;handle0 1", "main;handle1 1", "main;handle3 1"]);
});

test("snapshots are not compared with one that was refused because of its day", async () => {
  const { send, orgId } = await sender();
  const begin = Date.parse(`${badDay}T00:00:00Z`);
  const end = begin + 86_400_000;
  const minute = 60_000;
  await send(mutex(10), begin - 5 * minute, "mutex");
  writeFileSync(folderOf(badDay), "");
  // Both on their way together: the second is usually compared with the first.
  const [refused, dependent] = await Promise.all([
    send(mutex(30), end - minute, "mutex"),
    send(mutex(31), end + minute, "mutex"),
  ]);
  expect([refused.status, dependent.status]).toEqual([503, 200]);
  rmSync(folderOf(badDay));
  expect((await send(mutex(30), end - minute, "mutex")).status).toBe(200);
  expect((await send(mutex(36), end + 2 * minute, "mutex")).status).toBe(200);
  const [first, again, third, last] = await addedOf(orgId);
  expect([first, last]).toEqual([0n, 5n]);
  // The dependent one was compared again, and what is stored before it is more than a day older: then it is the first, and the one that
  // was sent again adds the growth up to it. Or its thread was quicker, and it was compared with the one before.
  expect([
    [1n, 0n],
    [0n, 21n],
  ]).toContainEqual([again, third]);
});
