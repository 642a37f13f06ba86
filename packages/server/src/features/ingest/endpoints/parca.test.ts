import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { writeRawJson, writeRawMessage } from "#ingest/testing/push-request.ts";
import { storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const at = "2026-11-20T18:00:00.000Z";
const timeNs = BigInt(Date.parse(at)) * 1_000_000n - 60_000_000_000n;
const connect = "/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw";
const gateway = "/api/profiles/writeraw";

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at });
});
afterAll(() => server.close());

const cpu = (value: number) =>
  gzipSync(
    pprofOf({
      sampleTypes: ["samples/count", "cpu/nanoseconds"],
      samples: [["main;work", 1, value]],
      timeNs,
      durationNs: 10_000_000_000n,
    }),
  );

async function sender() {
  const person = await server.signUp();
  const { key } = await server.makeKey(person);
  const send = (url: string, body: Uint8Array | object, headers: Readonly<Record<string, string>> = {}) =>
    server.app.inject({
      method: "POST",
      url,
      payload: body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body),
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": body instanceof Uint8Array ? "application/proto" : "application/json",
        ...headers,
      },
    });
  return { send, rows: () => storedProfiles(server.ctx.columns, person.orgId) };
}

describe("WriteRaw of Parca", () => {
  const series = (labels: Readonly<Record<string, string>>, ...profiles: Uint8Array[]) => [
    { labels: { __name__: "process_cpu", job: "checkout", instance: "10.0.0.1:6060", ...labels }, profiles },
  ];

  test.each([
    ["protobuf", connect, writeRawMessage],
    ["JSON", connect, writeRawJson],
    ["JSON at the gateway", gateway, writeRawJson],
  ])("stores every profile of a request in %s", async (_, url, encode) => {
    const { send, rows } = await sender();
    const reply = await send(
      url,
      encode([...series({}, cpu(10), cpu(20)), ...series({ job: "cart" }, cpu(5))]),
    );
    expect([reply.statusCode, reply.body]).toEqual([200, encode === writeRawJson ? "{}" : ""]);
    const stored = (await rows()).map(({ service, type, totals, tags }) => ({ service, type, totals, tags }));
    const of = (service: string, value: bigint) => ({
      service,
      type: "cpu",
      totals: [1n, value],
      tags: { instance: "10.0.0.1:6060" },
    });
    expect(stored).toHaveLength(3);
    expect(stored).toEqual(
      expect.arrayContaining([of("checkout", 10n), of("checkout", 20n), of("cart", 5n)]),
    );
  });

  test("takes the service from the most telling label, and keeps the others as tags", async () => {
    const { send, rows } = await sender();
    await send(connect, writeRawMessage(series({ comm: "server", service_name: "shop" }, cpu(10))));
    expect(await rows()).toMatchObject([
      { service: "shop", tags: { job: "checkout", comm: "server", instance: "10.0.0.1:6060" } },
    ]);
  });

  test.each([
    ["without the kind of profile", series({ __name__: "" }, cpu(10)), /__name__ is missing/],
    [
      "with too many labels",
      series(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`l${i}`, "x"])), cpu(10)),
      /100 labels/,
    ],
    ["with a profile that is none", series({}, Buffer.from("not a profile")), /Series 0, sample 0/],
  ])("refuses a request %s, in the form of each address", async (_, all, message) => {
    const { send, rows } = await sender();
    for (const body of [writeRawMessage(all), writeRawJson(all)]) {
      const reply = await send(connect, body);
      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toMatchObject({
        code: "invalid_argument",
        message: expect.stringMatching(message),
      });
    }
    const atGateway = await send(gateway, writeRawJson(all));
    expect(atGateway.statusCode).toBe(400);
    expect(atGateway.json()).toEqual({ code: 3, message: expect.stringMatching(message), details: [] });
    expect(await rows()).toEqual([]);
  });

  test("names its own message where the body cannot be read, and a wrong key", async () => {
    const { send } = await sender();
    const cut = await send(connect, writeRawMessage(series({}, cpu(10))).subarray(0, 60));
    expect(cut.json().message).toMatch(/parca\.profilestore\.v1alpha1\.WriteRawRequest.*byte/);
    const stranger = await send(gateway, writeRawJson(series({}, cpu(10))), {
      authorization: "Bearer fk_no",
    });
    expect([stranger.statusCode, stranger.json().code]).toEqual([401, 16]);
  });
});
