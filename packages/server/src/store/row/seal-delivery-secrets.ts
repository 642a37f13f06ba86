import { type Selectable, sql } from "kysely";
import { isDiskFull } from "#store/disk-space.ts";
import type { StoreLog } from "#store/log.ts";
import { makeRoom } from "./reserved-room.ts";
import type { RowStore, RowStoreConfig } from "./row-store.ts";
import type { Database } from "./schema.ts";
import type { Seal, SealFault } from "./seal.ts";

/** Columns of `alert_settings` that let others post or sign. */
export const sealedColumns = ["webhookUrl", "webhookSecret", "slackUrl"] as const;
type Secrets = Pick<Selectable<Database["alertSettings"]>, (typeof sealedColumns)[number]>;
type Row = Secrets & { readonly orgId: string; readonly isSealed: 0 | 1 };

/** At start: encrypts secrets stored as plain text, and those that a former key encrypted. */
export async function sealDeliverySecrets(
  rows: RowStore,
  { seal, log, config }: { readonly seal: Seal; readonly log: StoreLog; readonly config: RowStoreConfig },
): Promise<void> {
  const stored: Row[] = await rows
    .selectFrom("alertSettings")
    .select(["orgId", "isSealed", ...sealedColumns])
    .execute();
  const isSqlite = config.kind === "sqlite";
  if (isSqlite && stored.some(({ isSealed }) => isSealed === 0)) await setVacuumDue(rows, true);
  let plain = 0;
  let resealed = 0;
  const faults: Record<SealFault, number> = { unknown_key: 0, changed: 0 };
  for (const row of stored) {
    if (row.isSealed === 0) {
      plain += await update(rows, row, (text, column) => seal.seal(text, { orgId: row.orgId, column }));
      continue;
    }
    const kinds = sealedColumns.map((column) => kindOf(row, column, seal));
    if (kinds.includes("unknown_key")) faults.unknown_key++;
    if (kinds.includes("changed")) faults.changed++;
    if (kinds.includes("outdated")) resealed += await update(rows, row, resealing(row.orgId, seal));
  }
  if (isSqlite && (await isVacuumDue(rows))) await eraseFreed(rows, log);
  if (plain + resealed > 0) log.info({ plain, resealed }, "delivery secrets encrypted");
  for (const fault of ["unknown_key", "changed"] as const) {
    if (faults[fault] > 0) log.warn({ organizations: faults[fault] }, warnings[fault]);
  }
}

const warnings: Readonly<Record<SealFault, string>> = {
  unknown_key:
    "Webhooks cannot be decrypted: AUTH_SECRET is not the one they were saved with. Set that one, or name it in AUTH_SECRET_PREVIOUS, or save the webhooks again.",
  changed:
    "Webhooks cannot be decrypted: their stored text was changed, or copied from another organization. Save the webhooks again, or restore the database from a backup.",
};

/** Plain text also stays in free pages and in the log until both are rewritten. */
async function eraseFreed(rows: RowStore, log: StoreLog): Promise<void> {
  try {
    await sql`VACUUM`.execute(rows);
    const [checkpoint] = (await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(rows)).rows;
    if (checkpoint?.busy !== 0) {
      log.warn(
        {},
        "Another program reads flamekeep.sqlite, so unused pages of it may still hold unencrypted webhook secrets. They are erased at the next start.",
      );
      return;
    }
    await setVacuumDue(rows, false);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    log.warn(
      { err: error },
      "The disk is full, so unused pages of flamekeep.sqlite may still hold unencrypted webhook secrets. Make room and start again.",
    );
    return;
  }
  await makeRoom(rows);
}

/** Noted in the file itself before anything is encrypted: a crash before VACUUM must not leave plain text for good. */
async function setVacuumDue(rows: RowStore, isDue: boolean): Promise<void> {
  await sql.raw(`PRAGMA user_version = ${isDue ? 1 : 0}`).execute(rows);
}

async function isVacuumDue(rows: RowStore): Promise<boolean> {
  const [row] = (await sql<object>`PRAGMA user_version`.execute(rows)).rows;
  return Object.values(row ?? {})[0] === 1;
}

function kindOf(row: Row, column: keyof Secrets, seal: Seal): "current" | "outdated" | SealFault {
  const text = row[column];
  if (text === null) return "current";
  const opened = seal.open(text, { orgId: row.orgId, column });
  if (!opened.ok) return opened.reason;
  return seal.isOutdated(text) ? "outdated" : "current";
}

function resealing(orgId: string, seal: Seal) {
  return (text: string, column: string): string => {
    const opened = seal.open(text, { orgId, column });
    return opened.ok ? seal.seal(opened.text, { orgId, column }) : text;
  };
}

/** Only a row that is still as it was read: another server may be doing the same, or somebody saves new settings. */
async function update(
  rows: RowStore,
  row: Row,
  change: (text: string, column: string) => string,
): Promise<number> {
  let query = rows
    .updateTable("alertSettings")
    .where("orgId", "=", row.orgId)
    .where("isSealed", "=", row.isSealed);
  const changed: { -readonly [Column in keyof Secrets]: Secrets[Column] } = { ...secretsOf(row) };
  for (const column of sealedColumns) {
    const text = row[column];
    query = text === null ? query.where(column, "is", null) : query.where(column, "=", text);
    changed[column] = text === null ? null : change(text, column);
  }
  const { numUpdatedRows } = await query.set({ ...changed, isSealed: 1 }).executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

function secretsOf({ webhookUrl, webhookSecret, slackUrl }: Row): Secrets {
  return { webhookUrl, webhookSecret, slackUrl };
}
