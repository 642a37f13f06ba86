import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startS3Server, testBucket } from "#store/objects/testing/s3-server.ts";
import { openPayloadLog } from "#store/payloads/payload-log.ts";
import { quietLog } from "#store/testing/backends.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const program = fileURLToPath(new URL("doctor.ts", import.meta.url));

let server: TestApp;
let env: Record<string, string>;
beforeAll(async () => {
  server = await startApp();
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.app.server.address() as AddressInfo;
  env = { DATA_DIR: server.ctx.config.dataDir, PORT: String(port), DEMO: "off" };
});
afterAll(() => server.close());

interface Line {
  readonly state: string;
  readonly title: string;
  readonly text: string;
}

/** Runs the command with these settings alone. */
async function examine(settings: Readonly<Record<string, string>>, ...args: string[]) {
  const child = spawn(process.execPath, [program, "doctor", ...args], { env: { ...env, ...settings } });
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  let title = "";
  const lines = out
    .trimEnd()
    .split("\n")
    .map((line): Line => {
      title = line.slice(8, 24).trim() || title;
      return { state: line.slice(0, 8).trim(), title, text: line.slice(24) };
    });
  const of = (name: string) => lines.filter((line) => line.title === name);
  return { code, out, of, failed: lines.filter(({ state }) => state === "FAILED") };
}

test("a running server is examined, and a profile goes through it and back", async () => {
  const person = await server.signUp();
  const send = await server.makeKey(person);
  const read = await server.makeKey(person, "agent", "read");
  const { code, of, failed } = await examine({ FLAMEKEEP_KEY: send.key, FLAMEKEEP_READ_KEY: read.key });
  expect(failed).toEqual([]);
  expect(code).toBe(0);
  expect(of("Server")[0]).toMatchObject({ state: "ok", text: expect.stringMatching(/is ready\.$/) });
  expect(of("Public address")[0]?.text).toMatch(/^PUBLIC_URL is http:\/\/localhost:\d+: links in mails/);
  expect(of("A profile")).toEqual([
    {
      state: "ok",
      title: "A profile",
      text: expect.stringMatching(/^Accepted as service flamekeep-doctor after \d+ ms\.$/),
    },
    { state: "ok", title: "A profile", text: expect.stringMatching(/^Read back after \d+ ms\.$/) },
  ]);
});

test("uploads that only the log of a data folder has are counted", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "flamekeep-doctor-"));
  expect((await examine({ DATA_DIR: dataDir })).of("Upload log")).toEqual([
    { state: "ok", title: "Upload log", text: expect.stringContaining("Every acknowledged upload") },
  ]);
  const payload = { orgId: randomUUID(), profileId: `${"0".repeat(24)}6560a000`, type: "metrics" as const };
  {
    await using log = openPayloadLog(dataDir, quietLog);
    await log.put([{ ...payload, bytes: Buffer.from("[]") }]);
  }
  const { code, of } = await examine({ DATA_DIR: dataDir });
  expect([code, of("Upload log")]).toEqual([
    0,
    [
      {
        state: "note",
        title: "Upload log",
        text: expect.stringMatching(
          /^1 upload \(0\.0 MB\) may be only in \/.*DATA_DIR until this check is ok/,
        ),
      },
    ],
  ]);
  await rm(dataDir, { recursive: true });
});

test("keys that do not fit are named, and are not printed", async () => {
  const person = await server.signUp();
  const { key } = await server.makeKey(person);
  const { code, of, out } = await examine({ FLAMEKEEP_KEY: key, FLAMEKEEP_READ_KEY: key });
  expect(code).toBe(1);
  expect(of("A profile")[1]).toMatchObject({
    state: "FAILED",
    text: expect.stringMatching(/^Reading got 403: /),
  });
  expect(out).not.toContain(key);
  const wrong = await examine({ FLAMEKEEP_KEY: "nonsense" });
  expect(wrong.failed[0]?.text).toMatch(/^The upload got 401: /);
});

test("before the first start it says what is missing, and what each setting cannot reach", async () => {
  const { url, close } = await replying(() => [200, ""]);
  await close();
  const closed = new URL(url).host;
  const { code, failed, of } = await examine({
    DATA_DIR: "/nonexistent/deep/folder",
    PORT: new URL(url).port,
    DATABASE_URL: `postgres://user:secret@${closed}/flamekeep`,
    AUTH_SECRET: "a secret of at least 32 characters",
    CLICKHOUSE_URL: `http://user:secret@${closed}/flamekeep`,
    SMTP_URL: `smtp://user:secret@${closed}`,
    OIDC_ISSUER: `http://${closed}`,
    OIDC_CLIENT_ID: "client",
    OIDC_CLIENT_SECRET: "secret",
    PUBLIC_URL: "http://127.0.0.1:4040",
    LLM_PROVIDER: "openai",
    LLM_BASE_URL: `http://${closed}`,
    LLM_MODEL: "model",
  });
  expect(code).toBe(1);
  const unreachable = (setting: string, place = closed) =>
    expect.stringMatching(new RegExp(`^${place}: .*ECONNREFUSED.* Start it, or correct ${setting}\\.$`));
  expect(failed).toMatchObject([
    { title: "PostgreSQL", text: unreachable("DATABASE_URL") },
    { title: "ClickHouse", text: unreachable("CLICKHOUSE_URL") },
    { title: "Mail", text: unreachable("SMTP_URL") },
    { title: "Single sign-on", text: unreachable("OIDC_ISSUER", `http://${closed}`) },
    { title: "Language model", text: unreachable("LLM_BASE_URL") },
  ]);
  expect(of("Data folder")[0]?.text).toMatch(
    /^\/nonexistent\/deep\/folder does not exist yet; the first start creates it\./,
  );
  expect(of("Server")[0]).toMatchObject({ state: "-", text: expect.stringContaining("does not answer") });
});

test("object storage must store, give back and remove an object", async () => {
  await using s3 = await startS3Server();
  const settings = {
    ORIGINALS_URL: `s3://${testBucket}/originals`,
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY_ID: s3.keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.keys.secretAccessKey,
  };
  const { of } = await examine(settings);
  expect(of("Object storage")).toMatchObject([
    { state: "ok", text: "s3://profiles/originals stores, gives back and removes an object." },
  ]);
  expect(s3.objects.size).toBe(0);
  const wrong = await examine({ ...settings, S3_SECRET_ACCESS_KEY: "another" });
  expect(wrong.of("Object storage")).toMatchObject([
    { state: "FAILED", text: expect.stringMatching(/^s3:\/\/profiles\/originals: .*correct ORIGINALS_URL/) },
  ]);
  expect(wrong.code).toBe(1);
});

test("a clock that is wrong, a rejected key and another program on the port are failures", async () => {
  const { url, close } = await replying((path) => {
    if (path.startsWith("/?query=")) return [200, String(Date.now() + 90_000)];
    return path === "/models" ? [401, ""] : [200, "<html>"];
  });
  const { failed } = await examine({
    PORT: String(new URL(url).port),
    CLICKHOUSE_URL: url,
    DATA_DIR: "/nonexistent",
    LLM_PROVIDER: "openai",
    LLM_API_KEY: "wrong",
    LLM_BASE_URL: url,
    LLM_MODEL: "model",
  });
  await close();
  expect(failed.map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^The clock of 127\.0\.0\.1:\d+ is 90 s ahead\. Let both machines follow a time server\.$/,
    ),
    expect.stringMatching(/^127\.0\.0\.1:\d+ rejects the key \(401\)\. Correct LLM_API_KEY\.$/),
    expect.stringContaining("is answered by another program. Stop it, or set PORT to another."),
  ]);
});

test("a ClickHouse cluster of two shards is a failure that says what to do", async () => {
  const { url, close } = await replying((path, body) => {
    if (path.startsWith("/?query=SELECT+toUnix")) return [200, String(Date.now())];
    if (!`${path}${body}`.includes("system.clusters")) return [200, ""];
    const shards = [["a"], ["b"]].map((hosts) => `${JSON.stringify({ cluster: "main", hosts })}\n`);
    return [200, shards.join("")];
  });
  const { of } = await examine({ CLICKHOUSE_URL: url, CLICKHOUSE_CLUSTER: "main", DATA_DIR: "/nonexistent" });
  await close();
  expect(of("ClickHouse")).toMatchObject([
    { state: "ok", text: expect.stringContaining("answers") },
    {
      state: "FAILED",
      text: expect.stringMatching(/^The cluster main of .* has 2 shards \(a, b\)\. .* whose only shard/),
    },
  ]);
});

test("wrong settings and arguments end it", async () => {
  const wrong = await examine({ RETENTION_DAYS: "0" });
  expect([wrong.code, wrong.failed[0]?.title]).toEqual([1, "Settings"]);
  expect((await examine({}, "--help")).out).toContain("Usage: npm run doctor");
  expect((await examine({}, "--fast")).code).toBe(1);
});

async function replying(reply: (path: string, sent: string) => [status: number, body: string]) {
  const http: Server = createServer((request, response) => {
    void text(request).then((sent) => {
      const [status, body] = reply(request.url ?? "", sent);
      response.writeHead(status).end(body);
    });
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => http.close(resolve)) };
}

test("a machine without data and settings is in order, and no secret is printed", async () => {
  const fresh = await examine({ DATA_DIR: "/nonexistent", PORT: "1" });
  expect([fresh.code, fresh.failed]).toEqual([0, []]);
  const secret = "topsecret";
  const broken = `${secret}\nX-Other: 1`;
  const { port } = new URL(`http://127.0.0.1:${env.PORT}`);
  const odd = await examine({
    FLAMEKEEP_KEY: broken,
    LLM_PROVIDER: "openai",
    LLM_BASE_URL: `http://127.0.0.1:${port}`,
    LLM_API_KEY: broken,
    LLM_MODEL: "model",
  });
  expect(odd.failed.map(({ title }) => title)).toEqual(["Language model", "A profile"]);
  const address = `http://user:${secret}@127.0.0.1:${port}`;
  const inAddress = await examine({ LLM_PROVIDER: "openai", LLM_BASE_URL: address, LLM_MODEL: "model" });
  expect(inAddress.failed).toMatchObject([{ title: "Settings" }]);
  expect(inAddress.out).toContain("LLM_BASE_URL must have no user and password");
  expect(odd.out + inAddress.out).not.toContain(secret);
});
