import { randomUUID } from "node:crypto";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AnalysingServer, startAnalyses } from "./testing/start-analyses.ts";

const at = "2026-11-20T12:00:00.000Z";
const cpuFile = "search/before/cpu-03.pb.gz";
let server: AnalysingServer;
let profileId: string;

beforeAll(async () => {
  server = await startAnalyses({ at });
  profileId = await server.sendRecorded(cpuFile, { service: "search", type: "cpu", started_at: at });
});
afterAll(() => server.close());

describe("the analysis of a profile", () => {
  it("is queued, worked on and read until it is completed, with evidence from the profile", async () => {
    const started = await server.call("POST", `profile/${profileId}/analyze`, {});
    expect(started.json()).toMatchObject({
      profile_id: profileId,
      service: "search",
      type: "cpu",
      status: "pending",
      recommendations: [],
      summary: null,
      llm_provider: "builtin",
      options: { max_recommendations: 10, focus_areas: ["cpu_optimization", "memory_optimization"] },
    });
    const same = await server.call("POST", `profile/${profileId}/analyze`, { max_recommendations: 10 });
    expect(same.json().id).toBe(started.json().id);
    expect(await server.work()).toBe(1);
    const analysis = (await server.call("GET", `analysis/${started.json().id}`)).json();
    expect(analysis).toMatchObject({
      status: "completed",
      completed_at: at,
      tokens_used: 0,
      error: null,
      can_ask: false,
    });
    expect(analysis.processing_time_ms).toBeGreaterThanOrEqual(0);
    const compile = analysis.recommendations.find((each: { rule: string }) => each.rule === "regexp-compile");
    expect(compile).toMatchObject({ category: "cpu_optimization", feedback: null });
    expect(compile.code_example).toContain("regexp.MustCompile");
    expect(compile.evidence.functions[0]).toMatchObject({
      name: "shop/internal/search.highlight",
      verified: true,
    });
    expect(compile.evidence.share).toBeGreaterThan(0.05);
    expect(analysis.summary.total_issues).toBe(analysis.recommendations.length);
    expect(analysis.summary.estimated_improvement).toMatch(/^Up to \d+ % of CPU$/);

    const again = await server.call("POST", `profile/${profileId}/analyze`, {});
    expect(again.json().id).not.toBe(analysis.id);
    const { analyses } = (await server.call("GET", `profile/${profileId}/analyses`)).json();
    expect(analyses.map((each: { status: string }) => each.status).toSorted()).toEqual([
      "completed",
      "pending",
    ]);
    const latest = (await server.call("GET", "service/search/latest-analyses")).json();
    expect(latest.latest_analyses.cpu.id).toBe(analysis.id);
    await server.work();
  });

  it("respects its options", async () => {
    const plain = await server.analyse(profileId, { include_code_examples: false });
    expect(plain.recommendations.length).toBeGreaterThan(0);
    expect(plain.recommendations.every((each) => each.code_example === undefined)).toBe(true);
    const one = await server.analyse(profileId, { max_recommendations: 1 });
    expect(one.recommendations).toHaveLength(1);
    const other = await server.analyse(profileId, { focus_areas: ["mutex_optimization"] });
    expect(other.recommendations).toEqual([]);
    expect(other.summary).toEqual({
      total_issues: 0,
      high_priority: 0,
      estimated_improvement: "There are findings, but none in the requested areas that was not dismissed",
      is_clean: false,
    });
  });

  it.each([
    [{ max_recommendations: 0 }, /max_recommendations/],
    [{ max_recommendations: 1.5 }, /max_recommendations/],
    [{ focus_areas: [] }, /focus_areas/],
    [{ focus_areas: ["disk"] }, /focus_areas/],
    [{ include_code_examples: "yes" }, /include_code_examples/],
  ])("refuses the options %j", async (options, message) => {
    const reply = await server.call("POST", `profile/${profileId}/analyze`, options);
    expect([reply.statusCode, reply.json().error]).toEqual([400, expect.stringMatching(message)]);
  });

  it("is found by its own organization only", async () => {
    const { id } = await server.analyse(profileId);
    const stranger = await server.signUp();
    for (const path of [
      `analysis/${id}`,
      `profile/${profileId}/analyses`,
      "service/search/latest-analyses",
    ]) {
      expect((await server.call("GET", path, undefined, stranger.headers)).statusCode).toBe(404);
    }
    const start = await server.call("POST", `profile/${profileId}/analyze`, {}, stranger.headers);
    expect(start.statusCode).toBe(404);
  });

  it("is 404 where there is none, and impossible of HTTP metrics", async () => {
    const custom = profileOf("main\nwork\n10", { sampleTypes: ["connections/count"] });
    const query = { service: "quiet", type: "custom", started_at: at };
    const quiet = await server.send(custom, { headers: server.keyHeaders, query });
    const none = await server.call("GET", `profile/${quiet.profile_id}/analyses`);
    expect([none.statusCode, none.json().error]).toEqual([404, "This profile has no analyses"]);
    expect((await server.call("GET", "service/quiet/latest-analyses")).statusCode).toBe(404);
    const empty = async (path: string) => (await server.call("GET", `${path}?without=empty`)).json();
    expect(await empty(`profile/${quiet.profile_id}/analyses`)).toEqual({ analyses: [] });
    expect(await empty("service/quiet/latest-analyses")).toEqual({ service: "quiet", latest_analyses: {} });
    expect((await server.call("GET", `analysis/${randomUUID()}`)).statusCode).toBe(404);
    const metric = { timestamp: at, duration: 0.1, status_code: 200, method: "GET", path: "/" };
    const sent = await server.app.inject({
      method: "POST",
      url: "/api/v1/ingest/http-metrics",
      query: { service: "quiet" },
      headers: server.keyHeaders,
      payload: [metric],
    });
    const refused = await server.call("POST", `profile/${sent.json().profile_id}/analyze`, {});
    expect([refused.statusCode, refused.json().code]).toEqual([422, "unprocessable"]);
  });

  it("fails with a sentence if the bytes of the profile are damaged", async () => {
    const id = await server.sendRecorded("search/before/cpu-01.pb.gz", {
      service: "damaged",
      type: "cpu",
      started_at: at,
    });
    await server.ctx.payloads.remove(server.person.orgId, [id]);
    const failed = await server.analyse(id);
    expect(failed).toMatchObject({ status: "failed", summary: null, completed_at: at });
    expect(failed.error).toMatch(/^The original bytes of this profile are damaged or missing/);
    const { latest_analyses } = (await server.call("GET", "service/damaged/latest-analyses")).json();
    expect(latest_analyses.cpu.status).toBe("failed");
  });

  it("cannot be started by a viewer", async () => {
    const viewer = await server.signUp();
    await server.setRole(viewer, "viewer");
    const reply = await server.call("POST", `profile/${profileId}/analyze`, {}, viewer.headers);
    expect(reply.statusCode).toBe(403);
  });
});

describe("feedback on a recommendation", () => {
  it("holds for the service, can be undone, and keeps dismissed advice from coming back", async () => {
    const first = await server.analyse(profileId);
    const [advice] = first.recommendations;
    const path = `analysis/${first.id}/recommendation/${advice!.id}/feedback`;
    const without = await server.call("PUT", path, { state: "dismissed", reason: " " });
    expect([without.statusCode, without.json().error]).toEqual([
      400,
      "Field 'reason' is required to dismiss a recommendation",
    ]);
    const dismissed = (await server.call("PUT", path, { state: "dismissed", reason: "Rare" })).json();
    expect(dismissed.recommendations[0].feedback).toEqual({
      state: "dismissed",
      reason: "Rare",
      at,
      effect: null,
    });
    const second = await server.analyse(profileId);
    expect(second.recommendations.map(({ rule }) => rule)).not.toContain(advice!.rule);

    const open = (await server.call("PUT", path, { state: "open" })).json();
    expect(open.recommendations[0].feedback).toBeNull();
    const done = (await server.call("PUT", path, { state: "done" })).json();
    expect(done.recommendations[0].feedback).toMatchObject({
      state: "done",
      reason: null,
      effect: { status: "waiting", function: advice!.evidence.functions[0]!.name, share_after: null },
    });
    const third = await server.analyse(profileId);
    expect(third.recommendations[0]).toMatchObject({ rule: advice!.rule, feedback: { state: "done" } });
  });

  it("is refused for an unknown recommendation", async () => {
    const { id } = await server.analyse(profileId);
    const reply = await server.call("PUT", `analysis/${id}/recommendation/r99/feedback`, { state: "done" });
    expect(reply.statusCode).toBe(404);
  });
});
