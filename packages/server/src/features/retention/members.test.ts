import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startClickHouse, type TestClickHouse } from "#store/testing/clickhouse.ts";
import { sharedPostgres } from "#store/testing/postgres.ts";
import { startMember, type TestMember } from "#testing/start-member.ts";

const postgres = await sharedPostgres();
const minuteMs = 60_000;

/** Whether it has not ended within a moment. */
const isPending = (work: Promise<unknown>) => Promise.race([work.then(() => false), sleep(300, true)]);

describe.skipIf(postgres === undefined)(
  "deletions while several servers share the stores",
  () => {
    let clickHouse: TestClickHouse;
    let url: string;
    let first: TestMember;
    const start = (env?: Readonly<Record<string, string>>) =>
      startMember({ clickHouse, url }, { deadMs: 4000, ...(env && { env }) });

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
        await expect.poll(() => isPending(first.ctx.columns.awaitedRows.settled(undefined))).toBe(true);
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
  },
  120_000,
);
