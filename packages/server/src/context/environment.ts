import { readFileSync } from "node:fs";
import type { z } from "zod";
import { readDaysByType } from "./setting-values.ts";
import { Variables } from "./settings.ts";

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

export type Environment = z.output<typeof Variables>;

/** Variables that may also be given as a file: `NAME_FILE` has its path. */
export const secretNames = [
  "AUTH_SECRET",
  "AUTH_SECRET_PREVIOUS",
  "CLICKHOUSE_URL",
  "DATABASE_URL",
  "SMTP_URL",
  "OIDC_CLIENT_SECRET",
  "LLM_API_KEY",
  "METRICS_TOKEN",
  "SELF_PROFILING_KEY",
  "TRACES_AUTHORIZATION",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
] as const;

/** Throws one `ConfigError` that lists every problem, without the values of secrets. */
export function readEnvironment(env: Env): Environment {
  const problems: string[] = [];
  const given = withSecretsFromFiles(env, problems);
  const parsed = Variables.safeParse(given);
  if (!parsed.success) problems.push(...parsed.error.issues.map((i) => `${i.path.join(".")} ${i.message}`));
  else problems.push(...contradictions(parsed.data));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return parsed.data;
}

/** Empty text counts as not set: compose files write `KEY=` for "unset". */
function withSecretsFromFiles(env: Env, problems: string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(Variables.shape)) {
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
  for (const [type, days] of readDaysByType(env.RETENTION_DAYS_BY_TYPE)) {
    if (days > env.RETENTION_DAYS)
      problems.push(
        `RETENTION_DAYS_BY_TYPE has ${type}=${days}, above RETENTION_DAYS (${env.RETENTION_DAYS}), after which all profiles are removed`,
      );
  }
  if (env.RETENTION_FREE_GB > 0 && env.CLICKHOUSE_URL !== undefined) {
    problems.push(
      "RETENTION_FREE_GB is for the built-in column store: with CLICKHOUSE_URL, profiles are not on the disk of DATA_DIR; set RETENTION_DAYS",
    );
  }
  if (env.ORIGINALS_URL !== undefined && env.CLICKHOUSE_URL !== undefined) {
    problems.push(
      "ORIGINALS_URL is for the built-in column store: with CLICKHOUSE_URL, original bytes are in ClickHouse; use a storage policy of ClickHouse",
    );
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
  if ((env.S3_ACCESS_KEY_ID === undefined) !== (env.S3_SECRET_ACCESS_KEY === undefined)) {
    problems.push("S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: set both or none");
  }
  problems.push(...contradictionsOfOidc(env));
  if (env.INGEST_QUEUE_BYTES < env.INGEST_MAX_BYTES) {
    problems.push(
      `INGEST_QUEUE_BYTES (${env.INGEST_QUEUE_BYTES}) must be at least INGEST_MAX_BYTES (${env.INGEST_MAX_BYTES}): a request larger than the queue would never be accepted`,
    );
  }
  return problems;
}

function contradictionsOfOidc(env: Environment): string[] {
  if (env.OIDC_ISSUER === undefined) return [];
  const names = ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "PUBLIC_URL"] as const;
  const problems = names.flatMap((name) =>
    env[name] === undefined ? [`${name} is required with OIDC_ISSUER`] : [],
  );
  const { protocol, hostname } = new URL(env.OIDC_ISSUER);
  if (protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname))
    problems.push("OIDC_ISSUER must begin with https:// unless the provider runs on this machine");
  return problems;
}
