import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type KyselyPlugin, RawNode, sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keepingLog, quietLog, temporaryFolder } from "#store/testing/backends.ts";
import { parseTargets } from "./delivery-targets.ts";
import { openRowStore, type RowStore, type RowStoreConfig } from "./row-store.ts";
import { openSeal } from "./seal.ts";
import { sealDeliverySecrets } from "./seal-delivery-secrets.ts";

const secret = "signing-secret-0123456789";
const seal = openSeal([randomBytes(32)]);
let folder: ReturnType<typeof temporaryFolder>;
let config: RowStoreConfig & { readonly kind: "sqlite" };
let rows: RowStore;
beforeEach(async () => {
  folder = temporaryFolder();
  config = { kind: "sqlite", file: join(folder.path, "rows.sqlite") };
  rows = await openRowStore(config, quietLog);
  const orgId = randomUUID();
  const at = new Date().toISOString();
  await rows
    .insertInto("organizations")
    .values({ id: orgId, name: "Ada", isDemo: 0, createdAt: at })
    .execute();
  await rows
    .insertInto("alertSettings")
    .values({
      orgId,
      targets: JSON.stringify({ webhook: { secrets: { secret }, settings: {} } }),
      updatedAt: at,
    })
    .execute();
});
afterEach(async () => {
  await rows.destroy();
  folder.remove();
});

function filesWithSecret(): string[] {
  const files = readdirSync(folder.path);
  expect(files).toContain("rows.sqlite");
  return files.filter((name) => readFileSync(join(folder.path, name), "latin1").includes(secret));
}

/** Ends where a crash or a full disk would: when the file is to be rewritten. */
function failingAtVacuum(error: Error): KyselyPlugin {
  return {
    transformQuery({ node }) {
      if (RawNode.is(node) && node.sqlFragments.join("") === "VACUUM") throw error;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}

it("erases plain text at the next start if the first one ended before VACUUM", async () => {
  const crashing = rows.withPlugin(failingAtVacuum(new Error("killed")));
  await expect(sealDeliverySecrets(crashing, { seal, log: quietLog, config })).rejects.toThrow("killed");
  const [row] = await rows.selectFrom("alertSettings").selectAll().execute();
  expect(row?.isSealed).toBe(1);
  const sealed = parseTargets(row!.targets).webhook?.secrets.secret ?? "";
  // Texts of earlier versions are sealed under this name too.
  const place = { orgId: row!.orgId, field: "webhookSecret" };
  expect(seal.open(sealed, place)).toEqual({ ok: true, text: secret });
  expect(filesWithSecret()).not.toEqual([]);
  await rows.destroy();
  rows = await openRowStore(config, quietLog);
  await sealDeliverySecrets(rows, { seal, log: quietLog, config });
  expect(filesWithSecret()).toEqual([]);
});

it("starts on a full disk, says what is left, and erases it later", async () => {
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  const log = keepingLog();
  await sealDeliverySecrets(rows.withPlugin(failingAtVacuum(full)), { seal, log, config });
  expect(log.lines.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
    expect.stringContaining("may still hold unencrypted webhook secrets. Make room and start again."),
  ]);
  expect(filesWithSecret()).not.toEqual([]);
  await sealDeliverySecrets(rows, { seal, log, config });
  expect(filesWithSecret()).toEqual([]);
});

it("keeps the room reserved for a full disk, and rewrites the file only once", async () => {
  await sealDeliverySecrets(rows, { seal, log: quietLog, config });
  const free = await sql<object>`PRAGMA freelist_count`.execute(rows);
  expect(Number(Object.values(free.rows[0]!)[0]) * 4096).toBeGreaterThanOrEqual(4_500_000);
  const again = rows.withPlugin(failingAtVacuum(new Error("VACUUM ran again")));
  await sealDeliverySecrets(again, { seal, log: quietLog, config });
});

it("erases plain text at the next start if another program reads the file during the first one", async () => {
  const reader = new DatabaseSync(config.file, { readOnly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM alert_settings").get();
  const log = keepingLog();
  await sealDeliverySecrets(rows, { seal, log, config });
  expect(log.lines.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
    expect.stringContaining("Another program reads flamekeep.sqlite"),
  ]);
  expect(filesWithSecret()).not.toEqual([]);
  reader.close();
  await sealDeliverySecrets(rows, { seal, log: quietLog, config });
  expect(filesWithSecret()).toEqual([]);
});
