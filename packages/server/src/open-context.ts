import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openKeyLookup } from "#auth/keys/key-lookup.ts";
import { openSessionLookup } from "#auth/sessions/session-lookup.ts";
import { readAuthSecret, subkey } from "#auth/tokens/auth-secret.ts";
import type { Config } from "#config";
import type { Context, Log } from "#context";
import { openDecoders } from "#decoding/pool.ts";
import { type ColumnStore, openColumnStore } from "#store/column/column-store.ts";
import { openAt, prepareDataFolder } from "#store/data-folder.ts";
import { openDiskSpace } from "#store/disk-space.ts";
import { openPayloadFiles } from "#store/payloads/files.ts";
import { payloadsInColumns } from "#store/payloads/in-columns.ts";
import type { PayloadStore } from "#store/payloads/payload-store.ts";
import { openProfileLookup } from "#store/profiles/profile-lookup.ts";
import { openRowStore, type RowStore } from "#store/row/row-store.ts";
import { openSeal } from "#store/row/seal.ts";
import { sealDeliverySecrets } from "#store/row/seal-delivery-secrets.ts";
import { Metrics } from "#telemetry/metrics.ts";

/** The organization the demo shows, the same on every server: it holds nothing but the recorded demo data. */
const demoOrgId = "00000000-0000-4000-8000-0000000000de";

export interface OpenContext extends Context {
  /** Closes the stores; whatever runs in them is finished first. */
  close(): Promise<void>;
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
  const payloadFiles = await openFiles(config, log);
  const [columns, rows, secret, version] = await allOrNone(config, log, stopped).catch(
    async (cause: unknown) => {
      await payloadFiles?.close();
      throw cause;
    },
  );
  const former = config.authSecretPrevious === undefined ? [] : [config.authSecretPrevious];
  const seal = openSeal([
    subkey(secret, "delivery credentials"),
    ...former.map((previous) => subkey(previous, "delivery credentials")),
  ]);
  await sealDeliverySecrets(rows, { seal, log, config: config.rows });
  if (config.demo) await createDemoOrganization(rows, now());
  const decoders = openDecoders();
  const payloads = payloadFiles ?? payloadsInColumns(columns);
  return {
    config,
    log,
    columns,
    rows,
    payloads,
    disk: openDiskSpace(config.dataDir, config.diskReserveBytes),
    decoders,
    now,
    version,
    startedAt: now(),
    accessKey: subkey(secret, "access token"),
    refreshKey: subkey(secret, "refresh token"),
    signInKey: subkey(secret, "sign-in"),
    seal,
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

/** None where original bytes are in a ClickHouse that others share. */
async function openFiles({ columns }: Config, log: Log): Promise<PayloadStore | undefined> {
  if (columns.kind !== "embedded") return undefined;
  const { dataDir } = columns;
  return openAt(join(dataDir, "payloads"), "folder", () => openPayloadFiles(dataDir, log));
}

function openColumns({ columns }: Config, log: Log, stopped?: AbortSignal): Promise<ColumnStore> {
  const open = () => openColumnStore(columns, log, stopped);
  return columns.kind === "embedded" ? openAt(join(columns.dataDir, "columns"), "folder", open) : open();
}

function openRows({ rows }: Config, log: Log, stopped?: AbortSignal): Promise<RowStore> {
  const open = () => openRowStore(rows, log, stopped);
  return rows.kind === "sqlite" ? openAt(rows.file, "file", open) : open();
}

/** When one part does not open, what did open is closed again: an engine must not outlive its server. */
async function allOrNone(
  config: Config,
  log: Log,
  stopped?: AbortSignal,
): Promise<[ColumnStore, RowStore, string, string]> {
  const opening = [
    openColumns(config, log, stopped),
    openRows(config, log, stopped),
    config.authSecret ?? readAuthSecret(config.dataDir),
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
