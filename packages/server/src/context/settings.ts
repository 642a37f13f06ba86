import { isEmail } from "@flamekeep/contract";
import { z } from "zod";
import { parseApiKey } from "#auth/keys/api-key.ts";
import { engineTimingDefault } from "#store/column/engine/timing.ts";
import { freeDiskBytesMin } from "#store/data-folder.ts";
import { clusterSettings } from "./cluster-settings.ts";
import { network } from "./network-settings.ts";
import { objectStorage } from "./object-storage-settings.ts";
import { openFiles } from "./open-files-settings.ts";
import { pulling } from "./pull-settings.ts";
import {
  choice,
  DaysByType,
  isNetwork,
  KeptFor,
  listOf,
  MiB,
  OidcDomains,
  PublicUrl,
  publicHttpUrl,
  url,
  whole,
} from "./setting-values.ts";

/*
 * The variables of the environment, from which `docs/operate/settings.md` is made: `description` is the text of the page, and `shown` takes the place of
 * a default that depends on others.
 */

const begin = {
  PORT: whole(0, 65_535, 4040).meta({ description: "UI, API and ingestion" }),
  HOST: z
    .string()
    .default("127.0.0.1")
    .meta({ description: "address to listen on; 0.0.0.0 for the network" }),
  DATA_DIR: z.string().default("./data").meta({ description: "folder of all data" }),
  PUBLIC_URL: PublicUrl.meta({
    description:
      "the server's address for people, also [below a path](proxies.md#below-a-path); used in links",
    shown: "http://localhost:PORT",
  }),
  AUTH_SECRET: z.string().min(32, "must be at least 32 characters long").optional().meta({
    description:
      "signs access tokens and encrypts the webhooks and keys of alerts, the headers of targets and the secrets of authenticator apps; kept in the data folder",
    shown: "made at first start",
  }),
  SIGNUP: choice(["open", "invite"], "open").meta({
    description: "`invite`: only the first account, the operator, can register without an invitation",
  }),
  DEMO: choice(["on", "off"], "on").meta({ description: "demo organization with recorded profiles" }),
  RETENTION_DAYS: whole(1, 3650, 30).meta({ description: "days until profiles are removed" }),
  RETENTION_DAYS_BY_TYPE: DaysByType.default("").meta({
    description:
      "fewer days for some types of profiles, separated by commas: `goroutine=3,memory=14`; the types are cpu, memory, goroutine, mutex, block and custom",
  }),
  SMTP_URL: url(["smtp:", "smtps:"], "smtp://user:password@mail.example.com:587").meta({
    description:
      "mail server, `smtp://user:password@host:587` or `smtps://...`; unset, the server writes mail to `DATA_DIR/outbox`, and the log, `/readyz` and the operator page say so",
  }),
  TRUSTED_PROXIES: z
    .string()
    .refine((text) => listOf(text).every(isNetwork), "must list IP addresses or networks such as 10.0.0.0/8")
    .default("")
    .meta({
      description:
        "addresses of your [reverse proxies](proxies.md), separated by commas: the server trusts their `X-Forwarded-For`. Unset behind a proxy, all people share one address and its limit on failed sign-ins",
    }),
};

const stores = {
  CLICKHOUSE_URL: url(["http:", "https:"], "http://user:password@clickhouse:8123/flamekeep").meta({
    description: "a ClickHouse server instead of the built-in column store",
  }),
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, "must be the name of a cluster")
    .optional()
    .meta({
      description:
        "the name of the [cluster](clickhouse.md) that the server belongs to: one shard, with any number of replicas. Tables are made on all of it, and replicated",
    }),
  DATABASE_URL: url(["postgres:", "postgresql:"], "postgres://user:password@postgres:5432/flamekeep").meta({
    description: "PostgreSQL instead of the built-in SQLite; needs `AUTH_SECRET`",
  }),
  ACKNOWLEDGE: choice(["log", "stored"], "log").meta({
    description:
      "when uploads are answered: `log`, once an upload is in the log in `DATA_DIR`; `stored`, once its rows are inserted (for servers whose `DATA_DIR` is not kept)",
  }),
  STORE_OPEN_SECONDS: whole(1, 86_400, engineTimingDefault.openMax / 1000).meta({
    description: "time limit for opening the built-in column store",
  }),
  STORE_HANG_SECONDS: whole(5, 3600, engineTimingDefault.silentMax / 1000).meta({
    description:
      "seconds without an answer until the process of the built-in column store is killed and restarted",
  }),
  KEEP_ORIGINALS: KeptFor.default("on").meta({
    description:
      "how long the bytes of uploads are kept as they were sent: `on`, as long as their profiles; `7d`, seven days; `off`, until their columns are stored; then downloads are [rebuilt](../guide/operate.md#original-bytes)",
  }),
  READ_CACHE_BYTES: whole(0, 64 * 1024 * MiB, 32 * MiB).meta({
    description: "cache for results of reads; 0 for none",
    shown: "33554432, less below 1 GiB of memory",
  }),
  RETENTION_FREE_GB: whole(0, 1_000_000, 0).meta({
    description:
      "[removal by size](../guide/operate.md#size): with fewer GB free on the disk of `DATA_DIR`, the oldest days of all organizations are removed, today never",
    shown: "0: none",
  }),
  DISK_RESERVE_BYTES: whole(MiB, 1024 * 1024 * MiB, freeDiskBytesMin).meta({
    description:
      "with less free space on the disk of `DATA_DIR`, uploads get 507; reading and signing in continue",
  }),
};

const uploads = {
  INGEST_MAX_BYTES: whole(1024, 1024 * MiB, 16 * MiB).meta({ description: "largest request" }),
  INGEST_MAX_INFLATED_BYTES: whole(1024, 1024 * MiB, 64 * MiB).meta({
    description:
      "largest profile after inflating; beyond 16 MiB it may be at most 200 times as large as its compressed bytes",
  }),
  INGEST_MAX_METRICS_BYTES: whole(1024, 128 * MiB, 16 * MiB).meta({
    description: "largest batch of HTTP metrics after inflating",
  }),
  INGEST_MAX_METRICS: whole(1, 1_000_000, 25_000).meta({ description: "most HTTP metrics in a batch" }),
  INGEST_MAX_SAMPLES: whole(1, 50_000_000, 250_000).meta({
    description:
      "most samples in a profile; 60 times as many frames in all their stacks, and never fewer than a million",
  }),
  LABEL_VALUES_MAX: whole(1, 500, 100).meta({
    description:
      "separate values of a sample label (`pprof.Do`) in a profile; the values with the smallest totals are folded and counted",
  }),
  LABEL_SERIES_VALUES_MAX: whole(1, 10_000, 1000).meta({
    description:
      "separate values of such a label in a day's profiles of a service and type, for each worker thread since its start; further values are folded and counted",
  }),
  INGEST_MAX_PROFILES: whole(1, 100_000, 1000).meta({
    description: "most profiles in one request of Grafana Alloy, a Pyroscope SDK or a library of Datadog",
  }),
  INGEST_QUEUE_BYTES: whole(MiB, 4096 * MiB, 128 * MiB).meta({
    description:
      "queue of accepted uploads in memory, at most four fifths of it for one organization; beyond it senders get 429; at least `INGEST_MAX_BYTES`",
    shown: "134217728, less below 1 GiB of memory",
  }),
  INGEST_WAITING_UPLOADS: whole(1, 10_000_000, 250_000).meta({
    description:
      "uploads that wait in the log while the column store is unreachable; beyond it senders get 429",
  }),
  INGEST_PER_MINUTE: whole(1, 10_000_000, 120_000).meta({ description: "requests per minute and key" }),
};

const organizations = {
  ORG_API_KEYS_MAX: whole(1, 1_000_000, 1000).meta({
    description: "active API keys of an organization; as many revoked ones are kept",
  }),
  ORG_PROJECTS_MAX: whole(1, 1_000_000, 1000).meta({
    description: "projects made by people of an organization",
  }),
  ORG_TEST_MESSAGES_PER_HOUR: whole(1, 3600, 60).meta({
    description: "test messages of alerts (all channels) of an organization per hour",
  }),
  ORG_ALERT_RULES_MAX: whole(1, 10_000, 200).meta({ description: "alert rules of an organization" }),
  ORG_ANALYSES_PER_DAY: whole(1, 10_000_000, 2000).meta({
    description: "analyses of an organization per day (UTC)",
  }),
  ORG_LLM_CALLS_PER_DAY: whole(0, 10_000_000, 500).meta({
    description: "analyses and questions of an organization to the language model per day",
  }),
  ORG_LLM_TOKENS_PER_DAY: whole(0, Number.MAX_SAFE_INTEGER, 5_000_000).meta({
    description: "tokens of the language model for an organization per day",
  }),
  ORG_UPLOADS_PER_MINUTE: whole(1, 10_000_000, 1_200_000).meta({
    description: "requests per minute of an organization with all of its keys",
  }),
  ORG_SERVICES_MAX: whole(1, 1_000_000, 100_000).meta({
    description: "services of an organization; profiles of further services get 403 `quota_exceeded`",
  }),
  ORG_STORED_BYTES_MAX: whole(1, Number.MAX_SAFE_INTEGER, 10 * 1024 * 1024 * MiB).meta({
    description:
      "stored bytes of an organization's uploads, as sent; beyond it uploads get 403 `quota_exceeded`",
  }),
  LIMITS_FILE: z.string().optional().meta({
    description:
      "JSON file with [limits of single organizations](organization-limits.md#from-a-file) and the price of storage",
  }),
};

const people = {
  AUTH_SECRET_PREVIOUS: z.string().min(32, "must be at least 32 characters long").optional().meta({
    description:
      "the old `AUTH_SECRET`: set it for one start and a quarter of an hour after a change. Nobody is signed out, and the server encrypts stored secrets with the new one",
  }),
  MAIL_FROM: z
    .string()
    .refine(isEmail, "must be an email address such as flamekeep@example.com")
    .optional()
    .meta({ description: "sender of mail", shown: "flamekeep@HOST of `PUBLIC_URL`" }),
  OIDC_ISSUER: publicHttpUrl("https://login.example.com").meta({
    description:
      "address of an OpenID Connect provider for sign-in; needs `PUBLIC_URL`, and `PUBLIC_URL/single-sign-on` as the redirect address at the provider",
  }),
  OIDC_CLIENT_ID: z.string().optional().meta({ description: "client id of this server at the provider" }),
  OIDC_CLIENT_SECRET: z.string().optional().meta({ description: "client secret of this server" }),
  OIDC_NAME: z
    .string()
    .max(40, "must be at most 40 characters long")
    .default("single sign-on")
    .meta({ description: 'the provider\'s name on the button "Continue with ..."' }),
  OIDC_DOMAINS: OidcDomains.default("").meta({
    description:
      "organizations of new people, by the domain of their address: `example.com=ORGANIZATION_ID:member`, separated by commas; the role is `admin`, `member` or `viewer`",
  }),
};

const recommendations = {
  ANALYSIS_DAILY: choice(["on", "off"], "on").meta({
    description:
      "every service is analyzed once a day by the built-in rules, for the [list of findings](../guide/findings.md)",
  }),
  LLM_PROVIDER: choice(["builtin", "anthropic", "openai"], "builtin").meta({
    description:
      "`anthropic` or `openai` (any compatible address) for recommendations; `builtin` needs neither key nor network: [docs/analysis.md](../analysis.md)",
  }),
  LLM_API_KEY: z.string().optional().meta({ description: "key for the provider" }),
  LLM_BASE_URL: publicHttpUrl("https://api.example.com/v1").meta({
    description: "address of the provider, up to `/v1`",
    shown: "the provider's",
  }),
  LLM_MODEL: z.string().optional().meta({ description: "the provider's model" }),
  LLM_SOURCE_DIR: z.string().optional().meta({
    description:
      "folder with checked-out sources as `<organization id>/<service>/`: the built-in rules name what hot functions call, and a model gets the lines around the hottest ones; unset, neither reads source code",
  }),
};

const server = {
  SELF_PROFILING_KEY: z
    .string()
    .refine(
      (text) => text === "auto" || text === "off" || parseApiKey(text) !== undefined,
      "must be auto, off, or a complete API key of this server",
    )
    .default("auto")
    .meta({
      description:
        "[profiles of the server itself](../guide/operate.md#profiles-of-the-server-itself): the API key whose organization gets them, or `off`; without a key and without the demo there are none",
      shown: "`auto`: into the demo",
    }),
  LOG_LEVEL: choice(["trace", "debug", "info", "warn", "error", "fatal", "silent"], "info").meta({
    description: "trace, debug, info, warn, error, fatal, silent",
  }),
  LOG_FORMAT: choice(["auto", "pretty", "json"], "auto").meta({
    description: "`json`, `pretty`, or `auto`: readable lines on a terminal, JSON elsewhere",
  }),
  NODE_ENV: z
    .string()
    .default("production")
    .meta({ description: "`development` also checks every reply against the contract" }),
};

/** By title of the group, in the order of the documentation. */
export const settingGroups = {
  "Change these first": begin,
  Network: network,
  Cluster: clusterSettings,
  Stores: stores,
  "Object storage": objectStorage,
  Uploads: uploads,
  "Files without an account": openFiles,
  Pulling: pulling,
  Organizations: organizations,
  "Sign-in and mail": people,
  Recommendations: recommendations,
  "The server itself": server,
};

/** The variables of the environment, each with its default. */
export const Variables = z.object({
  ...begin,
  ...network,
  ...clusterSettings,
  ...stores,
  ...objectStorage,
  ...uploads,
  ...openFiles,
  ...pulling,
  ...organizations,
  ...people,
  ...recommendations,
  ...server,
});
