import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { isEmail, type Role } from "@flamekeep/contract";
import { z } from "zod";
import { parseApiKey } from "#auth/keys/api-key.ts";
import { engineTimingDefault } from "#store/column/engine/timing.ts";
import { freeDiskBytesMin } from "#store/data-folder.ts";

/** All problems of the environment, one line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The settings are not valid:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

export type Env = Readonly<Record<string, string | undefined>>;

const MiB = 1024 * 1024;

function whole(min: number, max: number, fallback: number) {
  const text = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error: text }).int(text).min(min, text).max(max, text).default(fallback);
}

function choice<const T extends readonly [string, ...string[]]>(choices: T, fallback: T[number]) {
  return z.enum(choices, { error: `must be one of ${choices.join(", ")}` }).default(fallback as never);
}

function url(protocols: readonly string[], example: string) {
  return z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
      error: `must be a URL such as ${example}`,
      abort: true,
    })
    .optional();
}

/** The beginning of all links. Its path is also part of cookies and pages, so it has none of the characters that end one there. */
const PublicUrl = url(["http:", "https:"], "https://flamekeep.example.com")
  .refine(
    (text) => isOnlyOriginAndPath(new URL(text ?? "http://localhost")),
    "must have no user, password, query or fragment, because all links start with it",
  )
  .refine(
    (text) => /^(\/[\w.~-]+)*\/*$/.test(new URL(text ?? "http://localhost").pathname),
    "must have a path of only letters, digits and - . _ ~ such as https://tools.example.com/flamekeep",
  );

function isOnlyOriginAndPath({ username, password, search, hash }: URL): boolean {
  return username + password + search + hash === "";
}

export function listOf(text: string): string[] {
  return text.split(",").flatMap((item) => (item.trim() === "" ? [] : [item.trim()]));
}

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

const oidcDomain = /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)=([0-9a-f-]{36})(?::(admin|member|viewer))?$/;

const OidcDomains = z
  .string()
  .refine(
    (text) => listOf(text).every((item) => oidcDomain.test(item.toLowerCase())),
    "must list domains as DOMAIN=ORGANIZATION_ID:ROLE, separated by commas; the role is admin, member or viewer, and member if left out",
  );

/** OIDC_DOMAINS by domain, in lower case. */
export function readOidcDomains(text: string): ReadonlyMap<string, { orgId: string; role: Role }> {
  return new Map(
    listOf(text).map((item) => {
      const [, domain = "", orgId = "", role = "member"] = oidcDomain.exec(item.toLowerCase()) ?? [];
      return [domain, { orgId, role: role as Role }];
    }),
  );
}

/** The variables of the environment, each with its default. */
const Environment = z.object({
  PORT: whole(0, 65_535, 4040),
  GRPC_PORT: z
    .string()
    .regex(/^(auto|off|\d{1,5})$/, "must be a port, auto or off")
    .default("auto"),
  HOST: z.string().default("127.0.0.1"),
  DATA_DIR: z.string().default("./data"),
  PUBLIC_URL: PublicUrl,
  CLICKHOUSE_URL: url(["http:", "https:"], "http://user:password@clickhouse:8123/flamekeep"),
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, "must be the name of a cluster")
    .optional(),
  ACKNOWLEDGE: choice(["log", "stored"], "log"),
  STORE_OPEN_SECONDS: whole(1, 86_400, engineTimingDefault.openMax / 1000),
  STORE_HANG_SECONDS: whole(5, 3600, engineTimingDefault.silentMax / 1000),
  DATABASE_URL: url(["postgres:", "postgresql:"], "postgres://user:password@postgres:5432/flamekeep"),
  AUTH_SECRET: z.string().min(32, "must be at least 32 characters long").optional(),
  AUTH_SECRET_PREVIOUS: z.string().min(32, "must be at least 32 characters long").optional(),
  MAIL_FROM: z.string().refine(isEmail, "must be an email address such as flamekeep@example.com").optional(),
  SMTP_URL: url(["smtp:", "smtps:"], "smtp://user:password@mail.example.com:587"),
  OIDC_ISSUER: url(["https:", "http:"], "https://login.example.com"),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(40, "must be at most 40 characters long").default("single sign-on"),
  OIDC_DOMAINS: OidcDomains.default(""),
  SIGNUP: choice(["open", "invite"], "open"),
  DEMO: choice(["on", "off"], "on"),
  SELF_PROFILING_KEY: z
    .string()
    .refine(
      (text) => text === "auto" || text === "off" || parseApiKey(text) !== undefined,
      "must be auto, off, or a complete API key of this server",
    )
    .default("auto"),
  RETENTION_DAYS: whole(1, 3650, 30),
  DISK_RESERVE_BYTES: whole(MiB, 1024 * 1024 * MiB, freeDiskBytesMin),
  READ_CACHE_BYTES: whole(0, 64 * 1024 * MiB, 32 * MiB),
  LLM_PROVIDER: choice(["builtin", "anthropic", "openai"], "builtin"),
  LLM_API_KEY: z.string().optional(),
  LLM_BASE_URL: url(["http:", "https:"], "https://api.example.com/v1"),
  LLM_MODEL: z.string().optional(),
  LLM_SOURCE_DIR: z.string().optional(),
  INGEST_MAX_BYTES: whole(1024, 1024 * MiB, 16 * MiB),
  INGEST_MAX_INFLATED_BYTES: whole(1024, 1024 * MiB, 64 * MiB),
  INGEST_MAX_METRICS_BYTES: whole(1024, 128 * MiB, 16 * MiB),
  INGEST_MAX_METRICS: whole(1, 1_000_000, 25_000),
  INGEST_MAX_SAMPLES: whole(1, 50_000_000, 250_000),
  LABEL_VALUES_MAX: whole(1, 500, 100),
  LABEL_SERIES_VALUES_MAX: whole(1, 10_000, 1000),
  INGEST_MAX_PROFILES: whole(1, 100_000, 1000),
  INGEST_QUEUE_BYTES: whole(MiB, 4096 * MiB, 128 * MiB),
  INGEST_WAITING_UPLOADS: whole(1, 10_000_000, 250_000),
  INGEST_PER_MINUTE: whole(1, 10_000_000, 120_000),
  ORG_API_KEYS_MAX: whole(1, 1_000_000, 1000),
  ORG_PROJECTS_MAX: whole(1, 1_000_000, 1000),
  ORG_TEST_MESSAGES_PER_HOUR: whole(1, 3600, 60),
  ORG_ALERT_RULES_MAX: whole(1, 10_000, 200),
  ORG_ANALYSES_PER_DAY: whole(1, 10_000_000, 2000),
  ORG_LLM_CALLS_PER_DAY: whole(0, 10_000_000, 500),
  ORG_LLM_TOKENS_PER_DAY: whole(0, Number.MAX_SAFE_INTEGER, 5_000_000),
  ORG_STORED_BYTES_MAX: whole(1, Number.MAX_SAFE_INTEGER, 10 * 1024 * 1024 * MiB),
  ALERT_WEBHOOKS_ALLOW_PRIVATE: choice(["on", "off"], "off"),
  METRICS_TOKEN: z.string().min(16, "must be at least 16 characters long").optional(),
  ALLOWED_HOSTS: z
    .string()
    .refine(
      (text) => listOf(text).every((name) => /^[\w.-]+$/.test(name)),
      "must list host names without ports, such as profiles.example.com",
    )
    .default(""),
  TRUSTED_PROXIES: z
    .string()
    .refine((text) => listOf(text).every(isNetwork), "must list IP addresses or networks such as 10.0.0.0/8")
    .default(""),
  STOP_DELAY_SECONDS: whole(0, 300, 5),
  LOG_LEVEL: choice(["trace", "debug", "info", "warn", "error", "fatal", "silent"], "info"),
  LOG_FORMAT: choice(["auto", "pretty", "json"], "auto"),
  NODE_ENV: z.string().default("production"),
});

export type Environment = z.output<typeof Environment>;

const secretNames = [
  "AUTH_SECRET",
  "AUTH_SECRET_PREVIOUS",
  "CLICKHOUSE_URL",
  "DATABASE_URL",
  "SMTP_URL",
  "OIDC_CLIENT_SECRET",
  "LLM_API_KEY",
  "METRICS_TOKEN",
  "SELF_PROFILING_KEY",
] as const;

/** Throws one `ConfigError` that lists every problem, without the values of secrets. */
export function readEnvironment(env: Env): Environment {
  const problems: string[] = [];
  const given = withSecretsFromFiles(env, problems);
  const parsed = Environment.safeParse(given);
  if (!parsed.success) problems.push(...parsed.error.issues.map((i) => `${i.path.join(".")} ${i.message}`));
  else problems.push(...contradictions(parsed.data));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return parsed.data;
}

/** Empty text counts as not set: compose files write `KEY=` for "unset". */
function withSecretsFromFiles(env: Env, problems: string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(Environment.shape)) {
    const value = env[name]?.trim();
    if (value !== undefined && value !== "") given[name] = value;
  }
  for (const name of secretNames) {
    const file = env[`${name}_FILE`];
    if (file === undefined || file === "") continue;
    if (given[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set; keep one`);
    else readSecret(name, file, given, problems);
  }
  return given;
}

function readSecret(name: string, file: string, given: Record<string, string>, problems: string[]): void {
  try {
    given[name] = readFileSync(file, "utf8").trim();
  } catch (cause) {
    problems.push(`${name}_FILE cannot be read: ${(cause as Error).message}`);
  }
}

function contradictions(env: Environment): string[] {
  const problems: string[] = [];
  if (env.CLICKHOUSE_CLUSTER !== undefined && env.CLICKHOUSE_URL === undefined) {
    problems.push("CLICKHOUSE_CLUSTER needs CLICKHOUSE_URL");
  }
  if (env.DATABASE_URL !== undefined && env.AUTH_SECRET === undefined) {
    problems.push(
      "AUTH_SECRET is required with DATABASE_URL: all servers of the database share it, and a new one signs everyone out (create one with openssl rand -hex 32)",
    );
  }
  if (env.LLM_PROVIDER !== "builtin" && env.LLM_API_KEY === undefined && env.LLM_BASE_URL === undefined) {
    problems.push(`LLM_API_KEY is required with LLM_PROVIDER=${env.LLM_PROVIDER}`);
  }
  if (env.LLM_PROVIDER !== "builtin" && env.LLM_MODEL === undefined) {
    problems.push(`LLM_MODEL is required with LLM_PROVIDER=${env.LLM_PROVIDER}`);
  }
  if (env.OIDC_ISSUER !== undefined) {
    for (const name of ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "PUBLIC_URL"] as const) {
      if (env[name] === undefined) problems.push(`${name} is required with OIDC_ISSUER`);
    }
    const { protocol, hostname } = new URL(env.OIDC_ISSUER);
    if (protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname))
      problems.push("OIDC_ISSUER must begin with https:// unless the provider runs on this machine");
  }
  if (env.INGEST_QUEUE_BYTES < env.INGEST_MAX_BYTES) {
    problems.push(
      `INGEST_QUEUE_BYTES (${env.INGEST_QUEUE_BYTES}) must be at least INGEST_MAX_BYTES (${env.INGEST_MAX_BYTES}): a request larger than the queue would never be accepted`,
    );
  }
  return problems;
}
