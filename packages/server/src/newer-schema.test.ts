import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { connectColumns } from "#store/column/client/client.ts";
import { readLimitsDefault as limits } from "#store/column/client/client-source.ts";
import { toLogins } from "#store/column/client/embedded-source.ts";
import { startEngine } from "#store/column/engine/supervisor.ts";
import { openRowStore } from "#store/row/row-store.ts";
import { quietLog } from "#store/testing/backends.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { pprofOf } from "./features/ingest/testing/pprof-of.ts";

const dataDir = mkdtempSync(join(tmpdir(), "flamekeep-newer-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const start = () => startApp({ hasSeparateColumns: true, env: { DATA_DIR: dataDir } });

/** Changes both stores as a server of another version does. */
async function migrate(name: string, statements: { readonly rows: string; readonly columns: string }) {
  const rows = await openRowStore({ kind: "sqlite", file: join(dataDir, "flamekeep.sqlite") }, quietLog);
  await sql.raw(statements.rows).execute(rows);
  await sql`INSERT INTO kysely_migration (name, timestamp) VALUES (${name}, '')`.execute(
    rows.withoutPlugins(),
  );
  await rows.destroy();
  const engine = await startEngine({ dataDir, memoryBytesMax: 500_000_000, limits }, quietLog);
  const client = connectColumns({ ...toLogins(engine.address()!), limits });
  await client.command(statements.columns);
  await client.insert({
    table: "schema_migrations",
    columns: ["number", "name", "checksum"],
    rows: JSON.stringify([Number(name.slice(0, 4)), name, "unknown to this version"]),
    dedupToken: name,
  });
  await client.close();
  await engine.stop();
}

async function send(server: TestApp, headers: Readonly<Record<string, string>>, value: number) {
  const profile = pprofOf({
    sampleTypes: ["samples/count", "cpu/nanoseconds"],
    samples: [["main;main.work", 1, value]],
    durationNs: 10_000_000_000n,
  });
  await server.send(profile, { headers, query: { service: "checkout", type: "cpu" } });
}

it("a server works on stores that the next version has changed, and refuses those of the version after it", async () => {
  let server = await start();
  const person = await server.signUp();
  const key = await server.makeKey(person);
  await send(server, key.headers, 1_000_000);
  await server.close();

  await migrate("9001-v2-prices", {
    rows: "ALTER TABLE organizations ADD COLUMN price integer NOT NULL DEFAULT 0",
    columns: "ALTER TABLE profiles ADD COLUMN price UInt64, ADD COLUMN places Array(String)",
  });
  server = await start();
  await send(server, key.headers, 2_000_000);
  await server.makeKey(await server.signUp("eve@example.com"));
  const { json } = await server.app.inject({
    url: "/api/v1/protected/flamegraph/service/checkout/cpu?from=1h",
    headers: person.headers,
  });
  expect(json()).toMatchObject({ profiles_merged: 2, total_samples: 3_000_000 });
  const warned = server.logged.filter((line) => line.includes("9001-v2-prices"));
  expect(warned).toHaveLength(2);
  await server.close();

  await migrate("9002-v3-rates", {
    rows: "ALTER TABLE organizations ADD COLUMN rate integer",
    columns: "ALTER TABLE profiles ADD COLUMN rate UInt64",
  });
  await expect(start()).rejects.toThrow(
    /^The (row|column) store was changed by a Flamekeep that is more than one version newer \(migration 9002-v3-rates\)\. Run that version, or the one before it\.$/,
  );
});
