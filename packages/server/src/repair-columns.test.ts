import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { setAside } from "#store/column/restore/restore-quarantined.ts";
import { forgetIndexes, uploadsFolder } from "#store/payloads/segment-file.ts";
import { quietLog } from "#store/testing/backends.ts";
import { startClickHouse } from "#store/testing/clickhouse.ts";
import { sharedPostgres } from "#store/testing/postgres.ts";
import { pictureOf, sendAllKinds } from "#testing/all-kinds.ts";
import { startApp } from "#testing/start-app.ts";
import { memberSecret, startMember } from "#testing/start-member.ts";

const program = fileURLToPath(new URL("repair-columns.ts", import.meta.url));

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "flamekeep-repair-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const open = () => startApp({ hasSeparateColumns: true, env: { DATA_DIR: dataDir } });

const rebuild = () => run("rebuild-columns");

const run = (command: string, settings: Record<string, string> = {}) =>
  new Promise<{ code: number | null; out: string }>((resolve) => {
    const env = { ...process.env, DATA_DIR: dataDir, DEMO: "off", LOG_LEVEL: "silent", ...settings };
    const child = spawn(process.execPath, [program, command], { env });
    let out = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (text: Buffer) => {
        out += text.toString();
      });
    }
    child.on("close", (code) => resolve({ code, out }));
  });

it("rebuild-columns makes rows again that give the same figures, and copies those that the uploads do not have, after an interrupted one too", async () => {
  const before = await open();
  const person = await before.signUp();
  await sendAllKinds(before, person);
  const expected = await pictureOf(before, person);
  expect(await rebuild()).toMatchObject({ code: 1, out: expect.stringContaining("in use") });
  expect(readdirSync(dataDir).filter((name) => name.startsWith("quarantine"))).toEqual([]);
  await before.close();
  // As a rebuild that was killed early leaves it.
  await setAside(dataDir, quietLog);

  const { code, out } = await rebuild();
  expect([code, out]).toEqual([0, expect.stringContaining("Making the rows of all uploads again")]);
  expect(out).toContain(
    "quarantine-1 is restored: 1 profiles were copied between the stores, 40 were in both.",
  );
  expect(readdirSync(dataDir)).toContain("merged-quarantine-1-1");

  const after = await open();
  expect(await pictureOf(after, person)).toEqual(expected);
  await after.close();
});

const postgres = await sharedPostgres();

it.skipIf(postgres === undefined)(
  "recount corrects the totals of servers that share ClickHouse once none of them runs",
  async () => {
    const clickHouse = await startClickHouse();
    const url = await postgres!.createDatabase();
    const { url: storeUrl } = await clickHouse.openEndpoint();
    const stores = { DATABASE_URL: url, CLICKHOUSE_URL: storeUrl, AUTH_SECRET: memberSecret };
    const sql = async (text: string) => {
      const reply = await fetch(storeUrl, { method: "POST", body: text });
      if (!reply.ok) throw new Error(await reply.text());
      return reply.text();
    };
    try {
      const server = await startMember({ clickHouse, url }, { deadMs: 10_000, isNow: true });
      const person = await server.signUp();
      await sendAllKinds(server, person);
      const expected = await pictureOf(server, person);
      const refused = await run("recount", stores);
      expect([refused.code, refused.out]).toEqual([
        1,
        expect.stringMatching(/^Servers of this installation run at 127\.0\.0\.1:\d+\. Stop all of them/),
      ]);
      await server.close();
      await sql("ALTER TABLE type_totals_1m DELETE WHERE type = 'cpu' SETTINGS mutations_sync = 2");
      await sql("INSERT INTO http_totals_1m SELECT * FROM http_totals_1m");

      const { code, out } = await run("recount", stores);
      expect([code, out]).toEqual([
        0,
        expect.stringMatching(/: type_totals_1m counted \d+, and counts \d+ now\.$/m),
      ]);
      expect(out).toMatch(/: http_totals_1m counted \d+, and counts \d+ now\.$/m);
      expect(out).not.toContain("service_days");
      expect((await run("recount", stores)).out).toMatch(
        /^[1-9]\d* days were compared, 0 of them differed\.$/m,
      );
      const after = await startMember({ clickHouse, url }, { deadMs: 10_000, isNow: true });
      expect(await pictureOf(after, person)).toEqual(expected);
      await after.close();
    } finally {
      await clickHouse.stop();
    }
  },
  180_000,
);

it("a rebuild finds no uploads where their folder is missing", async () => {
  await expect(forgetIndexes(join(dataDir, uploadsFolder))).resolves.toBeUndefined();
});
