import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Cluster } from "#cluster/cluster.ts";
import type { Member } from "#cluster/heartbeats.ts";
import { MemberCalls } from "#cluster/member-calls.ts";
import { type Message, Unreached } from "#cluster/message.ts";
import { ownerAmong } from "#cluster/owner.ts";
import type { Log } from "#context";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { startClickHouse, type TestClickHouse } from "#store/testing/clickhouse.ts";
import { sharedPostgres } from "#store/testing/postgres.ts";
import { startMember, type TestMember } from "#testing/start-member.ts";
import { shareUsage } from "./share-usage.ts";

const memberNamed = (id: string): Member => ({ id, address: `${id}:1`, version: "1" });

test("usage that did not reach a member is sent with the next one, and no two calls to it overlap", async () => {
  vi.useFakeTimers();
  const usageOf = (uploads: number) => ({ org: { uploads, bytes: 10, services: [`s${uploads}`] } });
  const unshared = [usageOf(1), usageOf(2), usageOf(4)];
  const [slow, closed] = [memberNamed("slow"), memberNamed("closed")];
  const replies: PromiseWithResolvers<unknown>[] = [];
  const sent: [string, number][] = [];
  const call = async (to: Member, _name: string, { head }: Message) => {
    sent.push([to.id, (head as ReturnType<typeof usageOf>).org.uploads]);
    if (to === slow) {
      const reply = Promise.withResolvers<unknown>();
      replies.push(reply);
      return reply.promise;
    }
    if (sent.length <= 2) throw new Unreached("closed");
    return undefined;
  };
  const cluster = { answer: () => undefined, others: [slow, closed], calls: { call } };
  const limits = { takeUnshared: () => unshared.shift(), noteOthers: () => undefined };
  const log = { warn: () => undefined };
  const end = shareUsage(cluster as unknown as Cluster, limits, log as unknown as Log);
  for (let second = 0; second < 3; second++) await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([
    ["slow", 1],
    ["closed", 1],
    ["closed", 3],
    ["closed", 4],
  ]);
  replies[0]!.resolve(undefined);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent.at(-1)).toEqual(["slow", 6]);
  end();
  vi.useRealTimers();
});

const postgres = await sharedPostgres();

describe.skipIf(postgres === undefined)(
  "limits of an organization at two servers",
  () => {
    let clickHouse: TestClickHouse;
    let servers: TestMember[];
    beforeAll(async () => {
      clickHouse = await startClickHouse();
      const stores = { clickHouse, url: await postgres!.createDatabase() };
      const options = { deadMs: 10_000, env: { ORG_SERVICES_MAX: "4" } };
      servers = [await startMember(stores, options), await startMember(stores, options)];
      const hasJoined = ({ logged }: TestMember) => logged.some((line) => line.includes("takes uploads"));
      await vi.waitUntil(() => servers.every(hasJoined), { timeout: 40_000 });
    });
    afterAll(async () => {
      await Promise.all(servers.map((server) => server.close()));
      await clickHouse.stop();
    });

    test("count what the other one has admitted a moment ago", async () => {
      const calls = vi.spyOn(MemberCalls.prototype, "call");
      const [first, second] = [servers[0]!, servers[1]!];
      const person = await first.signUp();
      const { headers } = await first.makeKey(person);
      const rows = await first.rows.selectFrom("clusterMembers").selectAll().orderBy("startedAt").execute();
      const [a, b] = [rows[0]!, rows[1]!];
      const names = Array.from({ length: 100 }, (_, n) => `s${n}`);
      const ownedBy = (id: string) =>
        names.filter((service) => ownerAmong([a, b], { orgId: person.orgId, service }).id === id);
      const profile = pprofOf({ sampleTypes: ["samples/count"], samples: [["main", 1]] });
      const send = (to: TestMember, service: string) => to.trySend(profile, { headers, query: { service } });
      const [ofA, ofB] = [ownedBy(a.id), ownedBy(b.id)];
      // Each server has read the stored services.
      expect((await send(first, ofA[0]!)).statusCode).toBe(200);
      expect((await send(second, ofB[0]!)).statusCode).toBe(200);
      for (const service of ofA.slice(1, 3)) expect((await send(first, service)).statusCode).toBe(200);
      const isShared = () =>
        calls.mock.calls.some(
          ([, name, { head }], place) =>
            name === "usage" &&
            JSON.stringify(head).includes(`"${ofA[2]}"`) &&
            calls.mock.settledResults[place]?.type === "fulfilled",
        );
      await vi.waitUntil(isShared, { timeout: 20_000 });
      const refused = await send(second, ofB[1]!);
      expect([refused.statusCode, refused.json().code]).toEqual([403, "quota_exceeded"]);
      calls.mockRestore();
    });
  },
  120_000,
);
