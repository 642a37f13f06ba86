import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { forEachFile, readAll } from "#backup/file-trees.ts";
import { compareFile } from "#backup/restore-backup.ts";
import { type Context, demoOrgId } from "#context";
import { ignoreMissing } from "#store/data-folder.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { columnTables, type Row } from "./column-rows.ts";
import {
  columnsFileOf,
  type ExportManifest,
  linesOf,
  OriginalLine,
  originalFileOf,
  originalsFileOf,
  peopleFile,
  readExport,
  rowsFileOf,
} from "./export-format.ts";
import { differences, figuresOf } from "./figures.ts";
import { OriginalWriter } from "./originals.ts";
import { Person, writePeople } from "./people.ts";
import { clearTable, insertRows, type RawRows, rawRows, tablesOf } from "./raw-rows.ts";
import { exportedTables, keyOf, personColumns } from "./row-tables.ts";
import { RowWriter } from "./write-rows.ts";

const AnyRow = z.record(z.string(), z.unknown());
/** The removal of old data reads it for all organizations at once. */
const OrganizationRow = z.looseObject({ retention_days: z.int().min(1).nullish() });
const rowsPerWrite = 200;
/** Definitions and requests are short. */
const shortRowsPerWrite = 20_000;

/** Reads every file of the export. Throws StoreRefused that names the first one that is missing or differs. */
export async function checkExport(folder: string): Promise<ExportManifest> {
  const manifest = await readExport(folder);
  const whole = `The export ${folder}`;
  await forEachFile(manifest.files, (file) => compareFile(whole, file, readIfThere(join(folder, file.path))));
  for (const day of manifest.days) {
    const sums = new Set<string>();
    for await (const { sha256 } of linesOf(folder, originalsFileOf(day), manifest, OriginalLine))
      if (sha256 !== null) sums.add(sha256);
    await forEachFile([...sums], (sha256) => {
      const path = originalFileOf(day, sha256);
      return compareFile(whole, { path, sha256 }, readIfThere(join(folder, path)));
    });
  }
  return manifest;
}

const readIfThere = (path: string) => readAll(path).catch(ignoreMissing);

type Target = Pick<Context, "columns" | "rows" | "payloads" | "config">;

/**
 * Brings an exported organization, checked before, into an installation. It appears when all of it is stored; an interrupted import goes on where it was.
 * Throws StoreRefused, also if counts or totals differ afterwards.
 */
export async function importOrganization(
  folder: string,
  manifest: ExportManifest,
  target: Target,
  progress: (line: string) => void,
): Promise<void> {
  const { id: orgId, name } = manifest.organization;
  await refuseExisting(rawRows(target.rows), orgId);
  const writer = new RowWriter(target.columns, orgId);
  for (const day of manifest.days) {
    progress(`  ${day}`);
    for (const table of columnTables) {
      const lines = linesOf(folder, columnsFileOf(table, day), manifest, AnyRow);
      const max = table === "profiles" ? rowsPerWrite : shortRowsPerWrite;
      for await (const rows of inBatches(lines, max)) await writer.write({ table, day, rows });
    }
    // After the rows, see move-installation.ts.
    await importOriginals(folder, manifest, target, day);
  }
  await writer.finish();
  const found = await figuresOf(target.columns.direct, orgId);
  const wrong = differences(manifest.figures, found);
  if (wrong.length > 0)
    throw new StoreRefused(
      `The profiles of ${name} differ from the exported profiles, so the organization was not created:\n  ${wrong.join("\n  ")}`,
    );
  await importRows(folder, manifest, target);
}

async function refuseExisting(rows: RawRows, orgId: string): Promise<void> {
  if (orgId === demoOrgId)
    throw new StoreRefused("This organization is the demo, which each server makes: it cannot be imported.");
  const found = await rows
    .selectFrom("organizations")
    .select("name")
    .where("id", "=", orgId)
    .executeTakeFirst();
  if (found !== undefined)
    throw new StoreRefused(
      `This installation has the organization already, as ${String(found["name"])}. Delete it in the app first, or import into another installation.`,
    );
}

async function importOriginals(
  folder: string,
  manifest: ExportManifest,
  { payloads }: Target,
  day: string,
): Promise<void> {
  const writer = new OriginalWriter(payloads, manifest.organization.id);
  for await (const line of linesOf(folder, originalsFileOf(day), manifest, OriginalLine)) {
    const { profile_id: profileId, type, sha256, sent } = line;
    const content =
      sha256 === null
        ? undefined
        : { sha256, bytes: await readFile(join(folder, originalFileOf(day, sha256))) };
    await writer.write({ profileId, type, sent, content });
  }
  await writer.flush();
}

/** All rows in one transaction: with its row in `organizations`, the organization is complete. */
async function importRows(folder: string, manifest: ExportManifest, { rows, config }: Target): Promise<void> {
  const { id: orgId } = manifest.organization;
  const people: Person[] = [];
  for await (const person of linesOf(folder, peopleFile, manifest, Person)) people.push(person);
  const raw = rawRows(rows);
  const tables = await tablesOf(raw);
  await raw.transaction().execute(async (transaction) => {
    let userIds: ReadonlyMap<string, string> = new Map();
    // The audit log and deletions of services outlive an organization that was deleted here.
    for (const name of exportedTables.toReversed()) await clearTable(transaction, name, keyOf(name, orgId));
    // Else nobody could delete it again.
    await clearTable(transaction, "organization_removals", keyOf("organization_removals", orgId));
    for (const name of exportedTables) {
      for await (const batch of inBatches(
        linesOf(folder, rowsFileOf(name), manifest, name === "organizations" ? OrganizationRow : AnyRow),
        rowsPerWrite,
      )) {
        const own = (row: Row) => ({ ...row, ...ownColumns(name, orgId) });
        const moved = batch.flatMap((row) => withPeople(name, own(row), userIds));
        refuseUnknownColumns(name, tables.get(name)?.columns ?? [], moved);
        if (moved.length > 0) await insertRows(transaction, name, moved);
      }
      if (name === "organizations") userIds = await writePeople(transaction, orgId, people, config);
    }
  });
}

/** An export decides neither whose rows they are, nor whether the organization is the demo or being deleted. */
function ownColumns(table: string, orgId: string): Row {
  const key = keyOf(table, orgId);
  return table === "organizations" ? { ...key, is_demo: 0, suspended_at: null } : key;
}

/** The row with the ids of people in this installation. Empty if it belongs to somebody who is not in the export. */
function withPeople(table: string, row: Row, userIds: ReadonlyMap<string, string>): Row[] {
  const moved: Record<string, unknown> = { ...row };
  for (const { column, isOptional } of personColumns[table] ?? []) {
    const userId = userIds.get(String(row[column])) ?? null;
    if (userId === null && !isOptional) return [];
    moved[column] = userId;
  }
  return [moved];
}

function refuseUnknownColumns(table: string, columns: readonly string[], rows: readonly Row[]): void {
  const unknown = rows.flatMap((row) => Object.keys(row)).find((name) => !columns.includes(name));
  if (unknown !== undefined)
    throw new StoreRefused(
      `The export has the column ${JSON.stringify(unknown)} of ${table}, which this version does not know: update Flamekeep.`,
    );
}

/** Rows of the same profile stay together: a batch of HTTP metrics is stored completely or not at all. */
async function* inBatches(rows: AsyncIterable<Row>, max: number): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    const { profile_id: id } = row;
    if (batch.length >= max && (id === undefined || batch.at(-1)?.["profile_id"] !== id)) {
      yield batch;
      batch = [];
    }
    batch.push(row);
  }
  if (batch.length > 0) yield batch;
}
