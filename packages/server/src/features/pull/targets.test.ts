import { BlockList } from "node:net";
import { gzipSync } from "node:zlib";
import { limits } from "@flamekeep/contract";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { headerPlace, resealTargetHeaders } from "#store/row/reseal-target-headers.ts";
import { openSeal } from "#store/row/seal.ts";
import { quietLog } from "#store/testing/backends.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { bytes, type PprofServer, startPprofServer } from "./testing/pprof-server.ts";

const url = "/api/v1/protected/targets";
let server: TestApp;
let ada: Person;
let eve: Person;
const opened: PprofServer[] = [];

beforeAll(async () => {
  server = await startApp({ env: { PULL_PRIVATE_ADDRESSES: "on" }, at: "2026-11-20T12:00:00.000Z" });
  [ada, eve] = [await server.signUp(), await server.signUp()];
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});
afterAll(() => server.close());

type Method = "GET" | "POST" | "PUT" | "DELETE";

async function call(method: Method, path = "", payload?: object, as = ada) {
  const body = payload === undefined ? {} : { payload };
  const reply = await server.app.inject({ method, url: `${url}${path}`, headers: as.headers, ...body });
  return { status: reply.statusCode, body: reply.json(), text: reply.body };
}

const checkout = {
  name: "checkout, production",
  service: "checkout",
  source: { kind: "url", url: "http://10.1.2.3:6060" },
  headers: [{ name: "Authorization", value: "Bearer secret" }],
};

const heap = pprofOf({ sampleTypes: ["inuse_space/bytes"], samples: [["main;work", 3]], timeNs: 1n });

describe("a target", () => {
  it("is stored with the defaults of its fields, and without the values of its headers", async () => {
    const { status, body, text } = await call("POST", "", checkout);
    expect(status).toBe(201);
    expect(body.target).toEqual({
      id: expect.any(String),
      name: "checkout, production",
      service: "checkout",
      source: { kind: "url", url: "http://10.1.2.3:6060" },
      interval_seconds: 15,
      profiles: ["cpu", "heap", "goroutine", "mutex", "block"],
      tags: {},
      path_prefix: "",
      tls: { ca: "", skip_verification: false },
      is_enabled: true,
      header_names: ["Authorization"],
      changed_at: "2026-11-20T12:00:00.000Z",
      instances: [],
      instance_count: 0,
      failing: 0,
      discovery_error: null,
    });
    expect(text).not.toContain("secret");
    const listed = await call("GET");
    expect(listed.body).toMatchObject({
      is_on: true,
      targets: [body.target],
      targets_max: limits.targetsMax,
    });
    expect(listed.text).not.toContain("secret");
    const [row] = await server.rows.selectFrom("targets").selectAll().execute();
    expect(JSON.stringify(row)).not.toContain("secret");
    expect((await call("GET", "", undefined, eve)).body.targets).toEqual([]);
    await call("DELETE", `/${body.target.id}`);
  });

  it("keeps a stored header where its value is null", async () => {
    const pprof = await startPprofServer({ "/debug/pprof/heap": bytes(heap) });
    opened.push(pprof);
    const source = { kind: "url", url: `http://${pprof.place}` };
    const { target } = (await call("POST", "", { ...checkout, source, profiles: ["heap"] })).body;
    const kept = {
      ...checkout,
      source,
      profiles: ["heap"],
      headers: [{ name: "authorization", value: null }],
    };
    expect((await call("PUT", `/${target.id}`, { ...kept, name: "renamed" })).body.target).toMatchObject({
      name: "renamed",
      header_names: ["authorization"],
    });
    const { body } = await call("POST", "/test", { ...kept, id: target.id });
    expect(body).toEqual({
      error: null,
      instance_count: 1,
      instances: [
        {
          instance: pprof.place,
          service: "checkout",
          profiles: [{ profile: "heap", bytes: heap.length, error: null }],
        },
      ],
    });
    expect(pprof.requests[0]!.headers.authorization).toBe("Bearer secret");
    await call("PUT", `/${target.id}`, { ...kept, headers: [] });
    await call("POST", "/test", { ...kept, id: target.id });
    expect(pprof.requests[1]!.headers.authorization).toBeUndefined();
    await call("DELETE", `/${target.id}`);
  });

  it.each([
    ["a profile", heap, null],
    ["a profile in gzip", gzipSync(heap), null],
    ["any text", Buffer.from("xxxx"), "Not a pprof profile: this is text"],
    ["a part of a profile", heap.subarray(0, -5), "did not send a pprof profile, or it is damaged"],
    ["zeros", Buffer.alloc(5000), "did not send a pprof profile"],
    ["zeros in gzip", gzipSync(Buffer.alloc(100_000)), "did not send a pprof profile"],
    ["gzip that is damaged", Buffer.from([0x1f, 0x8b, 1, 2, 3, 4]), "cannot be decompressed"],
    ["a PNG", Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), "Not a pprof profile"],
  ])("is tested with the content of %s", async (_of, content, message) => {
    const pprof = await startPprofServer({ "/debug/pprof/heap": bytes(content) });
    opened.push(pprof);
    const source = { kind: "url", url: `http://${pprof.place}` };
    const { body } = await call("POST", "/test", { ...checkout, source, profiles: ["heap"] });
    const [{ error }] = body.instances[0].profiles;
    expect(error).toEqual(message === null ? null : expect.stringContaining(message));
  });

  it.each([
    ["another address", { source: { kind: "url", url: "http://10.9.9.9:6060" } }],
    ["no encryption", { source: { kind: "url", url: "http://10.1.2.3:6060" } }],
    ["any certificate", { tls: { ca: "", skip_verification: true } }],
  ])("does not send a stored header to %s", async (_to, part) => {
    const stored = { ...checkout, source: { kind: "url", url: "https://10.1.2.3:6060" } };
    const { target } = (await call("POST", "", stored)).body;
    const kept = { ...stored, ...part, headers: [{ name: "authorization", value: null }] };
    for (const [method, path] of [
      ["PUT", `/${target.id}`],
      ["POST", "/test"],
    ] as const) {
      const { status, body } = await call(method, path, path === "/test" ? { ...kept, id: target.id } : kept);
      expect([status, body.error]).toEqual([
        400,
        expect.stringContaining("Enter the value of the header authorization again"),
      ]);
    }
    const entered = { ...kept, headers: [{ name: "authorization", value: "Bearer other" }] };
    expect((await call("PUT", `/${target.id}`, entered)).status).toBe(200);
    await call("DELETE", `/${target.id}`);
  });

  it("of another organization does not exist", async () => {
    const { target } = (await call("POST", "", checkout)).body;
    for (const [method, path, body] of [
      ["PUT", `/${target.id}`, checkout],
      ["DELETE", `/${target.id}`, undefined],
      ["POST", "/test", { ...checkout, id: target.id }],
    ] as const) {
      expect((await call(method, path, body, eve)).status).toBe(404);
    }
    expect((await call("DELETE", `/${target.id}`)).body).toEqual({ id: target.id, name: target.name });
    expect((await call("GET")).body.targets).toEqual([]);
  });

  it.each([
    [{ source: { kind: "url", url: "http://169.254.169.254/latest" } }, "never pulled"],
    [{ source: { kind: "url", url: "http://0xA9FEA9FE/" } }, "never pulled"],
    [{ source: { kind: "url", url: "http://user:pass@10.0.0.1" } }, "without user, password"],
    [{ source: { kind: "url", url: "file:///etc/passwd" } }, "http or https"],
    [{ source: { kind: "dns", name: "checkout", record: "A" } }, "port is required"],
    [{ source: { kind: "dns", name: "10.0.0.1", port: 1 } }, "must be a DNS name"],
    [{ source: { kind: "dns", name: "0x7f000001", port: 1 } }, "must be a DNS name"],
    [{ source: { kind: "dns", name: "2130706433", port: 1 } }, "must be a DNS name"],
    [{ source: { kind: "url", url: "http://a.example:0" } }, "port from 1"],
    [{ source: { kind: "url", url: "http://a.example/x?y=1" } }, "must have no query"],
    [{ source: { kind: "url", url: "http://a.example/x/../y" } }, "without . and .."],
    [{ source: { kind: "url", url: "http://a.example/%zz" } }, "two digits after each %"],
    [{ path_prefix: "/a/%2e%2E" }, "without . and .."],
    [{ path_prefix: "/50%" }, "two digits after each %"],
    [{ headers: [{ name: "Upgrade", value: "x" }] }, "cannot be set"],
    [{ service: "" }, "service is required"],
    [{ interval_seconds: 5 }, "10"],
    [{ profiles: ["heap", "allocs"] }, "at most one of"],
    [{ tags: { instance: "x" } }, "instance"],
    [{ headers: [{ name: "Host", value: "x" }] }, "cannot be set"],
    [{ headers: [{ name: "X", value: "a\r\nb" }] }, "one line"],
    [{ tls: { ca: "trust me" } }, "tls.ca must be certificates in PEM: it has none"],
    [
      { tls: { ca: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----" } },
      "tls.ca must be certificates in PEM",
    ],
  ])("is refused with %j", async (part, message) => {
    const { status, body } = await call("POST", "", { ...checkout, ...part });
    expect([status, body.error]).toEqual([400, expect.stringContaining(message)]);
  });

  it("is in the audit log", async () => {
    const { target } = (await call("POST", "", checkout)).body;
    await call("PUT", `/${target.id}`, checkout);
    await call("DELETE", `/${target.id}`);
    const reply = await server.app.inject({
      url: "/api/v1/protected/organization/audit",
      headers: ada.headers,
    });
    const events = reply.json().entries.map(({ event }: { event: string }) => event);
    expect(events.slice(0, 3)).toEqual(["target.removed", "target.changed", "target.created"]);
  });

  it("keeps its headers when AUTH_SECRET changes", async () => {
    const { target } = (await call("POST", "", checkout)).body;
    const keyed = (byte: number) => new Uint8Array(32).fill(byte);
    const place = headerPlace(ada.orgId, target.id, "Authorization");
    const former = openSeal([keyed(1)]).seal("Bearer secret", place);
    const own = (rows: TestApp["ctx"]["rows"]) =>
      rows.updateTable("targets").where("orgId", "=", ada.orgId).where("id", "=", target.id);
    await own(server.ctx.rows)
      .set({ headers: JSON.stringify({ Authorization: former }) })
      .execute();
    await resealTargetHeaders(server.ctx.rows, openSeal([keyed(2), keyed(1)]), quietLog);
    const [row] = await server.rows.selectFrom("targets").selectAll().where("id", "=", target.id).execute();
    const sealed = JSON.parse(row!.headers).Authorization;
    expect(openSeal([keyed(2)]).open(sealed, place)).toEqual({ ok: true, text: "Bearer secret" });
    await call("DELETE", `/${target.id}`);
  });
});

it("private addresses are refused unless the operator allows them", async () => {
  const app = await server.createApp({
    config: { ...server.ctx.config, pull: { ...server.ctx.config.pull, privateNetworks: new BlockList() } },
  });
  const reply = await app.inject({ method: "POST", url, headers: ada.headers, payload: checkout });
  expect([reply.statusCode, reply.json().error]).toEqual([
    400,
    "url cannot be used: 10.1.2.3 is in a private network: the operator can allow private addresses with PULL_PRIVATE_ADDRESSES.",
  ]);
  await app.close();
});
