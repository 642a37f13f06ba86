import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
  const person = await server.signUp();
  headers = person.headers;
  const key = await server.makeKey(person);
  const send = async (service: string, type: string, sampleTypes: string[], started_at: string) => {
    const profile = profileOf("main\na\n5,50", { sampleTypes, durationNs: 10_000_000_000n });
    await server.send(profile, { headers: key.headers, query: { service, type, started_at } });
  };
  const wall = ["sample/count", "wall/nanoseconds"];
  await send("node", "wall", wall, "2026-11-20T11:00:00Z");
  await send("node", "custom", wall, "2026-11-20T11:01:00Z");
  await send("node", "custom", ["sent/count", "sent/bytes"], "2026-11-20T11:02:00Z");
  await send("mail", "custom", ["sent/count", "sent/bytes"], "2026-11-20T11:02:00Z");
  await send("mail", "custom", wall, "2026-11-10T11:02:00Z");
});
afterAll(() => server.close());

async function get(path: string) {
  const reply = await server.app.inject({ method: "GET", url: `/api/v1/protected${path}`, headers });
  return { status: reply.statusCode, ...reply.json() };
}

test("wall-clock profiles of the range are counted apart from other custom ones", async () => {
  expect(await get("/profiles/service/node?since=24h&limit=1")).toMatchObject({
    counts_by_type: { custom: 3 },
    counts_by_display_type: { custom: 1, wall: 2 },
  });
  expect((await get("/profiles/service/mail?since=24h")).counts_by_display_type).toEqual({ custom: 1 });
  expect((await get("/profiles?since=720h")).counts_by_display_type).toEqual({ custom: 2, wall: 3 });
  const { services } = await get("/services?since=24h&include_totals=true");
  expect(
    services.map(({ name, profiles_by_display_type: counts }: Record<string, unknown>) => [name, counts]),
  ).toEqual([
    ["mail", { custom: 1 }],
    ["node", { custom: 1, wall: 2 }],
  ]);
});

test.each([
  ["type=custom", ["custom", "wall", "wall"]],
  ["type=wall", ["wall", "wall"]],
  ["display_type=custom", ["custom"]],
  ["display_type=wall", ["wall", "wall"]],
  ["display_type=cpu", []],
])("%s lists the profiles that it names", async (filter, shown) => {
  for (const path of ["/profiles/service/node?since=24h", "/profiles?since=24h&service=node"]) {
    const { profiles } = await get(`${path}&${filter}`);
    expect(profiles.map(({ display_type }: Record<string, unknown>) => display_type)).toEqual(shown);
  }
});

test("pages of display_type=custom skip the wall-clock profiles between them", async () => {
  const first = await get("/profiles?since=24h&display_type=custom&limit=1");
  const second = await get(`/profiles?since=24h&display_type=custom&limit=1&cursor=${first.next_cursor}`);
  const pages = [first, second].map(({ profiles, next_cursor }) => [profiles.length, next_cursor === null]);
  expect(pages).toEqual([
    [1, false],
    [1, true],
  ]);
  expect(second.profiles[0].service).not.toBe(first.profiles[0].service);
});

test("type and display_type together are refused", async () => {
  expect(await get("/profiles?type=custom&display_type=custom")).toMatchObject({
    status: 400,
    code: "invalid",
    error: "Give type or display_type, not both.",
  });
});

test("the flame graph of a range takes wall for custom profiles of wall time", async () => {
  const graph = await get("/flamegraph/service/node/wall?since=24h");
  expect(graph).toMatchObject({ status: 200, type: "custom", profiles_merged: 2 });
  expect(await get("/flamegraph/service/mail/wall?since=24h")).toMatchObject({ status: 422 });
});
