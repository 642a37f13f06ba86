import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { forEachFile, listTree, readAll, syncTree } from "#backup/file-trees.ts";
import { type ListedFile, writeList } from "#backup/manifest.ts";
import type { Context } from "#context";
import { makeFolder } from "#store/data-folder.ts";
import { syncFolder } from "#store/payloads/segment-file.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { columnTables, daysOf, piecesOf, profilesOf } from "./column-rows.ts";
import {
  columnsFileOf,
  type ExportManifest,
  exportFile,
  exportFormat,
  LinesFile,
  type OriginalLine,
  originalFileOf,
  originalsFileOf,
  peopleFile,
  rowsFileOf,
} from "./export-format.ts";
import { figuresOf } from "./figures.ts";
import { readOriginal } from "./originals.ts";
import { readPeople } from "./people.ts";
import { organizationsOf, rawRows, readTable, tablesOf } from "./raw-rows.ts";
import { exportedTables, keyOf } from "./row-tables.ts";

/** Stores that nobody else writes to, all rows stored. */
export type Stores = Pick<Context, "columns" | "rows" | "payloads">;

export interface ExportOptions {
  readonly stores: Stores;
  readonly version: string;
  /** The id or the name of the organization. */
  readonly organization: string;
  /** A folder that does not exist yet, or is empty. */
  readonly to: string;
  readonly begunAt: Date;
  readonly progress: (line: string) => void;
}

/** Writes everything of an organization into a folder, which appears when it is complete. Throws StoreRefused. */
export async function exportOrganization(options: ExportOptions): Promise<ExportManifest> {
  const { stores, to, version, begunAt, progress } = options;
  const organization = await findOrganization(stores, options.organization);
  const unfinished = `${to}.part`;
  await rm(unfinished, { recursive: true, force: true });
  await makeFolder(unfinished);
  try {
    await writeRows(stores, organization.id, unfinished);
    const days = await daysOf(stores.columns.direct, organization.id);
    let withoutOriginal = 0;
    for (const day of days) {
      progress(`  ${day}`);
      await writeColumns(stores, organization.id, day, unfinished);
      withoutOriginal += await writeOriginals(stores, organization.id, day, unfinished);
    }
    const figures = await figuresOf(stores.columns.direct, organization.id);
    const tree = await listTree(unfinished);
    const files = await sumsOf(
      unfinished,
      tree.files.filter((path) => path.endsWith(".jsonl")),
    );
    const facts = { version, begunAt: begunAt.toISOString(), organization, days, figures };
    const manifest = { format: exportFormat, ...facts, withoutOriginal, files } as const;
    await writeList(join(unfinished, exportFile), manifest);
    await syncTree(unfinished, tree);
    await rename(unfinished, to);
    await syncFolder(dirname(to));
    return manifest;
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true });
    throw cause;
  }
}

async function findOrganization({ rows }: Pick<Stores, "rows">, wanted: string) {
  const organizations = await organizationsOf(rawRows(rows));
  const found = organizations.filter(({ id, name }) => id === wanted || name === wanted);
  if (found.length === 1) return found[0]!;
  const fault =
    found.length === 0
      ? `There is no organization ${wanted}`
      : `Several organizations have the name ${wanted}`;
  const listed = organizations.map(({ id, name }) => `\n  ${id} ${name}`).join("");
  throw new StoreRefused(`${fault}. Name one by its id:${listed}`);
}

async function writeRows({ rows }: Stores, orgId: string, folder: string): Promise<void> {
  const raw = rawRows(rows);
  const tables = await tablesOf(raw);
  await mkdir(join(folder, "rows"), { mode: 0o700 });
  for (const name of exportedTables) {
    await using file = new LinesFile(join(folder, rowsFileOf(name)));
    for await (const found of readTable(raw, tables.get(name)!, keyOf(name, orgId))) await file.write(found);
  }
  await using people = new LinesFile(join(folder, peopleFile));
  await people.write(await readPeople(raw, orgId));
}

async function writeColumns({ columns }: Stores, orgId: string, day: string, folder: string): Promise<void> {
  await mkdir(join(folder, "columns", day), { recursive: true, mode: 0o700 });
  for (const table of columnTables) {
    await using file = new LinesFile(join(folder, columnsFileOf(table, day)));
    for await (const { rows } of piecesOf(columns.direct, orgId, day, table)) await file.write(rows);
  }
}

/** Returns the number of profiles without bytes. */
async function writeOriginals(
  { columns, payloads }: Stores,
  orgId: string,
  day: string,
  folder: string,
): Promise<number> {
  await mkdir(join(folder, "originals", day), { recursive: true, mode: 0o700 });
  await using lines = new LinesFile(join(folder, originalsFileOf(day)));
  let missing = 0;
  for (const ref of await profilesOf(columns.direct, orgId, day)) {
    if (ref.type === "metrics") continue;
    const { profileId, type, sent, content } = await readOriginal(payloads, orgId, ref);
    if (content === undefined) missing++;
    else await writeOnce(join(folder, originalFileOf(day, content.sha256)), content.bytes);
    const line: OriginalLine = { profile_id: profileId, type, sha256: content?.sha256 ?? null, sent };
    await lines.write([line]);
  }
  return missing;
}

async function writeOnce(path: string, bytes: Uint8Array): Promise<void> {
  if (!existsSync(path)) await writeFile(path, bytes, { mode: 0o600 });
}

async function sumsOf(folder: string, paths: readonly string[]): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  await forEachFile(paths, async (path) => {
    files.push({ path, ...(await readAll(join(folder, path))) });
  });
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
