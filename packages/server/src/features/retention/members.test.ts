import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { callMsMax } from "#cluster/call.ts";
import { HandOvers } from "#cluster/hand-overs.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { startClickHouse, type TestClickHouse } from "#store/testing/clickhouse.ts";
import { sharedPostgres } from "#store/testing/postgres.ts";
import { startMember, type TestMember } from "#testing/start-member.ts";

const postgres = await sharedPostgres();
const storedAndCounted = maintenanceQuery({
  name: "test.stored-and-counted",
  sql: `SELECT (SELECT count() FROM profiles WHERE org_id = {orgId:UUID}) AS stored,
          (SELECT sum(profiles) FROM type_totals_1m WHERE org_id = {orgId:UUID} AND sample_type = '') AS counted`,
  params: z.object({ orgId: z.uuid() }),
  row: z.object({ stored: Count, counted: Count }),
});
const minuteMs = 60_000;

describe.skipIf(postgres === undefined)(
  "deletions while several servers share the stores",
  () => {
    let clickHouse: TestClickHouse;
    let url: string;
    let first: TestMember;
    const start = (env?: Readonly<Record<string, string>>) =>
      startMember({ clickHouse, url }, { deadMs: 10_000, ...(env && { env }) });

    beforeAll(async () => {
      clickHouse = await startClickHouse();
      url = await postgres!.createDatabase();
      first = await start();
    });
    afterAll(async () => {
      await first.close();
      await clickHouse.stop();
    });

    test("of an organization ends while another server starts with uploads in its log", async () => {
      const folder = mkdtempSync(join(tmpdir(), "flamekeep-members-"));
      const [deleted, kept] = [await first.signUp(), await first.signUp()];
      const { headers } = await first.makeKey(kept);
      let second = await start({ DATA_DIR: folder });
      await second.store.away();
      for (let n = 0; n < 20; n++)
        await second.send(profileOf("main;work\n1"), { headers, query: { service: `s${n}` } });
      await second.close();

      const reply = await first.app.inject({
        method: "DELETE",
        url: "/api/v1/protected/organization",
        headers: deleted.headers,
        payload: { confirm: "Ada's organization" },
      });
      expect(reply.statusCode).toBe(200);
      first.clock.advance(2 * minuteMs);
      const { payloads } = first.ctx;
      const removeDays = payloads.removeDays.bind(payloads);
      const removing = vi.spyOn(payloads, "removeDays").mockImplementationOnce(async (...days) => {
        second = await start({ DATA_DIR: folder });
        const waits = () => second.logged.some((line) => line.includes("joining the other servers waits"));
        await expect.poll(waits, { timeout: 20_000 }).toBe(true);
        await removeDays(...days);
      });
      await first.app.listen({ host: "127.0.0.1", port: 0 });
      const isRemoved = () =>
        first.logged.some((line) => line.includes("a deleted organization was removed"));
      await expect.poll(isRemoved, { timeout: 40_000 }).toBe(true);
      expect(removing).toHaveBeenCalled();
      await second.ctx.columns.awaitedRows.settled(undefined);
      await second.close();
      rmSync(folder, { recursive: true });
    });

    test("of services that begin while a server joins run once, where their uploads are stored", async () => {
      const person = await first.signUp();
      const { headers } = await first.makeKey(person);
      const services = Array.from({ length: 10 }, (_, n) => `joined${n}`);
      const sendAll = (to: TestMember, value: number) =>
        Promise.all(
          services.map((service) =>
            to.send(profileOf(`main;work\n${value}`), { headers, query: { service } }),
          ),
        );
      await sendAll(first, 1);
      const held = Promise.withResolvers<void>();
      const { handOverTo } = HandOvers.prototype;
      const joining = vi.spyOn(HandOvers.prototype, "handOverTo").mockImplementation(function (
        this: HandOvers,
        member,
        hooks,
        noteChange,
      ) {
        const handOver = () => held.promise.then(hooks.handOver);
        return handOverTo.call(this, member, { ...hooks, handOver }, noteChange);
      });
      const second = await start();
      const removing = [first, second].map(({ ctx }) => vi.spyOn(ctx.columns.maintenance, "removeService"));
      await expect.poll(() => joining.mock.calls.length, { timeout: 20_000 }).toBeGreaterThan(0);
      const deletions = services.map((service) =>
        first.app.inject({
          method: "DELETE",
          url: `/api/v1/protected/services/${service}`,
          headers: person.headers,
          payload: { confirm: service },
        }),
      );
      // Those of services that the second server will own wait for it.
      await expect.poll(() => removing[0]!.mock.calls.length, { timeout: 20_000 }).toBeGreaterThan(0);
      expect(removing[1]).not.toHaveBeenCalled();
      held.resolve();
      const replies = await Promise.all(deletions);
      expect(replies.map(({ statusCode }) => statusCode)).toEqual(services.map(() => 200));
      const removed = removing.flatMap(({ mock }) => mock.calls.map(([{ service }]) => service));
      expect(removed.toSorted()).toEqual(services.toSorted());
      expect(removing[1]).toHaveBeenCalled();
      await sendAll(second, 2);
      const { maintenance } = first.ctx.columns;
      expect(await maintenance.query(storedAndCounted, { orgId: person.orgId })).toEqual([
        { stored: services.length, counted: services.length },
      ]);
      vi.restoreAllMocks();
      await second.close();
    });

    test("of a service may take longer than other calls, and a second one removes again", async () => {
      const second = await start();
      const person = await first.signUp();
      const { headers } = await first.makeKey(person);
      const names = Array.from({ length: 10 }, (_, n) => `s${n}`);
      for (const service of names)
        await first.send(profileOf("main;work\n1"), { headers, query: { service } });
      const remove = (server: TestMember, service: string) =>
        server.app.inject({
          method: "DELETE",
          url: `/api/v1/protected/services/${service}`,
          headers: person.headers,
          payload: { confirm: service },
        });
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      const limits = vi
        .spyOn(AbortSignal, "timeout")
        .mockImplementation((ms) => timeout(ms === callMsMax ? 2000 : ms));
      const { maintenance } = first.ctx.columns;
      const removeService = maintenance.removeService.bind(maintenance);
      const again: ReturnType<typeof remove>[] = [];
      const removing = vi.spyOn(maintenance, "removeService").mockImplementation(async (removal) => {
        if (again.length === 0) again.push(remove(first, removal.service));
        await sleep(3000);
        return removeService(removal);
      });
      // The first server owns at least one of them.
      for (let n = 0; removing.mock.calls.length === 0; n++)
        expect((await remove(second, names[n]!)).statusCode).toBe(200);
      expect((await again[0]!).statusCode).toBe(200);
      expect(removing).toHaveBeenCalledTimes(2);
      const [{ service } = { service: "" }] = removing.mock.calls[0]!;
      const recorded = first.rows.selectFrom("serviceRemovals").select("id").where("name", "=", service);
      expect(await recorded.execute()).toHaveLength(2);
      limits.mockRestore();
      removing.mockRestore();
      await second.close();
    });
  },
  120_000,
);
