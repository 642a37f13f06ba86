import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeHttpMetrics } from "#ingest/endpoints/http-metrics.ts";
import { separateCommitter, smallScope } from "#ingest/testing/commit-items.ts";
import { storedCounts } from "#ingest/testing/stored.ts";
import { RowBinaryWriter } from "#store/column/client/row-binary.ts";
import type { ColumnStore, InsertBatch } from "#store/column/column-store.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import type { Committer } from "./committer.ts";

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
});
afterAll(() => server.close());

/** A separate committer over the server's stores; `refuses` selects the inserts that are refused for good. */
function committer(refuses: (batch: InsertBatch) => boolean = () => false, dedupNamespace = "0"): Committer {
  const { columns } = server.ctx;
  const insert: ColumnStore["insert"] = (batch) =>
    refuses(batch) ? Promise.reject(new Error("Refused for good.")) : columns.insert(batch);
  return separateCommitter(server.ctx, {
    store: { ...columns, insert },
    dedupNamespace: async () => dedupNamespace,
  });
}

const noon = "2026-11-20T11:59:00.120Z";

/** Commits the same requests each time it is called, one at each of the times. */
function sameRequests(
  orgId: string,
  path: string,
  times = [noon, noon],
): (to: Committer, definitionsGeneration?: number) => Promise<string> {
  const items = times.map((timestamp) => ({
    timestamp,
    duration: 0.1,
    status_code: 200,
    method: "GET",
    path,
    request_id: "r",
  }));
  const scope = smallScope(orgId, server.ctx.now().getTime());
  return (to, definitionsGeneration = 0) => {
    const encoded = encodeHttpMetrics("m", Buffer.from(JSON.stringify(items)), scope);
    if (!encoded.ok) throw new Error(encoded.refusal.message);
    const { requestTimes, ...item } = encoded.value;
    return to.commit({ ...item, requestTimes: requestTimes!, definitionsGeneration });
  };
}

/** Each row begins with its organization; that bytes of a row are the same by chance is out of the question. */
function rowsOf(orgId: string, { rows }: InsertBatch): number {
  const writer = new RowBinaryWriter(16);
  writer.uuid(orgId);
  return rows.toString("latin1").split(writer.finish().toString("latin1")).length - 1;
}

const counted = (requests: number) => ({
  requests,
  rolledUpRequests: requests,
  rolledUpByService: requests,
});

test("requests count once when the batch of their profiles is refused and halved", async () => {
  const { orgId } = await server.signUp();
  const to = committer((batch) => batch.table === "profiles" && rowsOf(orgId, batch) > 1);
  const outcomes = ["/a", "/b", "/c"].map((path) => sameRequests(orgId, path)(to));
  expect(await Promise.all(outcomes)).toEqual(["stored", "stored", "stored"]);
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 3, ...counted(6) });
});

test("requests count once when they come again in another batch, after their profile was refused", async () => {
  const { orgId } = await server.signUp();
  const again = sameRequests(orgId, "/again");
  await expect(again(committer(({ table }) => table === "profiles"))).rejects.toThrow("Refused for good.");
  // After a start, or on another server: of what was refused nothing is remembered.
  const to = committer(undefined, "1");
  const outcomes = [sameRequests(orgId, "/other")(to), again(to)];
  expect(await Promise.all(outcomes)).toEqual(["stored", "stored"]);
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 2, ...counted(4) });
});

test("requests of two days count once when those of one day were stored", async () => {
  const { orgId } = await server.signUp();
  const days = sameRequests(orgId, "/days", ["2026-11-18T23:59:59.999Z", "2026-11-19T00:00:00.000Z", noon]);
  await expect(days(committer(({ table }) => table === "profiles"))).rejects.toThrow("Refused for good.");
  await server.ctx.columns.maintenance.removeDays(orgId, "2026-11-19");
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ requests: 2 });
  expect(await days(committer(undefined, "1"))).toBe("stored");
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 1, ...counted(3) });
});

test("requests whose tokens remain although their rows were lost are stored after a refusal", async () => {
  const { orgId } = await server.signUp();
  let isRefusing = false;
  const to = committer(() => isRefusing);
  const again = sameRequests(orgId, "/again");
  expect(await again(to)).toBe("stored");
  // Removes the rows but not their tokens, as a kill of the engine between the two does.
  await server.ctx.columns.maintenance.removeService({ orgId, service: "m" });
  isRefusing = true;
  await expect(sameRequests(orgId, "/refused")(to)).rejects.toThrow("Refused for good.");
  isRefusing = false;
  expect(await again(to, to.generationOf(orgId))).toBe("stored");
  expect(await storedCounts(server.ctx, orgId)).toMatchObject({ profiles: 1, ...counted(2) });
});
