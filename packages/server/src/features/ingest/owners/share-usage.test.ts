import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { MemberCalls } from "#cluster/member-calls.ts";
import { ownerAmong } from "#cluster/owner.ts";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { startClickHouse, type TestClickHouse } from "#store/testing/clickhouse.ts";
import { sharedPostgres } from "#store/testing/postgres.ts";
import { startMember, type TestMember } from "#testing/start-member.ts";

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
