import { gunzipSync, gzipSync } from "node:zlib";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
let person: Person;
let keyHeaders: Record<string, string>;

beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:30.000Z" });
  person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
});
afterAll(() => server.close());

const cpu = ["samples/count", "cpu/nanoseconds"];
const contention = ["contentions/count", "delay/nanoseconds"];

async function send(type: string, service: string, minute: number, sampleTypes: string[]): Promise<string> {
  const picture = `main\nwork\n${sampleTypes.map(() => 7).join()}`;
  const query = { service, type, started_at: `2026-11-20T11:${minute}:00.000Z` };
  const profile = gzipSync(writeProfile(profileOf(picture, { sampleTypes })));
  return (await server.send(profile, { headers: keyHeaders, query })).profile_id;
}

async function get(path: string) {
  const { headers } = person;
  const reply = await server.app.inject({ method: "GET", url: `/api/v1/protected/${path}`, headers });
  return { status: reply.statusCode, bytes: reply.rawPayload, json: () => reply.json() };
}

/** Ways in which a disk can damage stored bytes. */
const damages = [
  ["a broken stream", "does not inflate", (bytes: Uint8Array) => Buffer.from(bytes).fill(0x55, 12, 40)],
  ["half of it", "does not inflate", (bytes: Uint8Array) => bytes.slice(0, bytes.length / 2)],
  ["another content", "cannot be decoded", () => gzipSync("no profile at all")],
  ["nothing", "not stored", () => undefined],
] as const;

async function replace(id: string, damage: (bytes: Uint8Array) => Uint8Array | undefined): Promise<void> {
  const { payloads } = server.ctx;
  const stored = await payloads.read(person.orgId, id);
  // Gone already: the call before removed it.
  if (stored === undefined) return;
  const bytes = damage(stored.bytes);
  await payloads.remove(person.orgId, [id]);
  if (bytes === undefined) return;
  const { orgId } = person;
  await payloads.put([{ orgId, profileId: id, type: stored.type!, bytes: Uint8Array.from(bytes) }]);
}

const sentence =
  "The original bytes of this profile are damaged or missing, so it cannot be opened. Lists, timelines and the flame graph of its service still include it.";

describe.each(damages)("a stored profile that the disk changed to %s", (_, reason, damage) => {
  it.each([
    ["cpu", cpu, (id: string) => `profile/${id}/stats`],
    ["cpu", cpu, (id: string) => `flamegraph/${id}`],
    ["goroutine", ["goroutine/count"], (id: string) => `goroutines/chart/${id}`],
    ["mutex", contention, (id: string) => `mutex/chart/${id}`],
    ["custom", ["carts/count"], (id: string) => `custom/chart/${id}`],
  ])("of type %s answers a sentence, and the log has the cause: %#", async (type, sampleTypes, pathOf) => {
    const id = await send(type, `${type}-${reason.length}`, 10, sampleTypes);
    await replace(id, damage);
    const { status, json } = await get(pathOf(id));
    expect([status, json()]).toEqual([
      500,
      { error: sentence, code: "damaged", request_id: expect.stringMatching(/^[0-9a-f]{16}$/) },
    ]);
    const line = server.logged
      .map((text) => JSON.parse(text))
      .find(({ reqId }) => reqId === json().request_id);
    expect(line).toMatchObject({ level: expect.any(Number), msg: sentence });
    expect(line.level).toBeGreaterThanOrEqual(40);
    expect(line.err.message).toMatch(`Profile ${id}: `);
    expect(line.err.message).toContain(reason);
  });
});

describe("next to a damaged profile", () => {
  const [, , broken] = damages[0];

  it("the other profiles are shown, and the damaged bytes can be downloaded", async () => {
    const id = await send("cpu", "whole", 20, cpu);
    const other = await send("cpu", "whole", 21, cpu);
    await replace(id, broken);
    expect((await get(`profile/${id}`)).json()).toMatchObject({ profile_id: id, service: "whole" });
    expect((await get(`profile/${other}/stats`)).status).toBe(200);
    const merged = await get("flamegraph/service/whole/cpu?since=1h");
    expect(merged.status).toBe(200);
    expect(merged.json().total_samples).toBe(14);
    const download = await get(`profile/${id}/download`);
    expect(download.status).toBe(200);
    expect(() => gunzipSync(download.bytes)).toThrow();
  });

  it("goroutines are shown without their growth, and the log says why", async () => {
    const before = await send("goroutine", "growing", 30, ["goroutine/count"]);
    const id = await send("goroutine", "growing", 31, ["goroutine/count"]);
    expect((await get(`goroutines/chart/${id}`)).json().previous).toMatchObject({ total: 7 });
    for (const [, reason, damage] of [damages[0], damages[3]]) {
      if (reason === "does not inflate") await replace(before, damage);
      else await server.ctx.payloads.remove(person.orgId, [before]);
      const { status, json } = await get(`goroutines/chart/${id}`);
      expect([status, json().previous, json().groups[0].growth]).toEqual([200, null, null]);
      expect(server.logged.some((text) => text.includes(before) && text.includes(reason))).toBe(true);
    }
  });

  it("labels of custom values are those of the profiles that can be read", async () => {
    const ids: string[] = [];
    for (const minute of [40, 41, 42]) ids.push(await send("custom", "carts", minute, ["carts/count"]));
    await replace(ids[0]!, broken);
    await server.ctx.payloads.remove(person.orgId, [ids[1]!]);
    const { status, json } = await get("custom/service/carts");
    expect([status, json().profiles_merged, json().labels_profiles]).toEqual([200, 3, 1]);
    for (const id of ids.slice(0, 2)) expect(server.logged.some((text) => text.includes(id))).toBe(true);
  });
});
