import { randomUUID } from "node:crypto";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AnalysisResult, AnalysisRow } from "#analysis/store/stored-analysis.ts";
import { readConfig } from "#config";
import type { Context } from "#context";
import { acrossOrganizations, openRowStore, type RowStore } from "#store/row/row-store.ts";
import { quietLog, rowBackends } from "#store/testing/backends.ts";
import { Metrics } from "#telemetry/metrics.ts";
import { organizationCheck } from "#testing/organization-check.ts";
import { claimNext, leaseMs, renewLease, requeueLost } from "./claim.ts";
import { enqueue, type NewAnalysis } from "./enqueue.ts";
import { completeAnalysis, failAnalysis, releaseAnalysis } from "./process.ts";
import { usageOf } from "./usage.ts";

const backends = await rowBackends(isFullLength);

const noon = Date.UTC(2026, 10, 20, 12);
const at = (seconds: number) => new Date(noon + seconds * 1000);
const result: AnalysisResult = {
  recommendations: [],
  estimatedImprovement: "",
  isClean: true,
  usage: {},
  instances: null,
  profiles: 0,
  baselineProfiles: 0,
  comparison: null,
};

describe.each(backends)("the queue of analyses on $name", (backend) => {
  let rows: RowStore;
  let remove: () => Promise<void>;
  let now: Date;
  let limits: object;
  const orgs = { a: randomUUID(), b: randomUUID() };

  beforeEach(async () => {
    const place = await backend.create();
    rows = (await openRowStore(place.config, quietLog)).withPlugin(organizationCheck);
    remove = place.remove;
    now = at(0);
    limits = { analysesPerDay: 100, llmCallsPerDay: 100, llmTokensPerDay: 1000 };
    for (const id of Object.values(orgs)) {
      await rows
        .insertInto("organizations")
        .values({ id, name: id, isDemo: 0, createdAt: now.toISOString() })
        .execute();
    }
  });
  afterEach(async () => {
    await rows.destroy();
    await remove();
  });

  function request(change: Partial<NewAnalysis> = {}): NewAnalysis {
    return {
      orgId: orgs.a,
      service: "checkout",
      type: "cpu",
      displayType: "cpu",
      profileId: "p1",
      subject: "{}",
      subjectFrom: at(-10).toISOString(),
      subjectTo: at(0).toISOString(),
      requestKey: randomUUID(),
      options: "{}",
      provider: "builtin",
      model: null,
      createdBy: null,
      ...change,
    };
  }

  const add = (change?: Partial<NewAnalysis>) => {
    const ctx = {
      rows,
      config: { ...readConfig({}), organization: limits },
      now: () => now,
      metrics: new Metrics(),
    } as unknown as Context;
    return enqueue(ctx, request(change));
  };
  const claim = (holder: string, kind: "builtin" | "model" = "builtin") =>
    claimNext(rows, { holder, kind, now });
  const stored = (id: string): Promise<AnalysisRow> =>
    acrossOrganizations(rows)
      .selectFrom("analyses")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();

  it("returns the analysis that does the same for an hour, and a new one after it ended", async () => {
    const [first, second] = await Promise.all([add({ requestKey: "same" }), add({ requestKey: "same" })]);
    expect(second.id).toBe(first.id);
    const claimed = await claim("one");
    expect((await add({ requestKey: "same" })).id).toBe(first.id);
    expect(
      await completeAnalysis(rows, claimed!, result, { processingTimeMs: 1, tokensUsed: 0, at: now }),
    ).toBe(true);
    const third = await add({ requestKey: "same" });
    expect(third.id).not.toBe(first.id);
    now = at(3601);
    expect((await add({ requestKey: "same" })).id).not.toBe(third.id);
    expect((await add({ requestKey: "same", orgId: orgs.b })).orgId).toBe(orgs.b);
  });

  it("gives each analysis to one process, two of an organization at a time, oldest first", async () => {
    const ids: string[] = [];
    for (let second = 0; second < 4; second++) {
      now = at(second);
      ids.push((await add()).id);
    }
    const claims = await Promise.all([claim("one"), claim("two"), claim("three")]);
    const taken = claims.flatMap((each) => (each === undefined ? [] : [each.id]));
    expect(taken.toSorted()).toEqual(ids.slice(0, 2).toSorted());
    const [first] = claims.filter((each) => each !== undefined);
    await failAnalysis(rows, first!, "No.", { processingTimeMs: 1, tokensUsed: 0, at: now });
    expect((await claim("one"))?.id).toBe(ids[2]);
    expect(await claim("two")).toBeUndefined();
  });

  it("prefers the organization with fewer analyses in progress", async () => {
    for (let i = 0; i < 3; i++) await add();
    expect((await claim("one"))?.orgId).toBe(orgs.a);
    now = at(1);
    await add({ orgId: orgs.b });
    expect((await claim("one"))?.orgId).toBe(orgs.b);
    expect((await claim("one"))?.orgId).toBe(orgs.a);
  });

  it("keeps analyses of language models apart from the built-in ones", async () => {
    const { id } = await add({ provider: "anthropic", model: "m" });
    expect(await claim("one")).toBeUndefined();
    expect((await claim("one", "model"))?.id).toBe(id);
  });

  it("gives an analysis to another process once the lease of the first ended, and drops the late result", async () => {
    const { id } = await add();
    const first = await claim("one");
    now = at(50);
    expect(await renewLease(rows, first!, { holder: "one", now })).toBe(true);
    now = at(100);
    expect(await requeueLost(rows, { holder: "two", now, isOnlyProcess: false })).toBe(0);
    now = new Date(at(50).getTime() + leaseMs);
    expect(await requeueLost(rows, { holder: "two", now, isOnlyProcess: false })).toBe(1);
    const second = await claim("two");
    expect([second?.id, second?.attempts]).toEqual([id, 2]);
    expect(await renewLease(rows, first!, { holder: "one", now })).toBe(false);
    const spent = { processingTimeMs: 1, tokensUsed: 0, at: now };
    expect(await completeAnalysis(rows, first!, result, spent)).toBe(false);
    expect(await completeAnalysis(rows, second!, result, spent)).toBe(true);
    expect(await stored(id)).toMatchObject({ status: "completed", holder: null, error: null });
  });

  it("begins an interrupted analysis at once if no other process can have it, three times at most", async () => {
    const { id } = await add();
    for (const holder of ["first run", "second run", "third run"]) {
      expect((await claim(holder))?.id).toBe(id);
      expect(await requeueLost(rows, { holder, now, isOnlyProcess: true })).toBe(0);
      expect(await requeueLost(rows, { holder: `after the ${holder}`, now, isOnlyProcess: true })).toBe(1);
    }
    expect(await claim("fourth run")).toBeUndefined();
    const failed = await stored(id);
    expect([failed.status, failed.error]).toEqual([
      "failed",
      expect.stringContaining("The server stopped during each attempt"),
    ]);
  });

  it("does not count a beginning that the stop of the server ended", async () => {
    const { id } = await add();
    await releaseAnalysis(rows, (await claim("one"))!);
    expect(await stored(id)).toMatchObject({ status: "pending", attempts: 0, holder: null });
  });

  it("ignores a lease that a clock far ahead wrote", async () => {
    const { id } = await add();
    now = at(86_400 * 365);
    await claim("ahead");
    now = at(1);
    await requeueLost(rows, { holder: "two", now, isOnlyProcess: false });
    expect((await claim("two"))?.id).toBe(id);
  });

  it("cancels an analysis whose service is removed: its result and its lease have no row", async () => {
    await add();
    const claimed = await claim("one");
    await rows.deleteFrom("analyses").where("orgId", "=", orgs.a).where("service", "=", "checkout").execute();
    expect(await renewLease(rows, claimed!, { holder: "one", now })).toBe(false);
    const spent = { processingTimeMs: 1, tokensUsed: 7, at: now };
    expect(await completeAnalysis(rows, claimed!, result, spent)).toBe(false);
    expect(await usageOf(rows, orgs.a, now)).toMatchObject({ tokens: 7 });
  });

  it("refuses more than the limits of a day, and counts again from midnight", async () => {
    limits = { analysesPerDay: 3, llmCallsPerDay: 1, llmTokensPerDay: 1000 };
    await add();
    await add({ provider: "openai", model: "m" });
    await expect(add({ provider: "openai", model: "m" })).rejects.toMatchObject({
      code: "rate_limited",
      message: expect.stringMatching(/daily limit of 1 calls of the language model.*ORG_LLM_CALLS_PER_DAY/),
      retryAfterSeconds: 43_200,
    });
    await add();
    await expect(add()).rejects.toThrow("ORG_ANALYSES_PER_DAY");
    await add({ orgId: orgs.b });
    now = at(12 * 3600);
    await add({ provider: "openai", model: "m" });
    expect(await usageOf(rows, orgs.a, now)).toEqual({ analyses: 1, modelCalls: 1, tokens: 0 });
  });

  it("refuses a language model once a day's calls used up its tokens", async () => {
    await add({ provider: "openai", model: "m" });
    const claimed = await claim("one", "model");
    await completeAnalysis(rows, claimed!, result, { processingTimeMs: 1, tokensUsed: 1000, at: now });
    await expect(add({ provider: "openai", model: "m" })).rejects.toThrow("ORG_LLM_TOKENS_PER_DAY");
    await add();
  });
});
