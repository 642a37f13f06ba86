import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Picture, pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedCounts, storedFolded, storedProfiles } from "#ingest/testing/stored.ts";
import { pendingUploads } from "#store/payloads/pending-uploads.ts";
import { type ServerEndpoint, startClickHouse } from "#store/testing/clickhouse.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

let clickHouse: Awaited<ReturnType<typeof startClickHouse>>;
beforeAll(async () => {
  clickHouse = await startClickHouse();
});
afterAll(() => clickHouse.stop());

let folder: string;
const opened: TestApp[] = [];
let endpoint: ServerEndpoint;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "flamekeep-away-"));
  endpoint = await clickHouse.openEndpoint();
});
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
  rmSync(folder, { recursive: true });
});

async function start(env: Record<string, string> = {}): Promise<TestApp> {
  const app = await startApp({ env: { CLICKHOUSE_URL: endpoint.url, ...env } });
  opened.push(app);
  return app;
}

const startMs = Date.now() - 600_000;
const cpu = (value: number): Picture => ({
  sampleTypes: ["samples/count", "cpu/nanoseconds"],
  samples: [
    ["main;shared", 1, value],
    [`main;handle${value}`, 1, value],
  ],
  timeNs: BigInt(startMs + value) * 1_000_000n,
  durationNs: 1n,
});
const mutex = (contentions: number, seconds: number): Picture => ({
  sampleTypes: ["contentions/count", "delay/nanoseconds"],
  samples: [["main;lock", contentions, 100 * contentions]],
  timeNs: BigInt(startMs + 1000 * seconds) * 1_000_000n,
});

async function senderTo(server: TestApp) {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const send = async (picture: Picture, type = "cpu") => {
    const reply = await server.trySend(pprofOf(picture), { headers, query: { type } });
    return { status: reply.statusCode, ...reply.json() };
  };
  const sendMetrics = async (path: string) => {
    const timestamp = new Date(startMs).toISOString();
    const item = { timestamp, duration: 0.1, status_code: 200, method: "GET", path };
    const url = "/api/v1/ingest/http-metrics?service=web";
    return server.app.inject({ method: "POST", url, headers, payload: [item, item] });
  };
  return { ...person, keyHeaders: headers, send, sendMetrics };
}

async function readinessOf({ app }: TestApp) {
  const reply = await app.inject("/readyz");
  const { status, checks } = reply.json();
  return [reply.statusCode, status, checks.find(({ name }: { name: string }) => name === "column store").ok];
}

async function contentOf({ ctx }: TestApp, orgId: string) {
  const rows = await storedProfiles(ctx.columns, orgId);
  return {
    counts: await storedCounts(ctx, orgId),
    folded: (await storedFolded(ctx.columns, orgId, "samples/count")).toSorted(),
    added: rows
      .filter(({ type }) => type === "mutex")
      .map(({ deltas_totals }) => Number(deltas_totals[0]))
      .toSorted((a, b) => a - b),
  };
}

/** Some before ClickHouse is away, some while it is. */
async function sendThroughOutage(server: TestApp) {
  const sender = await senderTo(server);
  expect(await sender.send(mutex(10, 0), "mutex")).toMatchObject({ status: 200, duplicate: false });
  expect(await storedCounts(server.ctx, sender.orgId)).toMatchObject({ profiles: 1 });
  await endpoint.away();
  const replies = await Promise.all(Array.from({ length: 30 }, (_, value) => sender.send(cpu(value))));
  for (const [index, contentions] of [25, 31].entries())
    replies.push(await sender.send(mutex(contentions, index + 1), "mutex"));
  expect(replies.map(({ status, duplicate }) => [status, duplicate])).toEqual(Array(32).fill([200, false]));
  expect((await sender.sendMetrics("/")).statusCode).toBe(200);
  expect(await sender.send(cpu(7))).toMatchObject({ status: 200, duplicate: true });
  return { ...sender, ids: replies.map(({ profile_id }) => profile_id as string) };
}

const expected = {
  counts: { profiles: 34, payloads: 33, requests: 2, rolledUpRequests: 2 },
  added: [0, 6, 15],
};

test("uploads are acknowledged while ClickHouse is away, and stored once and in order when it is back", async () => {
  const server = await start();
  const { orgId, ids, headers } = await sendThroughOutage(server);
  const bytes = await Promise.all(ids.map((id) => server.ctx.payloads.read(orgId, id)));
  expect(bytes.every((stored) => stored !== undefined)).toBe(true);
  const url = "/api/v1/protected/services";
  expect((await server.app.inject({ url, headers })).statusCode).toBe(503);
  expect(await readinessOf(server)).toEqual([200, "ready", false]);
  await endpoint.back();
  await expect
    .poll(() => contentOf(server, orgId).catch(String), { timeout: 20_000 })
    .toMatchObject(expected);
  const { folded } = await contentOf(server, orgId);
  expect(folded).toContain("main;shared 30");
  expect(folded).toHaveLength(31);
});

test("uploads are acknowledged while ClickHouse takes requests and answers none, and stored once when it goes on", async () => {
  const server = await start();
  const sender = await senderTo(server);
  expect(await sender.send(mutex(10, 0), "mutex")).toMatchObject({ status: 200 });
  expect(await storedCounts(server.ctx, sender.orgId)).toMatchObject({ profiles: 1 });
  endpoint.hang();
  for (let round = 0; round < 3; round++) {
    const sent = Array.from({ length: 10 }, (_, value) => sender.send(cpu(10 * round + value)));
    const replies = await Promise.all([...sent, sender.send(mutex(25 + 6 * round, round + 1), "mutex")]);
    expect(replies.map(({ status, duplicate }) => [status, duplicate])).toEqual(Array(11).fill([200, false]));
  }
  endpoint.goOn();
  await expect
    .poll(() => contentOf(server, sender.orgId).catch(String), { timeout: 30_000 })
    .toMatchObject({ counts: { profiles: 34, payloads: 34 }, added: [0, 6, 6, 15] });
}, 90_000);

test("uploads that were acknowledged before a kill during the outage are stored by the next start", async () => {
  const server = await start();
  const { orgId } = await sendThroughOutage(server);
  const copy = mkdtempSync(join(folder, "copy-"));
  for (const name of ["uploads", "flamekeep.sqlite", "flamekeep.sqlite-wal", "auth-secret", "stores.json"]) {
    const path = join(server.ctx.config.dataDir, name);
    if (existsSync(path)) cpSync(path, join(copy, name), { recursive: true });
  }
  const { url } = await clickHouse.openEndpoint();
  const next = await start({ CLICKHOUSE_URL: url, DATA_DIR: copy });
  expect(await contentOf(next, orgId)).toMatchObject(expected);
  expect(next.logged.join("\n")).toContain("stored the rows of acknowledged uploads");
});

test("a server that stops for good while ClickHouse is away says what its log keeps, until a start has stored it", async () => {
  const dataDir = join(folder, "member");
  mkdirSync(dataDir);
  const member = await startApp({ env: { CLICKHOUSE_URL: endpoint.url, DATA_DIR: dataDir } });
  const { orgId } = await sendThroughOutage(member);
  expect((await member.app.inject({ url: "/metrics" })).body).toContain(
    "flamekeep_ingest_postponed_uploads 33",
  );
  await member.close();
  // The first upload was stored before: a file stays until all of its uploads are.
  expect(member.logged.join("\n")).toMatch(/"uploads":34,.*only in the log of this data folder/);
  expect(await pendingUploads(dataDir)).toEqual({ uploads: 34, bytes: expect.any(Number) });
  const { url } = await clickHouse.openEndpoint();
  const next = await startApp({ env: { CLICKHOUSE_URL: url, DATA_DIR: dataDir } });
  expect(await contentOf(next, orgId)).toMatchObject(expected);
  await next.close();
  expect(next.logged.join("\n")).not.toContain("only in the log");
  expect(await pendingUploads(dataDir)).toEqual({ uploads: 0, bytes: 0 });
});

test("beyond INGEST_WAITING_UPLOADS, uploads are refused with 429 until ClickHouse is back", async () => {
  const server = await start({ INGEST_WAITING_UPLOADS: "3" });
  const { orgId, send } = await senderTo(server);
  await endpoint.away();
  const statuses: number[] = [];
  for (let value = 0; value < 5; value++) statuses.push((await send(cpu(value))).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  expect(await send(cpu(5))).toMatchObject({
    code: "rate_limited",
    error: expect.stringMatching(/^The column store is unavailable, .* INGEST_WAITING_UPLOADS\.$/),
  });
  expect(await readinessOf(server)).toEqual([503, "not_ready", false]);
  await endpoint.back();
  await expect
    .poll(() => storedCounts(server.ctx, orgId).catch(String), { timeout: 20_000 })
    .toMatchObject({ profiles: 3, payloads: 3 });
  expect(await send(cpu(3))).toMatchObject({ status: 200, duplicate: false });
});

test("without room for the log, uploads are refused with 507", async () => {
  const server = await start();
  const { keyHeaders } = await senderTo(server);
  const disk = { ...server.ctx.disk, freeBytes: async () => server.ctx.disk.reserveBytes - 1 };
  const app = await server.createApp({ disk });
  const reply = await server.trySend(pprofOf(cpu(1)), { app, headers: keyHeaders });
  await app.close();
  expect([reply.statusCode, reply.json().code]).toEqual([507, "disk_full"]);
});

test("with ACKNOWLEDGE=stored, the answer waits for the rows", async () => {
  const server = await start({ ACKNOWLEDGE: "stored" });
  const { orgId, send } = await senderTo(server);
  expect(await send(cpu(0))).toMatchObject({ status: 200, duplicate: false });
  // A read that waits for nothing.
  const read = async () =>
    (await storedProfiles({ ...server.ctx.columns, ...server.ctx.columns.direct }, orgId)).length;
  expect(await read()).toBe(1);
  await endpoint.away();
  let answers = 0;
  const sending = [1, 2, 2].map(async (value) => {
    const { status, duplicate } = await send(cpu(value));
    answers++;
    return [status, duplicate];
  });
  await expect.poll(() => server.logged.join("\n")).toContain("whether these uploads are stored is unknown");
  expect(answers).toBe(0);
  expect(await readinessOf(server)).toEqual([503, "not_ready", false]);
  await endpoint.back();
  const outcomes = await Promise.all(sending);
  expect(outcomes.map(String).toSorted()).toEqual(["200,false", "200,false", "200,true"]);
  expect(await read()).toBe(3);
});

test("servers that share a ClickHouse find each other's uploads, and recognise them when they are sent again", async () => {
  const one = await start();
  const { orgId, keyHeaders, send } = await senderTo(one);
  const rows = { kind: "sqlite" as const, file: join(one.ctx.config.dataDir, "flamekeep.sqlite") };
  const other = await startApp({ env: { CLICKHOUSE_URL: endpoint.url }, config: { rows } });
  opened.push(other);
  const { profile_id } = await send(cpu(1));
  const own = await one.ctx.payloads.read(orgId, profile_id);
  expect(own && Buffer.from(own.bytes).equals(pprofOf(cpu(1)))).toBe(true);
  await expect
    .poll(async () => (await storedProfiles(other.ctx.columns, orgId)).length, { timeout: 5000 })
    .toBe(1);
  const found = await other.ctx.payloads.read(orgId, profile_id);
  expect(found && Buffer.from(found.bytes).equals(pprofOf(cpu(1)))).toBe(true);
  expect(found?.type).toBe("cpu");
  const again = await other.trySend(pprofOf(cpu(1)), { headers: keyHeaders });
  expect(again.json()).toMatchObject({ duplicate: true });
  expect(await storedCounts(other.ctx, orgId)).toMatchObject({ profiles: 1, payloads: 1, rolledUp: 1 });
});
