import type { IngestedProfile } from "@flamekeep/contract";
import { recordedFile, recordedProfiles, refusedRecordings } from "@flamekeep/profile/testing/recordings";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ env: { INGEST_MAX_INFLATED_BYTES: String(64 * 1024 * 1024) } });
});
afterAll(() => server.close());

async function sender() {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const send = (file: string, query: Readonly<Record<string, string>> = {}) =>
    server.app.inject({
      method: "POST",
      url: "/api/v1/ingest/profiles",
      query: { service: "recordings", started_at: new Date().toISOString(), ...query },
      payload: recordedFile(file),
      headers,
    });
  return { orgId: person.orgId, send };
}

test("damaged uploads are refused with a sentence, in bounded memory, and nothing is stored", async () => {
  const { orgId, send } = await sender();
  const before = process.memoryUsage.rss();
  const refused = refusedRecordings();
  expect(refused.length).toBeGreaterThan(20);
  const sendRefused = async (file: string) => {
    const reply = await send(file);
    expect([file, reply.statusCode, reply.body]).toEqual([
      file,
      file.includes("bomb") ? 413 : 400,
      expect.stringMatching(/"error":".{10,}"/),
    ]);
  };
  await Promise.all(refused.map(sendRefused));
  await sendRefused("recipes/limits-gzip-bomb.pb.gz");
  expect(process.memoryUsage.rss() - before).toBeLessThan(400 * 1024 * 1024);
  expect(await storedProfiles(server.ctx.columns, orgId)).toEqual([]);
});

test("recorded and unusual profiles are stored with the totals that go tool pprof finds", async () => {
  const { orgId, send } = await sender();
  const profiles = recordedProfiles();
  expect(profiles.length).toBeGreaterThan(70);
  const totals = new Map<string, readonly [file: string, totals: Readonly<Record<string, string>>]>();
  const unprocessable: string[] = [];
  const sendProfile = async ({ file, truth }: (typeof profiles)[number]) => {
    // Mutex and block profiles have the same content, so the sender names the type.
    const isContention = truth.types[0]?.type === "contentions";
    const reply = await send(file, isContention ? { type: file.includes("block") ? "block" : "mutex" } : {});
    if (reply.statusCode === 200) {
      const { profile_id, also_listed = [] }: IngestedProfile = reply.json();
      const expected = Object.fromEntries(
        truth.types.map(({ type, unit, total }) => [`${type}/${unit}`, total]),
      );
      for (const id of [profile_id, ...also_listed.map((each) => each.profile_id)])
        totals.set(id, [file, expected]);
    } else unprocessable.push(`${file}: ${reply.statusCode}`);
  };
  // Several at a time are committed together.
  for (let at = 0; at < profiles.length; at += 10)
    await Promise.all(profiles.slice(at, at + 10).map(sendProfile));
  // A change in the number of goroutines, which is not what a goroutine profile measures.
  expect(unprocessable.sort()).toEqual([
    "go1.19/delta-goroutine.pb.gz: 422",
    "go1.26/delta-goroutine.pb.gz: 422",
    "recipes/valid-negative-values.pb.gz: 422",
  ]);
  const rows = await storedProfiles(server.ctx.columns, orgId);
  expect(rows.length).toBe(totals.size);
  for (const row of rows) {
    const [file, expected] = totals.get(row.profile_id)!;
    // The server does not store memory in use from a delta of the heap.
    const measured = row.sample_types.flatMap((type, index) =>
      type in expected ? [[type, String(row.totals[index])]] : [],
    );
    expect(measured.length).toBeGreaterThan(0);
    expect([file, measured]).toEqual([file, measured.map(([type]) => [type, expected[type!]])]);
  }
});
