import type { Analysis, FlameGraphDiff } from "@flamekeep/contract";
import { hourMs } from "@flamekeep/contract/durations";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modelSource } from "#analysis/model/providers.ts";
import { runPending } from "#analysis/queue/runner.ts";
import { limitRates } from "#http/endpoint/rate-limit.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { readManifest } from "../demo/manifest.ts";
import { replay } from "../demo/replay.ts";
import { registerIngest } from "../ingest/routes.ts";
import { createAnalysers } from "./analysers.ts";

const at = "2026-11-20T10:07:30.000Z";
const headers = { authorization: "Bearer test-api-key" };
const { signal: never } = new AbortController();
const hoursAgo = (hours: number) => new Date(Date.parse(at) - hours * hourMs).toISOString();
/** Before and after the release of checkout in the demo. */
const before = { from: hoursAgo(6), to: hoursAgo(4) };
const after = { from: hoursAgo(2), to: hoursAgo(0) };

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at, env: { DEMO: "on" } });
  const { ctx } = server;
  const ingest = Fastify();
  await limitRates(ingest);
  const { take } = await registerIngest(ingest, ctx);
  const recorded = await readManifest();
  const recordings = recorded.recordings.filter(({ service }) => service === "checkout");
  const parts = { manifest: { ...recorded, recordings }, orgId: ctx.demo!.orgId, stopped: never, take };
  expect(await replay(ctx, parts, Date.parse(at) - 7 * hourMs)).toBeGreaterThan(200);
  await ingest.close();
});
afterAll(() => server.close());

async function analyse(path: string, payload: object): Promise<Analysis> {
  const url = `/api/v1/protected/${path}/analyze`;
  const started = await server.app.inject({ method: "POST", url, headers, payload });
  expect(started.statusCode).toBe(200);
  const analysers = createAnalysers(server.ctx, modelSource(server.ctx));
  await runPending(server.ctx, "builtin", { analysers, holder: "this test", stopped: never });
  const { id } = started.json();
  return (await server.app.inject({ url: `/api/v1/protected/analysis/${id}`, headers })).json();
}

async function compare(): Promise<FlameGraphDiff> {
  const query = {
    service: "checkout",
    type: "cpu",
    before_from: before.from,
    before_to: before.to,
    after_from: after.from,
    after_to: after.to,
  };
  const reply = await server.app.inject({ url: "/api/v1/protected/flamegraph/diff", headers, query });
  expect(reply.statusCode).toBe(200);
  return reply.json();
}

describe("the demo's release of checkout", () => {
  it("is named with the functions that explain the increase, its time and its version", async () => {
    const { recommendations, comparison } = await analyse("service/checkout", {
      ...after,
      type: "cpu",
      baseline: before,
    });
    const [first] = recommendations;
    expect(first).toMatchObject({ rule: "hashing", priority: "high" });
    expect(first!.evidence.functions.map(({ name }) => name)).toContain("shop/internal/pricing.(*Book).seal");
    expect(first!.impact).toMatch(
      /^shop\/internal\/pricing\.hash\w+( and .*)? explain.* of the increase: .*Per request: from .*\. The increase began at 2026-11-20 07:\d\d UTC, with v1\.9\.0\./,
    );
    expect(comparison!.onset!.version).toBe("v1.9.0");
    expect(recommendations.map(({ evidence }) => evidence.sample_type)).not.toContain("samples");
    const releasedMs = Date.parse(at) - 3 * hourMs;
    const sinceMs = Date.parse(comparison!.onset!.at) - releasedMs;
    expect(sinceMs).toBeGreaterThanOrEqual(0);
    expect(sinceMs).toBeLessThan(hourMs / 2);
  });
});

describe("the demo's CPU time per request", () => {
  it("is the same in an analysis and in a comparison, and about the response times that were recorded", async () => {
    const { comparison } = await analyse("service/checkout", { ...after, type: "cpu", baseline: before });
    const diff = await compare();
    expect(diff.normalisation.per).toBe("request");
    const perRequest = {
      before: diff.before.total / diff.normalisation.before_divisor,
      after: diff.after.total / diff.normalisation.after_divisor,
    };
    expect(comparison!.before.per_request).toBeCloseTo(perRequest.before, 3);
    expect(comparison!.after.per_request).toBeCloseTo(perRequest.after, 3);
    // A request was answered in 8 to 9 ms before the release and in 15 to 16 ms after it.
    expect(perRequest.before / 1e6).toBeGreaterThan(6);
    expect(perRequest.before / 1e6).toBeLessThan(9);
    expect(perRequest.after / 1e6).toBeGreaterThan(12);
    expect(perRequest.after / 1e6).toBeLessThan(18);
    expect(comparison!.requests_per_second_after).toBeGreaterThan(38);
    expect(comparison!.requests_per_second_after).toBeLessThan(42);
  });
});
