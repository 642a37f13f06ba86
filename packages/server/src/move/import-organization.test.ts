import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoOrgId } from "#context";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { daysOf, profilesOf } from "./column-rows.ts";
import { checkExport, importOrganization } from "./import-organization.ts";
import { readOriginal } from "./originals.ts";

let server: TestApp;
const folder = mkdtempSync(join(tmpdir(), "flamekeep-hostile-export-"));
beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const day = "2026-11-01";
const created_at = `${day}T00:00:00.000Z`;
/** Imports an export with these rows by file, which somebody wrote by hand. */
async function importing(orgId: string, files: Readonly<Record<string, readonly object[]>>): Promise<void> {
  const from = mkdtempSync(join(folder, "export-"));
  const all = {
    "rows/organizations.jsonl": [{ id: orgId, name: "Acme", is_demo: 0, suspended_at: null, created_at }],
    ...files,
  };
  const listed = Object.entries(all).map(([path, rows]) => {
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    mkdirSync(dirname(join(from, path)), { recursive: true });
    writeFileSync(join(from, path), text);
    return { path, bytes: text.length, sha256: createHash("sha256").update(text).digest("hex") };
  });
  const organization = { id: orgId, name: "Acme" };
  const facts = { format: 1, version: "1", begunAt: created_at, organization, days: [day], figures: [] };
  writeFileSync(join(from, "export.json"), JSON.stringify({ ...facts, withoutOriginal: 0, files: listed }));
  await importOrganization(from, await checkExport(from), server.ctx, () => {});
}

it("an organization that was deleted here and imported again can be deleted again", async () => {
  const orgId = randomUUID();
  const { userId: removedBy } = await server.signUp("boss@example.com");
  const removal = { orgId, name: "Acme", removedBy, removedAt: created_at, finishedAt: created_at };
  await server.rows.insertInto("organizationRemovals").values(removal).execute();
  await importing(orgId, {});
  const reading = server.rows.selectFrom("organizationRemovals").select("orgId").where("orgId", "=", orgId);
  expect(await reading.execute()).toEqual([]);
});

it("rows without an organization become those of the imported one", async () => {
  const orgId = randomUUID();
  const frame = { day, frame_id: "7", function: "main", package: "", file: "", line: "1", start_line: "1" };
  await importing(orgId, { [`columns/${day}/frames.jsonl`]: [frame] });
  expect(await daysOf(server.ctx.columns.direct, orgId)).toEqual([day]);
});

it("an export cannot make the demo, a hidden organization, or one that stops the removal of old data", async () => {
  const orgId = randomUUID();
  const row = { id: demoOrgId, name: "Acme", is_demo: 1, suspended_at: created_at, created_at };
  await importing(orgId, { "rows/organizations.jsonl": [row] });
  const found = server.rows
    .selectFrom("organizations")
    .select(["isDemo", "suspendedAt"])
    .where("id", "=", orgId);
  expect(await found.execute()).toEqual([{ isDemo: 0, suspendedAt: null }]);
  for (const retention_days of ["many", 0, -1, 1.5])
    await expect(
      importing(randomUUID(), { "rows/organizations.jsonl": [{ ...row, retention_days }] }),
    ).rejects.toThrow("rows/organizations.jsonl has a line that is no row of an export");
  await expect(importing(demoOrgId, {})).rejects.toThrow("is the demo, which each server makes");
});

it("an account of an export has the key of its own address, so that nobody else's address leads to it", async () => {
  const person = {
    id: randomUUID(),
    email: "Mallory@example.com",
    email_key: "victim@example.com",
    first_name: "Mallory",
    last_name: "M",
    is_verified: 1,
    role: "admin",
    joined_at: created_at,
  };
  await importing(randomUUID(), { "rows/people.jsonl": [person] });
  const found = server.rows.selectFrom("users").select("emailKey").where("id", "=", person.id);
  expect(await found.execute()).toEqual([{ emailKey: "mallory@example.com" }]);
});

it("of an upload that is listed under several types, the listing with the bytes is moved first", async () => {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const sampleTypes = [
    "alloc-space/bytes",
    "alloc-samples/count",
    "wall-time/nanoseconds",
    "wall-samples/count",
  ];
  const profile = profileOf("main main\n4096,4,0,0 0,0,90,9", { sampleTypes, durationNs: 10_000_000_000n });
  await server.send(profile, { headers, query: { started_at: `${day}T12:00:00Z` } });
  const refs = await profilesOf(server.ctx.columns, person.orgId, day);
  const read = await Promise.all(refs.map((ref) => readOriginal(server.ctx.payloads, person.orgId, ref)));
  expect(read.map(({ type, sent }) => [type, sent !== undefined])).toEqual([
    ["memory", true],
    ["custom", false],
  ]);
});
