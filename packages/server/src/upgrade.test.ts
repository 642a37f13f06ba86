import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, zstdDecompressSync } from "node:zlib";
import { hourMs } from "@flamekeep/contract/durations";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { figuresOf, type Get, Organization, type Range } from "#testing/upgrade/figures.ts";
import { pprofOf } from "./features/ingest/testing/pprof-of.ts";

/** A folder in `testing/upgrade`, as record.ts writes it. */
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

describe.each(["541d70d7"])("a data folder of commit %s", (commit) => {
  const { recordedAt, range, people }: Recorded = JSON.parse(
    readFileSync(new URL(`${commit}.json`, recordings), "utf8"),
  );
  let dataDir: string;
  let server: TestApp;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "flamekeep-upgrade-"));
    unpack(commit, dataDir);
    // Later, all of it would be older than the retention.
    server = await startApp({ hasSeparateColumns: true, at: recordedAt, env: { DATA_DIR: dataDir } });
  });
  afterAll(async () => {
    await server?.close();
    rmSync(dataDir, { recursive: true, force: true });
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
    expect(migrated("row")).toBeGreaterThan(0);
    expect(migrated("column")).toBeGreaterThan(0);
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
    if (figures !== undefined) expect(await figuresOf(get, range)).toEqual(figures);
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
