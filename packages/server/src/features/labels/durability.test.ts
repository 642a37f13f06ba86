import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { labelled } from "#testing/labelled-profile.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const at = "2026-11-20T12:30:30.000Z";
const copies = mkdtempSync(join(tmpdir(), "flamekeep-labels-"));
let server: TestApp;
let person: Person;
let keyHeaders: Record<string, string>;

beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true, at });
  person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
});
afterAll(async () => {
  await server.close();
  rmSync(copies, { recursive: true });
});

/** A profile of each minute from 10:00 on, with 10 ms of /cart, 20 ms of /checkout and 40 ms without a label. */
function send(minute: number) {
  const startedAt = new Date(Date.parse("2026-11-20T10:00:00Z") + minute * 60_000).toISOString();
  return server.send(labelled([{ handler: "/cart" }, { handler: "/checkout" }, {}]), {
    headers: keyHeaders,
    query: { service: "shop", type: "cpu", started_at: startedAt },
  });
}

async function handlers(of: TestApp) {
  const range = "from=2026-11-20T10:00:00Z&to=2026-11-20T12:00:00Z";
  const get = async (path: string, filter = "") => {
    const url = `/api/v1/protected/${path}/service/shop/cpu?${range}${filter}`;
    const reply = await of.app.inject({ url, headers: person.headers });
    expect([path, reply.statusCode]).toEqual([path, 200]);
    return reply.json();
  };
  const { profiles_merged, total, keys } = await get("labels");
  const cart = await get("flamegraph", "&labels=handler:/cart");
  return { profiles_merged, total, cart: cart.total_samples, values: keys[0].values };
}

const ofProfiles = (count: number) => ({
  profiles_merged: count,
  total: 70 * count,
  cart: 10 * count,
  values: [
    { value: "/checkout", total: 20 * count },
    { value: "/cart", total: 10 * count },
  ],
});

async function killEngine(restarts: number): Promise<void> {
  const { columns } = server.ctx;
  process.kill(columns.health().enginePid!, "SIGKILL");
  await expect.poll(() => columns.health().restarts, { timeout: 60_000 }).toBe(restarts);
  await expect.poll(() => columns.isReady(), { timeout: 60_000 }).toBe(true);
}

test("labels are whole after the engine is killed while profiles are stored, and while their hour is rolled up", async () => {
  const { maintenance } = server.ctx.columns;
  const sending = Array.from({ length: 30 }, (_, minute) => send(2 * minute));
  await sending[0];
  await killEngine(1);
  await Promise.all(sending);
  await maintenance.recount(maintenance.doubtfulHours());
  expect(await handlers(server)).toEqual(ofProfiles(30));

  const rollingUp = Promise.allSettled([maintenance.rollUp(server.ctx.now())]);
  await killEngine(2);
  await rollingUp;
  expect(await handlers(server)).toEqual(ofProfiles(30));
  await maintenance.rollUp(server.ctx.now());
  expect(await handlers(server)).toEqual(ofProfiles(30));
});

test("a copy of the folder has the labels and their roll-up", async () => {
  await send(1);
  await server.ctx.columns.maintenance.rollUp(server.ctx.now());
  const expected = await handlers(server);
  expect(expected).toEqual(ofProfiles(31));
  const folder = join(copies, "copy");
  cpSync(server.ctx.config.dataDir, folder, { recursive: true });
  const copy = await startApp({ hasSeparateColumns: true, at, env: { DATA_DIR: folder } });
  expect(await copy.ctx.columns.quarantined()).toEqual([]);
  expect(await copy.ctx.columns.maintenance.rollUp(copy.ctx.now())).toBe(0);
  expect(await handlers(copy)).toEqual(expected);
  await copy.close();
});
