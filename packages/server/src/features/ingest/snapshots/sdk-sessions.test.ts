import { afterAll, beforeAll, expect, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedProfiles } from "#ingest/testing/stored.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { SdkSessions } from "./sdk-sessions.ts";

const start = Date.UTC(2026, 10, 20, 11) / 1000;
const heapTypes = ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"];
const [oneVdso, otherVdso] = [0x7f0000001000, 0x7f0000002000];

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
});
afterAll(() => server.close());

interface Sent {
  readonly bytes: number;
  readonly at: number;
  readonly session: string;
  readonly vdso?: number;
  readonly app?: TestApp["app"];
}

async function sender() {
  const person = await server.signUp();
  const { headers } = await server.makeKey(person);
  /** Fifteen seconds of an SDK that subtracts. */
  const send = async ({ bytes, at, session, vdso = oneVdso, app = server.app }: Sent) => {
    const reply = await app.inject({
      method: "POST",
      url: "/ingest",
      query: {
        name: `s{__session_id__=${session},region=eu}`,
        format: "pprof",
        from: String(start + at),
        until: String(start + at + 15),
      },
      payload: pprofOf({ sampleTypes: heapTypes, samples: [["main;a", 1, bytes, 2, 77]], vdso }),
      headers,
    });
    expect(reply.statusCode).toBe(200);
  };
  const added = async () =>
    (await storedProfiles(server.ctx.columns, person.orgId)).map(({ deltas_totals, values }) => {
      expect(values.map((column) => column.reduce((sum, value) => sum + value, 0n))).toEqual(deltas_totals);
      return deltas_totals.map(Number);
    });
  return { send, added };
}

test("a new session in the same process does not repeat the counts of the earlier session", async () => {
  const { send, added } = await sender();
  await send({ bytes: 500, at: 0, session: "1" });
  await send({ bytes: 20, at: 15, session: "1" });
  await send({ bytes: 530, at: 30, session: "2" });
  await send({ bytes: 30, at: 45, session: "2" });
  // The last one of the session before may arrive late.
  await send({ bytes: 5, at: 29, session: "1" });
  expect(await added()).toEqual([
    [1, 500, 2, 77],
    [1, 20, 2, 77],
    [1, 5, 2, 77],
    [0, 0, 2, 77],
    [1, 30, 2, 77],
  ]);
});

test("a new process counts from its start", async () => {
  const { send, added } = await sender();
  await send({ bytes: 500, at: 0, session: "1" });
  await send({ bytes: 100, at: 15, session: "2", vdso: otherVdso });
  expect((await added()).map(([, bytes]) => bytes)).toEqual([500, 100]);
});

test("a restart of the server does not forget the sessions", async () => {
  const { send, added } = await sender();
  await send({ bytes: 500, at: 0, session: "1" });
  for (const [i, session] of ["1", "2", "2"].entries()) {
    const app = await server.createApp();
    await send({ bytes: 600 + i, at: 15 * (i + 1), session, app });
    await app.close();
  }
  expect((await added()).map(([, bytes]) => bytes)).toEqual([500, 600, 0, 602]);
});

test.each(["s150", "s75"])(
  "a restart of the server does not forget session %s of a process that had 150",
  async (session) => {
    const { send, added } = await sender();
    await send({ bytes: 500, at: 0, session: "s1" });
    const later = Array.from({ length: 149 }, (_, i) => i + 2);
    await Promise.all(later.map((i) => send({ bytes: 500 + i, at: i, session: `s${i}` })));
    const app = await server.createApp();
    await send({ bytes: 30, at: 200, session, app });
    await send({ bytes: 700, at: 215, session: "s151", app });
    await app.close();
    const bytes = (await added()).map(([, allocated]) => allocated);
    expect(bytes).toEqual([500, ...later.map(() => 0), 30, 0]);
  },
);

test("the second upload of a session may overtake the first one", async () => {
  const { send, added } = await sender();
  await send({ bytes: 500, at: 0, session: "1" });
  await send({ bytes: 30, at: 45, session: "2" });
  await send({ bytes: 530, at: 30, session: "2" });
  await send({ bytes: 40, at: 60, session: "2" });
  expect((await added()).map(([, bytes]) => bytes)).toEqual([500, 0, 0, 40]);
});

function uploadOf(session: string) {
  const orgId = "0198f0a0-0000-7000-8000-000000000000";
  const isCounter = [true, true, false, false];
  const series = {
    orgId,
    service: "s",
    type: "memory" as const,
    sampleTypes: heapTypes,
    isCounter,
    tags: new Map(),
  };
  return { series, identity: "process", session };
}

test("the first and the latest sessions of a process are remembered, however many it has", async () => {
  const remembered = new Map<string, number>();
  const sessions = new SdkSessions(async () => remembered);
  const repeats = (session: string, at: number) => sessions.repeatsEarlier(uploadOf(session), at);
  for (let i = 0; i < 1000; i++) expect(await repeats(`s${i}`, 1000 + i)).toBe(i > 0);
  expect(remembered.size).toBeLessThan(100);
  expect(await repeats("s0", 3000)).toBe(false);
  expect(await repeats("s999", 3000)).toBe(false);
  expect(await repeats("s1000", 3000)).toBe(true);
});

test("a session that is not among the latest of its process is looked up", async () => {
  const stored = new Map<string, number>();
  const sessions = new SdkSessions(async ({ session }) => {
    const firstAt = stored.get(session);
    return new Map(firstAt === undefined ? [] : [[session, firstAt]]);
  });
  const count = 200;
  for (let i = 0; i < count; i++) {
    await sessions.repeatsEarlier(uploadOf(`s${i}`), 1000 + i);
    stored.set(`s${i}`, 1000 + i);
  }
  for (let i = 0; i < count; i++) {
    expect([i, await sessions.repeatsEarlier(uploadOf(`s${i}`), 3000 + i)]).toEqual([i, false]);
  }
});
