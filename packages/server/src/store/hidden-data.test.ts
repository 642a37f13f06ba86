import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sharedPostgres } from "#store/testing/postgres.ts";
import { startApp } from "#testing/start-app.ts";
import { hiddenData, noteServersInUse } from "./hidden-data.ts";

const demo = "demo";
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "flamekeep-hidden-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function addAccounts({ people, organizations }: { people: number; organizations: readonly string[] }) {
  const database = new DatabaseSync(join(dataDir, "flamekeep.sqlite"));
  database.exec("CREATE TABLE users (id TEXT); CREATE TABLE organizations (id TEXT)");
  for (let person = 0; person < people; person++) database.exec(`INSERT INTO users VALUES ('${person}')`);
  for (const id of organizations) database.prepare("INSERT INTO organizations VALUES (?)").run(id);
  database.close();
}

function addColumns() {
  mkdirSync(join(dataDir, "columns"));
  writeFileSync(join(dataDir, "columns", "uuid"), "");
}

type Columns = "embedded" | "url";
type Rows = "sqlite" | "postgres";
const stores = (columns: Columns, rows: Rows): Parameters<typeof hiddenData>[0] => ({
  dataDir,
  columns: columns === "embedded" ? { kind: "embedded", dataDir } : { kind: "url", url: "http://ch" },
  rows: rows === "sqlite" ? { kind: "sqlite", file: "" } : { kind: "postgres", url: "postgres://pg/f" },
});
const found = (columns: Columns, rows: Rows) => hiddenData(stores(columns, rows), demo);

it("is nothing in an empty folder, and nothing with the built-in stores", async () => {
  expect(await found("url", "postgres")).toEqual([]);
  addAccounts({ people: 1, organizations: ["acme"] });
  addColumns();
  expect(await found("embedded", "sqlite")).toEqual([]);
});

it("is what a restore has left that did not end", async () => {
  mkdirSync(join(dataDir, "restoring"));
  expect(await found("embedded", "sqlite")).toEqual([]);
  writeFileSync(join(dataDir, "restoring", "backup.lock"), "");
  expect(await found("embedded", "sqlite")).toEqual([
    `a restore into ${dataDir} did not end, and its files would not be shown: run \`npm run restore\` again, or remove ${join(dataDir, "restoring")}`,
  ]);
});

it("is accounts with PostgreSQL, and profiles with ClickHouse", async () => {
  addAccounts({ people: 1, organizations: ["acme"] });
  addColumns();
  expect(await found("embedded", "postgres")).toEqual([
    `DATABASE_URL is set, but ${dataDir} holds accounts in a built-in store, which would not be shown: start without DATABASE_URL to use them, move them with \`npm run move\`, or set DATA_DIR to an empty folder`,
  ]);
  expect(await found("url", "sqlite")).toEqual([
    expect.stringMatching(/^CLICKHOUSE_URL is set, but .* holds profiles in a built-in store/),
  ]);
  expect(await found("url", "postgres")).toHaveLength(2);
});

it("is nothing where only the demo was tried", async () => {
  addAccounts({ people: 0, organizations: [demo] });
  addColumns();
  expect(await found("url", "postgres")).toEqual([]);
});

it("is profiles where accounts are in PostgreSQL already", async () => {
  addColumns();
  expect(await found("embedded", "postgres")).toEqual([]);
  expect(await found("url", "postgres")).toEqual([expect.stringMatching(/^CLICKHOUSE_URL/)]);
});

it("is in the servers that were used before and are not set any more", async () => {
  await noteServersInUse(stores("url", "postgres"));
  expect(await found("url", "postgres")).toEqual([]);
  expect(await found("embedded", "sqlite")).toEqual([
    `DATABASE_URL is not set, but the accounts of ${dataDir} are in PostgreSQL, and would not be shown: set DATABASE_URL as before to use them, or set DATA_DIR to an empty folder`,
    `CLICKHOUSE_URL is not set, but the profiles of ${dataDir} are in a ClickHouse server, and would not be shown: set CLICKHOUSE_URL as before to use them, or set DATA_DIR to an empty folder`,
  ]);
  expect(await found("embedded", "postgres")).toEqual([expect.stringMatching(/^CLICKHOUSE_URL is not set/)]);
  expect(await found("url", "sqlite")).toEqual([expect.stringMatching(/^DATABASE_URL is not set/)]);
});

it("is nothing in a server that only the demo was tried with", async () => {
  await noteServersInUse(stores("url", "sqlite"));
  addAccounts({ people: 0, organizations: [demo] });
  expect(await found("embedded", "sqlite")).toEqual([]);
});

it("is noted without addresses, and only where a server is used", async () => {
  await noteServersInUse(stores("embedded", "sqlite"));
  expect(readdirSync(dataDir)).toEqual([]);
  await noteServersInUse(stores("url", "sqlite"));
  expect(readFileSync(join(dataDir, "stores.json"), "utf8")).toBe('{"columns":"url"}\n');
});

const postgres = await sharedPostgres();

it.skipIf(postgres === undefined)("is refused after a start with PostgreSQL", async () => {
  const url = (await postgres?.createDatabase()) ?? "";
  const server = await startApp({ config: { dataDir, rows: { kind: "postgres", url } } });
  await server.signUp();
  await server.close();
  await expect(
    startApp({ config: { dataDir, rows: { kind: "sqlite", file: join(dataDir, "a") } } }),
  ).rejects.toThrow(/DATABASE_URL is not set, but the accounts of/);
});

it.each(["", '{"rows":', "null", "[]", '{"rows":"mysql"}', '{"objects":"s3"}'])(
  "is said in a sentence where stores.json is %j",
  async (text) => {
    const file = join(dataDir, "stores.json");
    writeFileSync(file, text);
    expect(await found("embedded", "sqlite")).toEqual([expect.stringContaining(`${file} cannot be read`)]);
    rmSync(file);
    mkdirSync(file);
    expect(await found("url", "postgres")).toEqual([expect.stringContaining(`${file} cannot be read`)]);
  },
);
