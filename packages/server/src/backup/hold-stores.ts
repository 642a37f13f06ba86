/** The files of a data folder as they are at one moment, while its server goes on. */
import { existsSync } from "node:fs";
import { copyFile, link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Config } from "#config";
import { ignoreMissing } from "#store/data-folder.ts";
import { uploadsFolder } from "#store/payloads/segment-file.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { linkTree, listTree, partFile } from "./file-trees.ts";
import { lockFolder } from "./folder-lock.ts";

export type HeldStores = Pick<Config, "dataDir" | "columns" | "rows">;

const columnsFolder = "columns";
export const rowsFile = "flamekeep.sqlite";
export const secretFile = "auth-secret";
/** Files of the data folder that the server does not make again. */
const smallFiles = [secretFile, "stores.json"];
/** In the data folder while its files are held. */
export const heldFolder = "backup-links";
/** The column store keeps parts that were merged for a minute. */
const holdingMsMax = 50_000;

export function refuseOtherFolder({ dataDir, rows }: HeldStores): void {
  if (existsSync(dataDir) && (rows.kind !== "sqlite" || existsSync(rows.file))) return;
  throw new StoreRefused(`${dataDir} is not the data folder of a server: set DATA_DIR to the server's.`);
}

/** The secret of a server without the setting AUTH_SECRET. Throws StoreRefused. */
export async function secretIn(dataDir: string): Promise<string> {
  const path = join(dataDir, secretFile);
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new StoreRefused(
      `${path} cannot be read (${code}), and AUTH_SECRET is not set: run the command as the server's user, with its settings.`,
      { cause },
    );
  }
}

/**
 * Makes hard links of all files, in moments. Linked files stay as they are, except those of the upload log: the server appends to them, and
 * marks records in them as removed.
 */
export async function holdStores({ dataDir, columns }: HeldStores, held: string): Promise<void> {
  const begunMs = performance.now();
  try {
    await mkdir(held, { mode: 0o700 });
    if (columns.kind === "embedded") await linkTree(join(dataDir, columnsFolder), join(held, columnsFolder));
    await linkTree(join(dataDir, uploadsFolder), join(held, uploadsFolder));
    for (const name of smallFiles) await link(join(dataDir, name), join(held, name)).catch(ignoreMissing);
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    const remedy = holdingRemedies[code];
    if (remedy === undefined) throw cause;
    throw new StoreRefused(`The files of ${dataDir} cannot be linked (${code}). ${remedy}`, {
      cause,
    });
  }
  if (performance.now() - begunMs > holdingMsMax)
    throw new StoreRefused(
      `The disk of ${dataDir} is too slow while the server runs: linking its files took more than ${holdingMsMax / 1000} s. Try again when the machine has less work. ${withoutLinks}`,
    );
}

const withoutLinks =
  "Use a copy instead: a snapshot of the disk, or a copy of the folder made while the server is stopped.";
const asServer = "Run the command as the server's user, on a file system with hard links.";

const holdingRemedies: Readonly<Record<string, string>> = {
  EACCES: asServer,
  EPERM: asServer,
  EXDEV: `A folder in it is on another file system. ${withoutLinks}`,
  ENOTSUP: `The file system has no hard links. ${withoutLinks}`,
  EOPNOTSUPP: `The file system has no hard links. ${withoutLinks}`,
  EMLINK: `A file has too many links. ${withoutLinks}`,
};

/** Copies the SQLite database of a running server, and syncs the copy. */
export async function copyRows(from: string, to: string): Promise<void> {
  {
    using database = new DatabaseSync(from, { readOnly: true });
    database.prepare("VACUUM INTO ?").run(to);
  }
  await using file = await open(to, "r+");
  await file.chmod(0o600);
  await file.sync();
}

/**
 * A copy of the data folder on the same disk that takes almost no space, until it is disposed of. Its stores can be opened and written
 * to: what a server changes in place is copied, everything else is a hard link. A ClickHouse server is used as it is, and uploads that wait
 * for it are not in the copy: they are the running server's. Throws StoreRefused.
 */
export async function holdCopy<C extends HeldStores>(
  config: C,
): Promise<AsyncDisposable & { readonly config: C }> {
  refuseOtherFolder(config);
  await using undo = new AsyncDisposableStack();
  undo.use(lockFolder(config.dataDir));
  const held = join(config.dataDir, heldFolder);
  await rm(held, { recursive: true, force: true });
  undo.defer(() => rm(held, { recursive: true, force: true }));
  const { columns, rows } = config;
  await holdStores(config, held);
  if (columns.kind === "embedded") await separate(join(held, columnsFolder));
  else await rm(join(held, uploadsFolder), { recursive: true, force: true });
  if (rows.kind === "sqlite") await copyRows(rows.file, join(held, rowsFile));
  const done = undo.move();
  return {
    config: {
      ...config,
      dataDir: held,
      columns: columns.kind === "embedded" ? { ...columns, dataDir: held } : columns,
      rows: rows.kind === "sqlite" ? { ...rows, file: join(held, rowsFile) } : rows,
    },
    [Symbol.asyncDispose]: () => done.disposeAsync(),
  };
}

/** Files of parts never change. All other files of the column store become separate copies. */
async function separate(columns: string): Promise<void> {
  const { files } = await listTree(columns);
  const parts = new Set(files.filter((path) => path.endsWith(`/${partFile}`)).map((path) => dirname(path)));
  for (const path of files.filter((each) => !parts.has(dirname(each)))) {
    const copy = join(columns, `${path}.copy`);
    await copyFile(join(columns, path), copy);
    await rename(copy, join(columns, path));
  }
}
