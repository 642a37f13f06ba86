import { open } from "node:fs/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedCounts, storedFolded } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true });
});
afterAll(() => server.close());

const profile = (value: number) =>
  pprofOf({
    sampleTypes: ["samples/count", "cpu/nanoseconds"],
    samples: [[`main;handle${value}`, 1, value]],
    timeNs: BigInt(Date.now()) * 1_000_000n,
    durationNs: 1n,
  });

test("an engine killed under load loses nothing, doubles nothing, and no upload fails", async () => {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  let next = 0;
  let isKilling = true;
  const answers: { status: number; duplicate: boolean }[] = [];
  const sender = async () => {
    // Acknowledgements do not wait for the engine, so that 400 may be over before the second kill.
    while (next < 400 || isKilling) {
      const reply = await server.trySend(profile(next++), { headers });
      answers.push({ status: reply.statusCode, duplicate: reply.json().duplicate });
    }
  };
  const senders = Array.from({ length: 20 }, sender);
  for (let round = 1; round <= 2; round++) {
    const answered = answers.length;
    await expect.poll(() => answers.length, { interval: 5, timeout: 60_000 }).toBeGreaterThan(answered);
    process.kill(server.ctx.columns.health().enginePid!, "SIGKILL");
    await expect.poll(() => server.ctx.columns.health().restarts, { timeout: 60_000 }).toBe(round);
    await expect.poll(() => server.ctx.columns.isReady(), { timeout: 60_000 }).toBe(true);
  }
  isKilling = false;
  await Promise.all(senders);
  // A batch that was on disk when the engine died counts as stored when it is written again.
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  // As the job that counts doubtful hours does, again and again: the batch of the last kill may be written meanwhile.
  const counted = async () => {
    const { maintenance } = server.ctx.columns;
    await maintenance.recount(maintenance.doubtfulHours());
    return storedCounts(server.ctx, person.orgId);
  };
  const all = { profiles: next, payloads: next, rolledUp: next };
  await expect.poll(counted, { timeout: 60_000 }).toMatchObject(all);
  const folded = await storedFolded(server.ctx.columns, person.orgId, "samples/count");
  expect(folded.filter((line) => /^main;handle\d+ 1$/.test(line)).length).toBe(next);
});

test("with a disk whose syncs take long, uploads share syncs and are stored, and reads do not wait for them", async () => {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  expect((await server.trySend(profile(1), { headers })).statusCode).toBe(200);
  await server.ctx.columns.awaitedRows.settled(undefined);
  await using file = await open(process.execPath);
  const prototype = Object.getPrototypeOf(file) as { datasync(): Promise<void> };
  const sync = prototype.datasync;
  const disk = Promise.withResolvers<void>();
  const slow = vi.spyOn(prototype, "datasync").mockImplementation(async function (this: unknown) {
    await disk.promise;
    await sync.call(this);
  });
  try {
    let answered = 0;
    const sending = Array.from({ length: 30 }, async (_, index) => {
      const { statusCode } = await server.trySend(profile(index + 2), { headers });
      answered++;
      return statusCode;
    });
    await vi.waitFor(() => expect(slow).toHaveBeenCalled(), 30_000);
    for (const path of ["services?since=1h", "profiles?since=1h", "summary"]) {
      const url = `/api/v1/protected/${path}`;
      expect((await server.app.inject({ url, headers: person.headers })).statusCode).toBe(200);
    }
    expect(answered).toBe(0);
    disk.resolve();
    expect(await Promise.all(sending)).toEqual(Array(30).fill(200));
    expect(slow.mock.calls.length).toBeLessThanOrEqual(10);
  } finally {
    disk.resolve();
    slow.mockRestore();
  }
  expect(await storedCounts(server.ctx, person.orgId)).toMatchObject({ profiles: 31, payloads: 31 });
});

test("closing the server stores all accepted uploads", async () => {
  const closing = await startApp({ hasSeparateColumns: true });
  const person = await closing.signUp();
  const { headers } = await closing.makeKey(person);
  const address = await closing.app.listen({ port: 0, host: "127.0.0.1" });
  const sending = Promise.allSettled(
    Array.from({ length: 10 }, async (_, i) => {
      const url = `${address}/api/v1/ingest/profiles?service=s`;
      return (await fetch(url, { method: "POST", headers, body: new Uint8Array(profile(i)) })).status;
    }),
  );
  await expect.poll(() => closing.ctx.metrics.toText()).toMatch(/flamekeep_ingest_received_bytes_total \d/);
  await closing.app.close();
  // A connection that had not yet been looked at is reset: its profile was not accepted.
  const taken = (await sending).filter(
    (outcome) => outcome.status === "fulfilled" && outcome.value === 200,
  ).length;
  expect(taken).toBeGreaterThan(0);
  expect((await storedCounts(closing.ctx, person.orgId)).profiles).toBe(taken);
  await closing.close();
});
