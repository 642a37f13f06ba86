import { sql } from "kysely";
import { isDiskFull } from "#store/disk-space.ts";
import type { StoreLog } from "#store/log.ts";
import { parseTargets, type StoredTargets, sealedField } from "./delivery-targets.ts";
import { makeRoom } from "./reserved-room.ts";
import { acrossOrganizations, type RowStore, type RowStoreConfig } from "./row-store.ts";
import type { Seal, SealedPlace, SealFault } from "./seal.ts";

interface Row {
  readonly orgId: string;
  readonly isSealed: 0 | 1;
  /** JSON. */
  readonly targets: string;
}

/** At start: encrypts secrets stored as plain text, and those that a former key encrypted. */
export async function sealDeliverySecrets(
  rows: RowStore,
  { seal, log, config }: { readonly seal: Seal; readonly log: StoreLog; readonly config: RowStoreConfig },
): Promise<void> {
  const stored: Row[] = await acrossOrganizations(rows)
    .selectFrom("alertSettings")
    .select(["orgId", "isSealed", "targets"])
    .execute();
  const isSqlite = config.kind === "sqlite";
  if (isSqlite && stored.some(({ isSealed }) => isSealed === 0)) await setVacuumDue(rows, true);
  let plain = 0;
  let resealed = 0;
  const faults: Record<SealFault, number> = { unknown_key: 0, changed: 0 };
  for (const row of stored) {
    const { orgId } = row;
    if (row.isSealed === 0) {
      plain += await update(rows, row, (text, field) => seal.seal(text, { orgId, field }));
      continue;
    }
    const states = new Set(secretsOf(row).map(({ text, field }) => stateOf(seal, text, { orgId, field })));
    if (states.has("unknown_key")) faults.unknown_key++;
    if (states.has("changed")) faults.changed++;
    if (states.has("outdated")) resealed += await update(rows, row, resealing(orgId, seal));
  }
  if (isSqlite && (await isVacuumDue(rows))) await eraseFreed(rows, log);
  if (plain + resealed > 0) log.info({ plain, resealed }, "delivery secrets encrypted");
  for (const fault of ["unknown_key", "changed"] as const) {
    if (faults[fault] > 0) log.warn({ organizations: faults[fault] }, warnings[fault]);
  }
}

const warnings: Readonly<Record<SealFault, string>> = {
  unknown_key:
    "Webhooks cannot be decrypted: AUTH_SECRET has changed since they were saved. Set the old one, or name it in AUTH_SECRET_PREVIOUS, or save the webhooks again.",
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

function secretsOf({ targets }: Row): { readonly field: string; readonly text: string }[] {
  return Object.entries(parseTargets(targets)).flatMap(([channel, { secrets }]) =>
    Object.entries(secrets).map(([name, text]) => ({ field: sealedField(channel, name), text })),
  );
}

function stateOf(seal: Seal, text: string, place: SealedPlace): "current" | "outdated" | SealFault {
  const opened = seal.open(text, place);
  if (!opened.ok) return opened.reason;
  return seal.isOutdated(text) ? "outdated" : "current";
}

function resealing(orgId: string, seal: Seal) {
  return (text: string, field: string): string => {
    const opened = seal.open(text, { orgId, field });
    return opened.ok ? seal.seal(opened.text, { orgId, field }) : text;
  };
}

/** Changes a row only if it is still as it was read: another server may be doing the same, or new settings are saved. */
async function update(
  rows: RowStore,
  { orgId, isSealed, targets }: Row,
  change: (text: string, field: string) => string,
): Promise<number> {
  const changed: StoredTargets = {};
  for (const [channel, { secrets, settings }] of Object.entries(parseTargets(targets))) {
    const sealed = Object.entries(secrets).map(([name, text]) => [
      name,
      change(text, sealedField(channel, name)),
    ]);
    changed[channel] = { secrets: Object.fromEntries(sealed), settings };
  }
  const { numUpdatedRows } = await rows
    .updateTable("alertSettings")
    .set({ targets: JSON.stringify(changed), isSealed: 1 })
    .where("orgId", "=", orgId)
    .where("isSealed", "=", isSealed)
    .where("targets", "=", targets)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
