import { hostname as machineName } from "node:os";
import { resolve } from "node:path";
import type { ProfileType, Role } from "@flamekeep/contract";
import { type PasswordCost, passwordCostDefault } from "#auth/passwords/password-cost.ts";
import { type MemoryBudget, memoryBudget, memoryLimit, type ThreadBudget } from "#memory/budget.ts";
import type { ColumnStoreConfig } from "#store/column/column-store.ts";
import type { ObjectStorageConfig } from "#store/objects/object-store.ts";
import type { RowStoreConfig } from "#store/row/row-store.ts";
import { type ClusterConfig, clusterConfigOf } from "./cluster-settings.ts";
import { ConfigError, type Env, type Environment, readEnvironment } from "./environment.ts";
import { type LimitsFile, noLimitsFile, readLimitsFile } from "./limits-file.ts";
import { type OpenFilesConfig, openFilesConfigOf } from "./open-files-settings.ts";
import { type PullConfig, pullConfigOf } from "./pull-settings.ts";
import { listOf, MiB, readDaysByType, readDaysOfOriginals, readOidcDomains } from "./setting-values.ts";

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";

export type LogFormat = "auto" | "pretty" | "json";

/** The bounds of ingestion, each with its own setting. */
export interface IngestLimits {
  /** One request's body, as sent. */
  readonly maxBytes: number;
  /** One profile after inflating. */
  readonly maxInflatedBytes: number;
  /** One batch of HTTP metrics after inflating. */
  readonly maxMetricsBytes: number;
  /** HTTP metrics in a batch. */
  readonly maxMetrics: number;
  /** Samples of one profile. */
  readonly maxSamples: number;
  /** Values of one sample label in a profile. Further ones are folded. */
  readonly labelValues: number;
  /** Values of one sample label in the profiles of a service and type on a day. Then all are folded. */
  readonly labelSeriesValues: number;
  /** Profiles of one request, in formats that take several. */
  readonly maxProfiles: number;
  /** Bytes of accepted uploads that wait in memory; beyond it uploads are refused with Retry-After. */
  readonly queueBytes: number;
  /** Uploads that wait in the log while the column store is away; beyond it uploads are refused with Retry-After. */
  readonly waitingUploads: number;
  /** Requests per minute and key. */
  readonly perMinute: number;
  /** When an upload is acknowledged: once the log has it, or once its rows are stored. */
  readonly acknowledge: "log" | "stored";
}

/** The limits of one organization, unless it has its own: see `organization-limits.ts` of the row store. */
export interface OrganizationLimits {
  /** Active keys; the same number of revoked keys is stored too. */
  readonly apiKeysMax: number;
  /** Projects that users created. */
  readonly projectsMax: number;
  readonly testMessagesPerHour: number;
  /** Rules for alerts. */
  readonly alertRulesMax: number;
  /** Uploads as sent, compressed or not. */
  readonly storedBytesMax: number;
  /** Per day (UTC), with and without a language model. */
  readonly analysesPerDay: number;
  /** Whether the built-in rules analyse every service once a day. */
  readonly isAnalysedDaily: boolean;
  /** Requests per minute of all keys, to all servers together. */
  readonly uploadsPerMinute: number;
  readonly servicesMax: number;
  /** Analyses and questions per day that a language model answers. */
  readonly llmCallsPerDay: number;
  /** No call begins after a day's calls used this many. */
  readonly llmTokensPerDay: number;
}

/** An OpenID Connect provider. */
export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Text of the button, after "Continue with". */
  readonly name: string;
  /** The organization that new people with an address of a domain join. */
  readonly domains: ReadonlyMap<string, { readonly orgId: string; readonly role: Role }>;
}

/** Where spans of requests go. */
export interface TracesConfig {
  readonly url: string;
  /** The value of the header. */
  readonly authorization: string | undefined;
  /** The share of new traces, from 0 to 1. */
  readonly share: number;
}

export interface Config {
  readonly traces: TracesConfig | undefined;
  readonly host: string;
  readonly port: number;
  /** The path of a socket on which the server also listens. */
  readonly unixSocket: string | undefined;
  /** Undefined for no gRPC. A port that is not required may be in use. */
  readonly grpcPort: { readonly port: number; readonly isRequired: boolean } | undefined;
  /** Absolute. */
  readonly dataDir: string;
  /** The address at which people reach the server, without a trailing slash; used in links, never taken from a request. */
  readonly publicUrl: string;
  /** The path of `publicUrl`: `/flamekeep`, or empty at the root of its host. */
  readonly basePath: string;
  readonly columns: ColumnStoreConfig;
  /** Where the other server processes on the same stores reach this one; undefined if the stores are this process's alone. */
  readonly cluster: ClusterConfig | undefined;
  readonly threads: ThreadBudget;
  readonly rows: RowStoreConfig;
  readonly objectStorage: ObjectStorageConfig;
  /** Where files of original bytes go that were not written for some hours; undefined: they stay in the data folder. */
  readonly originals: { readonly url: string; readonly localHours: number } | undefined;
  /** Undefined: the first start creates one in the data folder. */
  readonly authSecret: string | undefined;
  /** The former secret: data that it encrypted can still be decrypted. */
  readonly authSecretPrevious: string | undefined;
  readonly smtpUrl: string | undefined;
  /** The sender of mail. */
  readonly mailFrom: string;
  readonly signup: "open" | "invite";
  /** Undefined: no single sign-on. */
  readonly oidc: OidcConfig | undefined;
  readonly demo: boolean;
  /** Undefined: the server does not profile itself. Without a key its profiles go into the organization of the demo. */
  readonly selfProfiling: { readonly key: string | undefined } | undefined;
  readonly retentionDays: number;
  /** The types whose profiles are kept for fewer days. */
  readonly retentionDaysByType: ReadonlyMap<ProfileType, number>;
  /** With less free space on the disk of the data folder, the oldest days are removed; 0 for never. */
  readonly retentionFreeBytes: number;
  /** Days for which the bytes of uploads are kept: Infinity for as long as their profiles, 0 for until their rows are stored. */
  readonly originalsKeptDays: number;
  /** Uploads are refused if the disk of the data folder has less free space. */
  readonly diskReserveBytes: number;
  /** Limit of the flame graphs that are used again; 0 for none. */
  readonly flameGraphCacheBytesMax: number;
  readonly llm: {
    readonly provider: "builtin" | "anthropic" | "openai";
    readonly apiKey: string | undefined;
    readonly baseUrl: string | undefined;
    readonly model: string | undefined;
    /** Absolute: folder of checked-out sources, `<organization id>/<service>/`. Undefined: the model gets no source code. */
    readonly sourceDir: string | undefined;
  };
  readonly ingest: IngestLimits;
  readonly openFiles: OpenFilesConfig | undefined;
  readonly pull: PullConfig;
  readonly organization: OrganizationLimits;
  readonly limitsFile: LimitsFile;
  /** Whether alerts may be posted to addresses inside the network. */
  readonly alertWebhooksAllowPrivate: boolean;
  /** Undefined: /metrics answers the local machine only. */
  readonly metricsToken: string | undefined;
  /** The names of this server in the Host header, in lower case. */
  readonly knownHosts: ReadonlySet<string>;
  /** Addresses of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Whether HTTPS is also required of the subdomains of the public host. */
  readonly hasHstsSubdomains: boolean;
  /** How long the server keeps serving after SIGTERM, while /readyz already says that it stops. */
  readonly stopDelayMs: number;
  readonly logLevel: LogLevel;
  /** auto: pretty at a terminal, otherwise JSON. */
  readonly logFormat: LogFormat;
  /** Not a setting: a weaker hash is for tests alone. */
  readonly passwordCost: PasswordCost;
  /** Whether every reply is checked against the contract before it is sent: on in development and tests. */
  readonly checkReplies: boolean;
}

/** Reads the environment. Throws one `ConfigError` that lists every problem, without the values of secrets. */
export function readConfig(env: Env = process.env, memoryBytes = memoryLimit()): Config {
  const given = readEnvironment(env);
  const budget = memoryBudget(memoryBytes, given.CLICKHOUSE_URL === undefined ? "embedded" : "url");
  const isSet = (name: string) => env[name] !== undefined && env[name] !== "";
  const { INGEST_QUEUE_BYTES: queue, READ_CACHE_BYTES: cache, INGEST_MAX_BYTES: request } = given;
  const limited = {
    ...given,
    INGEST_QUEUE_BYTES: isSet("INGEST_QUEUE_BYTES")
      ? queue
      : Math.max(request, Math.min(queue, budget.queueBytesMax)),
    READ_CACHE_BYTES: isSet("READ_CACHE_BYTES") ? cache : Math.min(cache, budget.readCacheBytesMax),
  };
  return toConfig(limited, budget, env);
}

/** API keys of the person who runs a command: one that sends, one that reads. They are no settings of the server. */
export function readCallerKeys({ FLAMEKEEP_KEY: send, FLAMEKEEP_READ_KEY: read }: Env = process.env) {
  return { send, read };
}

/** The settings of the installation that data moves to: as those of this server, with other stores and its secret. */
export function readTargetConfig(authSecret: string, env: Env = process.env): Config {
  if (!env["TO_DATA_DIR"])
    throw new ConfigError([
      "TO_DATA_DIR is required: the data folder that the server is to have after the move",
    ]);
  const stores = ["DATA_DIR", "CLICKHOUSE_URL", "CLICKHOUSE_URL_FILE", "CLICKHOUSE_CLUSTER", "DATABASE_URL"];
  const others = [...stores, "DATABASE_URL_FILE"].map((name) => [name, env[`TO_${name}`]] as const);
  // A retention by free space and object storage are for the present stores: they may not fit the others, and do not run during a move.
  const notOfTarget = { RETENTION_FREE_GB: undefined, ORIGINALS_URL: undefined };
  const own = { AUTH_SECRET: authSecret, AUTH_SECRET_FILE: undefined, ...notOfTarget };
  return readConfig({ ...env, ...own, ...Object.fromEntries(others) });
}

function toConfig(env: Environment, budget: MemoryBudget, kubernetes: Env): Config {
  const dataDir = resolve(env.DATA_DIR);
  const { origin, hostname, pathname } = new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`);
  const basePath = pathname.replace(/(?<!\/)\/+$/, "");
  const columns = columnStoreOf(env, dataDir, budget);
  return {
    host: env.HOST,
    port: env.PORT,
    unixSocket: env.UNIX_SOCKET,
    grpcPort: grpcPortOf(env.GRPC_PORT),
    dataDir,
    publicUrl: origin + basePath,
    basePath,
    columns,
    cluster: clusterConfigOf(env),
    threads: budget.threads,
    rows:
      env.DATABASE_URL === undefined
        ? { kind: "sqlite", file: resolve(dataDir, "flamekeep.sqlite") }
        : { kind: "postgres", url: env.DATABASE_URL },
    objectStorage: objectStorageOf(env),
    originals: originalsOf(env),
    authSecret: env.AUTH_SECRET,
    authSecretPrevious: env.AUTH_SECRET_PREVIOUS,
    traces: tracesOf(env),
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM ?? `flamekeep@${hostname}`,
    signup: env.SIGNUP,
    oidc: oidcOf(env),
    demo: env.DEMO === "on",
    selfProfiling: selfProfilingOf(env),
    retentionDays: env.RETENTION_DAYS,
    retentionDaysByType: readDaysByType(env.RETENTION_DAYS_BY_TYPE),
    retentionFreeBytes: env.RETENTION_FREE_GB * 1024 * MiB,
    originalsKeptDays: readDaysOfOriginals(env.KEEP_ORIGINALS),
    diskReserveBytes: env.DISK_RESERVE_BYTES,
    // Other servers may remove rows from a ClickHouse server, which this one does not notice.
    flameGraphCacheBytesMax: columns.kind === "embedded" ? env.READ_CACHE_BYTES / 2 : 0,
    llm: llmOf(env),
    ingest: ingestLimitsOf(env),
    openFiles: openFilesConfigOf(env),
    pull: pullConfigOf(env, kubernetes),
    organization: organizationLimitsOf(env),
    limitsFile: limitsFileOf(env),
    alertWebhooksAllowPrivate: env.ALERT_WEBHOOKS_ALLOW_PRIVATE === "on",
    metricsToken: env.METRICS_TOKEN,
    knownHosts: knownHostsOf(env, hostname),
    trustedProxies: listOf(env.TRUSTED_PROXIES),
    hasHstsSubdomains: env.HSTS_SUBDOMAINS === "on",
    stopDelayMs: env.STOP_DELAY_SECONDS * 1000,
    logLevel: env.LOG_LEVEL,
    logFormat: env.LOG_FORMAT,
    passwordCost: passwordCostDefault,
    checkReplies: env.NODE_ENV === "development" || env.NODE_ENV === "test",
  };
}

function llmOf(env: Environment): Config["llm"] {
  return {
    provider: env.LLM_PROVIDER,
    apiKey: env.LLM_API_KEY,
    baseUrl: env.LLM_BASE_URL,
    model: env.LLM_MODEL,
    sourceDir: env.LLM_SOURCE_DIR === undefined ? undefined : resolve(env.LLM_SOURCE_DIR),
  };
}

/** Where OpenTelemetry's senders expect gRPC. */
const grpcPortDefault = 4317;

function grpcPortOf(text: string): Config["grpcPort"] {
  if (text === "off") return undefined;
  return text === "auto"
    ? { port: grpcPortDefault, isRequired: false }
    : { port: Number(text), isRequired: true };
}

function selfProfilingOf({ SELF_PROFILING_KEY: key, DEMO }: Environment): Config["selfProfiling"] {
  if (key === "off") return undefined;
  if (key !== "auto") return { key };
  return DEMO === "on" ? { key: undefined } : undefined;
}

function ingestLimitsOf(env: Environment): IngestLimits {
  return {
    maxBytes: env.INGEST_MAX_BYTES,
    maxInflatedBytes: env.INGEST_MAX_INFLATED_BYTES,
    maxMetricsBytes: env.INGEST_MAX_METRICS_BYTES,
    maxMetrics: env.INGEST_MAX_METRICS,
    maxSamples: env.INGEST_MAX_SAMPLES,
    labelValues: env.LABEL_VALUES_MAX,
    labelSeriesValues: env.LABEL_SERIES_VALUES_MAX,
    maxProfiles: env.INGEST_MAX_PROFILES,
    queueBytes: env.INGEST_QUEUE_BYTES,
    waitingUploads: env.INGEST_WAITING_UPLOADS,
    perMinute: env.INGEST_PER_MINUTE,
    acknowledge: env.ACKNOWLEDGE,
  };
}

function organizationLimitsOf(env: Environment): OrganizationLimits {
  return {
    apiKeysMax: env.ORG_API_KEYS_MAX,
    projectsMax: env.ORG_PROJECTS_MAX,
    testMessagesPerHour: env.ORG_TEST_MESSAGES_PER_HOUR,
    alertRulesMax: env.ORG_ALERT_RULES_MAX,
    storedBytesMax: env.ORG_STORED_BYTES_MAX,
    analysesPerDay: env.ORG_ANALYSES_PER_DAY,
    isAnalysedDaily: env.ANALYSIS_DAILY === "on",
    uploadsPerMinute: env.ORG_UPLOADS_PER_MINUTE,
    servicesMax: env.ORG_SERVICES_MAX,
    llmCallsPerDay: env.ORG_LLM_CALLS_PER_DAY,
    llmTokensPerDay: env.ORG_LLM_TOKENS_PER_DAY,
  };
}

function limitsFileOf({ LIMITS_FILE: path, RETENTION_DAYS: days }: Environment): LimitsFile {
  if (path === undefined) return noLimitsFile;
  const read = readLimitsFile(path, days);
  if ("problems" in read) throw new ConfigError(read.problems);
  return read;
}

function knownHostsOf({ HOST, ALLOWED_HOSTS }: Environment, publicName: string): ReadonlySet<string> {
  // The machine's own name: nobody else can give it an address.
  const names = ["localhost", machineName(), HOST, publicName, ...listOf(ALLOWED_HOSTS)];
  return new Set(names.map((name) => name.toLowerCase()));
}

function tracesOf(env: Environment): TracesConfig | undefined {
  const { TRACES_URL: url, TRACES_AUTHORIZATION: authorization, TRACES_PERCENT: percent } = env;
  return url === undefined ? undefined : { url, authorization, share: percent / 100 };
}

function oidcOf(env: Environment): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return { issuer, clientId, clientSecret, name: env.OIDC_NAME, domains: readOidcDomains(env.OIDC_DOMAINS) };
}

function originalsOf({ ORIGINALS_URL: url, ORIGINALS_LOCAL_HOURS: localHours }: Environment) {
  return url === undefined ? undefined : { url, localHours };
}

function objectStorageOf(env: Environment): ObjectStorageConfig {
  const { S3_ENDPOINT: endpoint, S3_PATH_STYLE: style } = env;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  return {
    endpoint,
    region: env.S3_REGION ?? (endpoint === undefined ? undefined : "us-east-1"),
    isPathStyle: style === undefined ? endpoint !== undefined : style === "on",
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey },
  };
}

function columnStoreOf(
  env: Environment,
  dataDir: string,
  { engineBytesMax }: MemoryBudget,
): ColumnStoreConfig {
  if (env.CLICKHOUSE_URL === undefined) {
    const timing = { openMax: env.STORE_OPEN_SECONDS * 1000, silentMax: env.STORE_HANG_SECONDS * 1000 };
    return {
      kind: "embedded",
      dataDir,
      memoryBytesMax: engineBytesMax,
      freeDiskBytesMin: env.DISK_RESERVE_BYTES,
      readCacheBytesMax: env.READ_CACHE_BYTES / 2, // The other half is for flame graphs.
      timing,
    };
  }
  return env.CLICKHOUSE_CLUSTER === undefined
    ? { kind: "url", url: env.CLICKHOUSE_URL }
    : { kind: "url", url: env.CLICKHOUSE_URL, cluster: env.CLICKHOUSE_CLUSTER };
}
