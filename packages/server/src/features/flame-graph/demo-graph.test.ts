import { decodeFlameGraph } from "@flamekeep/flame";
import { profileOf } from "@flamekeep/profile/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";

const url = "/api/v1/demo/flame-graph";
let server: TestApp;
let withDemo: FastifyInstance;
let keyHeaders: Record<string, string>;

beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:30.000Z" });
  const person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
  withDemo = await server.createApp({ demo: { orgId: person.orgId } });
  await send("2026-11-20T11:58:00Z", 3);
});
afterAll(async () => {
  await withDemo?.close();
  await server?.close();
});

function send(startedAt: string, samples: number) {
  const profile = profileOf(`main.main\n${samples},${samples}0`, {
    sampleTypes: ["samples/count", "cpu/nanoseconds"],
    durationNs: 10_000_000_000n,
  });
  return server.send(profile, { headers: keyHeaders, query: { service: "checkout", started_at: startedAt } });
}

it("is read without signing in, may be cached, and is drawn again only after five minutes", async () => {
  const first = await withDemo.inject(url);
  expect([first.statusCode, first.headers["cache-control"]]).toEqual([200, "public, max-age=300"]);
  expect(first.json()).toMatchObject({
    service: "checkout",
    type: "cpu",
    profiles_merged: 1,
    total_samples: 30,
  });
  await send("2026-11-20T11:59:00Z", 5);
  expect((await withDemo.inject(url)).json().profiles_merged).toBe(1);
  server.clock.advance(5 * 60_000);
  expect((await withDemo.inject(url)).json()).toMatchObject({ profiles_merged: 2, total_samples: 80 });
});

it("comes as columns on request", async () => {
  const accept = "application/vnd.flamekeep.flamegraph.v3";
  const reply = await withDemo.inject({ url, headers: { accept } });
  expect([reply.headers["content-type"], reply.headers.vary]).toEqual([accept, "accept, accept-encoding"]);
  expect(decodeFlameGraph(new Uint8Array(reply.rawPayload)).tree.length).toBeGreaterThan(1);
});

it("is not found on a server without the demo", async () => {
  expect((await server.app.inject(url)).statusCode).toBe(404);
});
