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
import { shareCounts } from "./share-counts.ts";

const memberNamed = (id: string): Member => ({ id, address: `${id}:1`, version: "1" });

/** Shares numbers with two members: one answers when the test says, and the other is out of reach at first. A tenth of each number lasts. */
function shareNumbers(unshared: (number | undefined)[], failures: number) {
  vi.useFakeTimers();
  const [slow, closed] = [memberNamed("slow"), memberNamed("closed")];
  const replies: PromiseWithResolvers<unknown>[] = [];
  const sent: [string, number][] = [];
  const warnings: unknown[] = [];
  let left = failures;
  const call = async (to: Member, _name: string, { head }: Message) => {
    sent.push([to.id, head as number]);
    if (to === slow) {
      const reply = Promise.withResolvers<unknown>();
      replies.push(reply);
      return reply.promise;
    }
    if (left-- > 0) throw new Unreached("closed");
    return undefined;
  };
  const cluster = { answer: () => undefined, others: [slow, closed], calls: { call } };
  const counts = {
    takeUnshared: () => unshared.shift(),
    noteOthers: () => undefined,
    together: (a: number, b: number) => a + b,
    lasting: (counted: number) => Math.floor(counted / 10) || undefined,
  };
  const log = { warn: (fields: unknown) => void warnings.push(fields) };
  const stop = shareCounts(cluster as unknown as Cluster, "usage", counts, log as unknown as Log);
  const end = () => {
    stop();
    vi.useRealTimers();
  };
  return { sent, replies, warnings, end };
}

test("usage that did not reach a member is sent with the next one, and no two calls to it overlap", async () => {
  const { sent, replies, warnings, end } = shareNumbers([1, 2, 4], 1);
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
  // The call itself logs that a member cannot be reached.
  expect(warnings).toEqual([]);
  end();
});

test("usage that reaches a member in a later minute counts only as far as it lasts", async () => {
  const { sent, end } = shareNumbers([20, 20], 70);
  for (let second = 0; second < 75; second++) await vi.advanceTimersByTimeAsync(1_000);
  const toClosed = sent.filter(([id]) => id === "closed").map(([, counted]) => counted);
  expect([toClosed[0], toClosed[1], toClosed.at(-1)]).toEqual([20, 40, 4]);
  expect(toClosed).toHaveLength(71);
  end();
});

const postgres = await sharedPostgres();

describe.skipIf(postgres === undefined)(
  "limits at two servers",
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

    test("of an organization count what the other one has admitted a moment ago", async () => {
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

    test("of calls per minute count what the other one has answered a moment ago", async () => {
      const calls = vi.spyOn(MemberCalls.prototype, "call");
      const [first, second] = [servers[0]!, servers[1]!];
      const remoteAddress = "198.51.100.7";
      const refresh = async ({ app }: TestMember) => {
        const payload = { refresh_token: "none" };
        const reply = await app.inject({
          method: "POST",
          url: "/auth/refresh-token",
          payload,
          remoteAddress,
        });
        return reply.statusCode;
      };
      const before = await refresh(first);
      for (let n = 1; n < 120; n++) expect(await refresh(first)).toBe(before);
      const sentCalls = () =>
        calls.mock.calls
          .filter(
            ([, name], place) => name === "calls" && calls.mock.settledResults[place]?.type === "fulfilled",
          )
          .map(([, , { head }]) => (head as Record<string, Record<string, number>>)["refreshes"])
          .reduce((sum, callers) => sum + (callers?.[`address:${remoteAddress}`] ?? 0), 0);
      await vi.waitUntil(() => sentCalls() === 120, { timeout: 20_000 });
      expect([before, await refresh(second)]).toEqual([401, 429]);
      calls.mockRestore();
    });
  },
  120_000,
);
