import type { IngestedProfile, ProfileLabels } from "@flamekeep/contract";
import { ServiceLabels } from "@flamekeep/contract/schemas";
import { readStacks } from "@flamekeep/profile";
import { inflatedRecording, labelsOfRecordings, recordedFile } from "@flamekeep/profile/testing/recordings";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { type Labels, labelled } from "#testing/labelled-profile.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
let person: Person;
let keyHeaders: Record<string, string>;

const range = { from: "2026-11-20T10:00:00Z", to: "2026-11-20T13:00:00Z" };

beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true, at: "2026-11-20T12:30:30.000Z" });
  person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
  await send("2026-11-20T10:15:00Z", [{ handler: "/checkout", tenant: "acme" }, { handler: "/cart" }, {}]);
  await send("2026-11-20T10:45:00Z", [{ handler: "/checkout" }, {}, { tenant: "acme" }], {
    "tag.region": "eu",
  });
  await send("2026-11-20T12:15:00Z", [{}, {}, {}]);
});
afterAll(() => server.close());

function send(startedAt: string, samples: readonly Labels[], tags: Labels = {}) {
  return server.send(labelled(samples), {
    headers: keyHeaders,
    query: { service: "shop", type: "cpu", started_at: startedAt, ...tags },
  });
}

async function get<T>(path: string, query: Record<string, string | string[]> = {}, as = person): Promise<T> {
  const reply = await server.app.inject({
    method: "GET",
    url: `/api/v1/protected/${path}`,
    query,
    headers: as.headers,
  });
  expect([path, reply.statusCode, reply.statusCode === 200 ? "" : reply.body]).toEqual([path, 200, ""]);
  return reply.json();
}

interface Node {
  readonly function_name: string;
  readonly total_value: number;
  readonly sample_count: number;
  readonly children: readonly Node[];
}

interface Graph {
  readonly root: Node;
  readonly total_samples: number;
}

/** The leaves of a graph as `main;serve;read 10`. */
function folded({ root }: Graph): string[] {
  const lines = (node: Node, path: readonly string[]): string[] =>
    node.children.length === 0
      ? [`${path.join(";")} ${node.total_value}`]
      : node.children.flatMap((child) => lines(child, [...path, child.function_name]));
  return lines(root, []).sort();
}

const merged = (query: Record<string, string | string[]> = {}) =>
  get<Graph & { readonly labels: Labels; readonly profiles_merged: number }>("flamegraph/service/shop/cpu", {
    ...range,
    ...query,
  });

describe("the merged flame graph", () => {
  it("has the samples with the labels only, and says which", async () => {
    const graph = await merged({ labels: "handler:/checkout" });
    expect(folded(graph)).toEqual(["main;serve;read 20"]);
    expect(graph).toMatchObject({ total_samples: 20, labels: { handler: "/checkout" }, profiles_merged: 3 });
    expect(folded(await merged({ labels: ["handler:/checkout", "tenant:acme"] }))).toEqual([
      "main;serve;read 10",
    ]);
    expect(folded(await merged({ labels: "handler:/checkout", tags: "region:eu" }))).toEqual([
      "main;serve;read 10",
    ]);
    expect((await merged({ labels: "handler:/nowhere" })).total_samples).toBe(0);
  });

  it("has the samples without a label for an empty value", async () => {
    const graph = await merged({ labels: "handler:" });
    expect(folded(graph)).toEqual(["main;serve;read 10", "main;serve;write 160"]);
  });

  it("has the values of a label as roots, which sum to the whole", async () => {
    const [whole, grouped] = [await merged(), await merged({ group_by_label: "handler" })];
    expect(folded(grouped)).toEqual([
      "handler: /cart;main;serve;write 20",
      "handler: /checkout;main;serve;read 20",
      "without handler;main;serve;read 10",
      "without handler;main;serve;write 160",
    ]);
    expect(grouped.total_samples).toBe(whole.total_samples);
    expect(grouped.root.total_value).toBe(whole.root.total_value);
    expect(grouped.root.sample_count).toBe(whole.root.sample_count);
  });

  it("refuses a filter without a value, and is private to the organization", async () => {
    const url = "/api/v1/protected/flamegraph/service/shop/cpu";
    const refused = await server.app.inject({ url, query: { labels: "handler" }, headers: person.headers });
    expect([refused.statusCode, refused.json().error]).toEqual([
      400,
      "Query parameter labels must be NAME:VALUE, such as handler:/checkout",
    ]);
    const stranger = await server.signUp();
    const other = await server.app.inject({
      url,
      query: { ...range, labels: "handler:/checkout" },
      headers: stranger.headers,
    });
    expect(other.json().total_samples).toBe(0);
  });
});

describe("the labels of a service", () => {
  it("have the total of each value, largest first", async () => {
    const reply = await get<ServiceLabels>("labels/service/shop/cpu", range);
    expect(ServiceLabels.safeParse(reply).error?.issues ?? []).toEqual([]);
    expect(reply).toMatchObject({
      total: 210,
      profiles_merged: 3,
      profiles_unrecorded: 0,
      aggregation: "sum",
      keys_total: 2,
      keys: [
        {
          name: "tenant",
          total: 50,
          values: [{ value: "acme", total: 50 }],
          values_total: 1,
          folded_total: null,
        },
        {
          name: "handler",
          total: 40,
          values: [
            { value: "/cart", total: 20 },
            { value: "/checkout", total: 20 },
          ],
        },
      ],
    });
    const within = await get<ServiceLabels>("labels/service/shop/cpu", { ...range, labels: "tenant:acme" });
    expect(within).toMatchObject({ total: 50, keys: [{ name: "tenant" }, { name: "handler", total: 10 }] });
  });

  it("have the values of endpoints and threads, and fold those of spans and requests", async () => {
    const labels = (value: string) => ({
      "trace endpoint": value,
      thread_name: value,
      "span id": value,
      request_id: value,
    });
    const query = { service: "traced", type: "cpu", started_at: "2026-11-20T11:15:00Z" };
    await server.send(labelled([labels("a"), labels("b"), {}]), { headers: keyHeaders, query });
    const { keys } = await get<ServiceLabels>("labels/service/traced/cpu", range);
    const values = keys.map((key) => [key.name, key.values.map(({ value }) => value), key.folded_total]);
    expect(values.sort()).toEqual([
      ["request_id", [], 30],
      ["span id", [], 30],
      ["thread_name", ["b", "a"], null],
      ["trace endpoint", ["b", "a"], null],
    ]);
  });

  it("are lines of a timeline that add up", async () => {
    const series = await get<{ charts: { lines: { value: string; total: number; values: number[] }[] }[] }>(
      "series/service/shop/cpu",
      { ...range, bucket: "1h", group_by_label: "handler" },
    );
    const [{ lines } = { lines: [] }] = series.charts;
    expect(lines.map(({ value, total, values }) => [value, total, values])).toEqual([
      ["", 170, [100, null, 70]],
      ["/cart", 20, [20, null, 0]],
      ["/checkout", 20, [20, null, 0]],
    ]);
    const filtered = await get<typeof series>("series/service/shop/cpu", {
      ...range,
      bucket: "1h",
      labels: "handler:/checkout",
    });
    expect(filtered.charts[0]!.lines.map(({ value, values }) => [value, values])).toEqual([
      ["", [20, null, 0]],
    ]);
  });

  it("can be compared", async () => {
    const diff = await get<{ before: { total: number }; after: { total: number; labels: Labels } }>(
      "flamegraph/diff",
      {
        service: "shop",
        type: "cpu",
        before_from: range.from,
        before_to: range.to,
        after_from: range.from,
        after_to: range.to,
        before_labels: "handler:/cart",
        after_labels: "handler:",
      },
    );
    expect(diff).toMatchObject({ before: { total: 20 }, after: { total: 170, labels: { handler: "" } } });
  });
});

test("profiles that were stored before labels were recorded do not count, and their number is in the reply", async () => {
  const { headers, ...owner } = await server.signUp();
  const key = await server.makeKey({ headers, ...owner });
  const query = { service: "shop", type: "cpu", started_at: "2026-11-20T10:15:00Z" };
  const cumulative = { ...labelled([{ handler: "/a" }, {}, {}]), durationNs: 0n };
  const heap = {
    ...cumulative,
    sampleTypes: [
      { type: "alloc_objects", unit: "count" },
      { type: "alloc_space", unit: "bytes" },
    ],
  };
  await server.send(heap, { headers: key.headers, query: { ...query, type: "memory" } });
  const as = { headers, ...owner };
  expect(await get("labels/service/shop/memory", range, as)).toMatchObject({
    profiles_merged: 0,
    profiles_unrecorded: 1,
    keys: [],
  });
  const grouped = await get<Graph>(
    "flamegraph/service/shop/memory",
    { ...range, group_by_label: "handler" },
    as,
  );
  for (const child of grouped.root.children) expect(child.function_name).toBe("handler not recorded");
});

describe("one profile", () => {
  it("has the labels and functions that go tool pprof finds", async () => {
    const truths = labelsOfRecordings();
    expect(truths.length).toBeGreaterThan(4);
    for (const { file, sampleIndex, values } of truths) {
      const sent = await server.app.inject({
        method: "POST",
        url: "/api/v1/ingest/profiles",
        query: { service: "recorded", started_at: new Date("2026-11-20T12:00:00Z").toISOString() },
        payload: recordedFile(file),
        headers: keyHeaders,
      });
      const { profile_id, also_listed = [] }: IngestedProfile = sent.json();
      const read = readStacks(inflatedRecording(file)!);
      if (!read.ok) throw new Error(read.error.message);
      const { type, unit } = read.profile.sampleTypes[sampleIndex]!;
      // Wall time of a profile that also measures CPU time is listed under custom.
      const custom = also_listed.find((each) => each.type === "custom");
      const id = type === "wall" && custom !== undefined ? custom.profile_id : profile_id;
      const found = await get<ProfileLabels>(`labels/${id}`, { sample_type: `${type}/${unit}` });
      for (const { key, value, total } of values.filter((each) => each.total > 0)) {
        const ofKey = found.keys.find(({ name }) => name === key);
        expect([file, key, value, ofKey?.values.find((each) => each.value === value)?.total]).toEqual([
          file,
          key,
          value,
          total,
        ]);
        const graph = await get<Graph>(`flamegraph/${id}`, {
          sample_type: `${type}/${unit}`,
          labels: `${key}:${value}`,
        });
        expect([file, key, value, graph.total_samples]).toEqual([file, key, value, total]);
      }
    }
  });
});

test("labels are inert: hostile names and values are cleaned and bound", async () => {
  const name = "'; DROP TABLE profiles; --\u202e";
  const value = `</script>\n{x:String}${"v".repeat(2000)}`;
  await server.send(labelled([{ [name]: value }, {}, {}]), {
    headers: keyHeaders,
    query: { service: "hostile", type: "cpu", started_at: "2026-11-20T10:15:00Z" },
  });
  const { keys } = await get<ServiceLabels>("labels/service/hostile/cpu", range);
  expect(keys.map((key) => [key.name, key.values.map(({ value: text }) => text.length)])).toEqual([
    ["'; DROP TABLE profiles; --\ufffd", [1024]],
  ]);
  const clean = keys[0]!;
  const graph = await get<Graph>("flamegraph/service/hostile/cpu", {
    ...range,
    labels: `${clean.name}:${clean.values[0]!.value}`,
    group_by_label: clean.name,
  });
  expect(graph.total_samples).toBe(10);
});

test("a label with more values in a day than the limit is folded and counted from then on", async () => {
  // Each encoding thread counts for itself: the first have no folded values yet, the last do in all of them.
  const limited = await startApp({ env: { LABEL_SERIES_VALUES_MAX: "3" }, at: "2026-11-20T12:30:30.000Z" });
  try {
    const owner = await limited.signUp();
    const { headers } = await limited.makeKey(owner);
    const trimmed: number[] = [];
    for (let number = 0; number < 20; number++) {
      const sent = await limited.send(labelled([{ order: `o${number}`, handler: "/cart" }, {}, {}]), {
        headers,
        query: { service: "shop", type: "cpu", started_at: `2026-11-20T10:${10 + number}:00Z` },
      });
      trimmed.push(sent.trimmed?.label_values ?? 0);
    }
    expect(trimmed.slice(0, 4)).toEqual([0, 0, 0, 0]);
    expect(trimmed.slice(-4)).toEqual([1, 1, 1, 1]);
    const url = "/api/v1/protected/labels/service/shop/cpu";
    const { keys } = (await limited.app.inject({ url, query: range, headers: owner.headers })).json();
    const [order, handler] = ["order", "handler"].map((name) =>
      keys.find((key: { name: string }) => key.name === name),
    );
    const folded = trimmed.filter((count) => count === 1).length;
    expect(order).toMatchObject({ total: 200, values_total: 20 - folded, folded_total: 10 * folded });
    expect(handler).toMatchObject({ total: 200, folded_total: null });
  } finally {
    await limited.close();
  }
});

test("more values than the limit are folded and counted, and the sums stay whole", async () => {
  const limited = await startApp({
    env: { LABEL_VALUES_MAX: "1" },
    hasSeparateColumns: true,
    at: "2026-11-20T12:30:30.000Z",
  });
  try {
    const owner = await limited.signUp();
    const key = await limited.makeKey(owner);
    const sent = await limited.send(labelled([{ handler: "/a" }, { handler: "/b" }, { handler: "/c" }]), {
      headers: key.headers,
      query: { service: "shop", type: "cpu", started_at: "2026-11-20T10:15:00Z" },
    });
    expect(sent).toMatchObject({ trimmed: { label_values: 2 } });
    const read = (path: string, query: Record<string, string>) =>
      limited.app.inject({
        url: `/api/v1/protected/${path}`,
        query: { ...range, ...query },
        headers: owner.headers,
      });
    expect((await read("labels/service/shop/cpu", {})).json()).toMatchObject({
      total: 70,
      keys: [{ name: "handler", total: 70, values: [{ value: "/c", total: 40 }], folded_total: 30 }],
    });
    expect(folded((await read("flamegraph/service/shop/cpu", { group_by_label: "handler" })).json())).toEqual(
      [
        "further values of handler;main;serve;read 10",
        "further values of handler;main;serve;write 20",
        "handler: /c;main;serve;write 40",
      ],
    );
    const series = (
      await read("series/service/shop/cpu", { bucket: "1h", group_by_label: "handler" })
    ).json();
    expect(series.charts[0]).toMatchObject({ lines: [{ value: "/c", total: 40 }], other: { total: 30 } });
  } finally {
    await limited.close();
  }
});
