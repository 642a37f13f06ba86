import type { SeriesChart, ServiceSeries } from "@flamekeep/contract";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
let person: Person;
let keyHeaders: Record<string, string>;

const sampleTypes = {
  cpu: ["samples/count", "cpu/nanoseconds"],
  memory: ["alloc_objects/count", "inuse_space/bytes"],
  goroutine: ["goroutine/count"],
  custom: ["connections/count"],
  wall: ["samples/count", "wall/nanoseconds"],
} as const;

interface Sent {
  readonly kind: keyof typeof sampleTypes;
  /** Minutes after ten o'clock. */
  readonly minute: number;
  /** The last of the sample types; the others are 1. */
  readonly value: number;
  readonly tags?: Readonly<Record<string, string>>;
  readonly service?: string;
}

async function send({ kind, minute, value, tags = {}, service = "checkout" }: Sent) {
  const types = sampleTypes[kind];
  const values = types.map((_, index) => (index === types.length - 1 ? value : 1));
  const profile = profileOf(`main\n${values.join()}`, {
    sampleTypes: [...types],
    durationNs: kind === "cpu" || kind === "wall" ? 10_000_000_000n : 0n,
  });
  const started_at = new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString();
  const tagQuery = Object.fromEntries(Object.entries(tags).map(([name, text]) => [`tag.${name}`, text]));
  await server.send(profile, {
    headers: keyHeaders,
    query: { service, type: kind, started_at, ...tagQuery },
  });
}

beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
  person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
  const eu = { region: "eu", version: "1" };
  const us = { region: "us", version: "1" };
  await send({ kind: "cpu", minute: 5, value: 1000, tags: eu });
  await send({ kind: "cpu", minute: 10, value: 300, tags: us });
  await send({ kind: "cpu", minute: 65, value: 2000, tags: { ...eu, version: "2" } });
  await send({ kind: "cpu", minute: 70, value: 4, tags: {} });
  await send({ kind: "cpu", minute: 71, value: 9, tags: eu, service: "other" });
  await send({ kind: "memory", minute: 6, value: 100, tags: eu });
  await send({ kind: "memory", minute: 7, value: 300, tags: us });
  await send({ kind: "memory", minute: 8, value: 50, tags: us });
  await send({ kind: "custom", minute: 90, value: 7 });
  await send({ kind: "wall", minute: 95, value: 800 });
});
afterAll(() => server.close());

async function get(path: string, query: Record<string, string | string[]> = {}, as = person) {
  const url = `/api/v1/protected/series/service/${path}`;
  const range = { from: "2026-11-20T10:00:00Z", bucket: "1h" };
  const reply = await server.app.inject({
    method: "GET",
    url,
    query: { ...range, ...query },
    headers: as.headers,
  });
  return { status: reply.statusCode, body: reply.json() as ServiceSeries & { error: string } };
}

async function chartOf(path: string, query: Record<string, string | string[]> = {}, as = person) {
  const { status, body } = await get(path, query, as);
  expect(status).toBe(200);
  expect(body.charts).toHaveLength(1);
  return body.charts[0]!;
}

/** Value of the tag, total and values by bucket. */
function linesOf({ lines }: SeriesChart) {
  return lines.map(({ value, total, values }) => [value, total, values]);
}

describe("the series of a service", () => {
  it("is the sum of each bucket, with what is needed for a rate, and null where nothing was sent", async () => {
    const { body } = await get("checkout/cpu", { from: "2026-11-20T09:00:00Z" });
    expect(body).toEqual({
      group_by_label: null,
      labels: {},
      service: "checkout",
      bucket: "1h",
      bucket_widened: false,
      from: "2026-11-20T09:00:00.000Z",
      to: "2026-11-20T12:00:00.000Z",
      complete_from: "2026-11-20T09:00:00.000Z",
      complete_to: "2026-11-20T12:00:00.000Z",
      group_by: null,
      tags: {},
      charts: [
        {
          type: "cpu",
          sample_types: ["samples/count", "cpu/nanoseconds"],
          sample_type: "cpu/nanoseconds",
          aggregation: "sum",
          lines: [
            {
              value: "",
              total: 3304,
              profiles: 4,
              values: [null, 1300, 2004],
              profile_counts: [0, 2, 2],
              durations_ms: [0, 20_000, 20_000],
            },
          ],
          other: null,
        },
      ],
    });
  });

  it.each([
    ["samples", "samples/count", 4, [2, 2]],
    ["cpu/nanoseconds", "cpu/nanoseconds", 3304, [1300, 2004]],
  ])("is of any sample type: %s", async (sample_type, name, total, values) => {
    const chart = await chartOf("checkout/cpu", { sample_type });
    expect([chart.sample_type, linesOf(chart)]).toEqual([name, [["", total, values]]]);
  });

  it("has the mean of gauges", async () => {
    const chart = await chartOf("checkout/memory");
    expect(chart).toMatchObject({ sample_type: "inuse_space/bytes", aggregation: "mean" });
    expect(linesOf(chart)).toEqual([["", 150, [150, null]]]);
    const byRegion = await chartOf("checkout/memory", { group_by: "region" });
    expect(linesOf(byRegion)).toEqual([
      ["us", 175, [175, null]],
      ["eu", 100, [100, null]],
    ]);
  });

  it("has a line for each value of a tag, the largest first, and one for profiles without the tag", async () => {
    const chart = await chartOf("checkout/cpu", { group_by: "version" });
    expect(linesOf(chart)).toEqual([
      ["2", 2000, [null, 2000]],
      ["1", 1300, [1300, null]],
      ["", 4, [null, 4]],
    ]);
    expect(chart.lines[1]).toMatchObject({
      profiles: 2,
      profile_counts: [2, 0],
      durations_ms: [20_000, 0],
    });
  });

  it.each([
    [{ "tag.region": "eu" }, [["", 3000, [1000, 2000]]]],
    [{ tags: ["region:eu", "version:1"] }, [["", 1000, [1000, null]]]],
    [{ tags: "region:ap" }, []],
    [
      { tags: "region:eu", group_by: "version" },
      [
        ["2", 2000, [null, 2000]],
        ["1", 1000, [1000, null]],
      ],
    ],
  ])("is only of profiles with the tags %j", async (query, lines) => {
    expect(linesOf(await chartOf("checkout/cpu", query as Record<string, string>))).toEqual(lines);
  });

  it("sums values after the eighth as others", async () => {
    const pods = Array.from({ length: 11 }, (_, index) => index + 1);
    await Promise.all(
      pods.flatMap((pod) => {
        const shared = { kind: "cpu", service: "pods", tags: { pod: `pod-${pod}` } } as const;
        return [
          send({ ...shared, minute: pod, value: pod * 10 }),
          send({ ...shared, minute: 60 + pod, value: pod }),
        ];
      }),
    );
    const chart = await chartOf("pods/cpu", { group_by: "pod" });
    expect(chart.lines.map((line) => line.value)).toEqual(
      [11, 10, 9, 8, 7, 6, 5, 4].map((pod) => `pod-${pod}`),
    );
    expect(chart.lines[0]).toMatchObject({ total: 121, values: [110, 11] });
    expect(chart.other).toEqual({
      groups: 3,
      total: 66,
      profiles: 6,
      values: [60, 6],
      profile_counts: [3, 3],
      durations_ms: [30_000, 30_000],
    });
  });

  it("of all types has a chart for each type with profiles, wall time apart from custom", async () => {
    const { body } = await get("checkout/all");
    expect(body.charts.map(({ type, sample_type, lines }) => [type, sample_type, lines[0]?.values])).toEqual([
      ["cpu", "cpu/nanoseconds", [1300, 2004]],
      ["memory", "inuse_space/bytes", [150, null]],
      ["custom", "connections/count", [null, 7]],
      ["wall", "wall/nanoseconds", [null, 800]],
    ]);
    const filtered = await get("checkout/all", { tags: "region:us" });
    expect(filtered.body.charts.map(({ type, lines }) => [type, lines[0]?.values])).toEqual([
      ["cpu", [300, null]],
      ["memory", [175, null]],
    ]);
    expect((await chartOf("checkout/wall")).sample_types).toEqual(["samples/count", "wall/nanoseconds"]);
    expect((await chartOf("checkout/custom")).sample_types).toEqual(["connections/count"]);
  });

  it.each([
    ["it's`\"\\", "'; DROP TABLE profiles --"],
    ["{orgId:UUID}", "{service:String}"],
    ["ключ", "\u{1f525} value"],
    ["a:b=c&d", "x:y"],
  ])("takes the tag %j as it was sent", async (name, value) => {
    const service = `hostile-${Buffer.from(name).toString("hex")}`;
    await send({ kind: "cpu", minute: 5, value: 5, service, tags: { [name]: value } });
    await send({ kind: "cpu", minute: 6, value: 6, service });
    const path = `${encodeURIComponent(service)}/cpu`;
    const split = await chartOf(path, { group_by: name });
    expect(linesOf(split)).toEqual([
      ["", 6, [6, null]],
      [value, 5, [5, null]],
    ]);
    const filtered = await chartOf(path, { [`tag.${name}`]: value });
    expect(linesOf(filtered)).toEqual([["", 5, [5, null]]]);
  });

  it("is empty for an unknown service, a type without profiles and another organization", async () => {
    const stranger = await server.signUp();
    expect(await chartOf("nobody/cpu")).toMatchObject({ sample_types: [], lines: [], other: null });
    expect(await chartOf("checkout/mutex")).toMatchObject({ sample_type: "delay/nanoseconds", lines: [] });
    for (const query of [{}, { group_by: "region" }, { tags: "region:eu" }]) {
      expect((await chartOf("checkout/cpu", query, stranger)).lines).toEqual([]);
    }
    expect((await get("nobody/all")).body.charts).toEqual([]);
  });

  it.each([
    ["checkout/gpu", {}, 400, "type"],
    ["checkout/cpu", { bucket: "30s" }, 400, "bucket must be a span of whole minutes"],
    ["checkout/cpu", { group_by: "" }, 400, "group_by"],
    ["checkout/cpu", { tags: "region" }, 400, "NAME:VALUE"],
    ["checkout/all", { sample_type: "cpu" }, 400, "sample_type needs a type other than all"],
    ["checkout/cpu", { sample_type: "wall" }, 422, "it has samples, cpu"],
  ])("refuses %s %j", async (path, query, status, text) => {
    const { status: found, body } = await get(path, query as Record<string, string>);
    expect([found, body.error]).toEqual([status, expect.stringContaining(text)]);
  });
});
