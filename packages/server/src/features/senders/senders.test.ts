import type { Sender } from "@flamekeep/contract";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";

const url = "/api/v1/protected/senders";
let server: TestApp;
let person: Person;
let key: TestKey;

/** The session ended while the clock moved. */
async function signedInAgain(): Promise<Person> {
  const { email, password } = person;
  const reply = await server.app.inject({ method: "POST", url: "/auth/login", payload: { email, password } });
  return { ...person, headers: { authorization: `Bearer ${reply.json().tokens.access_token}` } };
}

async function send(service: string, query: Record<string, string> = {}, type = "cpu"): Promise<void> {
  const sampleTypes = [type === "cpu" ? "cpu/nanoseconds" : "inuse_space/bytes"];
  const at = server.clock.now();
  const profile = profileOf(`main\n${at.getTime() % 1e9}`, { sampleTypes, durationNs: 10_000_000_000n });
  const started = new Date(at.getTime() - 10_000).toISOString();
  await server.send(profile, {
    headers: key.headers,
    query: { service, type, started_at: started, ...query },
  });
}

/** `checkout` sends CPU and memory for 80 minutes; CPU stops first. `search` stops as a whole, `cart` goes on. `tool` sends twice. */
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T10:00:00.000Z" });
  person = await server.signUp();
  key = await server.makeKey(person, "production");
  await send("tool");
  const tags = Object.fromEntries(Array.from({ length: 34 }, (_, index) => [`tag.k${index}`, "v"]));
  for (let minute = 0; minute <= 120; minute += 4) {
    if (minute <= 80) {
      await send("checkout", { "tag.instance": "a" });
      await send("search");
    }
    await send("checkout", { "tag.instance": "b" }, "memory");
    await send("cart", tags);
    if (minute < 120) server.clock.advance(4 * minuteMs);
  }
  person = await signedInAgain();
  await server.trySend(new Uint8Array([1, 2, 3]), { headers: key.headers, query: { service: "broken" } });
});
afterAll(() => server.close());

async function list(query: Record<string, string> = {}, as = person) {
  const reply = await server.app.inject({ method: "GET", url, query, headers: as.headers });
  return { status: reply.statusCode, body: reply.json() };
}

const named = (senders: readonly Sender[], service: string) =>
  senders.find((sender) => sender.service === service)!;

describe("senders", () => {
  it("are listed with silent services first, then services that stopped sending a type", async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body.senders.map(({ service, state }: Sender) => [service, state])).toEqual([
      ["search", "silent"],
      ["checkout", "stopped_types"],
      ["cart", "sending"],
      ["tool", "irregular"],
    ]);
    expect(body).toMatchObject({ total: 4, silent: 1, stopped_types: 1, next_cursor: null });
    expect(named(body.senders, "search").since).toBe("2026-11-20T11:20:00.000Z");
    expect(named(body.senders, "checkout").types).toMatchObject([
      { type: "cpu", state: "silent" },
      { type: "memory", state: "sending" },
    ]);
  });

  it("have an interval, instances, the key, dropped tags and a strip with gaps", async () => {
    const { body } = await list();
    expect(named(body.senders, "checkout")).toMatchObject({ instances: 2, interval_seconds: 240 });
    expect(named(body.senders, "cart")).toMatchObject({
      instances: 0,
      key_ids: [key.id],
      clock_error_seconds: 0,
      dropped_tags: { count: 2, names: ["k8", "k9"] },
    });
    const { received } = named(body.senders, "search");
    expect(received).toHaveLength(48);
    expect(received.slice(-5)).toEqual([7, 8, 5, 0, 0]);
  });

  it("are not regular where people opened files", async () => {
    const eve = await server.signUp();
    const { headers } = await server.makeKey(eve);
    const nowMs = server.clock.now().getTime();
    for (const file of ["a.pb", "b.pb", "c.pb", "d.pb"]) {
      const startedMs = nowMs - 4 * minuteMs * "abcd".indexOf(file[0]!) - minuteMs;
      const query = { service: "notes", type: "cpu", started_at: new Date(startedMs).toISOString() };
      const profile = profileOf(`main\n${startedMs % 1e9}`, { sampleTypes: ["cpu/nanoseconds"] });
      await server.send(profile, { headers, query: { ...query, "tag.file": file } });
    }
    const { senders } = (await list({}, eve)).body;
    expect(senders).toMatchObject([{ service: "notes", interval_seconds: null }]);
  });

  it("have the rejected requests of their key, with the reason", async () => {
    const { body } = await list();
    expect(body.rejected_since).toBe("2026-11-19");
    expect(body.keys).toMatchObject([
      { id: key.id, name: "production", is_active: true, rejected: 1, rejections: [{ count: 1 }] },
    ]);
    expect(body.keys[0].rejections[0].last_message.length).toBeGreaterThan(10);
  });

  it("are filtered by text, service and problems, and continue after a cursor", async () => {
    const names = async (query: Record<string, string>) =>
      (await list(query)).body.senders.map(({ service }: Sender) => service);
    expect(await names({ q: "C" })).toEqual(["search", "checkout", "cart"]);
    expect(await names({ q: "OUT check" })).toEqual(["checkout"]);
    expect(await names({ service: "cart" })).toEqual(["cart"]);
    expect(await names({ problems: "true" })).toEqual(["search", "checkout"]);
    const first = (await list({ limit: "3" })).body;
    expect(first.next_cursor).not.toBeNull();
    expect(await names({ limit: "3", cursor: first.next_cursor })).toEqual(["tool"]);
    expect((await list({ cursor: "x" })).status).toBe(400);
  });

  it("have instances, those that sent last first", async () => {
    const reply = await server.app.inject({ url: `${url}/checkout/instances`, headers: person.headers });
    expect(reply.json().instances).toMatchObject([
      { name: "b", profiles: 31, types: [{ type: "memory", interval_seconds: 240 }], key_ids: [key.id] },
      { name: "a", profiles: 21, types: [{ type: "cpu" }], last_received_at: "2026-11-20T11:20:00.000Z" },
    ]);
    const unknown = await server.app.inject({ url: `${url}/nothing/instances`, headers: person.headers });
    expect(unknown.statusCode).toBe(404);
  });

  it("belong to their organization", async () => {
    const stranger = await server.signUp();
    expect((await list({}, stranger)).body).toMatchObject({ senders: [], keys: [], total: 0, silent: 0 });
  });

  it("are not silent because the server was away", async () => {
    const restarted = await server.createApp({ startedAt: server.clock.now() });
    const reply = await restarted.inject({ url, headers: person.headers });
    expect(reply.json()).toMatchObject({ silent: 0, stopped_types: 0 });
    await restarted.close();
  });

  it("show the silence in the trends of services", async () => {
    const reply = await server.app.inject({
      url: "/api/v1/protected/services/trends",
      headers: person.headers,
    });
    const services: { name: string; silent_since: string | null }[] = reply.json().services;
    expect(services.find(({ name }) => name === "search")?.silent_since).toBe("2026-11-20T11:20:00.000Z");
    expect(services.find(({ name }) => name === "cart")?.silent_since).toBeNull();
  });

  it("change their state as time passes, as a server that reads them for the first time has it", async () => {
    // Totals of hours that are rolled up stay the same.
    server.clock.advance(12 * minuteMs);
    while ((await server.ctx.columns.maintenance.rollUp(server.clock.now())) > 0);
    for (let step = 0; step < 4; step++) {
      server.clock.advance(4 * minuteMs);
      person = await signedInAgain();
      const restarted = await server.createApp();
      const fresh = await restarted.inject({ url, headers: person.headers });
      expect((await list()).body.senders).toEqual(fresh.json().senders);
      await restarted.close();
    }
    expect(named((await list()).body.senders, "cart").state).toBe("silent");
  });

  it("send again with the next upload", async () => {
    server.clock.advance(hourMs);
    await send("search");
    person = await signedInAgain();
    expect(named((await list()).body.senders, "search").state).toBe("sending");
  });
});
