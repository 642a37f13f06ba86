import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startClickHouse, type TestClickHouse } from "#store/testing/clickhouse.ts";
import { sharedPostgres } from "#store/testing/postgres.ts";
import { startMember, type TestMember } from "#testing/start-member.ts";
import { members } from "./members.ts";

const postgres = await sharedPostgres();

describe.skipIf(postgres === undefined)(
  "the check of several servers",
  () => {
    let clickHouse: TestClickHouse;
    let server: TestMember;
    beforeAll(async () => {
      clickHouse = await startClickHouse();
      const url = await postgres!.createDatabase();
      server = await startMember({ clickHouse, url }, { deadMs: 60_000 });
    });
    afterAll(async () => {
      await server.close();
      await clickHouse.stop();
    });

    const examine = (authSecret = server.ctx.config.authSecret!, authSecretPrevious?: string) =>
      members.run({
        config: { ...server.ctx.config, authSecret, authSecretPrevious },
        keys: { send: undefined, read: undefined },
        localUrl: "",
      });

    async function addRow(id: string, parts: { address: string; version?: string; seenAt?: Date }) {
      const { address, version = server.ctx.version, seenAt = new Date() } = parts;
      const at = seenAt.toISOString();
      await server.rows
        .insertInto("clusterMembers")
        .values({ id, address, version, startedAt: at, seenAt: at, joined: 1 })
        .execute();
    }

    test("says that a server answers, and which ones are gone, unreachable, of another clock or version", async () => {
      await expect.poll(async () => (await examine()).map(({ state }) => state)).toEqual(["ok"]);
      const early = createServer((_, response) => {
        response.setHeader("date", new Date(Date.now() - 120_000).toUTCString());
        response.end();
      });
      await new Promise<void>((resolve) => early.listen(0, "127.0.0.1", resolve));
      const { port } = early.address() as AddressInfo;
      await addRow("early", { address: `127.0.0.1:${port}`, version: "0.0.1" });
      await addRow("closed", { address: "127.0.0.1:1" });
      await addRow("gone", { address: "127.0.0.1:2", seenAt: new Date(Date.now() - 600_000) });
      const findings = (await examine()).map(({ state, text }) => `${state}: ${text}`).join("\n");
      expect(findings).toMatch(/^ok: .* answers; its last heartbeat was [\d.]+ s ago\.$/m);
      expect(findings).toMatch(/^failed: The clock of early at .* is 1[12]\d s behind the one here/m);
      expect(findings).toMatch(/^failed: closed at 127.0.0.1:1 cannot be reached from here: .*ECONNREFUSED/m);
      expect(findings).toMatch(/^note: gone at 127.0.0.1:2 has sent no heartbeat for 60\d s/m);
      expect(findings).toMatch(/^note: The servers have the versions 0.0.1 and /m);
      await server.rows.deleteFrom("clusterMembers").where("id", "in", ["early", "closed", "gone"]).execute();
      await new Promise((resolve) => early.close(resolve));
    });

    test("reaches a server that has the former secret alone", async () => {
      const former = server.ctx.config.authSecret;
      const [finding] = await examine("the next secret of the servers, 32 characters", former);
      expect(finding).toMatchObject({ state: "ok" });
    });

    test("names a secret that the server does not have", async () => {
      const [finding] = await examine("another secret than the server has, 32 characters");
      expect(finding).toEqual({ state: "failed", text: expect.stringContaining("the same AUTH_SECRET") });
    });
  },
  60_000,
);
