import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Cluster } from "#cluster/cluster.ts";
import type { Member } from "#cluster/heartbeats.ts";
import type { Message } from "#cluster/message.ts";
import type { OwnedScope } from "#cluster/owner.ts";
import { diskFull, Failure } from "#failure";
import { emptyTables } from "#store/testing/empty-tables.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import type { Committer } from "./commit/committer.ts";
import { PendingItem } from "./commit/pending-item.ts";
import { OwnedUploads } from "./owners/owned-uploads.ts";
import { repeatUploads } from "./repeat-uploads.ts";
import { encodedItem, separateCommitter } from "./testing/commit-items.ts";
import { metricsOf } from "./testing/metrics-of.ts";
import { type Picture, pprofOf } from "./testing/pprof-of.ts";
import { storedCounts, storedFolded, storedProfiles } from "./testing/stored.ts";
import { tracesOf } from "./testing/traces-of.ts";
import type { RecordedUpload } from "./upload/recorded-upload.ts";

let server: TestApp;
let folder: string;

const cpu = (value: number): Picture => ({
  sampleTypes: ["samples/count", "cpu/nanoseconds"],
  samples: [[`main;handle${value}`, 1, value]],
  durationNs: 1n,
});
const mutex = (contentions: number): Picture => ({
  sampleTypes: ["contentions/count", "delay/nanoseconds"],
  samples: [["main;lock", contentions, 100 * contentions]],
});

/** Sends without a read, so that no row is stored yet: as a kill would find it. */
async function sendAll(person: Awaited<ReturnType<TestApp["signUp"]>>) {
  const { headers } = await server.makeKey(person);
  const startMs = Date.now() - 600_000;
  const send = async (picture: Picture, query: Record<string, string>) =>
    (await server.send(pprofOf(picture), { headers, query })).profile_id;
  const ids = await Promise.all(
    Array.from({ length: 20 }, (_, value) =>
      send(cpu(value), { type: "cpu", started_at: String(startMs + value), "tag.version": `v${value}` }),
    ),
  );
  for (const [index, contentions] of [10, 25, 31].entries()) {
    await send(mutex(contentions), { type: "mutex", started_at: String(startMs + 1000 * index) });
  }
  const timestamp = new Date(startMs).toISOString();
  const metrics = Array.from({ length: 7 }, () => ({
    timestamp,
    duration: 0.1,
    status_code: 200,
    method: "GET",
    path: "/",
  }));
  const url = "/api/v1/ingest/http-metrics?service=web";
  expect((await server.app.inject({ method: "POST", url, headers, payload: metrics })).statusCode).toBe(200);
  const startNs = BigInt(startMs) * 1_000_000n;
  const attributes = { "http.method": "GET", "http.route": "/", "http.status_code": 200 };
  const traces = tracesOf([{ spans: [{ attributes, startNs, endNs: startNs + 7n }] }]);
  const reply = await server.app.inject({
    method: "POST",
    url: "/v1/traces",
    headers: { ...headers, "content-type": "application/x-protobuf" },
    payload: traces,
  });
  expect(reply.statusCode).toBe(200);
  const histogram = { isDelta: true, startMs, timeMs: startMs + 1000, counts: [1, 1, 1] };
  const reported = await server.app.inject({
    method: "POST",
    url: "/v1/metrics",
    headers: { ...headers, "content-type": "application/x-protobuf" },
    payload: metricsOf([histogram]),
  });
  expect([reported.statusCode, reported.body]).toEqual([200, ""]);
  return ids;
}

/** A server on a copy of the files that the server has written by now. */
async function startCopy(before: (dataDir: string) => Promise<void> = async () => {}): Promise<TestApp> {
  const copy = mkdtempSync(join(folder, "copy-"));
  const { dataDir } = server.ctx.config;
  for (const name of ["columns", "uploads", "flamekeep.sqlite", "flamekeep.sqlite-wal", "auth-secret"]) {
    if (existsSync(join(dataDir, name))) cpSync(join(dataDir, name), join(copy, name), { recursive: true });
  }
  await before(copy);
  return startApp({ hasSeparateColumns: true, env: { DATA_DIR: copy } });
}

async function contentOf({ ctx }: TestApp, orgId: string) {
  const rows = await storedProfiles(ctx.columns, orgId);
  return {
    counts: await storedCounts(ctx, orgId),
    folded: (await storedFolded(ctx.columns, orgId, "samples/count")).toSorted(),
    added: (await storedFolded(ctx.columns, orgId, "contentions/count")).toSorted(),
    rows: rows
      .map(({ profile_id, deltas_totals, tags, sender }) =>
        JSON.stringify([profile_id, String(deltas_totals), tags, sender]),
      )
      .toSorted(),
  };
}

describe("a start on the files of a server that was killed", () => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "flamekeep-repeat-"));
    server = await startApp({ hasSeparateColumns: true });
  });
  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  test("uploads that were acknowledged before a kill are stored by the next start, once and with the same figures", async () => {
    const person = await server.signUp();
    await sendAll(person);
    const copy = await startCopy();
    const again = await contentOf(copy, person.orgId);
    const expected = await contentOf(server, person.orgId);
    expect(again.counts).toMatchObject({ profiles: 26, requests: 11, rolledUp: expected.counts.rolledUp });
    expect(again).toEqual(expected);
    expect(copy.logged.join("\n")).toContain("stored the rows of acknowledged uploads");
    // Bytes of HTTP metrics have no further use.
    const { dataDir } = copy.ctx.config;
    await copy.close();
    expect(readdirSync(join(dataDir, "uploads", "pending"))).toEqual([]);
    const later = await startApp({ hasSeparateColumns: true, env: { DATA_DIR: dataDir } });
    expect(await contentOf(later, person.orgId)).toEqual(expected);
    expect(later.logged.join("\n")).not.toContain("acknowledged uploads");
    await later.close();
  });

  test("HTTP metrics that an earlier version left under another name are stored", async () => {
    const person = await server.signUp();
    await sendAll(person);
    const copy = await startCopy(async (dataDir) =>
      renameSync(join(dataDir, "uploads", "pending"), join(dataDir, "uploads", "requests")),
    );
    expect((await contentOf(copy, person.orgId)).counts).toMatchObject({ profiles: 26, requests: 11 });
    await copy.close();
  });

  test("a kill after the rows were stored stores nothing twice", async () => {
    const person = await server.signUp();
    await sendAll(person);
    const expected = await contentOf(server, person.orgId);
    const copy = await startCopy();
    expect(await contentOf(copy, person.orgId)).toEqual(expected);
    expect(copy.logged.join("\n")).not.toContain("acknowledged uploads");
    await copy.close();
  });

  test("a kill between rows and their roll-ups: the hours of the last uploads are counted again", async () => {
    const person = await server.signUp();
    await sendAll(person);
    const expected = await contentOf(server, person.orgId);
    expect(expected.counts.rolledUp).toBe(26);
    const copy = await startCopy((dataDir) => emptyTables(dataDir, ["type_totals_1m"]));
    expect(await contentOf(copy, person.orgId)).toEqual(expected);
    expect(copy.logged.join("\n")).toContain("recounted hours whose inserts had failed");
    await copy.close();
  });

  test("a copy whose roll-ups are newer than its rows counts nothing twice", async () => {
    const person = await server.signUp();
    await sendAll(person);
    const expected = await contentOf(server, person.orgId);
    const copy = await startCopy((dataDir) => emptyTables(dataDir, ["profiles"]));
    expect(await contentOf(copy, person.orgId)).toEqual(expected);
    await copy.close();
  });

  test("nor does one whose uploads were in other batches than the recovery puts them in", async () => {
    const person = await server.signUp();
    const { headers } = await server.makeKey(person);
    for (const value of [1, 2]) {
      await server.send(pprofOf(cpu(value)), { headers, query: { type: "cpu" } });
      await server.ctx.columns.awaitedRows.settled(undefined);
    }
    const expected = await contentOf(server, person.orgId);
    expect(expected.counts.rolledUp).toBe(2);
    const copy = await startCopy((dataDir) => emptyTables(dataDir, ["profiles"]));
    expect(await contentOf(copy, person.orgId)).toEqual(expected);
    await copy.close();
  });

  test("an upload whose bytes cannot be encoded again is named, and the others are stored", async () => {
    const person = await server.signUp();
    await server.ctx.payloads.put([
      {
        orgId: person.orgId,
        profileId: `${"ab".repeat(12)}${Math.floor(Date.now() / 1000).toString(16)}`,
        type: "cpu",
        bytes: new Uint8Array([1, 2, 3]),
        repeat: {
          kind: "profile",
          receivedAtMs: Date.now(),
          startedAtMs: Date.now(),
          service: "s",
          durationNs: "0",
          tags: [],
          extraFacts: [],
          isDelta: false,
          sender: "api",
        },
      },
    ]);
    await sendAll(person);
    const copy = await startCopy();
    expect(await storedCounts(copy.ctx, person.orgId)).toMatchObject({ profiles: 26 });
    expect(copy.logged.join("\n")).toContain("the rows of an acknowledged upload cannot be made");
    await copy.close();
  });
});

describe("uploads that a server repeats", () => {
  beforeAll(async () => {
    server = await startApp();
  });
  afterAll(() => server.close());

  test.each([
    ["a thread failed", () => Promise.reject(new Error("the thread ended")), 0],
    [
      "it is refused now",
      async () => ({ ok: false, refusal: { code: "invalid", reason: "profile", message: "no" } }) as const,
      1,
    ],
  ])(
    "the recovery ends only if the next start need not try an upload again: %s",
    async (_, encodeAgain, ends) => {
      const endRecovery = vi.fn(async () => undefined);
      const profileId = `${"ab".repeat(12)}${Math.floor(Date.now() / 1000).toString(16)}`;
      const recorded = { kind: "metrics", receivedAtMs: Date.now(), service: "s" };
      const read = async () => ({ repeat: recorded, bytes: new Uint8Array(3) });
      async function* leftBehind() {
        yield { orgId: randomUUID(), profileId, read };
      }
      const log = { leftBehind, endRecovery, confirm: async () => undefined };
      const stopping = new AbortController();
      const { postponed } = separateCommitter(server.ctx);
      const running = repeatUploads({
        ctx: { ...server.ctx, payloads: { ...server.ctx.payloads, ...log } },
        pool: { encodeAgain },
        committer: {
          repeat: () => undefined,
          room: async () => undefined,
          written: async () => undefined,
          retryWhileUnavailable: (run) => run(),
          generationOf: () => 0,
          runBetweenRows: (operation) => operation(),
          postponed,
        },
        toItem: () => Promise.reject(new Error("nothing was encoded")),
        isRemoved: async () => false,
        isDiskFull: async () => false,
        stopped: stopping.signal,
      });
      expect(postponed.isEmpty).toBe(false);
      await expect.poll(() => postponed.isEmpty).toBe(true);
      stopping.abort();
      await running;
      expect(endRecovery).toHaveBeenCalledTimes(ends);
    },
  );

  const member = (id: string): Member => ({ id, address: `${id}:4041`, version: "1" });

  /** Repeats an upload of each service, at owners that the test decides: services of `b` belong to one that refuses the first upload of each pass. */
  function repeatAtOwners(services: readonly string[], { refusal, isRemoved = async () => false }: AtOwners) {
    const sent: string[] = [];
    let isRefused = true;
    const call = async (to: Member, _name: string, { head }: Message) => {
      const { service } = (head as { readonly recorded: RecordedUpload }).recorded;
      sent.push(service);
      if (to.id === "b" && isRefused) throw refusal;
      return { head: null, bytes: new Uint8Array() };
    };
    const cluster = {
      self: member("a"),
      isOwner: true,
      ownerOf: ({ service }: OwnedScope) => member(service[0]!),
      answer: () => undefined,
      answerUnread: () => undefined,
      calls: { call },
    } as unknown as Cluster;
    async function* leftBehind() {
      for (const [index, service] of services.entries()) {
        const profileId = `${"ab".repeat(12)}${(Math.floor(Date.now() / 1000) - index).toString(16)}`;
        const recorded = { kind: "profile", receivedAtMs: Date.now(), service };
        const read = async () => ({ repeat: recorded, bytes: new Uint8Array(3) });
        yield { orgId: randomUUID(), profileId, read };
      }
    }
    const committer = separateCommitter(server.ctx, { isAwaited: false });
    const stopping = new AbortController();
    const payloads = { ...server.ctx.payloads, leftBehind, endRecovery: async () => undefined };
    const running = repeatUploads({
      ctx: { ...server.ctx, payloads },
      pool: { encodeAgain: () => Promise.reject(new Error("nothing is encoded")) },
      committer,
      owners: new OwnedUploads(cluster, {} as ConstructorParameters<typeof OwnedUploads>[1]),
      toItem: () => Promise.reject(new Error("nothing is encoded")),
      isRemoved: () => isRemoved(committer),
      isDiskFull: async () => false,
      stopped: stopping.signal,
    });
    const end = async () => {
      stopping.abort();
      await running;
      await committer.stop(0);
    };
    const accept = () => {
      isRefused = false;
    };
    return { committer, sent, accept, end };
  }

  interface AtOwners {
    readonly refusal?: Error;
    readonly isRemoved?: (committer: Committer) => Promise<boolean>;
  }

  test("an upload that its owner refuses is logged, and those of other owners go on", async () => {
    const services = ["b1", "b2", "c1", "b1", "c2"];
    const { committer, sent, accept, end } = repeatAtOwners(services, { refusal: diskFull() });
    await expect.poll(() => committer.postponed.refusal, { timeout: 20_000 }).toBeDefined();
    expect(sent.slice(0, 3)).toEqual(["b1", "c1", "c2"]);
    const warnings = () =>
      server.logged.filter((line) => line.includes("acknowledged uploads wait in the log"));
    expect(warnings().map((line) => JSON.parse(line))).toMatchObject([{ service: "b1", owner: "b:4041" }]);
    // A full disk lets reads go on, wherever it is. A removal would leave out what waits.
    await committer.settle(undefined);
    await expect(committer.runBetweenBatches(async () => undefined)).rejects.toThrow(
      /^The server at b:4041 does not take .* free space at that server, then try again\.$/,
    );
    accept();
    await expect.poll(() => committer.postponed.isEmpty, { timeout: 20_000 }).toBe(true);
    expect(sent.slice(-3)).toEqual(["b1", "b2", "b1"]);
    expect(warnings()).toHaveLength(1);
    await end();
  });

  test("a read waits some seconds for the owner of an upload, and names what it answers", async () => {
    const { committer, end } = repeatAtOwners(["b1"], {
      refusal: new Failure("rate_limited", "The queue is full."),
    });
    await expect(committer.settle(undefined)).rejects.toThrow(
      "The server at b:4041 does not take profiles that wait in a log: The queue is full.",
    );
    await end();
  });

  test("an upload in the log waits while the row store is away, which is no outage of the column store", async () => {
    let asked = 0;
    const wereAway: boolean[] = [];
    const isRemoved = async ({ isStoreAway }: Committer) => {
      wereAway.push(isStoreAway);
      if (++asked < 3) throw new StoreUnavailable("The row store does not say which services were removed.");
      return false;
    };
    const { committer, sent, end } = repeatAtOwners(["c1"], { isRemoved });
    await expect.poll(() => committer.postponed.isEmpty, { timeout: 20_000 }).toBe(true);
    expect([sent, wereAway]).toEqual([["c1"], [false, false, false]]);
    await end();
  });

  test("who waits for the rows of postponed uploads gets an answer when the server stops: a sender, a read and a removal", async () => {
    const { orgId } = await server.signUp();
    const committer = separateCommitter(server.ctx);
    const { postponed } = committer;
    const upload = () => {
      const pending = new PendingItem(encodedItem(cpu(7), { orgId, nowMs: Date.now() }).item);
      // A rejection is expected below.
      pending.committed.catch(() => undefined);
      postponed.add([pending]);
      return pending.committed;
    };
    const stopping = new AbortController();
    const encoding = Promise.withResolvers<never>();
    const reading = Promise.withResolvers<void>();
    const running = repeatUploads({
      ctx: {
        ...server.ctx,
        payloads: {
          ...server.ctx.payloads,
          async *leftBehind() {},
          readAgain: async () => {
            reading.resolve();
            return encoding.promise;
          },
        },
      },
      pool: { encodeAgain: () => encoding.promise },
      committer,
      toItem: () => encoding.promise,
      isRemoved: async () => false,
      isDiskFull: async () => false,
      stopped: stopping.signal,
    });
    const waiting = [
      upload(),
      committer.settle(undefined),
      committer.waiting(undefined),
      committer.runBetweenBatches(async () => undefined),
    ];
    for (const each of waiting) each.catch(() => undefined);
    await reading.promise;
    stopping.abort();
    encoding.reject(new StoreUnavailable("The server is stopping."));
    await running;
    waiting.push(upload());
    for (const each of waiting) await expect(each).rejects.toThrow("The server is stopping.");
    await committer.stop(0);
  });

  test("a server that stops while it recovers ends the recovery first: its jobs wait for reads, and those for the recovery", async () => {
    await server.signUp();
    const loggedBefore = server.logged.length;
    const columns = { ...server.ctx.columns };
    const asked = Promise.withResolvers<void>();
    columns.query = (statement, params) => {
      asked.resolve();
      return server.ctx.columns.query(statement, params);
    };
    const payloads = {
      ...server.ctx.payloads,
      async *leftBehind() {
        for (let second = Math.floor(Date.now() / 1000); ; second--) {
          const profileId = `${"ab".repeat(12)}${second.toString(16)}`;
          yield { orgId: randomUUID(), profileId, read: async () => undefined };
        }
      },
    };
    const app = await server.createApp({ columns, payloads });
    await app.listen({ port: 0, host: "127.0.0.1" });
    await asked.promise;
    await app.close();
    expect(server.logged.slice(loggedBefore).join("")).not.toContain("could not be stored");
  });
});
