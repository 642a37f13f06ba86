import { dayMs } from "@flamekeep/contract/durations";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, it, test } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { daysToRemove, removeBySize } from "./by-size.ts";

test("as many of the oldest days are removed as are needed, and none if all are not enough", () => {
  const days = [
    { day: "2026-11-03", bytes: 5 },
    { day: "2026-11-01", bytes: 10 },
    { day: "2026-11-02", bytes: 20 },
  ];
  const names = (bytes: number) => daysToRemove(days, bytes)?.map(({ day }) => day);
  expect(names(1)).toEqual(["2026-11-01"]);
  expect(names(10)).toEqual(["2026-11-01"]);
  expect(names(11)).toEqual(["2026-11-01", "2026-11-02"]);
  expect(names(35)).toEqual(["2026-11-01", "2026-11-02", "2026-11-03"]);
  expect(names(36)).toBeUndefined();
  expect(daysToRemove([], 1)).toBeUndefined();
});

let server: TestApp;
let operator: Person;
const GB = 2 ** 30;

beforeAll(async () => {
  server = await startApp({
    hasSeparateColumns: true,
    at: "2026-11-20T12:00:00.000Z",
    env: { RETENTION_FREE_GB: "200" },
  });
  operator = await server.signUp();
});
afterAll(() => server.close());

/** With so many bytes too few on the disk. */
const removeWith = (missingBytes: number, now = server.ctx.now()) => {
  const freeBytes = async () => 200 * GB - missingBytes;
  const ctx = { ...server.ctx, now: () => now, disk: { ...server.ctx.disk, freeBytes } };
  return removeBySize(ctx, undefined, async () => 50 * GB);
};

async function warnings(): Promise<{ name: string; message: string }[]> {
  const reply = await server.app.inject({ url: "/api/v1/status", headers: operator.headers });
  return reply.json().warnings;
}

it("removes the oldest days of all organizations, never today, and warns the operator", async () => {
  const other = await server.signUp();
  const sent: { person: Person; daysAgo: number; id: string }[] = [];
  for (const person of [operator, other]) {
    const { headers } = await server.makeKey(person);
    for (const daysAgo of [3, 2, 0]) {
      const started_at = new Date(server.ctx.now().getTime() - daysAgo * dayMs).toISOString();
      const { profile_id } = await server.send(profileOf("main\n1"), { headers, query: { started_at } });
      sent.push({ person, daysAgo, id: profile_id });
    }
  }
  const stored = async () => {
    const found = await Promise.all(
      sent.map(async ({ person, daysAgo, id }) => {
        const url = `/api/v1/protected/profile/${id}`;
        const { statusCode } = await server.app.inject({ url, headers: person.headers });
        expect((await server.ctx.payloads.read(person.orgId, id)) !== undefined).toBe(statusCode === 200);
        return statusCode === 200 ? [daysAgo] : [];
      }),
    );
    return found.flat().toSorted();
  };
  expect(await stored()).toEqual([0, 0, 2, 2, 3, 3]);
  expect(await removeWith(0)).toEqual([]);
  expect(await warnings()).toEqual([]);

  expect(await removeWith(1)).toEqual(["2026-11-17"]);
  expect(await stored()).toEqual([0, 0, 2, 2]);
  expect(server.logged.join("\n")).toContain("removing the oldest days of all organizations");
  expect(await warnings()).toMatchObject([
    {
      name: "old days are removed early",
      message: expect.stringMatching(
        /^The days 2026-11-17 of all .* other files 50\.0 GB; 200\.0 GB were free/,
      ),
    },
  ]);

  // More than all days before today have: others fill the disk.
  expect(await removeWith(100 * GB)).toEqual([]);
  expect(await stored()).toEqual([0, 0, 2, 2]);
  expect(server.logged.join("\n")).toContain("REMOVAL BY SIZE CANNOT FREE ENOUGH");
  expect(await warnings()).toMatchObject([{ name: "removal by size cannot free enough" }]);
  const reply = await server.app.inject({ url: "/api/v1/status", headers: other.headers });
  expect(JSON.stringify(reply.json().warnings)).not.toContain("50.0 GB");

  expect(await removeWith(0)).toEqual([]);
  expect(await warnings()).toEqual([]);
  expect(await removeWith(1)).toEqual(["2026-11-18"]);
  await removeWith(0);
  expect(await warnings()).toHaveLength(1);
  await removeWith(0, new Date(server.ctx.now().getTime() + 2 * dayMs));
  expect(await warnings()).toEqual([]);
  expect(await stored()).toEqual([0, 0]);
});
