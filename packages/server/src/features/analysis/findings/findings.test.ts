import type * as calls from "@flamekeep/contract";
import type { Finding, ReplyOf } from "@flamekeep/contract";
import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { measureDue } from "#analysis/effect/measure-due.ts";
import { inOrder } from "#analysis/findings/order.ts";
import type { ListedFinding } from "#analysis/findings/queries.ts";
import { removeOldAnalyses } from "#analysis/job.ts";
import { queueDaily } from "#analysis/queue/daily.ts";
import { type SentPattern, sendPattern } from "#analysis/testing/send-pattern.ts";
import { type AnalysingServer, startAnalyses } from "#analysis/testing/start-analyses.ts";

type Listed = ReplyOf<typeof calls.listFindings>;

let server: AnalysingServer;
beforeAll(async () => {
  server = await startAnalyses({ at: "2026-11-20T12:00:00.000Z" });
});
afterAll(() => server.close());

const send = (sent: SentPattern) => sendPattern(server, sent);

async function list(query = "", headers?: Readonly<Record<string, string>>): Promise<Listed> {
  const reply = await server.call("GET", `findings?${query}`, undefined, headers);
  if (reply.statusCode !== 200) throw new Error(reply.body);
  return reply.json();
}

const change = (id: string, body: object, headers?: Readonly<Record<string, string>>) =>
  server.call("PATCH", `findings/${id}`, body, headers);

/** The finding about the pattern that is compiled for each search. */
async function patternOf(service: string, state = "all"): Promise<Finding> {
  const { findings } = await list(`service=${service}&state=${state}`);
  return findings.find(({ rule }) => rule === "regexp-compile")!;
}

describe("the list of findings", () => {
  it("has each rule and function of a service once, with what it costs and would save on all instances", async () => {
    for (const minutesAgo of [4, 3, 2]) {
      await send({ service: "fleet", minutesAgo, tags: { "tag.instance": "a" } });
      // At another time: equal profiles are one upload.
      await send({ service: "fleet", minutesAgo: minutesAgo + 0.5, tags: { "tag.instance": "b" } });
    }
    const body = { type: "cpu", from: "1h" };
    for (let times = 0; times < 2; times++) {
      expect((await server.call("POST", "service/fleet/analyze", body)).statusCode).toBe(200);
      await server.work();
      server.clock.advance(minuteMs);
    }
    const { findings } = await list("service=fleet");
    expect(new Set(findings.map(({ rule, function: fn }) => `${rule} ${fn?.name}`)).size).toBe(
      findings.length,
    );
    const found = await patternOf("fleet");
    expect(found).toMatchObject({
      service: "fleet",
      display_type: "cpu",
      function: { name: "shop.highlight" },
      cost: { unit: "cores", per_month: null },
      is_current: true,
      owner: null,
      state: "open",
      effect: null,
      profile_id: null,
    });
    // 0.1 cores on each of two instances.
    expect(found.cost!.value).toBeCloseTo(0.2, 6);
    expect(found.saving!.value).toBeGreaterThan(0.1);
    const analysis = (await server.call("GET", `analysis/${found.analysis_id}`)).json();
    expect(analysis.recommendations.map(({ id }: { id: string }) => id)).toContain(found.recommendation_id);
  });

  it("counts opened files as one instance, however they are called", async () => {
    const files = ["a.pb.gz", "b.pb.gz", "c.pb.gz"];
    for (const [at, file] of files.entries()) {
      await send({ service: "opened", minutesAgo: 2 + at / 2, tags: { file, "tag.file": file } });
    }
    const body = { type: "cpu", from: "1h" };
    expect((await server.call("POST", "service/opened/analyze", body)).statusCode).toBe(200);
    await server.work();
    expect((await patternOf("opened")).cost!.value).toBeCloseTo(0.1, 6);
  });

  it("is seen first when its first analysis read the data, and not when that range began", async () => {
    await send({ service: "fresh" });
    const body = { type: "cpu", from: "1d" };
    expect((await server.call("POST", "service/fresh/analyze", body)).statusCode).toBe(200);
    await server.work();
    const first = (await patternOf("fresh")).first_seen_at;
    const ageMs = server.clock.now().getTime() - Date.parse(first);
    expect(ageMs).toBeGreaterThanOrEqual(0);
    expect(ageMs).toBeLessThanOrEqual(minuteMs);
    server.clock.advance(5 * minuteMs);
    await server.analyse(await send({ service: "fresh" }));
    expect((await patternOf("fresh")).first_seen_at).toBe(first);
  });

  it("drops what the newest analysis does not show, and keeps what an analysis of older data says out", async () => {
    const old = await send({ service: "mended", minutesAgo: 30 });
    await server.analyse(old);
    expect((await patternOf("mended")).is_current).toBe(true);
    await server.analyse(await send({ service: "mended", compileMs: 0 }));
    expect(await patternOf("mended")).toBeUndefined();
    await server.analyse(old);
    expect(await patternOf("mended")).toBeUndefined();
  });

  it("is that of one organization", async () => {
    const { id } = await patternOf("fleet");
    const stranger = await server.signUp();
    expect(await list("", stranger.headers)).toMatchObject({
      findings: [],
      services: [],
      totals: { findings: 0, cores: 0, bytes: 0, milliseconds_per_second: 0, per_month: null },
    });
    expect((await change(id, { state: "accepted" }, stranger.headers)).statusCode).toBe(404);
  });

  it("has what costs most first where nothing is known to be saved", () => {
    const listed = (id: string, inUse: number, share: number): ListedFinding => ({
      id,
      service: id,
      displayType: "cpu",
      category: "cpu_optimization",
      priority: "low",
      ownerId: null,
      unit: "cores",
      inUse,
      share,
      saving: 0,
      state: "open",
    });
    const placed = inOrder([listed("a", 1, 0.2), listed("b", 1, 0.9), listed("c", 20, 0.3)], null);
    expect(placed.map(({ finding }) => finding.id)).toEqual(["c", "b", "a"]);
  });

  it("is paged without gaps, those that save most first", async () => {
    const whole = (await list("state=all")).findings;
    expect(whole.length).toBeGreaterThan(2);
    const savings = whole.map(({ saving }) => saving?.value ?? 0);
    expect(savings).toEqual(savings.toSorted((a, b) => b - a));
    const paged: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: Listed = await list(`state=all&limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      expect(page.findings.length).toBeLessThanOrEqual(2);
      paged.push(...page.findings.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(whole.map(({ id }) => id));
    expect((await server.call("GET", "findings?cursor=nonsense")).statusCode).toBe(400);
  });

  it("sums what open and accepted findings save, never more than what is in use", async () => {
    const { findings, totals, counts } = await list("service=fleet");
    expect(totals.findings).toBe(findings.length);
    expect(counts).toMatchObject({ open: findings.length, accepted: 0, done: 0, dismissed: 0 });
    const largest = Math.max(...findings.map(({ saving }) => saving?.value ?? 0));
    expect(totals.cores).toBeGreaterThanOrEqual(largest - 1e-9);
    // Two instances use 0.3 cores each.
    expect(totals.cores).toBeLessThan(0.6);
    expect(totals.per_month).toBeNull();
  });
});

describe("the price", () => {
  it("gives findings and their sum money, and is set by admins only", async () => {
    const price = { per_core_month: 20, per_gb_month: 3, currency: "EUR" };
    const put = (body: object, headers?: Readonly<Record<string, string>>) =>
      server.call("PUT", "organization/price", body, headers);
    await server.setRole(server.person, "member");
    expect((await put({ price })).statusCode).toBe(403);
    await server.setRole(server.person, "admin");
    expect((await put({ price: { ...price, currency: "€" } })).statusCode).toBe(400);
    expect((await put({ price })).json()).toEqual({ price });
    expect((await server.call("GET", "organization/price")).json()).toEqual({ price });
    const { cost } = await patternOf("fleet");
    expect(cost!.per_month).toBeCloseTo(0.2 * 20, 6);
    const { totals } = await list();
    expect(totals.per_month).toBeCloseTo(totals.cores * 20, 6);
    expect((await put({ price: null })).json()).toEqual({ price: null });
    expect((await list()).totals.per_month).toBeNull();
  });
});

describe("owner and state of a finding", () => {
  it("are set by admins and members, and filter the list", async () => {
    const { id } = await patternOf("fleet");
    const { userId } = server.person;
    expect((await change(id, { owner_id: userId, state: "accepted" })).json().finding).toMatchObject({
      owner: { user_id: userId, name: "Ada Lovelace" },
      state: "accepted",
    });
    expect((await list(`owner=${userId}`)).findings.map((each) => each.id)).toEqual([id]);
    expect((await list("owner=none")).findings.map((each) => each.id)).not.toContain(id);
    expect((await list("state=accepted")).findings.map((each) => each.id)).toEqual([id]);
    expect((await list("state=open")).findings.map((each) => each.id)).not.toContain(id);
    await server.setRole(server.person, "viewer");
    expect((await change(id, { state: "open" })).statusCode).toBe(403);
    await server.setRole(server.person, "admin");
    expect((await change(id, { owner_id: null, state: "open" })).json().finding).toMatchObject({
      owner: null,
      state: "open",
    });
  });

  it("refuse people of other organizations, dismissals without a reason, and unknown findings", async () => {
    const { id } = await patternOf("fleet");
    const stranger = await server.signUp();
    expect((await change(id, { owner_id: stranger.userId })).statusCode).toBe(422);
    expect((await change(id, { state: "dismissed" })).statusCode).toBe(400);
    expect((await change(stranger.userId, { state: "done" })).statusCode).toBe(404);
    expect((await change(id, { reason: "Runs once" })).statusCode).toBe(400);
    const { userId } = server.person;
    expect((await change(id, { owner_id: userId, state: "dismissed" })).statusCode).toBe(400);
    expect((await change(id, { owner_id: stranger.userId, state: "accepted" })).statusCode).toBe(422);
    expect(await patternOf("fleet")).toMatchObject({ owner: null, state: "open" });
  });

  it("stay when a later analysis does not show the finding", async () => {
    await server.analyse(await send({ service: "waved", minutesAgo: 5 }));
    const { id } = await patternOf("waved");
    await change(id, { state: "dismissed", reason: "Runs once" });
    await server.analyse(await send({ service: "waved" }));
    expect(await patternOf("waved")).toMatchObject({ id, state: "dismissed", reason: "Runs once" });
    expect(await patternOf("waved", "active")).toBeUndefined();
  });
});

describe("an accepted finding", () => {
  it("is measured after the next deploy by itself, and keeps that effect when it is done", async () => {
    const service = "released";
    const tagged = (version: string) => ({ service, tags: { "tag.version": version } });
    for (const minutesAgo of [5, 4, 3]) await send({ ...tagged("v1"), minutesAgo });
    await server.analyse(await send(tagged("v1")));
    const { id } = await patternOf(service);
    await change(id, { state: "accepted" });

    server.clock.advance(30 * minuteMs);
    for (const minutesAgo of [4, 3, 2]) await send({ ...tagged("v1"), minutesAgo });
    await measureDue(server.ctx);
    expect((await patternOf(service)).effect).toBeNull();

    server.clock.advance(30 * minuteMs);
    for (const minutesAgo of [4, 3, 2]) await send({ ...tagged("v2"), minutesAgo, compileMs: 10 });
    await measureDue(server.ctx);
    const { effect } = await patternOf(service);
    expect(effect).toMatchObject({ status: "improved", version: "v2", profiles: 3 });
    expect(effect!.change).toBeCloseTo(-0.9, 6);

    server.clock.advance(2 * 60 * minuteMs);
    for (const minutesAgo of [4, 3, 2]) await send({ ...tagged("v3"), minutesAgo, compileMs: 10 });
    await measureDue(server.ctx);
    expect((await patternOf(service)).effect).toMatchObject({ status: "improved", version: "v2" });

    const done = (await change(id, { state: "done" })).json().finding;
    expect(done).toMatchObject({ state: "done", effect: { status: "improved", version: "v2" } });
    server.clock.advance(minuteMs);
    await measureDue(server.ctx);
    expect((await patternOf(service)).effect).toMatchObject({ status: "improved", version: "v2" });
  });
});

describe("daily analyses", () => {
  it("find what nobody asked for, once a day, and count for nobody's limit", async () => {
    const used = () => server.rows.selectFrom("analysisUsage").selectAll().orderBy("day").execute();
    const before = await used();
    const service = "unattended";
    // Clocks seldom show whole seconds.
    server.clock.advance(250);
    for (const minutesAgo of [4, 3, 2]) await send({ service, minutesAgo });
    const checked = new Map<string, number>();
    while ((await queueDaily(server.ctx, checked)) > 0) await server.work();
    expect(await patternOf(service)).toMatchObject({ is_current: true, profile_id: null });
    expect(await used()).toEqual(before);
    checked.clear();
    expect(await queueDaily(server.ctx, checked)).toBe(0);

    server.clock.advance(dayMs);
    for (const minutesAgo of [4, 3, 2]) await send({ service, minutesAgo });
    checked.clear();
    expect(await queueDaily(server.ctx, checked)).toBe(1);
    await server.work();
    const { analyses } = (await server.call("GET", `service/${service}/analyses`)).json();
    expect(analyses).toHaveLength(2);
  });

  it("go with their findings when the data is removed", async () => {
    server.clock.advance(40 * dayMs);
    await removeOldAnalyses(server.ctx);
    expect(await list("state=all")).toMatchObject({ findings: [], services: [] });
  });
});
