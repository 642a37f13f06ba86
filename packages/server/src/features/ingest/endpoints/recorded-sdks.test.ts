import { type CapturedRequest, capturedRequests } from "@flamekeep/profile/testing/recordings";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const goSdk = capturedRequests("pyroscope-go-1.4.3");
const [javaAgent] = capturedRequests("pyroscope-java-2.9.2");
/** The latest of them. */
const recordedAtMs = Number(new URL(javaAgent!.url, "http://localhost").searchParams.get("until")) * 1000;

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at: new Date(recordedAtMs + 600_000).toISOString() });
});
afterAll(() => server.close());

async function sender() {
  const person = await server.signUp();
  const key = await server.makeKey(person);
  const send = ({ url, headers, body }: CapturedRequest) =>
    server.app.inject({ method: "POST", url, payload: body, headers: { ...headers, ...key.headers } });
  return { send, key, person, stored: () => storedProfiles(server.ctx.columns, person.orgId) };
}

function typesOf(rows: readonly { readonly type: string }[]): string[] {
  return rows.map(({ type }) => type).sort();
}

describe("requests that unmodified SDKs sent (examples/recordings)", () => {
  test("Go: answered with 200 and {}, stored with type, service, tags and totals", async () => {
    const { send, stored } = await sender();
    for (const request of goSdk) {
      const reply = await send(request);
      expect([reply.statusCode, reply.body]).toEqual([200, "{}"]);
      expect(reply.headers["content-type"]).toContain("application/json");
    }
    const rows = await stored();
    expect(rows.length).toBe(10);
    expect([...new Set(typesOf(rows))]).toEqual(["block", "cpu", "goroutine", "memory", "mutex"]);
    for (const row of rows) {
      expect(row).toMatchObject({
        service: "kiosk",
        sender: "pyroscope",
        tags: { region: "eu", version: "1.2.3", go_version: "go1.26.8", "process.runtime.name": "go" },
      });
      expect(row.duration_ns).toBeGreaterThan(0);
      // The SDK subtracts for itself.
      expect(row.deltas_totals).toEqual(row.totals);
    }
  });

  test("Go: accepted over a real connection under the path /pyroscope", async () => {
    const { key, stored } = await sender();
    const address = await server.app.listen({ port: 0, host: "127.0.0.1" });
    const { url, headers, body } = goSdk[4]!;
    const reply = await fetch(`${address}/pyroscope${url}`, {
      method: "POST",
      headers: { ...headers, ...key.headers },
      body: new Uint8Array(body),
    });
    expect([reply.status, await reply.text()]).toEqual([200, "{}"]);
    expect(await stored()).toHaveLength(1);
  });

  test.each([
    ["pyroscope-nodejs-0.6.4-cpu", ["cpu", "cpu", "custom", "custom", "memory"]],
    ["pyroscope-nodejs-0.6.4-wall", ["custom", "custom", "memory"]],
    ["pyroscope-io-1.4.0", ["cpu", "memory"]],
  ])("%s: stored as %j", async (sdk, types) => {
    const { send, stored } = await sender();
    for (const request of capturedRequests(sdk)) expect((await send(request)).statusCode).toBe(200);
    const rows = await stored();
    expect(typesOf(rows)).toEqual(types);
    for (const row of rows)
      expect(row).toMatchObject({ service: "kiosk", tags: { region: "eu", version: "1.2.3" } });
  });

  test("Java: one recording is stored as CPU, memory and mutex, with the labels of its contexts", async () => {
    const { send, person, stored } = await sender();
    const reply = await send(javaAgent!);
    expect([reply.statusCode, reply.body]).toEqual([200, "{}"]);
    const rows = await stored();
    expect(rows.map(({ type, sample_types, totals }) => [type, sample_types, totals])).toEqual([
      ["cpu", ["samples/count", "cpu/nanoseconds"], [45n, 450_000_000n]],
      ["memory", ["alloc_objects/count", "alloc_space/bytes"], [280n, 587_202_560n]],
      ["mutex", ["contentions/count", "delay/nanoseconds"], [73n, 3_046_850_035n]],
    ]);
    for (const row of rows)
      expect(row).toMatchObject({
        service: "kiosk",
        sender: "pyroscope",
        started_at: expect.stringContaining("2026-11-29 01:48:33"),
        tags: { region: "eu", version: "1.2.3", "process.runtime.name": "OpenJDK Runtime Environment" },
      });
    const labels = await server.app.inject({
      url: `/api/v1/protected/labels/${rows[0]!.profile_id}`,
      headers: person.headers,
    });
    expect(labels.json()).toMatchObject({
      keys: [
        {
          name: "paper",
          values: [
            { value: "morning", total: 200_000_000 },
            { value: "evening", total: 150_000_000 },
          ],
        },
      ],
    });
  });
});
