import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { demoLimitNames, demoLimitsText } from "@flamekeep/contract";
import { AuditLog } from "#audit/audit-log.ts";
import { checkSharedSecret, readAuthSecret, subkey } from "#auth/auth-secret.ts";
import { openKeyLookup } from "#auth/keys/key-lookup.ts";
import { KeyUsageCounts } from "#auth/keys/key-usage.ts";
import { openSessionLookup } from "#auth/sessions/session-lookup.ts";
import { shareKeys, shareSessions } from "#auth/shared-lookups.ts";
import type { SigningKeys } from "#auth/tokens/access-token.ts";
import type { Config } from "#config";
import { type Context, demoOrgId, type Log, openedOrgId } from "#context";
import { MailQueue } from "#mail/mail-queue.ts";
import { openMailer } from "#mail/mailer.ts";
import type { ThreadBudget } from "#memory/budget.ts";
import { openBackgroundDecoders, openDecoders } from "#stacks/pool.ts";
import { withRebuiltPayloads } from "#stacks/rebuilt/rebuilt-payloads.ts";
import { type ColumnStore, openColumnStore } from "#store/column/column-store.ts";
import { openAt, prepareDataFolder } from "#store/data-folder.ts";
import { openDiskSpace } from "#store/disk-space.ts";
import { hiddenData, noteServersInUse } from "#store/hidden-data.ts";
import { JobLog } from "#store/job-log.ts";
import { hiddenOriginals, openOriginals } from "#store/payloads/open-originals.ts";
import { openPayloadColumns } from "#store/payloads/payload-columns.ts";
import { openPayloadLog } from "#store/payloads/payload-log.ts";
import type { PayloadStore } from "#store/payloads/payload-store.ts";
import { withSharedPayloads } from "#store/payloads/read-payload.ts";
import { uploadsFolder } from "#store/payloads/segment-file.ts";
import { openProfileLookup } from "#store/profiles/profile-lookup.ts";
import { JobLeases } from "#store/row/job-leases.ts";
import { resealTargetHeaders } from "#store/row/reseal-target-headers.ts";
import { resealTotpSecrets } from "#store/row/reseal-totp-secrets.ts";
import { openRowStore, type RowStore } from "#store/row/row-store.ts";
import { openSeal } from "#store/row/seal.ts";
import { sealDeliverySecrets } from "#store/row/seal-delivery-secrets.ts";
import { SharedChanges } from "#store/row/shared-changes.ts";
import { openSchemaLock } from "#store/schema-lock.ts";
import { Metrics } from "#telemetry/metrics.ts";
import { ConfigError } from "./context/environment.ts";
import type { LimitsFile } from "./context/limits-file.ts";
import { openEncodingThreads } from "./features/ingest/threads/encoding-threads.ts";

/** Disposing of it closes the stores once the work in them is finished. */
export interface OpenContext extends Context, AsyncDisposable {}

interface OpenOptions {
  readonly now?: () => Date;
  /** Ends the wait for stores that do not answer. */
  readonly stopped?: AbortSignal;
  /** Parts that are open already, and stay open. */
  readonly shared?: SharedParts;
  /** Whether the data folder is a copy, which is removed at the end. */
  readonly isCopy?: boolean;
}

/**
 * Parts that several contexts can use at the same time. Threads cache definitions by organization, so they must not be shared with a context
 * that has one of the same organizations in another column store.
 */
export type SharedParts = ReturnType<typeof openThreads> & Partial<Pick<Context, "columns">>;

export function openThreads(log: Log, budget: ThreadBudget) {
  const decoders = openDecoders(budget.decodingHeapBytesMax);
  return {
    encodingThreads: openEncodingThreads(log, budget),
    decoders,
    backgroundDecoders: budget.isDecodingShared
      ? decoders
      : openBackgroundDecoders(budget.decodingHeapBytesMax),
  };
}

/**
 * Opens the stores at the same time and collects everything that operations need. When one store fails to open, the
 * others are closed again: an engine must not outlive its server.
 */
export async function openContext(
  config: Config,
  log: Log,
  { now = () => new Date(), stopped, shared, isCopy = false }: OpenOptions = {},
): Promise<OpenContext> {
  await prepareDataFolder(config.dataDir);
  const hidden = [...(await hiddenData(config, demoOrgId)), ...(await hiddenOriginals(config))];
  if (hidden.length > 0) throw new ConfigError(hidden);
  await using opened = new AsyncDisposableStack();
  const payloadLog = opened.use(await openLog(config, log, isCopy));
  const [columns, rows, secret, version] = await allSettled([
    shared?.columns ?? openColumns(config, log, stopped).then((store) => opened.use(store)),
    openRows(config, log, stopped).then((store) => opened.use(store)),
    config.authSecret ?? readAuthSecret(config.dataDir),
    readVersion(),
  ]);
  await noteServersInUse(config);
  const { authSecretPrevious: previous } = config;
  const keysFor = (purpose: string): SigningKeys => [
    subkey(secret, purpose),
    ...(previous === undefined ? [] : [subkey(previous, purpose)]),
  ];
  const seals = await openSeals(config, rows, { secret, keysFor, log });
  if (config.demo) await createDemoOrganization(rows, now());
  if (config.openFiles !== undefined) await createOpenedOrganization(rows, now());
  await checkLimitsFile(config.limitsFile, rows, log);
  const { encodingThreads, decoders, backgroundDecoders } = shared ?? openThreads(log, config.threads);
  if (shared === undefined) {
    for (const threads of new Set([encodingThreads, decoders, backgroundDecoders])) opened.use(threads);
  }
  const mailer = openMailer(config, log);
  const { leases, changes } = shareWithOthers(opened, config, { rows, columns, log, now });
  const audit = opened.use(new AuditLog(rows, log, now));
  const keyUsage = opened.use(new KeyUsageCounts(rows, log, now));
  const mailQueue = opened.use(new MailQueue(mailer, log));
  const open = opened.move();
  return {
    config,
    log,
    columns,
    rows,
    payloads: payloadsIn(config, payloadLog, { columns, decoders }),
    leases,
    disk: openDiskSpace(config.dataDir, config.diskReserveBytes),
    spaceFreed: {},
    encodingThreads,
    decoders,
    backgroundDecoders,
    now,
    version,
    startedAt: now(),
    accessKeys: keysFor("access token"),
    refreshKeys: keysFor("refresh token"),
    clusterKeys: keysFor("cluster"),
    signInKey: subkey(secret, "sign-in"),
    mailer,
    mailQueue,
    audit,
    ...seals,
    demo: config.demo ? { orgId: demoOrgId } : null,
    keys: shareKeys(openKeyLookup(rows, log, now, audit), changes),
    keyUsage,
    sessions: shareSessions(openSessionLookup(rows, now), changes),
    profiles: openProfileLookup(columns),
    metrics: new Metrics(),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Jobs and changes that concern other processes on the same stores. */
function shareWithOthers(
  opened: AsyncDisposableStack,
  config: Config,
  { rows, columns, log, now }: Pick<Context, "rows" | "columns" | "log" | "now">,
) {
  const isShared = config.rows.kind === "postgres" && config.columns.kind === "url";
  const leases = opened.use(new JobLeases(rows, log, { isShared, now }));
  const jobLog = new JobLog(log, "the exchange of changes with other processes");
  const changes = opened.use(new SharedChanges(rows, { isShared, jobLog }));
  if (isShared) {
    columns.maintenance.leadRollUps(() => leases.lead("roll-ups"));
    changes.on(
      "removals",
      columns.shareRemovals(() => changes.note("removals")),
    );
  }
  return { leases, changes };
}

interface SealOptions {
  readonly secret: string;
  readonly keysFor: (purpose: string) => SigningKeys;
  readonly log: Log;
}

/** Secrets in the row store are encrypted with the current keys first, once the secret is known to be that of the other servers. */
async function openSeals(
  config: Config,
  rows: RowStore,
  { secret, keysFor, log }: SealOptions,
): Promise<Pick<Context, "seal" | "factorSeal">> {
  if (config.rows.kind === "postgres") await checkSharedSecret(rows, secret, config.authSecretPrevious);
  const seal = openSeal(keysFor("delivery credentials"));
  await sealDeliverySecrets(rows, { seal, log, config: config.rows });
  await resealTargetHeaders(rows, seal, log);
  const factorSeal = openSeal(keysFor("second factor"));
  await resealTotpSecrets(rows, factorSeal, log);
  return { seal, factorSeal };
}

async function openLog(config: Config, log: Log, isCopy: boolean): Promise<PayloadStore> {
  const { dataDir, columns } = config;
  const objects = await openOriginals(config);
  const keepsProfiles = columns.kind === "embedded";
  const open = async () => openPayloadLog(dataDir, log, { keepsProfiles, objects, isCopy });
  return openAt(join(dataDir, uploadsFolder), "folder", open);
}

/** With a ClickHouse server the original bytes end up there, so that several servers share them. */
function payloadsIn(
  { columns: { kind }, originalsKeptDays }: Config,
  log: PayloadStore,
  stores: Pick<Context, "columns" | "decoders">,
): PayloadStore {
  const keepsPayloads = originalsKeptDays > 0;
  const store = kind === "embedded" ? log : openPayloadColumns(log, stores.columns, { keepsPayloads });
  return withRebuiltPayloads(withSharedPayloads(store), stores);
}

function openColumns({ columns, rows }: Config, log: Log, stopped?: AbortSignal): Promise<ColumnStore> {
  const isShared = columns.kind === "url" && rows.kind === "postgres";
  const lock = isShared ? openSchemaLock(rows.url, "column store", log) : undefined;
  const open = () => openColumnStore(columns, log, stopped, lock);
  return columns.kind === "embedded" ? openAt(join(columns.dataDir, "columns"), "folder", open) : open();
}

function openRows({ rows }: Config, log: Log, stopped?: AbortSignal): Promise<RowStore> {
  const open = () => openRowStore(rows, log, stopped);
  return rows.kind === "sqlite" ? openAt(rows.file, "file", open) : open();
}

/** Like `Promise.all`, but rejects only after all have settled, so that the caller can close stores that opened late. */
async function allSettled<T extends readonly unknown[] | []>(
  values: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(values);
  return Promise.all(values);
}

async function readVersion(): Promise<string> {
  const text = await readFile(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** Throws if the file limits what the server does itself. An id without an organization may be a mistake, or an organization that was deleted. */
async function checkLimitsFile({ organizations }: LimitsFile, rows: RowStore, log: Log): Promise<void> {
  const ofDemo = Object.keys(organizations.get(demoOrgId) ?? {});
  const unusable = ofDemo.filter((name) => !demoLimitNames.some((allowed) => allowed === name));
  if (unusable.length > 0) {
    throw new ConfigError(unusable.map((name) => `LIMITS_FILE: ${demoOrgId}.${name} ${demoLimitsText}`));
  }
  const ids = [...organizations.keys()];
  if (ids.length === 0) return;
  const known = await rows.selectFrom("organizations").select("id").where("id", "in", ids).execute();
  const unknown = ids.filter((id) => !known.some((organization) => organization.id === id));
  if (unknown.length > 0)
    log.warn({ ids: unknown }, "LIMITS_FILE has limits of organizations that do not exist");
}

/** With a project, because visitors cannot create one. */
async function createDemoOrganization(rows: RowStore, now: Date): Promise<void> {
  const createdAt = now.toISOString();
  await rows
    .insertInto("organizations")
    .values({ id: demoOrgId, name: "Demo", isDemo: 1, createdAt })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  await rows
    .insertInto("projects")
    .values({ ...demoProject, orgId: demoOrgId, createdAt, updatedAt: createdAt })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** Its retention is in its row, so that files end after a day although the setting is switched off. */
async function createOpenedOrganization(rows: RowStore, now: Date): Promise<void> {
  await rows
    .insertInto("organizations")
    .values({
      id: openedOrgId,
      name: "Files opened without an account",
      isDemo: 0,
      createdAt: now.toISOString(),
      retentionDays: 1,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** A group of the services of `examples/shop`. */
const demoProject = {
  id: "00000000-0000-4000-8000-0000000000df",
  name: "Shop",
  description: "All services behind a purchase",
  status: "active" as const,
  tags: "[]",
  services: JSON.stringify(["gateway", "catalog", "search", "checkout"]),
  memberCount: 0,
};
