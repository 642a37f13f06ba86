import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { pathPrefix } from "#cluster/listen.ts";
import { ownerAmong } from "#cluster/owner.ts";
import { digestOf, signedHeaders } from "#cluster/signature.ts";
import { getOrder, metricsOf } from "#ingest/testing/metrics-of.ts";
import { type Picture, pprofOf } from "#ingest/testing/pprof-of.ts";
import { pushJson } from "#ingest/testing/push-request.ts";
import { storedFolded, storedProfiles } from "#ingest/testing/stored.ts";
import { startClickHouse, type TestClickHouse } from "#store/testing/clickhouse.ts";
import { sharedPostgres } from "#store/testing/postgres.ts";
import type { Person } from "#testing/start-app.ts";
import { startMember, type TestMember } from "#testing/start-member.ts";

const postgres = await sharedPostgres();
const startMs = Date.UTC(2026, 10, 20, 11);
const minuteMs = 60_000;
const deadMs = 4000;
const bootIdFile = "/proc/sys/kernel/random/boot_id";
const queueBytes = 4 * 1024 * 1024;
const waitingMax = 40;
const limits = {
  INGEST_QUEUE_BYTES: String(queueBytes),
  INGEST_MAX_BYTES: String(queueBytes),
  INGEST_WAITING_UPLOADS: String(waitingMax),
};

describe.skipIf(postgres === undefined)(
  "two servers on the same stores",
  () => {
    let clickHouse: TestClickHouse;
    let url: string;
    let servers: readonly [TestMember, TestMember];
    let person: Person;
    let headers: Readonly<Record<string, string>>;

    async function start(dataDir?: string): Promise<TestMember> {
      const env = { ...limits, ...(dataDir !== undefined && { DATA_DIR: dataDir }) };
      const server = await startMember({ clickHouse, url }, { deadMs, env });
      const hasJoined = () => server.logged.some((line) => line.includes("takes uploads"));
      await vi.waitUntil(hasJoined, { timeout: 20_000 });
      return server;
    }

    beforeAll(async () => {
      clickHouse = await startClickHouse();
      url = await postgres!.createDatabase();
      servers = [await start(), await start()];
      person = await servers[0].signUp();
      ({ headers } = await servers[0].makeKey(person));
    });
    afterAll(async () => {
      await Promise.all(servers.map((server) => server.close()));
      await clickHouse.stop();
    });

    const members = () =>
      servers[0].rows.selectFrom("clusterMembers").selectAll().orderBy("startedAt").execute();

    test.skipIf(!existsSync(bootIdFile))(
      "their ids have the start of the machine, not only its name",
      async () => {
        const bootId = readFileSync(bootIdFile, "utf8").slice(0, 8);
        for (const { id } of await members()) expect(id).toContain(`${hostname()}-${bootId}-`);
      },
    );

    /** A name of a service that the server owns. */
    async function serviceOf(place: 0 | 1, name: string): Promise<string> {
      const all = await members();
      const [first, second] = all;
      expect(all).toHaveLength(2);
      const { orgId } = person;
      const names = Array.from({ length: 100 }, (_, i) => `${name}-${i}`);
      return names.find((service) => ownerAmong([first!, second!], { orgId, service }) === all[place])!;
    }

    const snapshot = (minutes: number, counted: number) =>
      pprofOf({
        sampleTypes: ["contentions/count", "delay/nanoseconds"],
        samples: [["main;a", counted, 100 * counted]],
        timeNs: BigInt(startMs + minutes * minuteMs) * 1_000_000n,
      } satisfies Picture);
    const send = (place: number, service: string, payload: Buffer) =>
      servers[place]!.send(payload, { headers, query: { service, type: "mutex" } });
    const added = async (service: string, place = 0) =>
      (await storedProfiles(servers[place]!.ctx.columns, person.orgId))
        .filter((row) => row.service === service)
        .map(({ deltas_totals }) => Number(deltas_totals[0]));

    /** A busy machine takes longer for the uploads of a log than a read waits. */
    const untilReadable = (service: string) =>
      expect
        .poll(() => added(service).catch(String), { timeout: 100_000, interval: 500 })
        .toBeInstanceOf(Array);

    test("snapshots that alternate between them add what they add at one", async () => {
      for (const owner of [0, 1] as const) {
        const service = await serviceOf(owner, "alternating");
        for (let minutes = 0; minutes < 6; minutes++)
          await send(minutes % 2, service, snapshot(minutes, 10 + minutes * minutes));
        expect(await added(service)).toEqual([0, 1, 3, 5, 7, 9]);
      }
    });

    test("a snapshot is answered once its row is stored: its server may be gone before the next one comes", async () => {
      for (const place of [0, 1] as const) {
        const service = await serviceOf(place, "answered");
        for (let minutes = 0; minutes < 2; minutes++) {
          await send(0, service, snapshot(minutes, 5));
          const counted = `SELECT count() FROM profiles WHERE org_id = '${person.orgId}' AND service = '${service}'`;
          const reply = await fetch(servers[0].store.url, { method: "POST", body: `${counted} FORMAT TSV` });
          expect(Number(await reply.text())).toBe(minutes + 1);
        }
      }
    });

    test("a read at one has what the other acknowledged just before", async () => {
      for (const place of [0, 1] as const) {
        const service = await serviceOf(place, "read");
        await send(place, service, snapshot(0, 5));
        expect(await added(service, 1 - place)).toHaveLength(1);
      }
    });

    test("the same upload to both at once is one profile, and one reply says that it is new", async () => {
      const service = await serviceOf(0, "same");
      for (let minutes = 0; minutes < 10; minutes++) {
        const payload = snapshot(minutes, 5 + minutes);
        const replies = await Promise.all([0, 1, 0, 1].map((place) => send(place, service, payload)));
        expect(replies.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
        expect(new Set(replies.map(({ profile_id }) => profile_id)).size).toBe(1);
      }
      expect(await added(service)).toHaveLength(10);
    });

    test("both answer a refusal and a repetition with other tags alike", async () => {
      const service = await serviceOf(1, "alike");
      const broken = Buffer.from("no profile");
      const replies = await Promise.all(
        servers.map((server) => server.trySend(broken, { headers, query: { service } })),
      );
      expect(replies[0]!.statusCode).toBe(400);
      const [first, second] = replies.map((reply) => ({ ...reply.json(), request_id: "" }));
      expect(first).toEqual(second);
      await send(0, service, snapshot(0, 5));
      const repeat = (place: number) =>
        servers[place]!.send(snapshot(0, 5), { headers, query: { service, type: "mutex", "tag.a": "b" } });
      const repeated = [await repeat(0), await repeat(1)];
      expect(repeated[0]).toEqual(repeated[1]);
      expect(repeated[0]!.duplicate).toBe(true);
    });

    test("histograms that alternate between them count each request once, with services of both in one message", async () => {
      const services = [await serviceOf(0, "histogram"), await serviceOf(1, "histogram")];
      const reports = [
        [2, 0, 0],
        [5, 1, 0],
        [7, 1, 1],
        [8, 3, 1],
      ];
      for (const [minutes, counts] of reports.entries()) {
        const sent = services.map((service) => ({
          service,
          startMs,
          timeMs: startMs + (50 + minutes) * minuteMs,
          counts,
          attributes: getOrder,
        }));
        const reply = await servers[minutes % 2]!.app.inject({
          method: "POST",
          url: "/v1/metrics",
          payload: metricsOf(sent),
          headers: { ...headers, "content-type": "application/x-protobuf" },
        });
        expect(reply.statusCode).toBe(200);
      }
      await servers[0].ctx.columns.awaitedRows.settled(undefined);
      for (const service of services) {
        const counted = `SELECT count() AS requests FROM http_requests WHERE org_id = '${person.orgId}' AND service = '${service}'`;
        const reply = await fetch(servers[0].store.url, { method: "POST", body: `${counted} FORMAT TSV` });
        expect((await reply.text()).trim()).toBe("10");
      }
    });

    test("a deletion at one while both take uploads leaves rows and roll-ups that agree", async () => {
      const service = await serviceOf(1, "deleted");
      await send(0, service, snapshot(0, 1));
      let isDeleted = false;
      const uploading = [0, 1].map(async (place) => {
        for (let n = 1; n < 200 && !(isDeleted && n % 10 === 0); n++)
          await servers[place]!.trySend(snapshot(place * 300 + n, n), {
            headers,
            query: { service, type: "mutex" },
          });
      });
      const removed = await servers[0].app.inject({
        method: "DELETE",
        url: `/api/v1/protected/services/${service}`,
        headers: person.headers,
        payload: { confirm: service },
      });
      isDeleted = true;
      expect(removed.statusCode).toBe(200);
      await Promise.all(uploading);
      const [counts] = await countsOf(service);
      expect(counts!.profiles).toBe(counts!.rolledUp);
      expect(counts!.profiles).toBe(counts!.payloads);
    });

    async function countsOf(service: string) {
      await added(service);
      const { orgId } = person;
      const reply = await fetch(servers[0].store.url, {
        method: "POST",
        body: `SELECT toUInt32((SELECT count() FROM profiles WHERE org_id = '${orgId}' AND service = '${service}')) AS profiles,
        toUInt32((SELECT sum(profiles) FROM type_totals_1m WHERE org_id = '${orgId}' AND service = '${service}' AND sample_type = '')) AS rolledUp,
        toUInt32((SELECT count() FROM payloads WHERE org_id = '${orgId}' AND profile_id IN (SELECT profile_id FROM profiles WHERE service = '${service}'))) AS payloads
        FORMAT JSONEachRow`,
      });
      const text = await reply.text();
      return text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, number>);
    }

    /** Heartbeats of this member wait until the returned function is called. */
    async function lockHeartbeat(id: string): Promise<() => Promise<void>> {
      const [released, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const locking = servers[1].rows.transaction().execute(async (rows) => {
        await rows.selectFrom("clusterMembers").select("id").where("id", "=", id).forUpdate().execute();
        locked.resolve();
        await released.promise;
      });
      await locked.promise;
      return () => {
        released.resolve();
        return locking;
      };
    }

    test("a server that cannot write its heartbeat stores nothing of its own once another may own its services", async () => {
      const service = await serviceOf(0, "silent");
      const [silent] = await members();
      await send(0, service, snapshot(0, 10));
      expect(await added(service)).toEqual([0]);
      await servers[0].store.away();
      // Acknowledged by the log of the first server alone.
      await send(0, service, snapshot(1, 15));
      const unlock = await lockHeartbeat(silent!.id);
      try {
        const before = servers[1].logged.length;
        const isGone = () =>
          servers[1].logged.slice(before).some((line) => line.includes("sends no heartbeat"));
        await expect.poll(isGone, { timeout: 40_000 }).toBe(true);
        await send(1, service, snapshot(2, 17));
        expect(await added(service, 1)).toEqual([0, 7]);
      } finally {
        await unlock();
        await servers[0].store.back();
      }
      const stored = () => added(service, 1).catch(() => []);
      await expect.poll(stored, { timeout: 40_000, interval: 500 }).toEqual([0, 0, 7]);
      await send(0, service, snapshot(3, 20));
      expect(await added(service, 1)).toEqual([0, 0, 7, 3]);
    });

    test("a server that leaves hands over what it has compared", async () => {
      const service = await serviceOf(1, "leaving");
      await send(0, service, snapshot(0, 10));
      await send(1, service, snapshot(1, 14));
      await servers[1].close();
      await send(0, service, snapshot(2, 20));
      servers = [servers[0], await start()];
      await send(1, service, snapshot(3, 21));
      expect(await added(service)).toEqual([0, 4, 6, 1]);
    });

    /** The queue of the server, which owns the service, is full until the returned function is called. */
    async function fillQueue(place: 0 | 1, service: string): Promise<() => Promise<void>> {
      const payload = new PassThrough();
      const filling = servers[place].app.inject({
        method: "POST",
        url: "/api/v1/ingest/profiles?service=filling",
        headers: { ...headers, "content-length": String(queueBytes) },
        payload,
      });
      const isRefused = async () =>
        (await servers[place].trySend(snapshot(0, 1), { headers, query: { service, type: "mutex" } }))
          .statusCode === 429;
      await expect.poll(isRefused).toBe(true);
      return async () => {
        payload.end();
        expect((await filling).statusCode).toBe(400);
      };
    }

    test("an upload of another server has room before its body is read, until the connection breaks", async () => {
      const [owner, sender] = await members();
      const call = { name: "upload", from: sender!.id, to: owner!.id, orgId: person.orgId };
      const body = { length: queueBytes, digest: digestOf(Buffer.alloc(0)) };
      const sent = { ...call, ...body, atMs: Date.now(), nonce: "1" };
      const unread = request(`http://${owner!.address}${pathPrefix}upload`, {
        method: "POST",
        headers: signedHeaders(servers[0].ctx.clusterKeys, sent),
      });
      unread.on("error", () => undefined).write("x");
      const reserved = () =>
        Number(/^flamekeep_ingest_queue_bytes (\d+)$/m.exec(servers[0].ctx.metrics.toText())?.[1]);
      await expect.poll(reserved, { timeout: 20_000 }).toBeGreaterThan(queueBytes);
      unread.destroy();
      await expect.poll(reserved, { timeout: 20_000 }).toBe(0);
    });

    test("uploads of another server count in the limit of those that wait for the column store", async () => {
      const service = await serviceOf(0, "limited");
      const sendLater = async (minutes: number) => {
        const query = { service, type: "mutex" };
        return (await servers[1].trySend(snapshot(minutes, 1 + minutes), { headers, query })).statusCode;
      };
      await servers[0].store.away();
      const statuses: number[] = [];
      try {
        while (statuses.at(-1) !== 429 && statuses.length < 2 * waitingMax)
          statuses.push(await sendLater(statuses.length));
      } finally {
        await servers[0].store.back();
      }
      expect(statuses.at(-1)).toBe(429);
      const acknowledged = statuses.filter((status) => status === 200).length;
      const stored = async () => (await added(service).catch(() => [])).length;
      await expect.poll(stored, { timeout: 40_000, interval: 500 }).toBe(acknowledged);
    });

    test("names of functions of an upload that its owner refuses are stored", async () => {
      const [there, here] = [await serviceOf(0, "refused"), await serviceOf(1, "named")];
      const picture = (value: number): Picture => ({
        sampleTypes: ["samples/count", "cpu/nanoseconds"],
        samples: [["main;first_seen_in_a_refused_upload", 1, value]],
        timeNs: BigInt(startMs) * 1_000_000n,
        durationNs: 1n,
      });
      const release = await fillQueue(0, there);
      try {
        const labels = { __name__: "process_cpu", service_name: there };
        // In JSON, whose services a server finds only with the profiles.
        const reply = await servers[1].app.inject({
          method: "POST",
          url: "/push.v1.PusherService/Push",
          headers,
          payload: pushJson([{ labels, profiles: [pprofOf(picture(1))] }]),
        });
        expect(reply.statusCode).toBe(429);
      } finally {
        await release();
      }
      await servers[1].send(pprofOf(picture(2)), { headers, query: { service: here, type: "cpu" } });
      expect(await storedFolded(servers[1].ctx.columns, person.orgId, "cpu/nanoseconds")).toEqual([
        "main;first_seen_in_a_refused_upload 2",
      ]);
    });

    /** Ends the second server with uploads in its log that have no rows: a second snapshot of each service. */
    async function endWithUploads(name: string): Promise<{ folder: string; services: readonly string[] }> {
      await servers[1].close();
      const folder = mkdtempSync(join(tmpdir(), "flamekeep-owners-"));
      servers = [servers[0], await start(folder)];
      const services = await Promise.all(Array.from({ length: 20 }, (_, i) => serviceOf(1, `${name}-${i}`)));
      for (const service of services) await send(1, service, snapshot(0, 10));
      await servers[1].ctx.columns.awaitedRows.settled(undefined);
      await servers[1].store.away();
      for (const service of services) await send(1, service, snapshot(1, 15));
      await servers[1].close();
      return { folder, services };
    }

    test("uploads in the log of a server that starts again wait for room at their owner", async () => {
      const { folder, services } = await endWithUploads("waiting");
      const release = await fillQueue(0, "full");
      const refused = () =>
        /refused_total\{reason="queue_bytes"\} \d+/.exec(servers[0].ctx.metrics.toText())?.[0];
      const before = refused();
      try {
        servers = [servers[0], await start(folder)];
        await expect.poll(refused, { timeout: 20_000 }).not.toBe(before);
      } finally {
        await release();
      }
      // Until its next try, reads are refused with the reason of the last one.
      await untilReadable(services[0]!);
      for (const service of services) expect(await added(service)).toEqual([0, 5]);
      rmSync(folder, { recursive: true });
    });

    test("uploads in the log of a server that starts again stay out if their service was deleted meanwhile", async () => {
      const { folder, services } = await endWithUploads("forgotten");
      const deleted = services.slice(0, 4);
      servers[0].clock.advance(1000);
      for (const service of deleted) {
        const reply = await servers[0].app.inject({
          method: "DELETE",
          url: `/api/v1/protected/services/${service}`,
          headers: person.headers,
          payload: { confirm: service },
        });
        expect(reply.statusCode).toBe(200);
      }
      servers = [servers[0], await start(folder)];
      await untilReadable(services[0]!);
      for (const service of services)
        expect(await added(service)).toEqual(deleted.includes(service) ? [] : [0, 5]);
      rmSync(folder, { recursive: true });
    });
  },
  240_000,
);
