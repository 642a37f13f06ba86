import { type AddressInfo, connect } from "node:net";
import { type Endpoint, endpoints, toPath } from "@flamekeep/contract";
import { profileOf } from "@flamekeep/profile/testing";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAccessToken } from "#auth/tokens/access-token.ts";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";

const someId = "3f9a1c07be52d8e4460b7c91691e9f40";

let server: TestApp;
let withDemo: TestApp;
let ada: Person;
let eve: Person;
let adasKey: TestKey;
let adasProfile: string;

beforeAll(async () => {
  [server, withDemo] = await Promise.all([startApp(), startApp({ env: { DEMO: "on" } })]);
  ada = await server.signUp();
  eve = await server.signUp();
  adasKey = await server.makeKey(ada, "adas key");
  const query = { service: "checkout" };
  adasProfile = (await server.send(profileOf("main\n1"), { headers: adasKey.headers, query })).profile_id;
});
afterAll(async () => {
  await Promise.all([server.close(), withDemo.close()]);
});

function urlOf(call: Endpoint, id = someId): string {
  const query = { service: "checkout", name: "checkout", path: "/" };
  return toPath(call, { id, profileId: id, service: "checkout", type: "cpu" }, query);
}

function ask(at: TestApp, call: Endpoint, headers: Record<string, string>, id?: string) {
  return at.app.inject({ method: call.method, url: urlOf(call, id), headers });
}

/** Calls of the contract that this server answers. */
function served(auth: Endpoint["auth"]): Endpoint[] {
  return endpoints.filter(
    (call) =>
      call.auth === auth &&
      server.app.hasRoute({ method: call.method, url: call.path.replace(/\{(\w+)\}/g, ":$1") }),
  );
}

/** The paths of Fastify's printed tree: each line is four columns of indent per level, a segment and its methods. */
function printedRoutes(tree: string): string[] {
  const segments: string[] = [];
  const routes: string[] = [];
  for (const line of tree.split("\n")) {
    const match = /^((?:│ {3}| {4})*)[├└]── (\S*)( \(.*\))?$/.exec(line);
    if (match === null) continue;
    const level = (match[1] as string).length / 4;
    segments.length = level;
    segments.push(match[2] as string);
    if (match[3] !== undefined) routes.push(segments.join(""));
  }
  return routes;
}

/** Texts that look a little like the placeholder of the demo. */
const nearMisses = [
  "Test-Api-Key",
  "TEST-API-KEY",
  "test_api_key",
  "test-api-keys",
  "test-api-ke",
  "test-api-key,test-api-key",
  "dGVzdC1hcGkta2V5",
];

const junk = [
  "",
  "null",
  "undefined",
  "a.b.c",
  `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from("{}").toString("base64url")}.`,
  ".".repeat(3000),
  "é".repeat(20),
  "' OR 1=1 --",
];

describe("every call that needs a session", () => {
  it("answers 401 without one, and with anything else", async () => {
    const calls = served("session");
    expect(calls.length).toBeGreaterThanOrEqual(4);
    for (const call of calls) {
      const tried = [
        {},
        { authorization: "Bearer" },
        { authorization: `Basic ${ada.accessToken}` },
        adasKey.headers,
      ];
      const bearers = [...junk, ...nearMisses, "test-api-key", adasKey.key, ada.refreshToken];
      for (const headers of [...tried, ...bearers.map((token) => ({ authorization: `Bearer ${token}` }))]) {
        const reply = await ask(server, call, headers as Record<string, string>);
        expect([call.path, headers, reply.statusCode]).toEqual([call.path, headers, 401]);
        expect(reply.json()).toMatchObject({ code: "unauthenticated" });
        expect(reply.headers["cache-control"]).toBe("no-store");
      }
    }
  });

  it("lets the placeholder of the demo read if the demo is on, and nothing else", async () => {
    const headers = { authorization: "Bearer test-api-key" };
    for (const call of served("session")) {
      const reply = await ask(withDemo, call, headers);
      if (call.isOpenToDemo) expect([200, 404]).toContain(reply.statusCode);
      else expect([reply.statusCode, reply.json().error]).toEqual([403, "The demo is read-only"]);
      for (const text of nearMisses) {
        const miss = await ask(withDemo, call, { authorization: `Bearer ${text}` });
        expect([call.path, text, miss.statusCode]).toEqual([call.path, text, 401]);
      }
    }
  });
});

describe("every call that is limited to roles", () => {
  it("refuses a person with another role before it reads the request", async () => {
    const viewer = await server.signUp();
    let refused = 0;
    for (const role of ["viewer", "member"] as const) {
      await server.setRole(viewer, role);
      for (const call of served("session").filter(({ roles }) => !roles.includes(role))) {
        const reply = await ask(server, call, viewer.headers);
        expect([call.path, reply.statusCode, reply.json().error]).toEqual([
          call.path,
          403,
          `This needs the role ${call.roles.join(" or ")}. Ask an admin of your organization.`,
        ]);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(15);
  });
});

describe("every call that needs a key", () => {
  it("answers 401 without one, and with anything else", async () => {
    const calls = served("key");
    expect(calls.length).toBeGreaterThanOrEqual(3);
    for (const call of calls) {
      const tokens = [...junk, ...nearMisses, "test-api-key", ada.accessToken, ada.refreshToken].filter(
        (t) => t !== "",
      );
      const basic = (text: string) => ({
        authorization: `Basic ${Buffer.from(`x:${text}`).toString("base64")}`,
      });
      const tried = tokens.flatMap((text) => [
        { "x-api-key": text },
        { authorization: `Bearer ${text}` },
        basic(text),
      ]);
      for (const headers of [{}, ...tried]) {
        const reply = await ask(server, call, headers as Record<string, string>);
        expect([call.path, headers, reply.statusCode]).toEqual([call.path, headers, 401]);
      }
      const demo = await ask(withDemo, call, { "x-api-key": "test-api-key" });
      // Connect's form of an error has a message alone.
      const { error, message } = demo.json();
      expect([demo.statusCode, error ?? message]).toEqual([403, "The demo is read-only"]);
    }
  });
});

describe("data of another organization", () => {
  /** One row per call that names something: the same answer as for what does not exist. */
  const named: readonly { path: string; method: Endpoint["method"]; id(): string }[] = [
    { method: "DELETE", path: "/api/v1/protected/api-keys/{id}", id: () => adasKey.id },
    ...[
      "profile/{id}",
      "profile/{id}/stats",
      "profile/{id}/download",
      "flamegraph/{id}",
      "custom/chart/{profileId}",
    ].map((call) => ({
      path: `/api/v1/protected/${call}`,
      method: "GET" as const,
      id: () => adasProfile,
    })),
  ];

  it.each(named)("is not found: $method $path", async ({ method, path, id }) => {
    const call = endpoints.find((c) => c.method === method && c.path === path) as Endpoint;
    const theirs = await ask(server, call, eve.headers, id());
    if (method === "GET") expect((await ask(server, call, ada.headers, id())).statusCode).toBe(200);
    const nothing = await ask(server, call, eve.headers, "nothing");
    expect(theirs.statusCode).toBe(404);
    expect(nothing.statusCode).toBe(404);
    expect(theirs.json().error.replace(id(), "X")).toBe(nothing.json().error.replace("nothing", "X"));
  });

  it("is in no list", async () => {
    const reply = await server.app.inject({ url: "/api/v1/protected/api-keys", headers: eve.headers });
    expect(reply.json()).toMatchObject({ api_keys: [], total: 0 });
    const own = await server.app.inject({ url: "/api/v1/protected/api-keys", headers: ada.headers });
    expect(own.json().api_keys[0].is_active).toBe(true);
  });
});

describe("access tokens", () => {
  const claims = { org: "", sid: "", role: "admin" };

  async function meWith(token: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    return (await server.app.inject({ url: "/api/v1/protected/user/profile", headers })).statusCode;
  }

  it("are accepted only with the right signature, type, issuer, audience and algorithm", async () => {
    const key = server.ctx.accessKey;
    const own = await readAccessToken(key, ada.accessToken, new Date());
    if (own === undefined) throw new Error("a fresh token must be readable");
    const token = (change: {
      alg?: string;
      typ?: string;
      iss?: string;
      aud?: string;
      key?: Uint8Array;
      org?: string;
    }) =>
      new SignJWT({ ...claims, org: change.org ?? own.orgId, sid: own.sessionId })
        .setProtectedHeader({ alg: change.alg ?? "HS256", typ: change.typ ?? "at+jwt" })
        .setIssuer(change.iss ?? "flamekeep")
        .setAudience(change.aud ?? "flamekeep-api")
        .setSubject(own.userId)
        .setIssuedAt()
        .setExpirationTime("5m")
        .sign(change.key ?? key);
    expect(await meWith(await token({}))).toBe(200);
    expect(await meWith(await token({ alg: "HS512", key: new Uint8Array(64) }))).toBe(401);
    expect(await meWith(await token({ typ: "JWT" }))).toBe(401);
    expect(await meWith(await token({ iss: "somebody" }))).toBe(401);
    expect(await meWith(await token({ aud: "something" }))).toBe(401);
    expect(await meWith(await token({ key: server.ctx.refreshKey }))).toBe(401);
    expect(await meWith(await token({ org: eve.orgId }))).toBe(401);
  });

  it("have a role that is looked up, not trusted", async () => {
    const person = await server.signUp();
    await server.setRole(person, "viewer");
    const url = "/api/v1/protected/api-keys";
    const reply = await server.app.inject({
      method: "POST",
      url,
      headers: person.headers,
      payload: { name: "x" },
    });
    expect(reply.statusCode).toBe(403);
  });
});

describe("headers", () => {
  it("of a megabyte are refused before they are read", async () => {
    await server.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = server.app.server.address() as AddressInfo;
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk.toString();
      });
      socket.on("close", () => resolve(text));
      // The server hangs up while we still write: that is the point.
      socket.on("error", (error: NodeJS.ErrnoException) => {
        if (!["EPIPE", "ECONNRESET"].includes(error.code ?? "")) reject(error);
      });
      socket.write(
        `GET /api/v1/status HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${"a.".repeat(500_000)}\r\n\r\n`,
      );
    });
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('"code":"headers_too_large"');
  });

  it("forbid scripts from other hosts, frames and content sniffing, on every kind of reply", async () => {
    for (const url of ["/", "/login", "/healthz", "/docs", "/docs/api", "/api/nothing", "/api/v1/status"]) {
      const { headers } = await server.app.inject({ url });
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).toContain("trusted-types 'none'");
      expect(headers["permissions-policy"]).toContain("camera=(), ");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["x-powered-by"]).toBeUndefined();
    }
  });
});

describe("answers of 4xx", () => {
  it("are counted by route and code, and only the first of a kind is logged", async () => {
    const person = await server.signUp();
    const { headers } = await server.makeKey(person);
    const url = "/api/v1/ingest/profiles";
    for (let i = 0; i < 20; i++) {
      const reply = await server.app.inject({ method: "POST", url, headers, payload: Buffer.alloc(i) });
      expect(reply.statusCode).toBe(400);
    }
    const lines = server.logged.map((line) => JSON.parse(line));
    expect(lines.filter(({ orgId, status }) => orgId === person.orgId && status >= 400)).toMatchObject([
      {
        method: "POST",
        route: "/api/v1/ingest/profiles",
        status: 400,
        code: "invalid",
        msg: "request",
      },
    ]);
    const metrics = await server.app.inject("/metrics");
    const labels = 'method="POST",route="/api/v1/ingest/profiles",code="invalid"';
    expect(metrics.body).toContain(`flamekeep_http_refusals_total{${labels}} 20\n`);
  });

  it("name the methods of a known address to every caller", async () => {
    const wrong = await server.app.inject({ url: "/api/v1/ingest/profiles" });
    expect([wrong.statusCode, wrong.headers.allow, wrong.json().code]).toEqual([
      405,
      "POST",
      "method_not_allowed",
    ]);
    const own = await server.app.inject({ method: "PATCH", url: "/api/v1/protected/api-keys" });
    expect([own.statusCode, own.headers.allow]).toEqual([405, "GET, HEAD, POST"]);
    const unknown = await server.app.inject({ method: "PATCH", url: "/pyroscope/render" });
    expect([unknown.statusCode, unknown.headers.allow]).toEqual([404, undefined]);
  });
});

it("signing out makes the browser clear its cache", async () => {
  const person = await server.signUp();
  const reply = await server.app.inject({ method: "POST", url: "/auth/logout", headers: person.headers });
  expect([reply.statusCode, reply.headers["clear-site-data"]]).toEqual([200, '"cache"']);
  expect((await server.app.inject("/healthz")).headers["clear-site-data"]).toBeUndefined();
});

describe("routes", () => {
  it("are all in the contract, except pages, documentation, metrics and a base path of Pyroscope", () => {
    const contract = new Set(endpoints.map((call) => call.path.replace(/\{(\w+)\}/g, ":$1")));
    const others = [
      "/",
      "/*",
      "/docs",
      "/docs/api",
      "/docs/api.css",
      "/api/openapi.json",
      "/metrics",
      "/pyroscope/ingest",
      "/pyroscope/push.v1.PusherService/Push",
    ];
    const routes = printedRoutes(server.app.printRoutes());
    expect(routes).toContain("/api/v1/protected/api-keys/:id");
    expect(routes.filter((route) => !contract.has(route) && !others.includes(route))).toEqual([]);
  });

  it.each([
    "//api/v1/status",
    "/api/v1//status",
    "/API/v1/status",
    "/api/v1/status/",
    "/api/v1/status;x",
    "/%61pi/v1/x",
  ])("in another notation never answer without a session: %s", async (url) => {
    const reply = await server.app.inject({ url, headers: { accept: "application/json" } });
    expect([401, 403, 404]).toContain(reply.statusCode);
  });

  it.each([
    ["/api/v1/protected/profile/%ff%zz", 400, "invalid", /%25/],
    ["/%zz", 400, "invalid", /%25/],
    [`/api/v1/protected/profile/${"a".repeat(4000)}`, 404, "not_found", /^There is /],
    ["//[", 404, "not_found", /^There is /],
  ] as const)(
    "that cannot be are refused in the form of every failure: %s",
    async (url, status, code, words) => {
      const reply = await server.app.inject({ method: "DELETE", url });
      expect([reply.statusCode, reply.json()]).toEqual([
        status,
        { error: expect.stringMatching(words), code, request_id: expect.stringMatching(/^[0-9a-f]{16}$/) },
      ]);
    },
  );
});
