import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { readDeploys } from "./deploys.ts";

let server: TestApp;
let person: Person;
let keyHeaders: Record<string, string>;

beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
  person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
  await send("2026-11-20T10:00:00Z", { region: "eu", version: "1.0" });
  await send("2026-11-20T10:30:00Z", { region: "eu", version: "1.1" });
  await send("2026-11-20T11:00:00Z", { region: "us", version: "1.1" });
  await send("2026-11-20T11:30:00Z", { region: "us" }, "goroutine");
  await send("2026-11-18T11:30:00Z", { region: "old", zone: "z" });
});
afterAll(() => server.close());

async function send(
  started_at: string,
  tags: Readonly<Record<string, string>>,
  type: "cpu" | "goroutine" = "cpu",
  service = "checkout",
) {
  const sampleTypes = type === "cpu" ? ["samples/count", "cpu/nanoseconds"] : ["goroutine/count"];
  const profile = profileOf(`main\n${sampleTypes.map(() => 1).join()}`, { sampleTypes });
  const tagQuery = Object.fromEntries(Object.entries(tags).map(([name, text]) => [`tag.${name}`, text]));
  await server.send(profile, { headers: keyHeaders, query: { service, type, started_at, ...tagQuery } });
}

const minuteAfterNine = (minute: number) => new Date(Date.UTC(2026, 10, 20, 9, minute)).toISOString();

async function get(call: "tags" | "deploys", query: Record<string, string> = {}, as = person) {
  return getOf(call, "checkout", query, as);
}

async function getOf(
  call: "tags" | "deploys",
  service: string,
  query: Record<string, string> = {},
  as = person,
) {
  const url = `/api/v1/protected/${call}/service/${encodeURIComponent(service)}`;
  const reply = await server.app.inject({ method: "GET", url, query, headers: as.headers });
  expect(reply.statusCode).toBe(200);
  return reply.json();
}

describe("the tags of a service", () => {
  it("are those of the range, with the number of profiles", async () => {
    expect(await get("tags")).toEqual({
      tags: [
        {
          name: "region",
          profiles: 4,
          values: [
            { value: "eu", profiles: 2 },
            { value: "us", profiles: 2 },
          ],
          values_total: 2,
        },
        {
          name: "version",
          profiles: 3,
          values: [
            { value: "1.1", profiles: 2 },
            { value: "1.0", profiles: 1 },
          ],
          values_total: 2,
        },
      ],
      tags_total: 2,
    });
  });

  it.each([
    [{ type: "goroutine" }, { region: ["us"] }],
    [{ tags: "version:1.1" }, { region: ["eu", "us"], version: ["1.1"] }],
    [{ name: "region" }, { region: ["eu", "us"] }],
    [{ name: "region", q: "U" }, { region: ["eu", "us"] }],
    [{ q: "1.0" }, { version: ["1.0"] }],
    [
      { from: "2026-11-18", to: "2026-11-19" },
      { region: ["old"], zone: ["z"] },
    ],
    [{ type: "mutex" }, {}],
    [{ type: "wall" }, {}],
  ])("are limited by %j", async (query, expected) => {
    const { tags } = await get("tags", query as Record<string, string>);
    expect(
      Object.fromEntries(
        tags.map((tag: { name: string; values: { value: string }[] }) => [
          tag.name,
          tag.values.map(({ value }) => value),
        ]),
      ),
    ).toEqual(expected);
  });

  it("are at most a hundred values of each, with the number of all", async () => {
    await Promise.all(
      Array.from({ length: 103 }, (_, pod) =>
        send(minuteAfterNine(pod), { pod: `pod-${String(pod).padStart(3, "0")}` }, "cpu", "many"),
      ),
    );
    const { tags, tags_total } = await getOf("tags", "many");
    expect([tags.length, tags_total, tags[0].values.length, tags[0].values_total]).toEqual([1, 1, 100, 103]);
    expect(tags[0].values[0]).toEqual({ value: "pod-000", profiles: 1 });
  });

  it("may have any name and value", async () => {
    const name = "it's` {orgId:UUID}";
    await send("2026-11-20T11:00:00Z", { [name]: "'; DROP --" }, "cpu", "odd");
    const { tags } = await getOf("tags", "odd", { name, q: "'; drop" });
    expect(tags).toEqual([
      { name, profiles: 1, values: [{ value: "'; DROP --", profiles: 1 }], values_total: 1 },
    ]);
  });

  it("of another organization are not shown", async () => {
    const stranger = await server.signUp();
    expect(await get("tags", {}, stranger)).toEqual({ tags: [], tags_total: 0 });
  });
});

describe("the deploys of a service", () => {
  it("are the first profiles with a new version", async () => {
    expect(await get("deploys")).toEqual({
      deploys: [{ timestamp: "2026-11-20T10:30:00.000Z", tag: "version", value: "1.1", previous: "1.0" }],
      deploys_total: 1,
    });
  });

  it("do not repeat a version that was there before the range", async () => {
    expect(await get("deploys", { from: "1h" })).toEqual({ deploys: [], deploys_total: 0 });
    expect(await get("deploys", { from: "2026-11-20T10:15:00Z" })).toMatchObject({ deploys_total: 1 });
  });

  it("name the version that appeared before, and count one tag of each profile", async () => {
    const service = "search";
    await send("2026-11-19T10:00:00Z", { git_sha: "aaa" }, "cpu", service);
    await send("2026-11-20T09:00:00Z", { service_version: "2", git_sha: "bbb" }, "goroutine", service);
    await send("2026-11-20T09:05:00Z", { service_version: "2", git_sha: "bbb" }, "cpu", service);
    await send("2026-11-20T10:00:00Z", { git_sha: "aaa" }, "cpu", service);
    await send("2026-11-20T11:00:00Z", { version: "3", service_version: "4" }, "cpu", service);
    expect((await getOf("deploys", service)).deploys).toEqual([
      { timestamp: "2026-11-20T09:00:00.000Z", tag: "service_version", value: "2", previous: "aaa" },
      { timestamp: "2026-11-20T11:00:00.000Z", tag: "version", value: "3", previous: "2" },
    ]);
    expect((await getOf("deploys", service, { from: "3d" })).deploys).toHaveLength(2);
  });

  it("are not the versions that were known before midnight", async () => {
    const service = "night";
    for (const hour of ["19T22:00", "20T00:30"])
      await send(`2026-11-${hour}:00Z`, { version: "1" }, "cpu", service);
    for (const hour of ["19T23:00", "20T00:40"])
      await send(`2026-11-${hour}:00Z`, { version: "2" }, "cpu", service);
    expect(await getOf("deploys", service)).toEqual({
      deploys: [{ timestamp: "2026-11-19T23:00:00.000Z", tag: "version", value: "2", previous: "1" }],
      deploys_total: 1,
    });
    expect(await getOf("deploys", service, { from: "2026-11-20T00:00:00Z" })).toEqual({
      deploys: [],
      deploys_total: 0,
    });
  });

  it("are the same where a service has more versions than are read of whole days", async () => {
    const service = "pods";
    const firsts = { a: "19T01:00", b: "19T02:00", c: "19T03:00", d: "20T02:00", e: "20T03:00" };
    for (const [version, at] of Object.entries(firsts))
      await send(`2026-11-${at}:00Z`, { version }, "cpu", service);
    // The oldest version still sends.
    await send("2026-11-20T04:00:00Z", { version: "a" }, "cpu", service);
    const { orgId } = person;
    const read = (from: string, versionsMax?: number) =>
      readDeploys(
        server.ctx.columns,
        { orgId, service, fromMs: Date.parse(from), toMs: Date.parse("2026-11-20T12:00:00Z") },
        versionsMax,
      );
    for (const from of ["2026-11-20T00:00:00Z", "2026-11-19T00:00:00Z"]) {
      const all = await read(from);
      expect(all.deploys.map(({ value }) => value)).toEqual(
        ["b", "c", "d", "e"].slice(from.includes("-20T") ? 2 : 0),
      );
      expect(await read(from, 2)).toEqual(all);
    }
  });

  it("are at most the latest hundred", async () => {
    await Promise.all(
      Array.from({ length: 104 }, (_, build) =>
        send(minuteAfterNine(build), { version: `build ${build}` }, "cpu", "ci"),
      ),
    );
    const { deploys, deploys_total } = await getOf("deploys", "ci");
    expect([deploys.length, deploys_total]).toEqual([100, 103]);
    expect([deploys[0].previous, deploys[0].value]).toEqual(["build 3", "build 4"]);
    expect([deploys[99].previous, deploys[99].value]).toEqual(["build 102", "build 103"]);
  });

  it("of another organization, and of a service without versions, are not shown", async () => {
    const stranger = await server.signUp();
    expect(await get("deploys", {}, stranger)).toEqual({ deploys: [], deploys_total: 0 });
    expect((await getOf("deploys", "many")).deploys).toEqual([]);
  });
});
