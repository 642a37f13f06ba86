import { readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { secretFile } from "#backup/hold-stores.ts";
import type { Config } from "#config";
import { ignoreMissing, makeFolder } from "#store/data-folder.ts";
import type { RowStore } from "#store/row/row-store.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { moveInto, noteMove } from "#store/unfinished-move.ts";
import { columnTables, daysOf, piecesOf, profilesOf } from "./column-rows.ts";
import type { Stores } from "./export-organization.ts";
import { differences, type Figure, figuresOf } from "./figures.ts";
import { OriginalWriter, readOriginal } from "./originals.ts";
import {
  clearTable,
  countTable,
  insertRows,
  organizationsOf,
  type RawRows,
  rawRows,
  readTable,
  tablesOf,
} from "./raw-rows.ts";
import { rowTables } from "./row-tables.ts";
import { RowWriter } from "./write-rows.ts";

export interface MovedOrganization {
  readonly name: string;
  readonly figures: readonly Figure[];
  /** Profiles that the target did not have before. */
  readonly added: number;
  readonly withoutOriginal: number;
  /** A sentence for each count or total that is not the same. */
  readonly differences: readonly string[];
}

/** Makes the data folder of the target, with the secret of the present one. Returns whether an earlier run began the move. */
export async function prepareTarget(
  from: Pick<Config, "dataDir">,
  to: Pick<Config, "dataDir">,
  authSecret: string,
): Promise<boolean> {
  if (resolve(from.dataDir) === resolve(to.dataDir))
    throw new StoreRefused("TO_DATA_DIR is the present data folder: name another one, which is empty.");
  const isContinued = (await moveInto(to.dataDir)) !== undefined;
  const names = (await readdir(to.dataDir).catch(ignoreMissing)) ?? [];
  if (!isContinued && names.some((name) => name !== "lost+found"))
    throw new StoreRefused(
      `${to.dataDir} is not empty, and nothing was moving into it: set TO_DATA_DIR to an empty folder.`,
    );
  await makeFolder(to.dataDir);
  await noteMove(to.dataDir, "begun");
  await writeFile(join(to.dataDir, secretFile), `${authSecret}\n`, { mode: 0o600, flush: true });
  return isContinued;
}

/**
 * Copies all organizations, and everything of the row store, which then has the same rows as that of `from`. Profiles of the
 * target stay, so that a further run brings what came meanwhile. The demo is left out: servers make it. Throws StoreRefused.
 */
export async function moveInstallation(
  from: Stores,
  to: Stores,
  isContinued: boolean,
  progress: (line: string) => void,
): Promise<MovedOrganization[]> {
  const organizations = await organizationsOf(rawRows(from.rows));
  await refuseForeign(to, new Set(organizations.map(({ id }) => id)), isContinued);
  const moved: MovedOrganization[] = [];
  for (const { id, name } of organizations) {
    progress(`${name} (${id})`);
    const copied = await copyOrganization(from, to, id, progress);
    const figures = await figuresOf(from.columns.direct, id);
    const wrong = differences(figures, await figuresOf(to.columns.direct, id));
    const { profiles: added, withoutOriginal } = copied;
    moved.push({ name, figures, added, withoutOriginal, differences: wrong });
  }
  progress("Accounts, settings, alerts, analyses");
  await copyRowStore(from.rows, to.rows);
  return moved;
}

/** A database that is in use would lose what people did there. */
async function refuseForeign(
  to: Pick<Stores, "rows">,
  known: ReadonlySet<string>,
  isContinued: boolean,
): Promise<void> {
  const found = await organizationsOf(rawRows(to.rows));
  if (found.length === 0 || (isContinued && found.every(({ id }) => known.has(id)))) return;
  throw new StoreRefused(
    `The database of the target has organizations already, such as ${found[0]!.name}: its rows would be replaced. Use an empty database.`,
  );
}

/**
 * Makes all tables of `to` equal to those of `from`, in one transaction: rows that only `to` has are removed. Both have the same schema.
 * Resolves with the number of rows of each table.
 */
async function copyRowStore(from: RowStore, to: RowStore): Promise<ReadonlyMap<string, number>> {
  const source = rawRows(from);
  const tables = await tablesOf(source);
  return rawRows(to)
    .transaction()
    .execute(async (transaction) => {
      for (const { name } of rowTables.toReversed()) await clearTable(transaction, name);
      const counts = new Map<string, number>();
      for (const { name } of rowTables) {
        let count = 0;
        for await (const rows of readTable(source, tables.get(name)!)) {
          await insertRows(transaction, name, rows);
          count += rows.length;
        }
        await refuseOther(transaction, name, count);
        counts.set(name, count);
      }
      return counts;
    });
}

async function refuseOther(rows: RawRows, name: string, expected: number): Promise<void> {
  const found = await countTable(rows, name);
  if (found !== expected)
    throw new StoreRefused(
      `The table ${name} has ${found} rows after copying ${expected}. Nothing was kept.`,
    );
}

interface CopiedOrganization {
  /** Rows of profiles that the target did not have. */
  readonly profiles: number;
  /** Profiles without original bytes. */
  readonly withoutOriginal: number;
}

/** Copies what `to` lacks of an organization's profiles, requests, stacks and original bytes, day by day. */
async function copyOrganization(
  from: Stores,
  to: Stores,
  orgId: string,
  progress: (line: string) => void,
): Promise<CopiedOrganization> {
  const writer = new RowWriter(to.columns, orgId);
  let profiles = 0;
  let withoutOriginal = 0;
  for (const day of await daysOf(from.columns.direct, orgId)) {
    let ofDay = 0;
    for (const table of columnTables)
      for await (const piece of piecesOf(from.columns.direct, orgId, day, table)) {
        const added = await writer.write(piece);
        if (table === "profiles") ofDay += added;
      }
    withoutOriginal += await copyOriginals(from, to, orgId, day);
    progress(`  ${day}: ${ofDay} profiles`);
    profiles += ofDay;
  }
  await writer.finish();
  return { profiles, withoutOriginal };
}

/**
 * After the rows: after a kill, the store would make rows that it lacks from the original bytes, and they may be others. Returns the number of
 * profiles without bytes.
 */
async function copyOriginals(from: Stores, to: Stores, orgId: string, day: string): Promise<number> {
  const writer = new OriginalWriter(to.payloads, orgId);
  let missing = 0;
  for (const ref of await profilesOf(from.columns.direct, orgId, day)) {
    if (ref.type === "metrics") continue;
    const original = await readOriginal(from.payloads, orgId, ref);
    if (original.content === undefined) missing++;
    await writer.write(original);
  }
  await writer.flush();
  return missing;
}
