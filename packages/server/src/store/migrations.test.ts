import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { breakingStatements } from "#store/testing/breaking-statements.ts";
import { schemaVersionOf } from "./schema-version.ts";

interface Contraction {
  /** The statements that a server of an earlier version may not survive, as `breakingStatements` prints them. */
  readonly statements: readonly string[];
  /** The first version that does not use what they change. It must be an earlier one than that of the migration. */
  readonly unusedSince: number;
}

/** By the name of the migration. */
const contractions: Readonly<Record<string, Contraction>> = {};

/** Before servers of two versions worked on the same stores. */
const newestBefore = { row: 48, column: 14 };

const migrations = (["row", "column"] as const).flatMap((store) => {
  const folder = new URL(`${store}/migrations/`, import.meta.url);
  const files = readdirSync(folder).filter((file) => /^\d{4}-.*(?<!\.test)\.(sql|ts)$/.test(file));
  return files.map((file) => ({ store, file, name: file.replace(/\.\w+$/, ""), folder }));
});
const numberOf = (name: string) => Number(name.slice(0, 4));
const newOnes = migrations.filter(({ store, name }) => numberOf(name) > newestBefore[store]);

describe("migrations", () => {
  it("count the version of the schema up by one, if at all", () => {
    expect(migrations.length).toBeGreaterThan(50);
    const versions = migrations.map(({ name }) => schemaVersionOf(name));
    expect([...new Set(versions)].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: Math.max(...versions) }, (_, index) => index + 1),
    );
    for (const store of ["row", "column"] as const) {
      const ofStore = migrations.filter((each) => each.store === store).map(({ name }) => name);
      const inOrder = ofStore.toSorted().map(schemaVersionOf);
      expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
    }
  });

  it.each(newOnes)("$store $name leaves servers of the version before working", ({ file, name, folder }) => {
    // A pattern cannot judge code.
    const found = file.endsWith(".sql")
      ? breakingStatements(readFileSync(new URL(file, folder), "utf8"))
      : ["code"];
    expect(found).toEqual(contractions[name]?.statements ?? []);
  });

  it("remove only what the version before does not use", () => {
    const names = newOnes.map(({ name }) => name);
    for (const [name, { unusedSince }] of Object.entries(contractions)) {
      expect(names).toContain(name);
      if (!name.includes("-alone-"))
        expect([name, unusedSince < schemaVersionOf(name)]).toEqual([name, true]);
    }
  });
});

describe("statements that break a server of the version before", () => {
  it.each([
    ["ALTER TABLE users DROP COLUMN name"],
    ["ALTER TABLE users RENAME COLUMN name TO title"],
    ["ALTER TABLE users RENAME TO people"],
    ["DROP TABLE users"],
    ["DROP INDEX users_by_email"],
    ["ALTER TABLE users ADD COLUMN name text NOT NULL"],
    ["ALTER TABLE users ADD COLUMN name text NOT NULL CHECK (name <> '-- DEFAULT')"],
    ["ALTER TABLE users ALTER COLUMN name SET NOT NULL"],
    ["CREATE UNIQUE INDEX one_name ON users (name)"],
    ["UPDATE users SET role = 'admin' WHERE role = 'owner'"],
    ["DELETE FROM users WHERE name = ''"],
    ["INSERT INTO users (id) SELECT id FROM members"],
    ["TRUNCATE TABLE profiles {on_cluster}"],
    ["DROP VIEW IF EXISTS type_totals_1m_feed {on_cluster}"],
    ["ALTER TABLE profiles {on_cluster} MODIFY COLUMN totals Array(Float64)"],
    ["ALTER TABLE profiles {on_cluster} DROP COLUMN IF EXISTS totals"],
    ["ALTER TABLE profiles {on_cluster} DELETE WHERE service = ''"],
  ])("%s", (statement) => {
    expect(breakingStatements(`-- Why.\n${statement};\n`)).toHaveLength(1);
  });

  it.each([
    [
      "CREATE TABLE a (id text);\nCREATE UNIQUE INDEX a_by_id ON a (id);\nINSERT INTO a (id) SELECT id FROM b",
    ],
    ["CREATE INDEX users_by_name ON users (name)"],
    ["ALTER TABLE users ADD COLUMN name text"],
    ["ALTER TABLE users ADD COLUMN count integer NOT NULL DEFAULT 0"],
    [
      "ALTER TABLE profiles {on_cluster}\n  ADD COLUMN IF NOT EXISTS a UInt8,\n  ADD COLUMN IF NOT EXISTS b Array(UInt8)",
    ],
    ["ALTER TABLE profiles {on_cluster} MODIFY SETTING old_parts_lifetime = 60"],
    [
      "DROP VIEW IF EXISTS b_feed {on_cluster};\nCREATE TABLE IF NOT EXISTS b {on_cluster} (a UInt8);\nTRUNCATE TABLE b {on_cluster};\n" +
        "INSERT INTO b (a) SELECT 1;\nCREATE MATERIALIZED VIEW IF NOT EXISTS b_feed {on_cluster} TO b AS SELECT 1",
    ],
  ])("are not: %s", (statements) => {
    expect(breakingStatements(`${statements};\n`)).toEqual([]);
  });
});
