import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { ConfigError } from "./environment.ts";

const folder = mkdtempSync(join(tmpdir(), "flamekeep-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

function secretFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("settings", () => {
  it("have a default, except secrets", () => {
    expect(readConfig({})).toMatchObject({
      host: "127.0.0.1",
      port: 4040,
      publicUrl: "http://localhost:4040",
      columns: { kind: "embedded" },
      rows: { kind: "sqlite" },
      authSecret: undefined,
      smtpUrl: undefined,
      metricsToken: undefined,
      signup: "open",
      demo: true,
      retentionDays: 30,
      logLevel: "info",
      logFormat: "auto",
      llm: { provider: "builtin", apiKey: undefined, sourceDir: undefined },
    });
  });

  it("limit what one organization may have, by default", () => {
    expect(readConfig({}).organization).toMatchObject({
      apiKeysMax: 1000,
      projectsMax: 1000,
      testMessagesPerHour: 60,
      alertRulesMax: 200,
      storedBytesMax: 10 * 1024 ** 4,
    });
    expect(problemsOf({ ORG_STORED_BYTES_MAX: "none" })).toEqual([
      "ORG_STORED_BYTES_MAX must be a whole number from 1 to 9007199254740991",
    ]);
  });

  it("choose the stores by their URLs", () => {
    const config = readConfig({
      CLICKHOUSE_URL: "http://ch:8123/flamekeep",
      CLICKHOUSE_CLUSTER: "main",
      DATABASE_URL: "postgres://pg/flamekeep",
      AUTH_SECRET: "s".repeat(32),
      PUBLIC_URL: "https://profiles.example.com/",
    });
    expect(config.columns).toEqual({ kind: "url", url: "http://ch:8123/flamekeep", cluster: "main" });
    expect(config.rows).toEqual({ kind: "postgres", url: "postgres://pg/flamekeep" });
    expect(config.publicUrl).toBe("https://profiles.example.com");
  });

  it("reach AWS as its programs do, and other object storage by its address and key", () => {
    expect(readConfig({}).objectStorage).toEqual({
      endpoint: undefined,
      region: undefined,
      isPathStyle: false,
      credentials: undefined,
    });
    const env = {
      S3_ENDPOINT: "http://minio:9000",
      S3_ACCESS_KEY_ID_FILE: secretFile("id", "key\n"),
      S3_SECRET_ACCESS_KEY_FILE: secretFile("secret", "secret\n"),
    };
    expect(readConfig(env).objectStorage).toEqual({
      endpoint: "http://minio:9000",
      region: "us-east-1",
      isPathStyle: true,
      credentials: { accessKeyId: "key", secretAccessKey: "secret" },
    });
    const changed = readConfig({ ...env, S3_PATH_STYLE: "off", S3_REGION: "fr-par" }).objectStorage;
    expect(changed).toMatchObject({ isPathStyle: false, region: "fr-par" });
    expect(problemsOf({ S3_ACCESS_KEY_ID: "key", S3_PATH_STYLE: "yes" })).toEqual([
      "S3_PATH_STYLE must be one of on, off",
    ]);
    expect(problemsOf({ S3_ACCESS_KEY_ID: "key" })).toEqual([
      "S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: set both or none",
    ]);
  });

  it("name a public address at the root of a host or below a path", () => {
    const read = (PUBLIC_URL: string) => {
      const { publicUrl, basePath } = readConfig({ PUBLIC_URL });
      return [publicUrl, basePath];
    };
    expect(read("https://tools.example.com/")).toEqual(["https://tools.example.com", ""]);
    expect(read("https://Tools.example.com/flamekeep/")).toEqual([
      "https://tools.example.com/flamekeep",
      "/flamekeep",
    ]);
    expect(read("http://tools:4040/a/b-c")).toEqual(["http://tools:4040/a/b-c", "/a/b-c"]);
  });

  it.each([
    ["tools.example.com", /^PUBLIC_URL must be a URL such as/],
    ["https://tools.example.com/?x=1", /^PUBLIC_URL must have no user, password, query or fragment/],
    ["https://tools.example.com/#x", /^PUBLIC_URL must have no user, password, query or fragment/],
    ["https://ada:secret@tools.example.com", /^PUBLIC_URL must have no user, password, query or fragment/],
    ["https://tools.example.com/a;b", /^PUBLIC_URL must have a path of only letters, digits/],
    ["https://tools.example.com//a", /^PUBLIC_URL must have a path of only letters, digits/],
    ["https://tools.example.com/a%20b", /^PUBLIC_URL must have a path of only letters, digits/],
  ])("refuse %s as the public address", (PUBLIC_URL, problem) => {
    const problems = problemsOf({ PUBLIC_URL });
    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(problems.join()).not.toContain("secret");
  });

  it("are all checked, and one error lists every problem", () => {
    const problems = problemsOf({
      PORT: "70000",
      SIGNUP: "closed",
      RETENTION_DAYS: "1.5",
      DATABASE_URL: "mysql://x",
      LOG_LEVEL: "loud",
      LOG_FORMAT: "xml",
      AUTH_SECRET: "short",
    });
    expect(problems.map((problem) => problem.split(" ")[0])).toEqual([
      "PORT",
      "AUTH_SECRET",
      "SIGNUP",
      "RETENTION_DAYS",
      "DATABASE_URL",
      "LOG_LEVEL",
      "LOG_FORMAT",
    ]);
    expect(problems[0]).toBe("PORT must be a whole number from 0 to 65535");
    expect(problems.join()).not.toContain("short");
  });

  it("that require each other are refused alone", () => {
    expect(problemsOf({ CLICKHOUSE_CLUSTER: "main" })).toEqual(["CLICKHOUSE_CLUSTER needs CLICKHOUSE_URL"]);
    expect(problemsOf({ RETENTION_DAYS: "10", RETENTION_DAYS_BY_TYPE: "cpu=11,memory=10" })).toEqual([
      "RETENTION_DAYS_BY_TYPE has cpu=11, above RETENTION_DAYS (10), after which all profiles are removed",
    ]);
    expect(problemsOf({ CLICKHOUSE_URL: "http://ch:8123", RETENTION_FREE_GB: "50" })).toEqual([
      "RETENTION_FREE_GB is for the built-in column store: with CLICKHOUSE_URL, profiles are not on the disk of DATA_DIR; set RETENTION_DAYS",
    ]);
    expect(problemsOf({ DATABASE_URL: "postgres://pg/flamekeep" })).toEqual([
      expect.stringMatching(/^AUTH_SECRET is required with DATABASE_URL: all servers/),
    ]);
    expect(problemsOf({ LLM_PROVIDER: "anthropic" })).toEqual([
      "LLM_API_KEY is required with LLM_PROVIDER=anthropic",
      "LLM_MODEL is required with LLM_PROVIDER=anthropic",
    ]);
  });

  it("leave room in the queue for the largest request, by default too", () => {
    const never = "a request larger than the queue would never be accepted";
    expect(problemsOf({ INGEST_QUEUE_BYTES: "1048576" })).toEqual([
      `INGEST_QUEUE_BYTES (1048576) must be at least INGEST_MAX_BYTES (16777216): ${never}`,
    ]);
    expect(problemsOf({ INGEST_MAX_BYTES: "134217729" })).toEqual([
      `INGEST_QUEUE_BYTES (134217728) must be at least INGEST_MAX_BYTES (134217729): ${never}`,
    ]);
    expect(problemsOf({ INGEST_QUEUE_BYTES: "2097152", INGEST_MAX_BYTES: "2097152" })).toEqual([]);
  });

  it("bound HTTP metrics by separate limits", () => {
    expect(readConfig({}).ingest).toMatchObject({
      maxMetrics: 25_000,
      maxMetricsBytes: 16_777_216,
      maxInflatedBytes: 67_108_864,
    });
    expect(readConfig({ INGEST_MAX_METRICS_BYTES: "4096" }).ingest.maxMetricsBytes).toBe(4096);
    for (const text of ["0", "1e9", "134217729", "many"]) {
      expect(problemsOf({ INGEST_MAX_METRICS_BYTES: text })).toEqual([
        "INGEST_MAX_METRICS_BYTES must be a whole number from 1024 to 134217728",
      ]);
    }
  });

  it("name one address and a port at which other servers reach this one", () => {
    const problems = (address: string, port: string) =>
      problemsOf({ CLUSTER_ADDRESS: address, CLUSTER_PORT: port }).map((problem) => problem.split(" ")[0]);
    expect(problems("10.0.0.7", "65535")).toEqual([]);
    expect(problems("fd00::7", "auto")).toEqual([]);
    for (const everywhere of ["0.0.0.0", "::", "0:0:0:0:0:0:0:0", "a host"])
      expect(problems(everywhere, "65536")).toEqual(["CLUSTER_ADDRESS", "CLUSTER_PORT"]);
  });

  it("name the trusted proxies", () => {
    const { trustedProxies } = readConfig({ TRUSTED_PROXIES: "10.0.0.0/8, ::1,192.168.0.4" });
    expect(trustedProxies).toEqual(["10.0.0.0/8", "::1", "192.168.0.4"]);
    for (const text of ["everybody", "10.0.0.0/33", "10.0.0.0/8/8", "1.2.3.4,x"]) {
      expect(problemsOf({ TRUSTED_PROXIES: text })[0]).toMatch(/^TRUSTED_PROXIES must list IP addresses/);
    }
  });

  it("count as not set if they are empty", () => {
    expect(readConfig({ AUTH_SECRET: "", PORT: " " })).toMatchObject({ port: 4040, authSecret: undefined });
  });
});

describe("secrets from files", () => {
  it("are read without the newline at their end", () => {
    const path = secretFile("secret", `${"s".repeat(40)}\n`);
    expect(readConfig({ AUTH_SECRET_FILE: path }).authSecret).toBe("s".repeat(40));
  });

  it("are refused if the setting is given too or the file cannot be read", () => {
    const path = secretFile("other", "x".repeat(40));
    expect(problemsOf({ AUTH_SECRET: "y".repeat(40), AUTH_SECRET_FILE: path })).toEqual([
      "AUTH_SECRET and AUTH_SECRET_FILE are both set; keep one",
    ]);
    expect(problemsOf({ SMTP_URL_FILE: join(folder, "absent") })[0]).toMatch(
      /^SMTP_URL_FILE cannot be read: ENOENT/,
    );
  });
});
