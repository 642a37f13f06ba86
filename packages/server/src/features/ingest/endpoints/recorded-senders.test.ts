import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

/** Requests that unmodified SDKs made, without what named their sender. See examples/services. */
function recorded(name: string) {
  const file = new URL(`../testing/recorded/${name}.json`, import.meta.url);
  const { url, headers, body } = JSON.parse(readFileSync(file, "utf8"));
  return { method: "POST", url, headers, payload: Buffer.from(body, "base64") } as const;
}

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-22T20:20:00.000Z" });
});
afterAll(() => server.close());

async function replay(name: string) {
  const person = await server.signUp();
  const key = await server.makeKey(person);
  const { headers, ...request } = recorded(name);
  const reply = await server.app.inject({ ...request, headers: { ...headers, ...key.headers } });
  expect(reply.statusCode).toBe(200);
  return { rows: await storedProfiles(server.ctx.columns, person.orgId), person };
}

describe("requests of unmodified SDKs", () => {
  test("pyroscope-io 1.4.0 (Python): CPU and memory in one push", async () => {
    const { rows } = await replay("pyroscope-io-1.4.0");
    expect(rows).toMatchObject([
      { type: "cpu", sample_types: ["samples/count", "cpu/nanoseconds"] },
      { type: "memory" },
    ]);
    for (const row of rows) {
      expect(row).toMatchObject({
        service: "py1.checkout",
        tags: {
          region: "eu",
          version: "1.2.3",
          "process.runtime.name": "cpython",
          "process.runtime.version": "3.11.7",
        },
        started_at: "2026-11-22 20:14:30.314",
        duration_ns: 10_000_505_177,
        trimmed: {},
      });
      expect(Object.keys(row.tags)).not.toContain("go_version");
      expect(row.deltas_totals).toEqual(row.totals);
    }
  });

  test("pyroscope-io 0.8.16 (Python): its tags are labels of all samples, and become tags", async () => {
    const { rows } = await replay("pyroscope-io-0.8.16");
    expect(rows).toMatchObject([
      { service: "py08.checkout", type: "cpu", tags: { region: "eu", version: "1.2.3" } },
    ]);
    expect(Object.keys(rows[0]!.tags)).toEqual(["region", "version"]);
  });

  test.each([
    ["wall", ["custom"], ["wall"]],
    ["cpu", ["cpu", "custom"], ["cpu", "wall"]],
  ])("@pyroscope/nodejs 0.6.4 with %s time is stored as %s and shown as %s", async (name, types, shown) => {
    const { rows, person } = await replay(`pyroscope-nodejs-0.6.4-${name}`);
    const tags = { region: "eu", "process.runtime.name": "nodejs" };
    expect(rows).toMatchObject(types.map((type) => ({ type, tags })));
    expect(Object.keys(rows[0]!.tags)).not.toContain("go_version");
    const list = async (query: string) => {
      const url = `/api/v1/protected/profiles?since=24h&${query}`;
      const reply = await server.app.inject({ url, headers: person.headers });
      return reply.json().profiles.map((profile: { display_type: string }) => profile.display_type);
    };
    expect((await list("")).sort()).toEqual(shown);
    expect(await list("type=wall")).toEqual(["wall"]);
    expect(await list(`type=${types[0]}`)).toEqual([shown[0]]);
  });

  test.each(["protobuf", "json"])(
    "OpenTelemetry Collector 0.165.0 with its exporter otlp_http, as %s",
    async (encoding) => {
      const { rows } = await replay(`otel-collector-0.165.0-${encoding}`);
      const tags = { "k8s.pod.name": "checkout-1" };
      expect(rows.length).toBe(3);
      expect(rows).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            service: "checkout",
            type: "cpu",
            tags,
            totals: [3n, 150_000_000n],
            duration_ns: 5_000_000_000,
          }),
          expect.objectContaining({
            service: "checkout",
            type: "custom",
            tags,
            totals: [75_000_001n],
            sample_types: ["off_cpu/nanoseconds"],
          }),
          expect.objectContaining({
            service: "nginx",
            type: "cpu",
            tags: { "process.executable.name": "nginx" },
            totals: [1n, 50_000_000n],
            started_at: "2026-11-22 20:14:00.000",
          }),
        ]),
      );
    },
  );
});
