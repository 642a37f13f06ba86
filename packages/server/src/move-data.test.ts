import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { profileOf } from "@flamekeep/profile/testing";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readConfig } from "#config";
import { demoOrgId } from "#context";
import { rawRows, tablesOf } from "#move/raw-rows.ts";
import { passingTables, rowTables } from "#move/row-tables.ts";
import { pendingUploads } from "#store/payloads/pending-uploads.ts";
import { startClickHouse } from "#store/testing/clickhouse.ts";
import { sharedPostgres } from "#store/testing/postgres.ts";
import { copyColumnStore, copyRowStore } from "#store/testing/templates.ts";
import { pictureOf, sendAllKinds } from "#testing/all-kinds.ts";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";
import { storeAlert } from "#testing/store-alert.ts";

const runMsMax = 90_000;
const program = fileURLToPath(new URL("move-data.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "flamekeep-move-"));
const home = join(folder, "home");

let server: TestApp;
let ada: Person;
let reading: TestKey;
let profileId: string;
/** The pages of the organization. */
let expected: unknown;

beforeAll(async () => {
  server = await open(home);
  ada = await server.signUp("ada@example.com");
  await sendAllKinds(server, ada);
  reading = await server.makeKey(ada, "reading", "read");
  await sendLateCounters();
  const graph = await server.send(Buffer.from("main;look 7\n"), {
    headers: (await server.makeKey(ada, "second")).headers,
    query: { service: "text" },
  });
  profileId = graph.profile_id;
  await post(server, "dashboards", { name: "Till", panels: [{ kind: "note", id: "n", text: "Look" }] });
  await post(server, "projects", { name: "Shop", services: ["api"] });
  const at = new Date().toISOString();
  await storeAlert(server.rows, { orgId: ada.orgId, service: "api", at, profileId });
  // Another organization, whose rows stay.
  await sendAllKinds(server, await server.signUp("eve@example.com"));
  expected = await seen(server);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Of two days, and a snapshot after a later one: their rows would be others if they were made again from the original bytes. */
async function sendLateCounters(): Promise<void> {
  const { headers } = await server.makeKey(ada, "late");
  const startMs = Date.now() - 30 * 60 * 60_000;
  for (const [minute, count] of [1, 7, 3].entries()) {
    const at = startMs + [0, 2, 1][minute]! * 60_000;
    const sampleTypes = ["contentions/count", "delay/nanoseconds"];
    const profile = profileOf(`main\nlock\n${count},${100 * count}`, { sampleTypes });
    await server.send(profile, {
      headers,
      query: { service: "late", type: "mutex", started_at: String(at) },
    });
  }
}

const open = (dataDir: string, env: Record<string, string> = {}) =>
  startApp({ hasSeparateColumns: true, env: { DATA_DIR: dataDir, ...env } });

async function post({ app }: TestApp, path: string, payload: object): Promise<void> {
  const url = `/api/v1/protected/${path}`;
  const reply = await app.inject({ method: "POST", url, headers: ada.headers, payload });
  expect([reply.statusCode, reply.body]).toEqual([201, reply.body]);
}

/** As Ada sees it. */
async function seen(at: TestApp) {
  const payload = { email: ada.email, password: ada.password };
  const signIn = await at.app.inject({ method: "POST", url: "/auth/login", payload });
  expect([signIn.statusCode, signIn.body]).toEqual([200, signIn.body]);
  const headers = { authorization: `Bearer ${signIn.json().tokens.access_token}` };
  const get = async (path: string) => {
    const reply = await at.app.inject({ url: `/api/v1/protected/${path}`, headers });
    expect([path, reply.statusCode, reply.body]).toEqual([path, 200, reply.body]);
    return reply;
  };
  const lists = await Promise.all(["projects", "dashboards", "alerts", "api-keys"].map(get));
  return {
    picture: await pictureOf(at, { headers }),
    lists: lists.map((reply) => JSON.parse(reply.body, withoutChanging)),
    graph: (await get(`flamegraph/${profileId}`)).json(),
    original: (await get(`profile/${profileId}/download`)).body,
  };
}

/** A project of a service without a row begins some days before now. */
function withoutChanging(_: string, value: unknown): unknown {
  const isDerived = typeof value === "object" && value !== null && "is_derived" in value && value.is_derived;
  return isDerived ? { ...value, created_at: "" } : value;
}

/** As a reset does: passwords are not in an export. */
async function setPassword({ rows }: TestApp): Promise<void> {
  const known = await server.rows.selectFrom("users").select("passwordHash").where("id", "=", ada.userId);
  await rows
    .updateTable("users")
    .set(await known.executeTakeFirstOrThrow())
    .where("id", "=", ada.userId)
    .execute();
}

function run(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
  flags: readonly string[] = [],
) {
  return new Promise<{ code: number | null; signal: NodeJS.Signals | null; out: string }>((resolve) => {
    const all = { ...process.env, DEMO: "off", LOG_LEVEL: "silent", ...env };
    // One that hangs ends with what it has printed.
    const options = { env: all, timeout: runMsMax } as const;
    const child = spawn(process.execPath, [...flags, program, command, ...args], options);
    let out = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text: Buffer) => {
        out += text.toString();
      });
    child.on("close", (code, signal) => resolve({ code, signal, out }));
  });
}

/** A data folder with empty stores, so that a run need not create their tables. */
async function emptyFolder(name: string): Promise<string> {
  const target = join(folder, name);
  mkdirSync(target);
  await copyColumnStore(target);
  const { rows } = readConfig({ DATA_DIR: target });
  if (rows.kind === "sqlite") await copyRowStore(rows.file);
  return target;
}

/** Exports the organization once, for all tests. */
let exporting: Promise<string> | undefined;
function exported(): Promise<string> {
  exporting ??= (async () => {
    const to = join(folder, "export");
    const { code, out } = await run("export", [ada.orgId, to], { DATA_DIR: home });
    expect([code, out]).toEqual([0, expect.stringContaining('"api", cpu: 30 on')]);
    return to;
  })();
  return exporting;
}

it("every table of the row store has a decision whether it moves", async () => {
  const tables = await tablesOf(rawRows(server.rows));
  const decided = [...rowTables.map(({ name }) => name), ...passingTables];
  expect([...tables.keys()].sort()).toEqual(decided.sort());
});

it("an organization is exported from a running server and imported elsewhere with the same ids, figures and bytes", async () => {
  const from = await exported();
  expect(existsSync(join(home, "backup-links"))).toBe(false);
  const target = join(folder, "imported");
  const { code, out } = await run("import", [from], { DATA_DIR: target });
  expect([code, out]).toEqual([0, expect.stringContaining("Counts and totals are those of the export")]);
  const copy = await open(target);
  await setPassword(copy);
  expect(await seen(copy)).toEqual(expected);
  const organizations = await copy.rows.selectFrom("organizations").select("id").execute();
  expect(organizations).toEqual([{ id: ada.orgId }]);
  await copy.close();
  const again = await run("import", [from], { DATA_DIR: target });
  expect(again).toMatchObject({ code: 1, out: expect.stringContaining("has the organization already") });
});

it("an export has uploads whose rows wait for the column store, and reports no crash of the server", async () => {
  const bob = await server.signUp("bob@example.com");
  const { headers } = await server.makeKey(bob);
  const engine = server.ctx.columns.health().enginePid!;
  process.kill(engine, "SIGSTOP");
  try {
    await server.send(Buffer.from("main;wait 3\n"), { headers, query: { service: "waiting" } });
    const to = join(folder, "waiting");
    const { code, out } = await run("export", [bob.orgId, to], { DATA_DIR: home, LOG_LEVEL: "info" });
    expect([code, out]).toEqual([0, expect.stringContaining('"waiting", custom: 1 on')]);
    expect(out).not.toContain("crash");
  } finally {
    // Its watchdog may have replaced it.
    if (server.ctx.columns.health().enginePid === engine) process.kill(engine, "SIGCONT");
  }
});

it("a failed move reports nothing about the folder of the copy that it has read", async () => {
  const cleo = await server.signUp("cleo@example.com");
  const { headers } = await server.makeKey(cleo);
  const engine = server.ctx.columns.health().enginePid!;
  const limits = join(folder, "limits.json");
  // The move ends after it has opened the copy's log, before it stores the rows of its uploads.
  writeFileSync(limits, JSON.stringify({ organizations: { [demoOrgId]: { services: 3 } } }));
  process.kill(engine, "SIGSTOP");
  try {
    const sent = await server.app.inject({
      method: "POST",
      url: "/api/v1/ingest/http-metrics?service=waiting",
      headers,
      payload: [
        { timestamp: new Date().toISOString(), duration: 1, status_code: 200, method: "GET", path: "/" },
      ],
    });
    expect([sent.statusCode, sent.body]).toEqual([200, sent.body]);
    expect((await pendingUploads(home)).uploads).toBeGreaterThan(0);
    const env = {
      DATA_DIR: home,
      TO_DATA_DIR: join(folder, "failed-move"),
      LIMITS_FILE: limits,
      LOG_LEVEL: "warn",
    };
    const { code, out } = await run("move", [], env);
    expect([code, out]).toEqual([1, expect.stringContaining("LIMITS_FILE")]);
    expect(out).not.toContain("keep the folder");
  } finally {
    if (server.ctx.columns.health().enginePid === engine) process.kill(engine, "SIGCONT");
  }
});

it("an export has no password, secret or other organization", async () => {
  const from = await exported();
  const { passwordHash } = await server.rows
    .selectFrom("users")
    .select("passwordHash")
    .where("id", "=", ada.userId)
    .executeTakeFirstOrThrow();
  const texts = readdirSync(from, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".jsonl") || path.endsWith(".json"))
    .map((path) => readFileSync(join(from, path), "utf8"));
  for (const secret of [passwordHash, reading.key, "eve@example.com"])
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  expect(texts.some((text) => text.includes("ada@example.com"))).toBe(true);
});

it.skipIf(!isFullLength)(
  "an interrupted import goes on, and does not count twice what it had stored",
  async () => {
    const from = await exported();
    const target = join(folder, "interrupted");
    // As a kill before the last step leaves it: everything but the rows of the organization.
    expect((await run("import", [from], { DATA_DIR: target })).code).toBe(0);
    const begun = await open(target);
    await begun.rows.deleteFrom("organizations").execute();
    await begun.close();
    const { code, out } = await run("import", [from], { DATA_DIR: target });
    expect([code, out]).toEqual([0, expect.stringContaining("is imported")]);
    const copy = await open(target);
    await setPassword(copy);
    expect(await seen(copy)).toEqual(expected);
    await copy.close();
  },
);

type Kill = readonly [statement: string, count: number];

/** Runs a command again and again, and kills it each time before it sends a statement. */
async function runAndKill(
  command: string,
  args: string[],
  env: Record<string, string>,
  kills: readonly Kill[],
) {
  for (const [statement, count] of kills) {
    const killAt = new URL("testing/kill-at.ts", import.meta.url);
    killAt.search = String(new URLSearchParams({ statement, count: String(count) }));
    const killed = await run(command, args, env, ["--import", killAt.href]);
    expect([statement, count, killed.out, killed.signal]).toEqual([statement, count, killed.out, "SIGKILL"]);
  }
}

const ofLastDay: Kill = ["INSERT INTO profiles", 2];
const everyKind: readonly Kill[] = [
  ["INSERT INTO frames", 1],
  ["INSERT INTO profiles", 1],
  ["INSERT INTO frames", 2],
  ["INSERT INTO http_requests", 1],
  ['insert into "memberships"', 1],
  ['insert into "alerts"', 1],
];

it.each<readonly [string, readonly Kill[]]>([
  ["again-and-again", isFullLength ? everyKind : [['insert into "alerts"', 1]]],
  ...(isFullLength ? ([["before-the-profiles-of-its-last-day", [ofLastDay]]] as const) : []),
])("an import that is killed %s goes on, and nothing is lost or doubled", async (name, kills) => {
  const from = await exported();
  const target = await emptyFolder(name);
  await runAndKill("import", [from], { DATA_DIR: target }, kills);
  const { code, out } = await run("import", [from], { DATA_DIR: target });
  expect([code, out]).toEqual([0, expect.stringContaining("Counts and totals are those of the export")]);
  const copy = await open(target);
  await setPassword(copy);
  expect(await seen(copy)).toEqual(expected);
  await copy.close();
});

it.each([
  ["rows/projects.jsonl", "rows/projects.jsonl is not what was written"],
  ["originals", "is not what was written"],
])("damaged %s is refused before anything is stored", async (path, words) => {
  const damaged = join(folder, `damaged-${path.replaceAll("/", "-")}`);
  cpSync(await exported(), damaged, { recursive: true });
  const file = path.endsWith(".jsonl")
    ? join(damaged, path)
    : readdirSync(damaged, { recursive: true, encoding: "utf8" })
        .filter((each) => /^originals\/[^/]+\/[0-9a-f]{64}$/.test(each))
        .map((each) => join(damaged, each))[0]!;
  writeFileSync(file, "{}\n");
  const target = join(folder, "refused");
  const { code, out } = await run("import", [damaged], { DATA_DIR: target });
  expect([code, out]).toEqual([1, expect.stringContaining(words)]);
  if (path === "originals") expect((await run("import", ["--check", damaged], {})).code).toBe(1);
});

const ignoring: readonly (readonly [command: string, args: readonly string[]])[] = [
  ["export", [home, folder, "--check"]],
  ["move", ["--check"]],
  ["import", []],
];

it.each(isFullLength ? ignoring : ignoring.slice(0, 1))(
  "%s refuses arguments that it would ignore, with its usage",
  async (command, args) => {
    const { code, out } = await run(command, args, { DATA_DIR: home });
    expect([code, out]).toEqual([1, expect.stringContaining(`Usage: npm run ${command}`)]);
  },
);

it("a folder that is no export, and an organization that does not exist, are refused with what to do", async () => {
  expect(await run("import", [folder], { DATA_DIR: join(folder, "no") })).toMatchObject({
    code: 1,
    out: expect.stringContaining("is no export of an organization"),
  });
  expect(await run("export", ["nobody", join(folder, "nobody")], { DATA_DIR: home })).toMatchObject({
    code: 1,
    out: expect.stringContaining(ada.orgId),
  });
});

it("an installation moves to PostgreSQL and ClickHouse while it serves, and back, although the first run is killed", async (context) => {
  const postgres = await sharedPostgres();
  if (postgres === undefined) return context.skip("PostgreSQL is not installed");
  const clickHouse = await startClickHouse();
  const { url: clickHouseUrl } = await clickHouse.openEndpoint();
  const databaseUrl = await postgres.createDatabase();
  const [scaled, back] = [join(folder, "scaled"), join(folder, "back")];
  const secret = { AUTH_SECRET_FILE: join(home, "auth-secret") };
  const there = { ...secret, CLICKHOUSE_URL: clickHouseUrl, DATABASE_URL: databaseUrl };
  const to = { TO_DATA_DIR: scaled, TO_CLICKHOUSE_URL: clickHouseUrl, TO_DATABASE_URL: databaseUrl };
  const ofMemberships: Kill = ['insert into "memberships"', 1];
  await runAndKill("move", [], { DATA_DIR: home, ...to }, [
    ...(isFullLength ? [ofLastDay] : []),
    ofMemberships,
  ]);
  for (const printed of ["with the same counts and totals", "0 profiles were new"]) {
    const { code, out } = await run("move", [], { DATA_DIR: home, ...to });
    expect([code, out]).toEqual([0, expect.stringContaining(printed)]);
  }
  const onServers = await open(scaled, there);
  expect(await seen(onServers)).toEqual(expected);
  await onServers.close();

  const toBack = { DATA_DIR: scaled, ...there, TO_DATA_DIR: back };
  if (isFullLength) await runAndKill("move", [], toBack, [ofLastDay]);
  const { code, out } = await run("move", [], toBack);
  expect([code, out]).toEqual([0, expect.stringContaining("with the same counts and totals")]);
  const atHome = await open(back);
  expect(await seen(atHome)).toEqual(expected);
  await atHome.close();
  await clickHouse.stop();
});
