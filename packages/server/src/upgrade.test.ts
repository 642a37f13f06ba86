import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, zstdDecompressSync } from "node:zlib";
import { hourMs } from "@flamekeep/contract/durations";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startClickHouse } from "#store/testing/clickhouse.ts";
import { type RunningPostgres, sharedPostgres } from "#store/testing/postgres.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { figuresOf, type Get, Organization, type Range } from "#testing/upgrade/figures.ts";
import { postgresDump, recordedSecret } from "#testing/upgrade/recorded-servers.ts";
import { pprofOf } from "./features/ingest/testing/pprof-of.ts";

/** A state of a server, as record.ts describes it. */
interface Recorded {
  readonly recordedAt: string;
  readonly range: Range;
  readonly people: readonly RecordedPerson[];
}

interface RecordedPerson {
  readonly email: string;
  readonly password: string;
  readonly key: Readonly<Record<string, string>>;
  readonly organization: object;
  /** A guest has none. */
  readonly figures?: object;
}

const recordings = new URL("testing/upgrade/", import.meta.url);

function unpack(commit: string, folder: string): void {
  const params = { [constants.ZSTD_d_windowLogMax]: 27 };
  const input = zstdDecompressSync(readFileSync(new URL(`${commit}.tar.zst`, recordings)), { params });
  expect(spawnSync("tar", ["-C", folder, "-xf", "-"], { input }).status).toBe(0);
}

/** A server over a copy of recorded stores. */
interface Upgraded extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
}

async function openFolder(folder: string): Promise<Upgraded> {
  return { env: { DATA_DIR: folder }, [Symbol.asyncDispose]: async () => {} };
}

/** PostgreSQL with the recorded rows, and the built-in engine with the recorded columns in place of ClickHouse. The data folder is new. */
async function openServers(folder: string, postgres: RunningPostgres): Promise<Upgraded> {
  const databaseUrl = await postgres.createDatabase();
  // Lines with a backslash are for psql.
  const dump = readFileSync(join(folder, postgresDump), "utf8").replace(/^\\.*$/gm, "");
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(dump);
  await client.end();
  const clickHouse = await startClickHouse({ path: folder, remove() {} });
  const { url } = await clickHouse.openEndpoint();
  return {
    env: {
      DATA_DIR: join(folder, "data"),
      DATABASE_URL: databaseUrl,
      CLICKHOUSE_URL: url,
      AUTH_SECRET: recordedSecret,
    },
    [Symbol.asyncDispose]: () => clickHouse.stop(),
  };
}

const postgres = await sharedPostgres();
if (postgres === undefined)
  console.info(
    "PostgreSQL is not installed (Debian: apt-get install postgresql): no recorded servers are upgraded",
  );

/** Numbers of the newest migrations at each commit. */
const newestOf: Readonly<Record<string, { readonly row: number; readonly column: number }>> = {
  "541d70d7": { row: 42, column: 13 },
  bedfc09a: { row: 48, column: 14 },
};

function migrationsSince(store: "row" | "column", newest: number): number {
  const files = readdirSync(new URL(`store/${store}/migrations/`, import.meta.url));
  return files.filter(
    (file) => /^\d{4}-.*(?<!\.test)\.(sql|ts)$/.test(file) && Number(file.slice(0, 4)) > newest,
  ).length;
}

interface Case {
  readonly commit: string;
  readonly state: string;
  /** In the archive. */
  readonly folder: string;
  readonly open: (folder: string) => Promise<Upgraded>;
}

const cases: readonly Case[] = [
  { commit: "541d70d7", state: "data folder", folder: ".", open: openFolder },
  { commit: "bedfc09a", state: "data folder", folder: "folder", open: openFolder },
  ...(postgres === undefined
    ? []
    : [
        {
          commit: "bedfc09a",
          state: "PostgreSQL and ClickHouse",
          folder: "servers",
          open: (folder: string) => openServers(folder, postgres),
        },
      ]),
];

function readRecorded(commit: string, folder: string): Recorded {
  const read = JSON.parse(readFileSync(new URL(`${commit}.json`, recordings), "utf8"));
  return folder === "." ? read : read[folder];
}

describe.each(cases)("$state of commit $commit", ({ commit, folder, open }) => {
  const { recordedAt, range, people } = readRecorded(commit, folder);
  let unpacked: string;
  let stores: Upgraded;
  let server: TestApp;
  beforeAll(async () => {
    unpacked = mkdtempSync(join(tmpdir(), "flamekeep-upgrade-"));
    unpack(commit, unpacked);
    stores = await open(join(unpacked, folder));
    // Later, all of it would be older than the retention.
    server = await startApp({ hasSeparateColumns: true, at: recordedAt, env: stores.env });
  });
  afterAll(async () => {
    await server?.close();
    await stores?.[Symbol.asyncDispose]();
    rmSync(unpacked, { recursive: true, force: true });
  });

  async function signIn({ email, password }: RecordedPerson): Promise<Get> {
    const reply = await server.app.inject({
      method: "POST",
      url: "/auth/login",
      payload: { email, password },
    });
    expect([email, reply.statusCode]).toEqual([email, 200]);
    const headers = { authorization: `Bearer ${reply.json().tokens.access_token}` };
    return async (path) => {
      const url = `/api/v1/protected/${path}`;
      const found = await server.app.inject({ url, headers });
      expect([path, found.statusCode]).toEqual([path, 200]);
      return found.rawPayload;
    };
  }

  it("is brought up to date in both stores, and complete", async () => {
    const migrated = (store: string) =>
      server.logged.filter((line) => line.includes(`migrating the ${store} store`)).length;
    const missing = (store: "row" | "column") => migrationsSince(store, newestOf[commit]![store]);
    expect([migrated("row"), migrated("column")]).toEqual([missing("row"), missing("column")]);
    const { columns } = server.ctx;
    expect(columns.health().lostParts).toEqual([]);
    expect(await columns.quarantined()).toEqual([]);
  });

  it.each(people)("answers $email as that version did", async (person) => {
    const get = await signIn(person);
    const { organization, figures } = person;
    expect(Organization.parse(JSON.parse(Buffer.from(await get("organization")).toString()))).toEqual(
      organization,
    );
    if (figures === undefined) return;
    // Later versions have more.
    const found = Object.entries(await figuresOf(get, range)).filter(([name]) => name in figures);
    expect(Object.keys(figures).length).toBeGreaterThan(30);
    expect(Object.fromEntries(found)).toEqual(figures);
  });

  it("takes new profiles with its keys, and adds them to the recorded ones", async () => {
    const [person] = people as [RecordedPerson];
    const get = await signIn(person);
    const startedAt = new Date(Date.parse(range.to) - hourMs).toISOString();
    const graph = async () => {
      const query = new URLSearchParams({ ...range });
      const reply = JSON.parse(Buffer.from(await get(`flamegraph/service/checkout/cpu?${query}`)).toString());
      return { merged: reply.profiles_merged, total: reply.total_samples };
    };
    const before = await graph();
    const profile = pprofOf({
      sampleTypes: ["samples/count", "cpu/nanoseconds"],
      samples: [["main;main.upgraded", 1, 10_000_000]],
      durationNs: 10_000_000_000n,
    });
    const query = { service: "checkout", type: "cpu", started_at: startedAt };
    const { profile_id } = await server.send(profile, { headers: person.key, query });
    expect(await graph()).toEqual({ merged: before.merged + 1, total: before.total + 10_000_000 });
    expect(Buffer.from(await get(`profile/${profile_id}/download`))).toEqual(Buffer.from(profile));
  });
});
