import { minuteMs } from "@flamekeep/contract/durations";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AnalysingServer, startAnalyses } from "#analysis/testing/start-analyses.ts";

const now = Date.UTC(2026, 10, 20, 12);
const at = (minutesAgo: number) => new Date(now - minutesAgo * minuteMs).toISOString();
let server: AnalysingServer;

beforeAll(async () => {
  server = await startAnalyses({ at: new Date(now).toISOString() });
  for (const [index, file] of ["cpu-01", "cpu-02", "cpu-03"].entries()) {
    const query = { service: "search", type: "cpu", started_at: at(20 + index) };
    await server.sendRecorded(`search/before/${file}.pb.gz`, query);
  }
});
afterAll(() => server.close());

async function run(service: string, body: object) {
  const started = await server.call("POST", `service/${service}/analyze`, body);
  if (started.statusCode !== 200) return started.json();
  await server.work();
  return (await server.call("GET", `analysis/${started.json().id}`)).json();
}

/** Pricing takes `priceMs` of each second in a profile of ten seconds, the rest stays the same. */
async function send(service: string, minutesAgo: number, priceMs: number, tags: Record<string, string> = {}) {
  const picture = `
    main.main      main.main
    shop.serve     shop.serve
    shop.encode    shop.price
    ${10 * 100 * 1e6}  ${10 * priceMs * 1e6}`;
  const profile = profileOf(picture, { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n });
  const query = { service, type: "cpu", started_at: at(minutesAgo), ...tags };
  await server.send(profile, { headers: server.keyHeaders, query });
}

/** Requests that begin at equal distances over a minute, and take `seconds` each. */
async function sendRequests(service: string, minutesAgo: number, perMinute: number, seconds = 0.1) {
  const payload = Array.from({ length: perMinute }, (_, index) => ({
    timestamp: at(minutesAgo - index / perMinute),
    duration: seconds,
    status_code: 200,
    method: "GET",
    path: "/",
    request_id: `${minutesAgo}-${index}`,
  }));
  const url = "/api/v1/ingest/http-metrics";
  const query = { service };
  const reply = await server.app.inject({ method: "POST", url, query, headers: server.keyHeaders, payload });
  expect(reply.statusCode).toBe(200);
}

describe("the analysis of a range", () => {
  it("merges its profiles and finds the same as in each of them", async () => {
    const analysis = await run("search", { from: "1h", type: "cpu" });
    expect(analysis).toMatchObject({
      status: "completed",
      profile_id: null,
      range: { from: at(60), to: at(0), tags: {}, profiles: 3 },
      baseline: null,
      comparison: null,
    });
    const compile = analysis.recommendations.find(({ rule }: { rule: string }) => rule === "regexp-compile");
    expect(compile.evidence.functions[0].name).toBe("shop/internal/search.highlight");
    const { analyses } = (await server.call("GET", "service/search/analyses?type=cpu&from=30m")).json();
    expect(analyses.map(({ id }: { id: string }) => id)).toEqual([analysis.id]);
    expect((await server.call("GET", "service/search/analyses?to=3h")).json()).toEqual({ analyses: [] });
  });

  it("is refused if the range has no profiles", async () => {
    expect(await run("search", { from: "1h", type: "memory" })).toMatchObject({
      code: "unprocessable",
      error: "search has no memory profiles in this range. Choose another range.",
    });
    expect(await run("search", { from: "now", to: "1h", type: "cpu" })).toMatchObject({ code: "invalid" });
  });

  it("takes only the profiles with its tags", async () => {
    await send("tagged", 10, 100, { "tag.region": "eu" });
    await send("tagged", 9, 100, { "tag.region": "us" });
    const analysis = await run("tagged", { from: "1h", type: "cpu", tags: { region: "eu" } });
    expect(analysis.range).toMatchObject({ tags: { region: "eu" }, profiles: 1 });
  });
});

describe("the comparison of two ranges", () => {
  it("names the functions that grew, per second of one instance and per request, whatever the number of profiles", async () => {
    for (const minute of [50, 48, 46, 44]) await send("slower", minute, 50, { "tag.version": "v1" });
    for (const minute of [20, 18]) await send("slower", minute, 300, { "tag.version": "v2" });
    for (const minute of [50, 48, 46, 44]) await sendRequests("slower", minute, 60);
    for (const minute of [20, 18]) await sendRequests("slower", minute, 60, 0.2);
    const analysis = await run("slower", {
      from: "30m",
      type: "cpu",
      baseline: { from: "1h", to: "30m" },
    });
    expect(analysis).toMatchObject({
      status: "completed",
      baseline: { from: at(60), to: at(30), profiles: 4 },
      comparison: {
        sample_type: "cpu/nanoseconds",
        unit: "nanoseconds per second",
        before: { per_second: 150e6, per_request: 150e6 },
        after: { per_second: 400e6, per_request: 400e6 },
        requests_per_second_before: 1,
        requests_per_second_after: 1,
        onset: { at: at(20), version: "v2" },
      },
    });
    expect(analysis.comparison.increase).toBeCloseTo(250 / 150, 9);
    expect(analysis.comparison.functions[0]).toMatchObject({
      name: "shop.price",
      self_before: 50e6,
      self_after: 300e6,
      per_request_before: 50e6,
      per_request_after: 300e6,
      share: 1,
      is_new: false,
    });
    expect(analysis.recommendations[0]).toMatchObject({
      priority: "high",
      issue: "shop.price explains 100% of the increase",
      impact: `By itself and through libraries it went from 0.05 cores to 0.3 cores. Per request: from 50 ms to 300 ms. The increase began at 2026-11-20 11:40 UTC, with v2.`,
      solution: expect.stringContaining("Compare its code and its callers in v2 with"),
      rule: "growth",
      evidence: { functions: [{ name: "shop.price", self_percent: 75, verified: true }] },
    });
  });

  it("has advice about each of two functions of one name in two files, and measures the one that was done", async () => {
    const sendFiles = async (minutesAgo: number, cartMs: number, orderMs: number) => {
      const picture = `
        main@/app/main.py:1      main@/app/main.py:1
        handle@/app/cart.py:3    handle@/app/order.py:7
        ${10 * cartMs * 1e6}     ${10 * orderMs * 1e6}`;
      const profile = profileOf(picture, { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n });
      const query = { service: "python", type: "cpu", started_at: at(minutesAgo) };
      await server.send(profile, { headers: server.keyHeaders, query });
    };
    for (const minute of [50, 48, 46, 44]) await sendFiles(minute, 50, 50);
    for (const minute of [20, 18]) await sendFiles(minute, 300, 200);
    const body = { from: "30m", type: "cpu", baseline: { from: "1h", to: "30m" } };
    const { id, recommendations } = await run("python", body);
    const growth = recommendations.filter(({ rule }: { rule: string }) => rule === "growth");
    const filesOf = ({ evidence }: (typeof growth)[0]) =>
      evidence.functions.map((fn: { file: string }) => fn.file);
    expect(growth.map(filesOf)).toEqual([["/app/cart.py"], ["/app/order.py"]]);
    const path = `analysis/${id}/recommendation/${growth[1].id}/feedback`;
    const marked = (await server.call("PUT", path, { state: "done" })).json().recommendations;
    const feedbackOf = (each: { id: string }) =>
      marked.find((one: { id: string }) => one.id === each.id).feedback?.effect.function;
    expect(growth.map(feedbackOf)).toEqual([undefined, "handle (order.py)"]);
  });

  it("has no values per request where they contradict the response times, or hardly any request was counted", async () => {
    for (const service of ["untimed", "uncounted"]) {
      for (const minute of [50, 48]) await send(service, minute, 50);
      for (const minute of [20, 18]) await send(service, minute, 300);
    }
    for (const minute of [50, 48, 20, 18]) {
      await sendRequests("untimed", minute, 60, 0.01);
      // Before and after the ten seconds of the profiles.
      await sendRequests("uncounted", minute - 0.5, 60);
    }
    for (const service of ["untimed", "uncounted"]) {
      const { comparison, recommendations } = await run(service, {
        from: "30m",
        type: "cpu",
        baseline: { from: "1h", to: "30m" },
      });
      expect([comparison.before.per_request, comparison.after.per_request]).toEqual([null, null]);
      expect(recommendations[0].impact).toMatch(/from 0.05 cores to 0.3 cores\. The increase began/);
    }
  });

  it("puts a finding first that explains the growth, with the functions that it is about", async () => {
    const compiling = (minutesAgo: number, patternMs: number, otherMs: number) => {
      const picture = `
        main.main           main.main           main.main
        shop.serve          shop.serve          shop.serve
        shop.highlight      shop.highlight      shop.render
        regexp.Compile      regexp.Compile      _
        regexp.compile      regexp/syntax.Parse _
        ${patternMs * 1e6}  ${patternMs * 1e6}  ${otherMs * 1e6}`;
      const profile = profileOf(picture, { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n });
      const query = { service: "matching", type: "cpu", started_at: at(minutesAgo) };
      return server.send(profile, { headers: server.keyHeaders, query });
    };
    for (const minute of [50, 48]) await compiling(minute, 500, 1000);
    for (const minute of [20, 18]) await compiling(minute, 1500, 1500);
    const { recommendations } = await run("matching", {
      from: "30m",
      type: "cpu",
      baseline: { from: "1h", to: "30m" },
    });
    expect(recommendations.map(({ rule }: { rule: string }) => rule)).toEqual(["regexp-compile", "growth"]);
    expect(recommendations[0]).toMatchObject({
      priority: "high",
      impact: expect.stringMatching(
        /^shop\.highlight explains 80% of the increase: by itself and through libraries it went from 0\.1 cores to 0\.3 cores\. The increase began at .*\. It accounts for/,
      ),
    });
    expect(recommendations[1].issue).toBe("shop.render explains 20% of the increase");
  });

  it("knows no onset if the range that it is compared with is the later one", async () => {
    for (const minute of [50, 46]) await send("mended", minute, 50, { "tag.version": "v1" });
    for (const minute of [44, 40]) await send("mended", minute, 300, { "tag.version": "v2" });
    for (const minute of [20, 18, 16]) await send("mended", minute, 50, { "tag.version": "v3" });
    const { comparison, recommendations } = await run("mended", {
      from: "45m",
      to: "30m",
      type: "cpu",
      baseline: { from: "30m", to: "now" },
    });
    expect(comparison).toMatchObject({
      before: { per_second: 150e6 },
      after: { per_second: 400e6 },
      onset: null,
    });
    expect(recommendations[0]).toMatchObject({
      issue: "shop.price explains 100% of the increase",
      solution: expect.stringContaining("with the baseline range"),
    });
    expect(recommendations[0].impact).not.toContain("began");
  });

  it("finds no growth where load grew only in the number of profiles", async () => {
    for (const minute of [50]) await send("steady", minute, 50);
    for (const minute of [20, 18, 16]) await send("steady", minute, 50);
    const analysis = await run("steady", { from: "30m", type: "cpu", baseline: { from: "1h", to: "30m" } });
    expect(analysis.comparison).toMatchObject({ increase: 0, functions: [] });
    expect(analysis.comparison.before.per_request).toBeNull();
    expect(analysis.recommendations.filter(({ rule }: { rule: string }) => rule === "growth")).toEqual([]);
  });
});
