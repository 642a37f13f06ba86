import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { type Account, signUp } from "./harness/sign-up.ts";
import { type Flamekeep, freePort, root, startFlamekeep } from "./harness/start-flamekeep.ts";

/** Each is nowhere else, so that one search finds it wherever it is written. */
const canary = (name: string) => `canary${name}${crypto.randomUUID().replaceAll("-", "")}`;
const settings = {
  AUTH_SECRET: canary("Signing"),
  AUTH_SECRET_PREVIOUS: canary("PreviousSigning"),
  OIDC_CLIENT_SECRET: canary("Oidc"),
  LLM_API_KEY: canary("Model"),
  METRICS_TOKEN: canary("Metrics"),
};
const smtpPassword = canary("Smtp");
const webhookSecret = canary("Webhook");
const routingKey = crypto.randomUUID().replaceAll("-", "");

let folder: string;
let failing: Server;
/** Of `failing`. */
let address: string;
let failed = 0;
let flamekeep: Flamekeep;
let account: Account;
const replies: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "flamekeep-secrets-"));
  // Every call of the server with a secret fails, so that it has an error to write about.
  failing = createServer((request, reply) => {
    failed++;
    reply.writeHead(500).end(`failed: ${JSON.stringify(request.headers)}`);
  });
  await new Promise<void>((resolve) => failing.listen(0, "127.0.0.1", resolve));
  const elsewhere = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`;
  const port = await freePort();
  flamekeep = await startFlamekeep({
    dataDir: folder,
    port,
    env: {
      ...settings,
      DEMO: "off",
      LOG_LEVEL: "trace",
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      OIDC_ISSUER: elsewhere,
      OIDC_CLIENT_ID: "flamekeep",
      ALERT_WEBHOOKS_ALLOW_PRIVATE: "on",
      LLM_PROVIDER: "openai",
      LLM_BASE_URL: `${elsewhere}/v1`,
      LLM_MODEL: "any",
      SMTP_URL: `smtp://user:${smtpPassword}@127.0.0.1:${await freePort()}`,
    },
  });
  account = await signUp(flamekeep.url);
  address = elsewhere;
});

afterAll(async () => {
  await flamekeep?.[Symbol.asyncDispose]();
  failing.close();
  rmSync(folder, { recursive: true });
});

async function call(method: string, path: string, body?: object, headers: HeadersInit = account.headers) {
  const reply = await fetch(flamekeep.url + path, {
    method,
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  replies.push(text);
  return { status: reply.status, text };
}

/** Makes the server read each secret, and fail where it sends one. */
async function useEverySecret(): Promise<void> {
  const api = "/api/v1/protected";
  const query = `service=checkout&type=cpu&started_at=${Date.now() - 60_000}`;
  const profileId = await account.send(recordedCpuProfile().body, query);
  await call("PUT", `${api}/alert-settings`, {
    webhook_url: `${address}/hook`,
    webhook_secret: webhookSecret,
    pagerduty_routing_key: routingKey,
  });
  await call("POST", `${api}/alert-settings/test`, { channel: "webhook" });
  await call("GET", `${api}/alert-settings`);
  await call("POST", "/auth/forgot-password", { email: account.registered.user.email }, {});
  await call("POST", "/auth/login", { email: "nobody@example.com", password: account.password }, {});
  await call("POST", "/auth/single-sign-on", {}, {});
  await call("POST", "/auth/single-sign-on/finish", { code: "code", state: "state" }, {});
  await call("POST", `${api}/user/second-factor/totp`, { password: "not the password" });
  await call("POST", `${api}/profile/${profileId}/analyze`, {});
  await call("GET", `${api}/profile/${profileId}`, undefined, { authorization: `Bearer ${account.key}` });
  await call("GET", `${api}/operator`);
  await expect.poll(() => failed, { timeout: 30_000 }).toBeGreaterThanOrEqual(3);
  await expect.poll(() => flamekeep.output(), { timeout: 30_000 }).toMatch(/ECONNREFUSED/);
}

function filesUnder(path: string): { readonly path: string; readonly content: string }[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: file, content: readFileSync(file, "latin1") }));
}

test("no secret is in the log, a reply, the metrics, the documentation, the app or the data folder", async () => {
  await useEverySecret();
  const places = new Map<string, string>();
  for (const path of ["/metrics", "/api/openapi.json", "/docs/api", "/healthz", "/readyz", "/version", "/"]) {
    const headers = { authorization: `Bearer ${settings.METRICS_TOKEN}` };
    places.set(path, (await call("GET", path, undefined, headers)).text);
  }
  expect(places.get("/metrics")).toContain("flamekeep_");
  expect(places.get("/api/openapi.json")).toContain('"openapi"');
  await flamekeep.stop("SIGTERM");
  places.set("the log", flamekeep.output());
  expect(places.get("the log")).toContain("request");
  places.set("the replies", replies.join("\n"));
  for (const { path, content } of [...filesUnder(folder), ...filesUnder(`${root}packages/web/dist`)])
    places.set(path, content);
  // The search sees what is stored.
  expect([...places.values()].some((text) => text.includes(account.registered.user.email))).toBe(true);

  const secrets = {
    ...settings,
    smtpPassword,
    webhookSecret,
    routingKey,
    apiKey: account.key,
    password: account.password,
    ...account.registered.tokens,
  };
  const found: string[] = [];
  for (const [name, secret] of Object.entries(secrets)) {
    for (const form of [secret, Buffer.from(secret).toString("base64").replace(/=+$/, "")]) {
      for (const [place, text] of places) if (text.includes(form)) found.push(`${name} in ${place}`);
    }
  }
  expect(found).toEqual([]);
});
