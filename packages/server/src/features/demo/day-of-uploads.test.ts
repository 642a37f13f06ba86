import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dayMs } from "@flamekeep/contract/durations";
import Fastify, { type FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "#config";
import { limitRates } from "#http/endpoint/rate-limit.ts";
import { copyColumnStore } from "#store/testing/templates.ts";
import { type OpenContext, openContext } from "../../open-context.ts";
import { registerIngest } from "../ingest/routes.ts";
import { readManifest } from "./manifest.ts";
import { replay, storedSince, type TakeUpload } from "./replay.ts";

const nowMs = Date.parse("2026-11-20T10:07:30Z");

let dataDir: string;
let app: FastifyInstance;
let ctx: OpenContext;
let takeUpload: TakeUpload;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "flamekeep-"));
  await copyColumnStore(dataDir);
  const config = readConfig({ NODE_ENV: "test", DEMO: "on", DATA_DIR: dataDir });
  ctx = await openContext(config, pino({ level: "silent" }), { now: () => new Date(nowMs) });
  app = Fastify();
  await limitRates(app);
  takeUpload = registerIngest(app, ctx).take;
});
afterAll(async () => {
  await app.close();
  await ctx[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

test("ingestion accepts every upload of a day, and each service has memory profiles like CPU profiles", async () => {
  const refused: string[] = [];
  const take: TakeUpload = (upload) =>
    takeUpload(upload).catch((error: unknown) => {
      refused.push(`${upload.query["service"]} ${upload.query["type"]}: ${error}`);
    });
  const { orgId } = ctx.demo!;
  const manifest = await readManifest();
  const stopped = new AbortController().signal;
  const sent = await replay(ctx, { manifest, take, orgId, stopped }, nowMs - dayMs);
  expect(refused).toEqual([]);
  const stored = await ctx.columns.query(storedSince, { orgId, from: new Date(0) });
  expect(stored).toHaveLength(sent);
  const count = (service: string, type: string) =>
    stored.filter((row) => row.service === service && row.type === type).length;
  for (const service of ["checkout", "catalog", "search", "gateway"]) {
    expect(count(service, "cpu")).toBeGreaterThan(20);
    expect([service, Math.abs(count(service, "memory") - count(service, "cpu")) <= 1]).toEqual([
      service,
      true,
    ]);
  }
}, 180_000);
