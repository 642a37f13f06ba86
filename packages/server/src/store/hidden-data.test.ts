import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { hiddenData } from "./hidden-data.ts";

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

const found = (columns: "embedded" | "url", rows: "sqlite" | "postgres") =>
  hiddenData(
    {
      dataDir,
      columns: columns === "embedded" ? { kind: "embedded", dataDir } : { kind: "url", url: "http://ch" },
      rows: rows === "sqlite" ? { kind: "sqlite", file: "" } : { kind: "postgres", url: "postgres://pg/f" },
    },
    demo,
  );

it("is nothing in an empty folder, and nothing with the built-in stores", async () => {
  expect(await found("url", "postgres")).toEqual([]);
  addAccounts({ people: 1, organizations: ["acme"] });
  addColumns();
  expect(await found("embedded", "sqlite")).toEqual([]);
});

it("is accounts with PostgreSQL, and profiles with ClickHouse", async () => {
  addAccounts({ people: 1, organizations: ["acme"] });
  addColumns();
  expect(await found("embedded", "postgres")).toEqual([
    `DATABASE_URL is set, but ${dataDir} holds accounts in a built-in store, which would not be shown: start without DATABASE_URL to use them, or set DATA_DIR to an empty folder`,
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
