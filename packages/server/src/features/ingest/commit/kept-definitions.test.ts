import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { uploadEndpoints } from "#ingest/endpoints/table.ts";
import { SentDefinitions } from "#ingest/rows/definitions.ts";
import { encodedItem, separateCommitter, smallScope } from "#ingest/testing/commit-items.ts";
import { type Picture, pprofOf } from "#ingest/testing/pprof-of.ts";
import { pushMessage } from "#ingest/testing/push-request.ts";
import { storedFolded } from "#ingest/testing/stored.ts";
import type { ColumnStore, InsertBatch } from "#store/column/column-store.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true, at: "2026-11-20T23:59:00.000Z" });
});
afterAll(() => server.close());

const cpu = (...samples: Picture["samples"]): Picture => ({
  sampleTypes: ["samples/count", "cpu/nanoseconds"],
  samples,
  durationNs: 1n,
});
const foldedOf = (orgId: string) => storedFolded(server.ctx.columns, orgId, "samples/count");

/** Hands one batch of these profiles to a store that refuses some inserts; resolves with how each of them ended. */
async function commitTogether(
  orgId: string,
  pictures: readonly Picture[],
  refuses: (batch: InsertBatch, firstId: string) => boolean,
): Promise<unknown[]> {
  const { columns } = server.ctx;
  const nowMs = server.ctx.now().getTime();
  const sent = new SentDefinitions();
  const items = pictures.map((picture) => encodedItem(picture, { orgId, nowMs, sent }).item);
  const insert: ColumnStore["insert"] = (batch) =>
    refuses(batch, items[0]!.profileId)
      ? Promise.reject(new Error("Refused for good."))
      : columns.insert(batch);
  const to = separateCommitter(server.ctx, { store: { ...columns, insert } });
  const outcomes = await Promise.allSettled(items.map((item) => to.commit(item)));
  return outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : outcome.reason.message));
}

const refusedOne = cpu(["main;shared", 1, 10], ["main;own", 1, 10]);
const laterOne = cpu(["main;shared", 2, 20]);

test("stacks of a refused upload are stored for those in its batch that refer to them", async () => {
  const { orgId } = await server.signUp();
  let stacks = 0;
  const outcomes = await commitTogether(orgId, [refusedOne, laterOne], ({ table, rows }, refusedId) => {
    if (table === "stacks") return ++stacks <= 2;
    return table === "profiles" && rows.includes(refusedId);
  });
  expect(outcomes).toEqual(["Refused for good.", "stored"]);
  expect(stacks).toBe(3);
  expect(await foldedOf(orgId)).toEqual(["main;shared 2"]);
});

test("uploads that refer to stacks that could not be stored are encoded again from the log", async () => {
  const { columns } = server.ctx;
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  let refusals = 0;
  const insert: ColumnStore["insert"] = (batch) =>
    // The batch, its first half, and the stacks of the first half alone.
    batch.table === "stacks" && refusals++ < 3
      ? Promise.reject(new Error("Refused for good."))
      : columns.insert(batch);
  const app = await server.createApp({ columns: { ...columns, insert } });
  const send = async (picture: Picture) =>
    (await server.trySend(pprofOf(picture), { app, headers })).statusCode;
  expect([await send(refusedOne), await send(laterOne)]).toEqual([200, 200]);
  expect(await foldedOf(person.orgId)).toEqual(["main;shared 2"]);
  expect(server.logged.join("\n")).toContain("refuses an acknowledged upload");
  await app.close();
});

test("snapshots that cannot be compared while the store is away are compared later, and keep their stacks", async () => {
  const { columns } = server.ctx;
  let isAway = true;
  const query: ColumnStore["query"] = (definition, params) =>
    isAway && definition.name === "ingest.latest_of_processes"
      ? Promise.reject(new StoreUnavailable("The engine is restarting."))
      : columns.direct.query(definition, params);
  const app = await server.createApp({ columns: { ...columns, direct: { ...columns.direct, query } } });
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const heap = (value: number): Picture => ({
    sampleTypes: ["alloc_space/bytes", "inuse_space/bytes"],
    samples: [["main;kept", 100 * value, value]],
  });
  const send = async (value: number) => {
    const profile = pprofOf({
      ...heap(value),
      timeNs: BigInt(server.ctx.now().getTime() + value) * 1_000_000n,
    });
    return (await server.trySend(profile, { app, headers })).statusCode;
  };
  const statuses: number[] = [];
  for (const value of [1, 2, 3, 4, 5, 6, 7, 8]) statuses.push(await send(value));
  expect(statuses).toEqual(Array(8).fill(200));
  isAway = false;
  expect(await send(9)).toBe(200);
  await expect
    .poll(() => storedFolded(columns, person.orgId, "inuse_space/bytes").catch(String), { timeout: 10_000 })
    .toEqual(["main;kept 45"]);
  // The first one has nothing to be compared with.
  expect(await storedFolded(columns, person.orgId, "alloc_space/bytes")).toEqual(["main;kept 800"]);
  await app.close();
});

test("stacks that only a repeated upload contains for its day are stored", async () => {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const send = async (picture: Picture) => (await server.send(pprofOf(picture), { headers })).duplicate;
  const untimed = cpu(["main;night", 1, 10]);
  expect(await send(untimed)).toBe(false);
  server.clock.advance(2 * 60_000);
  for (let round = 0; round < 8; round++) expect(await send(untimed)).toBe(true);
  await server.ctx.columns.maintenance.dropDays("2026-11-21");
  expect(await send(cpu(["main;night", 3, 30]))).toBe(false);
  expect(await foldedOf(person.orgId)).toEqual(["main;night 3"]);
});

describe("after a push that is refused in its second series", () => {
  const scope = {
    ...smallScope("0198f0a0-0000-7000-8000-000000000000", Date.UTC(2026, 10, 20, 12)),
    profilesMax: 5,
  };
  const push = (sent: SentDefinitions, ...services: string[]) =>
    sent.duringRequest(() => {
      const series = services.map((name) => ({
        labels: { service_name: name },
        profiles: [pprofOf(cpu(["main;work", 1, 10]))],
      }));
      const body = Uint8Array.from(pushMessage(series));
      return uploadEndpoints.push.encode({ query: {}, contentType: "application/proto", body, scope }, sent);
    });
  const stacksOf = (outcome: ReturnType<typeof push>) => {
    if (!outcome.ok) throw new Error(outcome.refusal.message);
    return outcome.value.map(({ rows }) => rows.stacks !== undefined);
  };

  test("the next profile brings the stacks of the first series again", () => {
    const sent = new SentDefinitions();
    expect(push(sent, "checkout", "§").ok).toBe(false);
    expect(stacksOf(push(sent, "checkout"))).toEqual([true]);
    expect(stacksOf(push(sent, "checkout"))).toEqual([false]);
  });

  test("nothing is forgotten if the refused push brought nothing new", () => {
    const sent = new SentDefinitions();
    push(sent, "checkout");
    expect(push(sent, "checkout", "§").ok).toBe(false);
    expect(stacksOf(push(sent, "checkout"))).toEqual([false]);
  });

  test("an error while encoding forgets the definitions of the request too", () => {
    const sent = new SentDefinitions();
    expect(() =>
      sent.duringRequest(() => {
        push(sent, "checkout");
        throw new Error("Out of memory.");
      }),
    ).toThrow("Out of memory.");
    expect(stacksOf(push(sent, "checkout"))).toEqual([true]);
  });
});
