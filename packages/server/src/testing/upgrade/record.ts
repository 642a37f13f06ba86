/**
 * Records what an earlier version stores, with what that version answers about it, for upgrade.test.ts:
 *
 *     git worktree add --detach FOLDER COMMIT && (cd FOLDER && npm ci)
 *     node packages/server/src/testing/upgrade/record.ts FOLDER COMMIT
 *
 * Two servers of FOLDER start empty, one with a data folder, one with PostgreSQL, and the built-in engine in place of ClickHouse.
 * Both get recordings of examples/shop for the last two hours. Takes eight minutes: the hours that are over are rolled up after five.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { constants, gunzipSync, zstdCompressSync } from "node:zlib";
import { startClickHouse } from "#store/testing/clickhouse.ts";
import { startPostgres } from "#store/testing/postgres.ts";
import { figuresOf, type Get, Organization, type Range } from "./figures.ts";
import { postgresDump, recordedSecret } from "./recorded-servers.ts";

const [checkout = ".", commit = "unnamed"] = process.argv.slice(2);
const shop = fileURLToPath(new URL("../../../../../examples/shop/recorded/", import.meta.url));
const types = ["cpu", "memory", "goroutine", "mutex", "block"] as const;
const stepMs = 6 * 60_000;
const steps = 20;
/** Different recordings of each type. */
const recordings = 2;
const rollUpMs = 330_000;

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

async function startServer(stores: Readonly<Record<string, string>>): Promise<Server> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await once(probe.close(), "close");
  const server = spawn(process.execPath, ["packages/server/src/main.ts"], {
    cwd: checkout,
    env: {
      PORT: String(port),
      GRPC_PORT: "off",
      ...stores,
      PULL: "off",
      DEMO: "off",
      LOG_LEVEL: "warn",
      STOP_DELAY_SECONDS: "0",
      // It ends with this process.
      FLAMEKEEP_LAUNCHER: String(process.pid),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) await sleep(200);
  const stop = async () => {
    server.kill("SIGTERM");
    const [code] = await once(server, "close");
    if (code !== 0) throw new Error(`The server ended with ${code}.`);
  };
  return { url, stop };
}

type Headers = Readonly<Record<string, string>>;

async function call(url: string, init: RequestInit) {
  let reply = await fetch(url, init);
  // A repeated upload is stored once.
  for (let again = 0; reply.status === 503 && again < 60; again++) {
    await sleep(1000);
    reply = await fetch(url, init);
  }
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`);
  return JSON.parse(await reply.text());
}

function post(url: string, body: object, headers: Headers = {}, method = "POST") {
  const sent = { ...headers, "content-type": "application/json" };
  return call(url, { method, headers: sent, body: JSON.stringify(body) });
}

/** Registers a person, and makes a key for their organization. */
async function register(url: string, first_name: string) {
  const person = {
    email: `${first_name.toLowerCase()}@example.com`,
    password: `${first_name}'s long password`,
  };
  const { tokens } = await post(`${url}/auth/register`, { ...person, first_name, last_name: "Recorded" });
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const made = await post(
    `${url}/api/v1/protected/api-keys`,
    { name: "recorded", format: "flamekeep" },
    headers,
  );
  return { person, headers, key: { "x-api-key": made.api_key.key } };
}

/** Sends a service's profiles and requests of the steps: the same recordings of each type for one instance after the other. */
async function sendService(url: string, service: string, key: Headers, startMs: number) {
  const read = (name: string) => readFileSync(`${shop}${service}/before/${name}`);
  const requests: object[] = gunzipSync(read("http-01.ndjson.gz"))
    .toString()
    .split("\n", 40)
    .map((line) => JSON.parse(line));
  for (let step = 0; step < steps; step++) {
    const at = startMs + step * stepMs;
    for (const type of types) {
      const query = new URLSearchParams({
        service,
        type,
        started_at: String(at),
        "tag.region": "eu",
        "tag.version": step < 12 ? "v1" : "v2",
        "tag.instance": `till-${Math.floor(step / 4)}`,
      });
      const body = new Uint8Array(read(`${type}-0${1 + (step % recordings)}.pb.gz`));
      await call(`${url}/api/v1/ingest/profiles?${query}`, { method: "POST", headers: key, body });
    }
    const ofStep = requests.map((request, index) => ({
      ...request,
      timestamp: new Date(at + index * 1000).toISOString(),
    }));
    await post(`${url}/api/v1/ingest/http-metrics?service=${service}`, ofStep, key);
  }
}

/** Makes what people make: an alert rule, a dashboard, a project, a source link, their own retention. */
async function makeThings(url: string, headers: Headers) {
  const own = `${url}/api/v1/protected`;
  const heap = {
    service: "checkout",
    signal: "profile",
    profile_type: "memory",
    sample_type: "inuse_space/bytes",
  };
  const rule = {
    ...heap,
    comparison: "above",
    threshold: 2e9,
    minutes: 10,
    tags: { region: "eu" },
    severity: "critical",
  };
  await post(`${own}/alerts/rules`, { ...rule, name: "Heap of the till" }, headers);
  await post(`${own}/alerts/rules`, { ...rule, name: "Any heap", threshold: 1, severity: "info" }, headers);
  const panels = [
    { kind: "lane", id: "cpu", figure: "cpu", service: "checkout" },
    { kind: "note", id: "note", text: "Look at lock wait first." },
  ];
  await post(`${own}/dashboards`, { name: "Till", panels }, headers);
  await post(`${own}/projects`, { name: "Till", description: "All about buying", tags: ["shop"] }, headers);
  const url_pattern = "https://git.example.com/shop/blob/{version}/{file}#L{line}";
  await post(`${own}/services/checkout/source-link`, { url_pattern }, headers, "PUT");
  await post(`${own}/organization/retention`, { retention_days: 20 }, headers, "PUT");
  const source = { kind: "url", url: "http://checkout.example.com:6060" };
  const pulled = { name: "Till", service: "checkout", source, tags: { env: "production" } };
  const secretHeaders = [{ name: "Authorization", value: "Bearer of the till" }];
  await post(`${own}/targets`, { ...pulled, headers: secretHeaders }, headers);
}

/** Analyses the time of the profiles, and dismisses one of the findings. */
async function makeFindings(url: string, headers: Headers, range: Range) {
  const own = `${url}/api/v1/protected`;
  for (const type of ["cpu", "memory", "goroutine"]) {
    const begun = await post(`${own}/service/checkout/analyze`, { ...range, type }, headers);
    const { id } = begun;
    for (let { status } = begun; status !== "completed"; ) {
      await sleep(200);
      ({ status } = await call(`${own}/analysis/${id}`, { headers }));
      if (status === "failed") throw new Error(`The analysis of ${type} failed.`);
    }
  }
  const { findings } = await call(`${own}/findings`, { headers });
  if (findings.length < 2) throw new Error(`There are ${findings.length} findings.`);
  const dismissed = { state: "dismissed", reason: "Runs once a day" };
  await post(`${own}/findings/${findings[0].id}`, dismissed, headers, "PATCH");
}

async function inviteInto(url: string, by: Headers, guest: Headers) {
  const invited = await post(`${url}/api/v1/protected/organization/invitations`, { role: "viewer" }, by);
  const token = invited.url.replace(/^.*\/invite\//, "");
  await post(`${url}/api/v1/protected/user/invitations`, { token }, guest);
}

/** The folder as a tar file, compressed: equal uploads and empty pages of SQLite take nothing. */
function pack(folder: string): Uint8Array {
  const { stdout, status } = spawnSync("tar", ["-C", folder, "-cf", "-", "."], { maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`tar ended with ${status}.`);
  const params = { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_windowLog]: 27 };
  return zstdCompressSync(stdout, { params });
}

/** Fills a server with empty stores; returns what it answers about them. */
async function recordPeople({ url, stop }: Server): Promise<object> {
  const startMs = Date.now() - steps * stepMs;
  const range = {
    from: new Date(startMs).toISOString(),
    to: new Date(startMs + steps * stepMs).toISOString(),
  };
  const [ada, eve, grace] = [
    await register(url, "Ada"),
    await register(url, "Eve"),
    await register(url, "Grace"),
  ];
  for (const service of ["checkout", "search"]) await sendService(url, service, ada.key, startMs);
  await sendService(url, "catalog", eve.key, startMs);
  await makeThings(url, ada.headers);
  await inviteInto(url, ada.headers, grace.headers);
  await sleep(rollUpMs);
  await makeFindings(url, ada.headers, range);
  const getAs =
    (headers: Headers): Get =>
    async (path) => {
      const reply = await fetch(`${url}/api/v1/protected/${path}`, { headers });
      if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
      return new Uint8Array(await reply.arrayBuffer());
    };
  const people = [];
  for (const { person, key } of [ada, eve, grace]) {
    const { tokens } = await post(`${url}/auth/login`, person);
    const get = getAs({ authorization: `Bearer ${tokens.access_token}` });
    const organization = Organization.parse(JSON.parse(new TextDecoder().decode(await get("organization"))));
    const figures = person === grace.person ? undefined : await figuresOf(get, range);
    people.push({ ...person, key, organization, figures });
  }
  await stop();
  return { recordedAt: new Date().toISOString(), range, people };
}

async function recordFolder(folder: string): Promise<object> {
  return recordPeople(await startServer({ DATA_DIR: folder }));
}

/** The data folder of a server with databases is not needed: what it accepted is in them when it stops. */
async function recordServers(folder: string): Promise<object> {
  const postgres = await startPostgres();
  if (postgres === undefined) throw new Error("PostgreSQL is not installed.");
  const clickHouse = await startClickHouse({ path: folder, remove() {} });
  const dataDir = mkdtempSync(join(tmpdir(), "flamekeep-recorded-"));
  const databaseUrl = await postgres.createDatabase();
  const stores = {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    CLICKHOUSE_URL: (await clickHouse.openEndpoint()).url,
    AUTH_SECRET: recordedSecret,
  };
  const recorded = await recordPeople(await startServer(stores));
  await clickHouse.stop();
  const dump = spawnSync("pg_dump", ["--inserts", "--no-owner", databaseUrl], { maxBuffer: 2 ** 28 });
  if (dump.status !== 0) throw new Error(`pg_dump: ${dump.stderr}`);
  writeFileSync(join(folder, postgresDump), dump.stdout);
  await postgres.stop();
  rmSync(dataDir, { recursive: true });
  return recorded;
}

// A PostgreSQL that stops does not keep this process alive.
const awake = setInterval(() => {}, 1000);
const recorded = mkdtempSync(join(tmpdir(), "flamekeep-recorded-"));
const kinds = { folder: recordFolder, servers: recordServers };
const states = await Promise.all(
  Object.entries(kinds).map(async ([kind, record]) => {
    const folder = join(recorded, kind);
    mkdirSync(folder);
    return [kind, await record(folder)] as const;
  }),
);
const file = fileURLToPath(new URL(commit, import.meta.url));
writeFileSync(`${file}.json`, `${JSON.stringify({ commit, ...Object.fromEntries(states) })}\n`);
writeFileSync(`${file}.tar.zst`, pack(recorded));
rmSync(recorded, { recursive: true });
clearInterval(awake);
console.log(`${file}.tar.zst and ${file}.json are written.`);
