import { access, constants, mkdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "#config";
import type { Context, Log } from "#context";
import { openDecoders } from "#decoding/pool.ts";
import { subkey } from "#http/access-token.ts";
import { readAuthSecret } from "#http/auth-secret.ts";
import { openKeyLookup } from "#http/key-lookup.ts";
import { Metrics } from "#http/metrics.ts";
import { openSessionLookup } from "#http/session-lookup.ts";
import { type ColumnStore, openColumnStore } from "#store/column/column-store.ts";
import { openPayloadFiles } from "#store/payloads/files.ts";
import { payloadsInColumns } from "#store/payloads/in-columns.ts";
import type { PayloadStore } from "#store/payloads/payload-store.ts";
import { openProfileLookup } from "#store/profiles/profile-lookup.ts";
import { openRowStore, type RowStore } from "#store/row/row-store.ts";

/** The organization the demo shows, the same on every server: it holds nothing but the recorded demo data. */
const demoOrgId = "00000000-0000-4000-8000-0000000000de";

export interface OpenContext extends Context {
  /** Closes the stores; whatever runs in them is finished first. */
  close(): Promise<void>;
}

/** The data folder cannot be used; the message says which and why. */
export class DataFolderError extends Error {
  override readonly name = "DataFolderError";
}

/**
 * Opens both stores at the same time and joins what every verb needs.
 *
 * @param stopped ends the wait for stores that are away
 */
export async function openContext(
  config: Config,
  log: Log,
  now: () => Date = () => new Date(),
  stopped?: AbortSignal,
): Promise<OpenContext> {
  await prepareDataFolder(config.dataDir);
  const payloadFiles = openFiles(config, log);
  const [columns, rows, secret, version] = await allOrNone(config, log, stopped).catch(
    async (cause: unknown) => {
      await payloadFiles?.close();
      throw cause;
    },
  );
  if (config.demo) await createDemoOrganization(rows, now());
  const decoders = openDecoders();
  const payloads = payloadFiles ?? payloadsInColumns(columns);
  return {
    config,
    log,
    columns,
    rows,
    payloads,
    decoders,
    now,
    version,
    startedAt: now(),
    accessKey: subkey(secret, "access token"),
    refreshKey: subkey(secret, "refresh token"),
    demo: config.demo ? { orgId: demoOrgId } : null,
    keys: openKeyLookup(rows, log, now),
    sessions: openSessionLookup(rows, now),
    profiles: openProfileLookup(columns),
    metrics: new Metrics(),
    close: async () => {
      await Promise.all([payloads.close(), columns.close(), rows.destroy(), decoders.close()]);
    },
  };
}

async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw unusable(dataDir, cause);
  }
}

/** With those above it. Node's own way of that never ends where the system takes no folder, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await isFolder(path))) return;
    if (code !== "ENOENT" || (await isFolder(dirname(path)))) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

/** None where original bytes are in a ClickHouse that others share. */
function openFiles({ columns }: Config, log: Log): PayloadStore | undefined {
  if (columns.kind !== "embedded") return undefined;
  try {
    return openPayloadFiles(columns.dataDir, log);
  } catch (cause) {
    throw unusable(join(columns.dataDir, "payloads"), cause);
  }
}

function unusable(folder: string, cause: unknown): DataFolderError {
  const { code = "unknown error" } = cause as NodeJS.ErrnoException;
  const words = `The data folder ${folder} cannot be written (${code}). Give it to this user or set DATA_DIR.`;
  return new DataFolderError(words, { cause });
}

/** When one part does not open, what did open is closed again: an engine must not outlive its server. */
async function allOrNone(
  config: Config,
  log: Log,
  stopped?: AbortSignal,
): Promise<[ColumnStore, RowStore, string, string]> {
  const opening = [
    openColumnStore(config.columns, log, stopped),
    openRowStore(config.rows, log, stopped),
    readAuthSecret(config.authSecret, config.dataDir),
    readVersion(),
  ] as const;
  try {
    return await Promise.all(opening);
  } catch (cause) {
    const [columns, rows] = await Promise.allSettled(opening);
    if (columns.status === "fulfilled") await columns.value.close();
    if (rows.status === "fulfilled") await rows.value.destroy();
    throw cause;
  }
}

async function readVersion(): Promise<string> {
  const text = await readFile(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

async function createDemoOrganization(rows: RowStore, now: Date): Promise<void> {
  await rows
    .insertInto("organizations")
    .values({ id: demoOrgId, name: "Demo", isDemo: 1, createdAt: now.toISOString() })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}
