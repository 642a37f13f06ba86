import { spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type S3Server, startS3Server, testBucket } from "#store/objects/testing/s3-server.ts";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";

const recorded = (name: string) =>
  readFileSync(new URL(`../../../../../examples/recordings/go1.26/${name}.pb.gz`, import.meta.url));
const cpu = recorded("cpu");
const heap = recorded("heap");

let dataDir: string;
let s3: S3Server;
let server: TestApp;
let admin: Person;
let key: TestKey;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "flamekeep-moved-"));
  s3 = await startS3Server();
  server = await start();
  admin = await server.signUp();
  key = await server.makeKey(admin);
});
afterEach(async () => {
  s3.onRequest = () => undefined;
  await server.close();
  await s3[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true });
});

const settings = (folder = dataDir) => ({
  DATA_DIR: folder,
  S3_ENDPOINT: s3.endpoint,
  S3_ACCESS_KEY_ID: s3.keys.accessKeyId,
  S3_SECRET_ACCESS_KEY: s3.keys.secretAccessKey,
  ORIGINALS_URL: `s3://${testBucket}/originals`,
  ORIGINALS_LOCAL_HOURS: "0",
});

const start = (folder = dataDir) => startApp({ hasSeparateColumns: true, env: settings(folder) });

/** A stop writes the indexes of files whose rows are stored. */
async function moved(): Promise<void> {
  await server.close();
  server = await start();
  await server.ctx.payloads.moveToObjects!();
  expect(globSync(join(dataDir, "uploads/2*/*.log"))).toEqual([]);
}

async function send(body: Uint8Array, service: string, headers = key.headers): Promise<string> {
  const query = { started_at: new Date(Date.now() - 60_000).toISOString(), service };
  return (await server.send(body, { headers, query })).profile_id;
}

const get = (path: string, person = admin) =>
  server.app.inject({ url: `/api/v1/protected/${path}`, headers: person.headers });

const isStored = (body: Buffer) => [...s3.objects.values()].some(({ bytes }) => bytes.includes(body));
const denied = () => ({ kind: "error", status: 403, code: "AccessDenied" }) as const;

function run(program: string, args: readonly string[]): Promise<{ code: number | null; out: string }> {
  const path = fileURLToPath(new URL(`../../${program}`, import.meta.url));
  const env = { ...process.env, ...settings(), DEMO: "off", LOG_LEVEL: "error" };
  const child = spawn(process.execPath, [path, ...args], { env });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text: Buffer) => {
      out += text.toString();
    });
  }
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out })));
}

it("downloads bytes from object storage, for their organization, and answers 503 while it is away", async () => {
  const id = await send(cpu, "shop");
  await moved();
  expect(isStored(cpu)).toBe(true);
  const graph = (await get(`flamegraph/${id}`)).json();
  expect(graph.total_samples).toBeGreaterThan(0);
  expect((await get(`profile/${id}/download`)).rawPayload.equals(cpu)).toBe(true);
  const stranger = await server.signUp("stranger@example.com");
  expect((await get(`profile/${id}/download`, stranger)).statusCode).toBe(404);

  s3.onRequest = denied;
  const refused = await get(`profile/${id}/download`);
  expect([refused.statusCode, refused.json().error, refused.headers["retry-after"]]).toEqual([
    503,
    expect.anything(),
    "60",
  ]);
  expect(refused.body).toContain("are in object storage, which does not answer the server");
  expect(await send(heap, "shop")).toMatch(/^[0-9a-f]{32}$/);
  expect((await get("profiles?from=24h")).json().profiles).toHaveLength(2);
  const ready = (await server.app.inject({ url: "/readyz" })).json();
  expect([ready.status, ready.warnings.map(({ name }: { name: string }) => name)]).toEqual([
    "ready",
    ["object storage cannot be used"],
  ]);
  expect(ready.warnings[0].message).toContain("denies s3:GetObject on s3://profiles/originals");
  const metrics = (await server.app.inject({ url: "/metrics" })).body;
  expect(metrics).toMatch(/^flamekeep_object_storage_up 0$/m);
  expect(metrics).toMatch(/^flamekeep_originals_object_bytes [1-9]\d+$/m);
  expect(metrics).toMatch(/^flamekeep_originals_waiting_bytes 0$/m);

  s3.onRequest = () => undefined;
  expect((await get(`profile/${id}/download`)).rawPayload.equals(cpu)).toBe(true);
  expect((await server.app.inject({ url: "/readyz" })).json().warnings).toEqual([]);
});

it("erases the records of a deleted service there, and waits for object storage to do it", async () => {
  const [shop, search] = [await send(cpu, "shop"), await send(heap, "search")];
  await moved();
  const remove = () =>
    server.app.inject({
      method: "DELETE",
      url: "/api/v1/protected/services/shop",
      headers: admin.headers,
      payload: { confirm: "shop" },
    });
  s3.onRequest = denied;
  expect((await remove()).statusCode).toBe(503);
  expect(isStored(cpu)).toBe(true);
  s3.onRequest = () => undefined;
  expect((await remove()).statusCode).toBe(200);
  expect([isStored(cpu), isStored(heap)]).toEqual([false, true]);
  expect((await get(`profile/${shop}/download`)).statusCode).toBe(404);
  expect((await get(`profile/${search}/download`)).rawPayload.equals(heap)).toBe(true);
});

it("rebuilds the column store from object storage, and restores a backup that has only the indexes", async () => {
  const id = await send(cpu, "shop");
  await moved();
  const expected = (await get("flamegraph/service/shop/cpu?from=24h")).json().total_samples;
  const folder = join(dataDir, "..", `${dataDir.split("/").at(-1)}-backups`);
  const made = await run("back-up.ts", ["backup", folder]);
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining("are in object storage") });
  await server.close();

  s3.onRequest = denied;
  const refused = await run("repair-columns.ts", ["rebuild-columns"]);
  expect(refused).toMatchObject({ code: 1, out: expect.stringContaining("Nothing was changed.") });
  s3.onRequest = () => undefined;
  expect(await run("repair-columns.ts", ["rebuild-columns"])).toMatchObject({
    code: 0,
    out: expect.stringContaining("0 profiles were copied between the stores, 1 were in both"),
  });
  server = await start();
  expect((await get("flamegraph/service/shop/cpu?from=24h")).json().total_samples).toBe(expected);
  expect(globSync(join(dataDir, "uploads/2*/*.log"))).toEqual([]);
  await server.close();

  rmSync(dataDir, { recursive: true });
  const [backup = ""] = globSync(join(folder, "2*Z"));
  expect(await run("back-up.ts", ["restore", backup])).toMatchObject({ code: 0 });
  rmSync(folder, { recursive: true });
  server = await start();
  expect((await get(`profile/${id}/download`)).rawPayload.equals(cpu)).toBe(true);
  await server.close();
  const without = { ...settings(), ORIGINALS_URL: "" };
  await expect(startApp({ hasSeparateColumns: true, env: without })).rejects.toThrow(
    "ORIGINALS_URL is not set, but the original bytes",
  );
  server = await start();
});
