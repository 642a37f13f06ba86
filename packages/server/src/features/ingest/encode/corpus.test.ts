import { existsSync, readdirSync, readFileSync } from "node:fs";
import { corpus } from "@flamekeep/profile/testing/corpus";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

const names = existsSync(corpus) ? readdirSync(new URL("open/", corpus)) : [];
const read = (name: string) => readFileSync(new URL(`open/${encodeURIComponent(name)}`, corpus));

/** Damaged for Go, which knows no zstd; Datadog's senders use it, and what is inside is whole. */
const acceptedThough = ["derived+bad-zstd.pb.zst"];
const bad = names.filter((name) => name.startsWith("derived+bad-") && !acceptedThough.includes(name));
/** Valid, and refused for what it says: memory in use below zero. */
const refusedThough = ["derived+edge-negative-heap-delta.pb.gz"];
const good = names.filter((name) => name.startsWith("derived+edge-") && !refusedThough.includes(name));

describe.skipIf(names.length === 0)("uploads collected outside the repository", () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startApp({ env: { INGEST_MAX_INFLATED_BYTES: String(64 * 1024 * 1024) } });
  });
  afterAll(() => server.close());

  async function sender() {
    const person = await server.signUp();
    const { headers } = await server.makeKey(person);
    const send = (payload: Buffer, query: Record<string, string> = {}) =>
      server.trySend(payload, {
        headers,
        query: { service: "corpus", started_at: new Date().toISOString(), ...query },
      });
    return { orgId: person.orgId, send };
  }

  test("every damaged file is refused with a sentence, in bounded memory, and harms nothing", async () => {
    const { orgId, send } = await sender();
    const before = process.memoryUsage.rss();
    for (const name of bad) {
      const reply = await send(read(name));
      expect([name, reply.statusCode, reply.body]).toEqual([
        name,
        name.includes("bomb") ? 413 : 400,
        expect.stringMatching(/"error":".{10,}"/),
      ]);
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(400 * 1024 * 1024);
    expect(await storedProfiles(server.ctx.columns, orgId)).toEqual([]);
    expect(bad.length).toBeGreaterThan(30);
  });

  test("every odd but valid file is stored with the sums Go finds", async () => {
    const { orgId, send } = await sender();
    const expected = new Map<string, string>();
    for (const name of good) {
      const reply = await send(read(name));
      expect([name, reply.statusCode]).toEqual([name, 200]);
      expected.set(reply.json().profile_id, name);
    }
    const rows = await storedProfiles(server.ctx.columns, orgId);
    expect(rows.length).toBe(new Set(expected.keys()).size);
    for (const row of rows) {
      const name = expected.get(row.profile_id)!;
      const truth = totalsInTruth(name);
      if (truth !== undefined) expect([name, row.totals.map(String)]).toEqual([name, truth]);
    }
    expect(rows.length).toBeGreaterThan(5);
  });
});

function totalsInTruth(name: string): string[] | undefined {
  const line = readFileSync(new URL("manifest.tsv", corpus), "latin1")
    .split("\n")
    .map((text) => text.split("\t"))
    .find((columns) => columns[1] === name);
  const totals = line?.[22];
  return totals === undefined || totals === "" ? undefined : totals.split(",");
}
