import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { hourMs } from "@flamekeep/contract/durations";
import { defaultLimits, readProfile } from "@flamekeep/profile";
import Fastify, { type FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { Failure } from "#failure";
import { limitRates } from "#http/endpoint/rate-limit.ts";
import { copyColumnStore } from "#store/testing/templates.ts";
import { type OpenContext, openContext } from "../../open-context.ts";
import { registerIngest } from "../ingest/routes.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { type DemoUpload, replay, storedSince, type TakeUpload } from "./replay.ts";

describe("replaying the recorded set", () => {
  let dataDir: string;
  let app: FastifyInstance;
  let ctx: OpenContext;
  let ingestUpload: TakeUpload;
  let manifest: Manifest;
  let orgId: string;
  let nowMs = Date.parse("2026-11-20T10:07:30Z");
  const never = new AbortController().signal;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "flamekeep-"));
    await copyColumnStore(dataDir);
    const config = readConfig({ NODE_ENV: "test", DEMO: "on", DATA_DIR: dataDir });
    ctx = await openContext(config, pino({ level: "silent" }), { now: () => new Date(nowMs) });
    app = Fastify();
    await limitRates(app);
    ingestUpload = (await registerIngest(app, ctx)).take;
    manifest = await readManifest();
    orgId = ctx.demo!.orgId;
  });
  afterAll(async () => {
    await app.close();
    await ctx[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });

  const sinceAnHour = () => nowMs - hourMs;

  async function collect(sinceMs: number): Promise<DemoUpload[]> {
    const uploads: DemoUpload[] = [];
    const take = (upload: DemoUpload) => Promise.resolve(void uploads.push(upload));
    expect(await replay(ctx, { manifest, take, orgId, stopped: never }, sinceMs)).toBe(uploads.length);
    return uploads;
  }

  it("sends gzipped profiles whose own time is that of their slot", async () => {
    const uploads = (await collect(sinceAnHour())).filter(({ format }) => format === "profile");
    expect(uploads.length).toBeGreaterThan(50);
    for (const { body, query } of uploads) {
      const read = readProfile(gunzipSync(body), defaultLimits);
      if (!read.ok) throw new Error(read.error.message);
      const ms = Number(read.profile.timeNs / 1_000_000n);
      expect(ms).toBeGreaterThanOrEqual(sinceAnHour());
      expect(ms).toBeLessThanOrEqual(nowMs);
      expect(query["tag.version"]).toMatch(/^v\d/);
    }
  });

  it("goes on after an upload that is refused, and ends the round where the store is away", async () => {
    const all = (await collect(sinceAnHour())).length;
    let taken = 0;
    const take = async () => {
      if (++taken === 3) throw new Failure("unprocessable", "The body is something else.");
    };
    const parts = { manifest, take, orgId, stopped: never };
    expect(await replay(ctx, parts, sinceAnHour())).toBe(all - 1);
    expect(taken).toBe(all);
    const unavailable = () => Promise.reject(new Failure("unavailable", "The store is away."));
    await expect(replay(ctx, { ...parts, take: unavailable }, sinceAnHour())).rejects.toThrow("away");
  });

  it("stores each upload once through the real ingestion, however often it runs", async () => {
    const parts = { manifest, take: ingestUpload, orgId, stopped: never };
    const first = await replay(ctx, parts, sinceAnHour());
    expect(first).toBeGreaterThan(100);
    expect(await replay(ctx, parts, sinceAnHour())).toBe(0);
    const stored = await ctx.columns.query(storedSince, { orgId, from: new Date(0) });
    expect(stored).toHaveLength(first);
    expect(new Set(stored.map(({ service }) => service))).toEqual(
      new Set(["checkout", "catalog", "search", "gateway"]),
    );
    nowMs += 15 * 60_000;
    const next = await replay(ctx, parts, sinceAnHour());
    expect(next).toBeGreaterThan(0);
    expect(next).toBeLessThan(first / 2);
  });

  it("stops between two uploads when it is aborted", async () => {
    const stopping = new AbortController();
    let sent = 0;
    const take = async () => {
      sent++;
      stopping.abort();
    };
    await replay(ctx, { manifest, take, orgId, stopped: stopping.signal }, 0);
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(100);
  });
});
