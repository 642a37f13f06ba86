import { randomBytes } from "node:crypto";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const at = "2026-11-20T12:00:00.000Z";
const api = "/api/v1/protected";
let server: TestApp;
let person: Person;
let send: (query: Record<string, string>, weight?: number) => Promise<string>;

beforeAll(async () => {
  server = await startApp({ at });
  person = await server.signUp();
  const key = await server.makeKey(person);
  send = async (query, weight = 1) =>
    (await server.send(gzipSync(cpu(weight)), { headers: key.headers, query })).profile_id;
});
afterAll(() => server.close());

function cpu(weight: number, durationNs = 10_000_000_000n): Uint8Array {
  const picture = `
    main            main
    handle          gc
    ${30 * weight},${300 * weight}   ${20 * weight},${200 * weight}`;
  return writeProfile(profileOf(picture, { sampleTypes: ["samples/count", "cpu/nanoseconds"], durationNs }));
}

/** A further entry of a profile's table of strings. */
function stringOfProfile(text: string): Buffer {
  const length = [text.length & 0x7f, (text.length >> 7) & 0x7f, text.length >> 14];
  return Buffer.concat([
    Buffer.of(0x32, length[0]! | 0x80, length[1]! | 0x80, length[2]!),
    Buffer.from(text),
  ]);
}

const timesOf = (profiles: readonly { readonly timestamp: string }[]) =>
  profiles.map(({ timestamp }) => timestamp.slice(11, 16));

async function get(path: string, query: Record<string, string> = {}, as = person) {
  const reply = await server.app.inject({ method: "GET", url: `${api}${path}`, query, headers: as.headers });
  return { status: reply.statusCode, body: reply.json(), reply };
}

describe("the list of profiles", () => {
  const ids: string[] = [];

  beforeAll(async () => {
    for (let minute = 0; minute < 5; minute++) {
      ids.unshift(
        await send({
          service: minute % 2 === 0 ? "checkout" : "search",
          started_at: `2026-11-20T11:5${minute}:00.000Z`,
          "tag.region": minute === 4 ? "EU-west" : "us",
        }),
      );
    }
  });

  it("lists the sent profiles with their totals, newest first", async () => {
    const { status, body } = await get("/profiles");
    expect(status).toBe(200);
    expect(body.profiles.map((profile: { profile_id: string }) => profile.profile_id)).toEqual(ids);
    expect(body.profiles[0]).toMatchObject({
      service: "checkout",
      type: "cpu",
      timestamp: "2026-11-20T11:54:00.000Z",
      tags: { region: "EU-west" },
      statistics: { total_samples: 50, duration_ms: 10_000 },
      sample_types: [
        { type: "samples", unit: "count", total: 50 },
        { type: "cpu", unit: "nanoseconds", total: 500 },
      ],
      stack_count: 2,
    });
    expect(body.counts_by_type).toEqual({ cpu: 5 });
    expect(body.next_cursor).toBeNull();
  });

  it("pages by cursor without losing or repeating a profile", async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < 4; page++) {
      const { body } = await get("/profiles", { limit: "2", ...(cursor === null ? {} : { cursor }) });
      seen.push(...body.profiles.map((profile: { profile_id: string }) => profile.profile_id));
      cursor = body.next_cursor;
      if (cursor === null) break;
    }
    expect(seen).toEqual(ids);
  });

  it.each([
    [{ q: "eu-WEST" }, 1],
    [{ q: "SEARCH" }, 2],
    [{ q: "region" }, 5],
    [{ q: "'; DROP TABLE profiles --" }, 0],
    [{ service: "search" }, 2],
    [{ type: "memory" }, 0],
    [{ since: "7m" }, 2],
  ])("is narrowed by %j", async (query, count) => {
    const { body } = await get("/profiles", query as Record<string, string>);
    expect(body.profiles).toHaveLength(count);
  });

  it.each([
    [{ from: "9m", to: "7m" }, ["11:52", "11:51"]],
    [{ from: "2026-11-20T11:51:00Z", to: "2026-11-20T11:53:00Z" }, ["11:52", "11:51"]],
    // The range is widened to whole minutes.
    [{ from: "2026-11-20T11:51:30Z", to: "2026-11-20T11:52:10Z" }, ["11:52", "11:51"]],
    [{ from: "8m" }, ["11:54", "11:53", "11:52"]],
    [{ since: "7m", from: "24h" }, ["11:54", "11:53"]],
    [{ from: "2026-11-20T10:00:00Z", to: "2026-11-20T11:50:00Z" }, []],
    [{ from: "2026-11-18", to: "2026-11-19" }, []],
  ])("lists and counts the profiles of the range %j", async (query, minutes) => {
    const { body } = await get("/profiles", query as Record<string, string>);
    expect(timesOf(body.profiles)).toEqual(minutes);
    expect(body.counts_by_type).toEqual(minutes.length === 0 ? {} : { cpu: minutes.length });
    const { services } = (await get("/services", { ...query, include_totals: "true" })).body;
    const totals = services.map((service: { total_profiles: number }) => service.total_profiles);
    expect(totals.reduce((sum: number, total: number) => sum + total, 0)).toBe(minutes.length);
  });

  it.each([
    [{ "tag.region": "us" }, 4],
    [{ tags: "region:EU-west" }, 1],
    [{ tags: "region:us", service: "search" }, 2],
    [{ tags: "region:eu-west" }, 0],
    [{ "tag.it's": "'; DROP TABLE profiles" }, 0],
    [{ tags: "region:us", from: "2026-11-20T11:52:00Z" }, 2],
  ])("lists and counts only profiles with the tags of %j", async (query, count) => {
    const { body } = await get("/profiles", query as Record<string, string>);
    expect(body.profiles).toHaveLength(count);
    expect(body.counts_by_type).toEqual(count === 0 ? {} : { cpu: count });
    expect(body.counts_by_display_type).toEqual(body.counts_by_type);
  });

  it("pages through the profiles with a tag", async () => {
    const query = { tags: "region:us", limit: "3" };
    const first = (await get("/profiles", query)).body;
    const second = (await get("/profiles", { ...query, cursor: first.next_cursor })).body;
    const found = [...first.profiles, ...second.profiles].map(({ profile_id }) => profile_id);
    expect([found, second.next_cursor]).toEqual([ids.slice(1), null]);
  });

  it("pages within a range that ends in the past, even from the cursor of a later one", async () => {
    const range = { from: "2026-11-20T11:50:00Z", to: "2026-11-20T11:53:00Z", limit: "2" };
    const first = (await get("/profiles", range)).body;
    expect(timesOf(first.profiles)).toEqual(["11:52", "11:51"]);
    const second = (await get("/profiles", { ...range, cursor: first.next_cursor })).body;
    expect(timesOf(second.profiles)).toEqual(["11:50"]);
    const later = (await get("/profiles", { limit: "1" })).body;
    const same = (await get("/profiles", { ...range, cursor: later.next_cursor })).body;
    expect(same.profiles).toEqual(first.profiles);
  });

  it("of one service holds that service alone, an unknown one nothing", async () => {
    const search = await get("/profiles/service/search");
    expect(search.body.profiles).toHaveLength(2);
    expect(search.body.counts_by_type).toEqual({ cpu: 2 });
    const unknown = await get("/profiles/service/nobody%27s");
    expect(unknown.status).toBe(200);
    expect(unknown.body.profiles).toEqual([]);
  });

  it("finds one profile by its id whatever its age", async () => {
    const { body } = await get("/profiles", { since: "1m", profileId: ids[4]! });
    expect(body.profiles.map((profile: { profile_id: string }) => profile.profile_id)).toEqual([ids[4]]);
    expect((await get("/profiles", { profileId: "nonsense" })).body.profiles).toEqual([]);
  });

  it.each([
    [{ cursor: "nonsense" }, "cursor"],
    [{ limit: "0" }, "limit"],
    [{ since: "yesterday" }, "since"],
    [{ from: "yesterday" }, "from"],
    [{ from: "1h", to: "2h" }, "range is empty"],
    [{ type: "gpu" }, "type"],
    [{ tags: "region" }, "tags"],
  ])("refuses %j and names the field", async (query, field) => {
    const { status, body } = await get("/profiles", query as Record<string, string>);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "invalid", error: expect.stringContaining(field) });
  });

  it("lists the services with their latest activity and totals", async () => {
    const { body } = await get("/services", { include_totals: "true" });
    expect(body.services).toEqual([
      {
        name: "checkout",
        last_activity: "2026-11-20T11:54:00.000Z",
        total_profiles: 3,
        profiles_by_type: { cpu: 3 },
        profiles_by_display_type: { cpu: 3 },
      },
      {
        name: "search",
        last_activity: "2026-11-20T11:53:00.000Z",
        total_profiles: 2,
        profiles_by_type: { cpu: 2 },
        profiles_by_display_type: { cpu: 2 },
      },
    ]);
    expect((await get("/services")).body.services[0]).not.toHaveProperty("total_profiles");
  });

  it("shows another organization nothing: no list, no page, no download", async () => {
    const stranger = await server.signUp();
    expect((await get("/profiles", {}, stranger)).body.profiles).toEqual([]);
    expect((await get("/services", {}, stranger)).body.services).toEqual([]);
    for (const path of [
      `/profile/${ids[0]}`,
      `/profile/${ids[0]}/download`,
      `/profile/${ids[0]}/stats`,
      `/profile/${ids[0]}/neighbours`,
      `/flamegraph/${ids[0]}`,
    ]) {
      const { status, body } = await get(path, {}, stranger);
      expect([path, status, body.error]).toEqual([path, 404, `Profile with ID ${ids[0]} not found`]);
    }
  });
});

it.each(["a".repeat(200), "é".repeat(200), "team/pay:1"])(
  "a service is read by its name: %s",
  async (service) => {
    await send({ service, started_at: "2026-11-20T11:40:00.000Z" });
    const { status, body } = await get(`/profiles/service/${encodeURIComponent(service)}`);
    expect([status, body.profiles?.map((profile: { service: string }) => profile.service)]).toEqual([
      200,
      [service],
    ]);
  },
);

describe("one profile", () => {
  it("is answered by its id, and its bytes come back unchanged", async () => {
    const id = await send({ service: "orders", started_at: "2026-11-20T11:30:00.000Z" }, 7);
    expect((await get(`/profile/${id}`)).body).toMatchObject({ profile_id: id, service: "orders" });
    const { reply } = await (async () => ({
      reply: await server.app.inject({
        method: "GET",
        url: `${api}/profile/${id}/download`,
        headers: person.headers,
      }),
    }))();
    expect(reply.rawPayload).toEqual(gzipSync(cpu(7)));
    expect(reply.headers["content-disposition"]).toBe(`attachment; filename="cpu-${id.slice(0, 12)}.pb.gz"`);
  });

  it.each(["gzip", "br", "zstd"])(
    "is downloaded as it was sent to a client that accepts %s",
    async (accepted) => {
      const body = gzipSync(
        Buffer.concat([cpu(11), stringOfProfile(randomBytes(96_000).toString("base64"))]),
      );
      const { profile_id: id } = await server.send(body, {
        headers: (await server.makeKey(person)).headers,
        query: { service: "orders", started_at: "2026-11-20T11:32:00.000Z" },
      });
      const reply = await server.app.inject({
        url: `${api}/profile/${id}/download`,
        headers: { ...person.headers, "accept-encoding": accepted },
      });
      expect(reply.headers["content-encoding"]).toBeUndefined();
      expect(reply.rawPayload.equals(body)).toBe(true);
    },
  );

  it("has the ending of its format where its first block is longer than what is inflated for it", async () => {
    const text = randomBytes(192_000).toString("base64");
    const body = zstdCompressSync(Buffer.concat([cpu(9), stringOfProfile(text)]));
    const { profile_id: id } = await server.send(body, {
      headers: (await server.makeKey(person)).headers,
      query: { service: "orders", started_at: "2026-11-20T11:31:00.000Z" },
    });
    const reply = await server.app.inject({ url: `${api}/profile/${id}/download`, headers: person.headers });
    expect(reply.headers["content-disposition"]).toBe(`attachment; filename="cpu-${id.slice(0, 12)}.pb.zst"`);
  });

  it("of type metrics says that it has no file", async () => {
    const { headers } = await server.makeKey(person);
    const reply = await server.app.inject({
      method: "POST",
      url: "/api/v1/ingest/http-metrics",
      query: { service: "orders" },
      payload: { timestamp: at, duration: 1, status_code: 200, method: "GET", path: "/" },
      headers,
    });
    const id = reply.json().profile_id;
    const { status, body } = await get(`/profile/${id}/download`);
    expect([status, body.code]).toEqual([404, "not_found"]);
    expect(body.error).toMatch(/is a batch of HTTP metrics without a file to download/);
  });

  it("of type metrics is left out of a list on request", async () => {
    const query = { service: "orders", limit: "1" };
    const all = (await get("/profiles", query)).body;
    expect(all.profiles.map(({ type }: { type: string }) => type)).toEqual(["metrics"]);
    const without = (await get("/profiles", { ...query, include_metrics: "false" })).body;
    expect(without.profiles.filter(({ type }: { type: string }) => type === "metrics")).toEqual([]);
    expect(without.counts_by_type).toEqual(all.counts_by_type);
  });

  it.each(["nonsense", "0".repeat(32), "'; DROP TABLE profiles", "..%2f..%2fetc"])(
    "is not found by %s",
    async (id) => {
      expect((await get(`/profile/${encodeURIComponent(id)}`)).status).toBe(404);
    },
  );
});

describe("the neighbours of a profile", () => {
  const neighboursOf = async (id: string, as = person) => {
    const { body } = await get(`/profile/${id}/neighbours`, {}, as);
    return [body.previous?.profile_id ?? null, body.next?.profile_id ?? null];
  };

  it("are those before and after it, of its own service and type", async () => {
    const service = "neighbours";
    const [first, second, third] = [
      await send({ service, started_at: "2026-11-20T10:00:00.000Z" }, 1),
      await send({ service, started_at: "2026-11-20T10:10:00.000Z" }, 2),
      await send({ service, started_at: "2026-11-20T10:20:00.000Z", "tag.region": "eu" }, 3),
    ];
    await send({ service: "other", started_at: "2026-11-20T10:05:00.000Z" }, 4);
    await send({ service, type: "custom", started_at: "2026-11-20T10:06:00.000Z" }, 5);
    expect(await neighboursOf(first)).toEqual([null, second]);
    expect(await neighboursOf(second)).toEqual([first, third]);
    expect(await neighboursOf(third)).toEqual([second, null]);
  });

  it("of profiles of the same moment are in the order of their ids, each once", async () => {
    const query = { service: "twins", started_at: "2026-11-20T10:00:00.000Z" };
    const ids = [await send(query, 1), await send(query, 2), await send(query, 3)].sort();
    expect(await neighboursOf(ids[0]!)).toEqual([null, ids[1]]);
    expect(await neighboursOf(ids[1]!)).toEqual([ids[0], ids[2]]);
    expect(await neighboursOf(ids[2]!)).toEqual([ids[1], null]);
  });
});

describe("the order of a list", () => {
  const range = { from: "2026-11-20T08:00:00Z", to: "2026-11-20T09:00:00Z", service: "ordered" };
  let ids: Record<string, string>;

  beforeAll(async () => {
    const key = await server.makeKey(person);
    const send = async (minute: number, weight: number, seconds: number) => {
      const query = { service: "ordered", started_at: `2026-11-20T08:0${minute}:00.000Z` };
      const bytes = gzipSync(cpu(weight, BigInt(seconds) * 1_000_000_000n));
      return (await server.send(bytes, { headers: key.headers, query })).profile_id;
    };
    ids = {
      a: await send(1, 5, 30),
      b: await send(2, 9, 10),
      c: await send(3, 5, 60),
      d: await send(4, 1, 30),
    };
  });

  async function pagesOf(order: string, size: number) {
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = { ...range, order, limit: String(size), ...(cursor !== "" && { cursor }) };
      const { body } = await get("/profiles", page);
      seen.push(...body.profiles.map(({ profile_id }: { profile_id: string }) => names.get(profile_id)!));
      cursor = body.next_cursor;
    }
    return seen.join("");
  }

  it.each([
    ["newest", "dcba"],
    ["oldest", "abcd"],
    ["samples", "bcad"],
    ["duration", "cdab"],
  ])("%s is %s over all pages, the newest first where that is the same", async (order, expected) => {
    for (const size of [1, 2, 3, 10]) expect(await pagesOf(order, size)).toBe(expected);
  });

  it("has separate cursors, and must be one that exists", async () => {
    const { body } = await get("/profiles", { ...range, order: "samples", limit: "1" });
    const other = await get("/profiles", { ...range, order: "newest", cursor: body.next_cursor });
    expect([other.status, other.body.error]).toEqual([400, expect.stringContaining("in the same order")]);
    expect((await get("/profiles", { ...range, order: "size" })).status).toBe(400);
  });
});
