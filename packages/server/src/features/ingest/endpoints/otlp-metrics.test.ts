import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

const nested = (fields: readonly number[], inside: Uint8Array): Uint8Array =>
  fields.reduceRight<Uint8Array>(
    (bytes, field) => new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(bytes).finish(),
    inside,
  );
const protobuf = Buffer.concat([nested([1, 2, 2, 9, 1], Buffer.of()), nested([1, 2, 2, 5, 1], Buffer.of())]);
const json = Buffer.from(
  JSON.stringify({
    resourceMetrics: [
      {
        scopeMetrics: [
          {
            metrics: [
              { name: "rpc.server.duration", histogram: { dataPoints: [{ count: "3" }] } },
              { name: "jvm.memory.used", gauge: { dataPoints: [{ asInt: "7" }] } },
            ],
          },
        ],
      },
    ],
  }),
);

test.each([
  ["application/x-protobuf", protobuf, ""],
  ["application/json", json, "{}"],
])(
  "metrics that are no histograms of HTTP servers, as %s, are accepted, dropped, and counted by kind",
  async (type, payload, body) => {
    const person = await server.signUp();
    const { headers } = await server.makeKey(person);
    const before = await counted();
    const call = { method: "POST", url: "/v1/metrics", payload } as const;
    const reply = await server.app.inject({ ...call, headers: { ...headers, "content-type": type } });
    expect([reply.statusCode, reply.body, reply.headers["content-type"]]).toEqual([200, body, type]);
    expect((await counted()).map((value, index) => value - before[index]!)).toEqual([1, 1, 0]);
    expect(await storedProfiles(server.ctx.columns, person.orgId)).toEqual([]);
  },
);

test("what is no metrics is refused", async () => {
  const { headers } = await server.makeKey(await server.signUp());
  const call = { method: "POST", url: "/v1/metrics", payload: Buffer.of(0x0a, 9) } as const;
  const reply = await server.app.inject({
    ...call,
    headers: { ...headers, "content-type": "application/x-protobuf" },
  });
  expect([reply.statusCode, reply.body]).toEqual([400, expect.stringContaining("claims 9 bytes")]);
});

async function counted(): Promise<number[]> {
  const text = (await server.app.inject({ url: "/metrics" })).body;
  return ["histogram_point", "gauge_point", "sum_point"].map((kind) =>
    Number(new RegExp(`ingest_dropped_total\\{kind="${kind}"\\} (\\d+)`).exec(text)?.[1] ?? 0),
  );
}
