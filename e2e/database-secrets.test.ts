import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@flamekeep/server/testing/postgres";
import { afterAll, expect, test } from "vitest";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { signUp } from "./harness/sign-up.ts";
import { failToStart, startFlamekeep } from "./harness/start-flamekeep.ts";

/** Each is nowhere else, so that one search finds it wherever it is written. */
const canary = (name: string) => `canary${name}${crypto.randomUUID().replaceAll("-", "")}`;
const metricsToken = canary("Metrics");
const postgres = await startPostgres();
let isStopped = false;
const stopPostgres = async () => {
  if (!isStopped) await postgres?.stop();
  isStopped = true;
};
afterAll(stopPostgres);

/** The password as it is, and as HTTP sends it. */
function formsOf(user: string, password: string): string[] {
  return [password, Buffer.from(`${user}:${password}`).toString("base64").replace(/=+$/, "")];
}

function withCredentials(url: string, user: string, password: string): string {
  return Object.assign(new URL(url), { username: user, password }).href;
}

function textsUnder(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
}

/** Every server of a database has the same. */
const secret = { AUTH_SECRET: "s".repeat(32) };

test.skipIf(postgres === undefined)(
  "the password is not printed if PostgreSQL does not know the user",
  async () => {
    const [user, password] = [canary("User"), canary("Password")];
    const url = withCredentials((await postgres?.createDatabase()) ?? "", user, password);
    const ended = await failToStart({ ...secret, DATABASE_URL: url, PORT: "0", LOG_LEVEL: "trace" });
    expect(ended.exitCode).not.toBe(0);
    expect(ended.stderr).toContain("Correct DATABASE_URL");
    for (const form of formsOf(user, password)) expect(ended.stderr).not.toContain(form);
  },
);

test.skipIf(postgres === undefined)(
  "the password of PostgreSQL is in no log, reply, metric or file, also after PostgreSQL has stopped",
  async () => {
    const password = canary("Postgres");
    const url = withCredentials((await postgres?.createDatabase()) ?? "", "postgres", password);
    const dataDir = mkdtempSync(join(tmpdir(), "flamekeep-secrets-"));
    const env = {
      ...secret,
      DATABASE_URL: url,
      DEMO: "off",
      LOG_LEVEL: "trace",
      METRICS_TOKEN: metricsToken,
    };
    const texts: string[] = [];
    try {
      await using flamekeep = await startFlamekeep({ dataDir, env });
      const account = await signUp(flamekeep.url);
      await account.send(
        recordedCpuProfile().body,
        `service=checkout&type=cpu&started_at=${Date.now() - 60_000}`,
      );
      const call = async (path: string, init: RequestInit = {}) => {
        const reply = await fetch(flamekeep.url + path, init);
        texts.push(await reply.text());
        return reply.status;
      };
      const callEverything = async () => {
        const metrics = { headers: { authorization: `Bearer ${metricsToken}` } };
        for (const path of ["/readyz", "/api/openapi.json", "/docs/api", "/version"]) await call(path);
        expect(await call("/metrics", metrics)).toBe(200);
        await call("/api/v1/protected/operator/overview", { headers: account.headers });
        await call("/api/v1/status", { headers: account.headers });
      };
      await callEverything();
      await stopPostgres();
      const { email } = account.registered.user;
      const body = JSON.stringify({ email, password: account.password });
      const headers = { "content-type": "application/json" };
      expect(await call("/auth/login", { method: "POST", headers, body })).toBe(503);
      await callEverything();
      await flamekeep.stop("SIGTERM");
      texts.push(flamekeep.output(), ...textsUnder(dataDir));
      expect(flamekeep.output()).toContain("PostgreSQL");
      expect(texts.filter((text) => text.includes(password))).toEqual([]);
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  },
);

test("the credentials of a ClickHouse that refuses them are not printed, even if it repeats them", async () => {
  const [user, password] = [canary("User"), canary("Password")];
  const seen: string[] = [];
  const refusing = createServer((request, reply) => {
    const sent = JSON.stringify(request.headers);
    seen.push(sent);
    reply
      .writeHead(403)
      .end(`Code: 516. DB::Exception: ${user}: Authentication failed: ${sent}. (AUTHENTICATION_FAILED)`);
  });
  refusing.listen(0, "127.0.0.1");
  await new Promise((resolve) => refusing.once("listening", resolve));
  const { port } = refusing.address() as AddressInfo;
  const url = withCredentials(`http://127.0.0.1:${port}`, user, password);
  const dataDir = mkdtempSync(join(tmpdir(), "flamekeep-secrets-"));
  const ended = await failToStart({ CLICKHOUSE_URL: url, DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "trace" });
  refusing.close();
  const written = [ended.stderr, ...textsUnder(dataDir)].join("\n");
  rmSync(dataDir, { recursive: true });
  const forms = formsOf(user, password);
  expect(seen.some((headers) => forms.some((form) => headers.includes(form)))).toBe(true);
  expect(ended.exitCode).not.toBe(0);
  expect(ended.stderr).toContain("CLICKHOUSE_URL");
  for (const form of forms) expect(written).not.toContain(form);
});
