import { randomUUID } from "node:crypto";
import { type AddressInfo, connect } from "node:net";
import { type Endpoint, toPath } from "@flamekeep/contract";
import { endpoints } from "@flamekeep/contract/schemas";
import { profileOf } from "@flamekeep/profile/testing";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { decodeProtectedHeader, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readAccessToken } from "#auth/tokens/access-token.ts";
import { exampleBody } from "#testing/example-body.ts";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";
import { storeAlert } from "#testing/store-alert.ts";
import { StoredCoverage } from "./features/alerts/coverage/queries.ts";

const someId = "3f9a1c07be52d8e4460b7c91691e9f40";

let server: TestApp;
let withDemo: TestApp;
let ada: Person;
let eve: Person;
let adasKey: TestKey;
let agentKey: TestKey;

beforeAll(async () => {
  // The clock is stopped, so that replies about the same data are equal.
  const at = new Date().toISOString();
  [server, withDemo] = await Promise.all([startApp({ at }), startApp({ env: { DEMO: "on" } })]);
  ada = await server.signUp();
  eve = await server.signUp();
  adasKey = await server.makeKey(ada, "adas key");
  agentKey = await server.makeKey(ada, "agent", "read");
});
afterAll(async () => {
  await Promise.all([server.close(), withDemo.close()]);
});

function urlOf(call: Endpoint, id = someId): string {
  const query = { service: "checkout", type: "cpu", name: "checkout", path: "/", q: "checkout" };
  const params = {
    id,
    profileId: id,
    service: "checkout",
    type: "cpu",
    kind: "profile",
    recommendation: "r1",
    comment: id,
  };
  return toPath(call, params, query);
}

function ask(at: TestApp, call: Endpoint, headers: Record<string, string>, id?: string) {
  return at.app.inject({ method: call.method, url: urlOf(call, id), headers });
}

function callsWith(auth: Endpoint["auth"]): Endpoint[] {
  return endpoints.filter((call) => call.auth === auth);
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

/** One hook looks at the headers of all calls: at full length each is called with all texts, otherwise with a tenth of them, in turn. */
function inTurn<T>(texts: readonly T[], turn: number): readonly T[] {
  return isFullLength ? texts : texts.filter((_, index) => index % 10 === turn % 10);
}

it("lets no query of an organization's rows pass that does not say which organization", async () => {
  const query = server.ctx.rows.selectFrom("apiKeys").select("name").where("id", "=", adasKey.id);
  await expect(query.execute()).rejects.toThrow('"api_keys" does not bind org_id');
  expect(await query.where("orgId", "=", ada.orgId).execute()).toEqual([{ name: "adas key" }]);
  expect(await query.where("orgId", "=", eve.orgId).execute()).toEqual([]);
});

describe("every call that needs a session", () => {
  it("answers 401 without one, and with anything else", async () => {
    const calls = callsWith("session");
    expect(calls.length).toBeGreaterThanOrEqual(4);
    for (const [turn, call] of calls.entries()) {
      const tried = [
        {},
        { authorization: "Bearer" },
        { authorization: `Basic ${ada.accessToken}` },
        adasKey.headers,
      ];
      const bearers = [
        "test-api-key",
        ada.refreshToken,
        ...inTurn([...junk, ...nearMisses, adasKey.key], turn),
      ];
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
    for (const [turn, call] of callsWith("session").entries()) {
      const reply = await ask(withDemo, call, headers);
      // The body that a change needs is missing.
      const admitted = call.method === "GET" ? [200, 404] : [400, 404];
      if (call.isOpenToDemo)
        expect([call.path, admitted]).toEqual([call.path, expect.arrayContaining([reply.statusCode])]);
      else expect([reply.statusCode, reply.json().error]).toEqual([403, "The demo is read-only"]);
      for (const text of inTurn(nearMisses, turn)) {
        const miss = await ask(withDemo, call, { authorization: `Bearer ${text}` });
        expect([call.path, text, miss.statusCode]).toEqual([call.path, text, 401]);
      }
    }
  });
});

describe("every call that needs a key", () => {
  it("answers 401 without one, and with anything else", async () => {
    const calls = [...callsWith("ingestKey"), ...callsWith("readKey")];
    expect(calls.length).toBeGreaterThanOrEqual(4);
    for (const [turn, call] of calls.entries()) {
      const wrongScope = call.auth === "ingestKey" ? agentKey : adasKey;
      expect((await ask(server, call, wrongScope.headers)).statusCode).toBe(403);
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
      for (const headers of [{}, ...inTurn(tried, turn)]) {
        const reply = await ask(server, call, headers as Record<string, string>);
        expect([call.path, headers, reply.statusCode]).toEqual([call.path, headers, 401]);
      }
      if (call.isOpenToDemo) continue;
      const demo = await ask(withDemo, call, { "x-api-key": "test-api-key" });
      // Connect's form of an error has a message alone.
      const { error, message } = demo.json();
      expect([demo.statusCode, error ?? message]).toEqual([403, "The demo is read-only"]);
    }
  });
});

describe("data of another organization", () => {
  const isChange = ({ method }: Endpoint) => method !== "GET";
  const [reads, changes] = [false, true].map((wanted) =>
    callsWith("session").filter((call) => isChange(call) === wanted),
  ) as [Endpoint[], Endpoint[]];
  /** The operator sees all organizations. */
  const isAboutOrganization = ({ path, isForOperator }: Endpoint) =>
    !changingPaths.some((changing) => path.startsWith(changing)) && !isForOperator;
  /** The status describes the server, the audit log records that it is exported, and limits show the uploads of the last minute. */
  const changingPaths = [
    "/api/v1/status",
    ...["audit", "limits"].map((part) => `/api/v1/protected/organization/${part}`),
  ];
  const hasParameter = ({ path }: Endpoint) => path.includes("{");

  /** Ids of Ada's by the part of the path after `protected/`, which says of what they are. */
  const ids: Record<string, string> = {};
  let commentId: string;

  beforeAll(async () => {
    const { headers } = adasKey;
    const kinds = {
      goroutines: "goroutine",
      mutex: "mutex",
      block: "block",
      custom: "custom",
      profile: "cpu",
    };
    // Some ranges end with the last whole minute. The second version is a deploy.
    const minutesAgo = (count: number) =>
      new Date(server.clock.now().getTime() - count * 60_000).toISOString();
    const version = { first: [minutesAgo(6), "1"], second: [minutesAgo(5), "2"] } as const;
    for (const [part, type] of Object.entries(kinds)) {
      const sampleTypes = [type === "cpu" ? "cpu/nanoseconds" : `${type}/count`];
      const [started_at, tag] = type === "cpu" ? version.second : version.first;
      const query = { service: "checkout", type, started_at, "tag.version": tag };
      const sent = await server.send(profileOf("main\n1", { sampleTypes }), { headers, query });
      ids[part] = sent.profile_id;
    }
    ids.flamegraph = ids.profile as string;
    ids["api-keys"] = adasKey.id;
    ids.operator = ada.userId;
    ids.user = (
      await server.ctx.rows
        .selectFrom("sessions")
        .select("id")
        .where("orgId", "=", ada.orgId)
        .executeTakeFirstOrThrow()
    ).id;
    const metric = { timestamp: server.clock.now().getTime(), duration: 1, status_code: 500, path: "/" };
    const url = "/api/v1/ingest/http-metrics?service=checkout";
    const sent = await server.app.inject({
      method: "POST",
      url,
      headers,
      payload: [{ ...metric, method: "GET" }],
    });
    expect(sent.statusCode).toBe(200);
    const created = await server.app.inject({
      method: "POST",
      url: "/api/v1/protected/projects",
      headers: ada.headers,
      payload: { name: "adas project" },
    });
    expect(created.statusCode).toBe(201);
    ids.projects = created.json().project.id;
    ids.dashboards = await dashboard();
    const analyse = (path: string, payload: object) =>
      server.app.inject({
        method: "POST",
        url: `/api/v1/protected/${path}/analyze`,
        headers: ada.headers,
        payload,
      });
    const ofProfile = await analyse(`profile/${ids.profile}`, {});
    const ofRange = await analyse("service/checkout", { from: "1h", type: "cpu" });
    expect([ofProfile.statusCode, ofRange.statusCode]).toEqual([200, 200]);
    ids.analysis = ofProfile.json().id;
    ids.findings = await storeFinding(String(ids.analysis));
    ids.labels = String(ids.profile);
    ids["user/organization-of"] = String(ids.profile);
    ids["user/organizations"] = ada.orgId;
    ids["organization/members"] = ada.userId;
    const invited = await server.app.inject({
      method: "POST",
      url: "/api/v1/protected/organization/invitations",
      headers: ada.headers,
      payload: {},
    });
    expect(invited.statusCode).toBe(201);
    ids["organization/invitations"] = invited.json().invitation.id;
    ids["organization/shared-links"] = await sharedLink();
    const opened = { orgId: ada.orgId, service: "checkout", at: server.clock.now().toISOString() };
    ids.alerts = await storeAlert(server.rows, { ...opened, profileId: String(ids.profile) });
    // An incident has the id of its first alert.
    ids.incidents = ids.alerts;
    ids["alerts/mutes"] = await plannedMute();
    commentId = await comment();
    await storeCoverage();
    ids["alerts/rules"] = await rule();
    ids.targets = await target();
  });

  async function target(): Promise<string> {
    const reply = await server.app.inject({
      method: "POST",
      url: "/api/v1/protected/targets",
      headers: ada.headers,
      payload: {
        name: "adas target",
        service: "checkout",
        source: { kind: "url", url: "https://checkout.example.com" },
        is_enabled: false,
      },
    });
    expect(reply.statusCode).toBe(201);
    return reply.json().target.id;
  }

  async function dashboard(): Promise<string> {
    const reply = await server.app.inject({
      method: "POST",
      url: "/api/v1/protected/dashboards",
      headers: ada.headers,
      payload: { name: "adas dashboard" },
    });
    expect(reply.statusCode).toBe(201);
    return reply.json().id;
  }

  /** As the end of an analysis does. */
  async function storeFinding(analysisId: string): Promise<string> {
    const seenAt = server.clock.now().toISOString();
    const id = randomUUID();
    const advice = { id: "r1", category: "cpu_optimization", priority: "low", confidence: 0.5 } as const;
    const texts = { issue: "adas finding", impact: "Much", solution: "Less" };
    const measured = { rule: "r", sampleType: "cpu", saving: 0, share: 1, functions: [] };
    const of = { type: "cpu", profileId: null, from: seenAt, to: seenAt };
    await server.rows
      .insertInto("findings")
      .values({
        id,
        orgId: ada.orgId,
        service: "checkout",
        rule: "r",
        function: "",
        displayType: "cpu",
        category: advice.category,
        priority: advice.priority,
        isCurrent: 1,
        firstSeenAt: seenAt,
        lastSeenAt: seenAt,
        analysisId,
        ownerId: null,
        unit: null,
        inUse: 0,
        share: 1,
        saving: 0,
        finding: JSON.stringify({ ...advice, ...texts, ...measured, ...of }),
      })
      .execute();
    return id;
  }

  /** As the job of alerts does once it has judged the service. */
  async function storeCoverage(): Promise<void> {
    const signal = {
      type: "cpu",
      sampleType: "cpu/nanoseconds",
      judgedBy: "first_days",
      reason: "few_days",
      knownMs: 0,
      noise: null,
      smallest: null,
      withinHour: null,
      rises: [],
    };
    const sent = { hasRequests: true, hasVersions: false, instances: 1, notJudged: [] };
    const coverage = JSON.stringify(StoredCoverage.parse({ signals: [signal], sent }));
    const judgedAt = server.clock.now().toISOString();
    await server.rows
      .insertInto("alertCoverage")
      .values({ orgId: ada.orgId, service: "checkout", judgedAt, coverage })
      .execute();
  }

  async function comment(): Promise<string> {
    const reply = await server.app.inject({
      method: "POST",
      url: `/api/v1/protected/incidents/${ids.incidents}/comments`,
      headers: ada.headers,
      payload: { text: "adas comment" },
    });
    expect(reply.statusCode).toBe(201);
    return reply.json().comment.id;
  }

  async function rule(): Promise<string> {
    const reply = await server.app.inject({
      method: "POST",
      url: "/api/v1/protected/alerts/rules",
      headers: ada.headers,
      payload: {
        name: "adas rule",
        service: "checkout",
        profile_type: "cpu",
        sample_type: "cpu/nanoseconds",
        comparison: "above",
        threshold: 1e9,
        minutes: 10,
      },
    });
    expect(reply.statusCode).toBe(201);
    return reply.json().rule.id;
  }

  async function plannedMute(): Promise<string> {
    const reply = await server.app.inject({
      method: "POST",
      url: "/api/v1/protected/alerts/mute",
      headers: ada.headers,
      payload: { service: "checkout", starts_at: "2099-01-01T00:00:00.000Z" },
    });
    expect(reply.statusCode).toBe(200);
    return reply.json().muted[0].id;
  }

  async function sharedLink(): Promise<string> {
    const path = "/api/v1/protected/organization";
    const send = (method: "PUT" | "POST", url: string, payload: object) =>
      server.app.inject({ method, url: `${path}/${url}`, headers: ada.headers, payload });
    await send("PUT", "public-links", { is_allowed: true });
    const graph = { kind: "profile", profile_id: ids.profile };
    const reply = await send("POST", "shared-links", { graph, expires_in_days: 7 });
    expect(reply.statusCode).toBe(201);
    return reply.json().shared_link.id;
  }

  /** The value in the path that names something of Ada's. A call about another kind of thing fails until its id is in `ids`. */
  function adasValue({ path }: Endpoint): string {
    if (path.includes("{service}")) return "checkout";
    const [, part = "", next = ""] = /\/protected\/([\w-]+)\/([\w-]*)/.exec(path) ?? [];
    const id = ids[`${part}/${next}`] ?? ids[part];
    if (id === undefined) throw new Error(`no id of Ada's for ${path}`);
    return id;
  }

  /** Status and body of a reply about the named thing, without its name, hashes of it and the id of the request. */
  async function replyTo(call: Endpoint, headers: Record<string, string>, value: string) {
    const names = {
      id: value,
      profileId: value,
      service: value,
      kind: "profile",
      type: "cpu",
      recommendation: value,
      comment: commentId,
    };
    const reply = await server.app.inject({
      method: call.method,
      url: toPath(call, names, { path: "/" }),
      headers,
      ...(isChange(call) && { payload: exampleFor(call, value) }),
    });
    const body = reply.body.replace(/"(request_id|profile_hash)":"\w+"/g, "").replaceAll(value, "NAME");
    return { status: reply.statusCode, body };
  }

  /** The body that the API's documentation shows, about another service. */
  function exampleFor(call: Endpoint, service: string): object {
    return JSON.parse(JSON.stringify(exampleBody(call)).replaceAll("checkout", service));
  }

  const name = ({ method, path }: Endpoint) => `${method} ${path}`;

  it.each(reads.filter(hasParameter).map((call) => [name(call), call] as const))(
    "is not there for another organization: %s",
    async (_, call) => {
      const value = adasValue(call);
      const own = await replyTo(call, ada.headers, value);
      const theirs = await replyTo(call, eve.headers, value);
      expect(own.status).toBe(200);
      expect(theirs).toEqual(await replyTo(call, eve.headers, "nothing"));
      expect(theirs).not.toEqual(own);
    },
  );

  /** Of calls that are refused without one; about a service that neither organization has. */
  const neededQuery: Readonly<Record<string, Record<string, string>>> = {
    "/api/v1/protected/flamegraph/diff": { service: "nothing", type: "cpu" },
  };

  it("is in no list, sum or setting of another organization", async () => {
    const marks = [...Object.values(ids), "checkout", adasKey.id, ada.email, ada.userId, ada.orgId];
    const marked: string[] = [];
    for (const call of reads.filter((each) => !hasParameter(each) && !each.isForOperator)) {
      const [own, theirs] = await Promise.all(
        [ada, eve].map(({ headers }) =>
          server.app.inject({ url: toPath(call, {}, neededQuery[call.path] ?? { q: "checkout" }), headers }),
        ),
      );
      expect([call.path, own?.statusCode, theirs?.statusCode]).toEqual([call.path, 200, 200]);
      expect([call.path, marks.filter((mark) => theirs?.body.includes(mark))]).toEqual([call.path, []]);
      if (marks.some((mark) => own?.body.includes(mark))) marked.push(call.path);
    }
    expect(marked.length).toBeGreaterThan(4);
  });

  it("cannot be changed from another organization", async () => {
    const adasData = () =>
      Promise.all(
        reads
          .filter(isAboutOrganization)
          .map(async (call) => [
            call.path,
            await replyTo(call, ada.headers, hasParameter(call) ? adasValue(call) : "checkout"),
          ]),
      );
    const before = await adasData();
    for (const [index, call] of changes.entries()) {
      // Each with another admin, so that no call meets what one before it has set.
      const { headers } = await server.signUp(undefined, `198.51.100.${index}`);
      const value = hasParameter(call) ? adasValue(call) : "checkout";
      const theirs = await replyTo(call, headers, value);
      expect([name(call), theirs.status]).toEqual([
        name(call),
        expect.toSatisfy((code: number) => code < 500),
      ]);
      if (hasParameter(call)) expect(theirs).toEqual(await replyTo(call, headers, "nothing"));
    }
    expect(await adasData()).toEqual(before);
  });
});

describe("access tokens", () => {
  const claims = { org: "", sid: "", role: "admin" };

  async function meWith(token: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    return (await server.app.inject({ url: "/api/v1/protected/user/profile", headers })).statusCode;
  }

  it("are accepted only with the right signature, type, issuer, audience and algorithm", async () => {
    const [key] = server.ctx.accessKeys;
    const own = await readAccessToken(server.ctx.accessKeys, ada.accessToken, new Date());
    if (own === undefined) throw new Error("a fresh token must be readable");
    const token = (change: {
      alg?: string;
      typ?: string;
      iss?: string;
      aud?: string;
      key?: Uint8Array;
      org?: string;
      kid?: string;
    }) =>
      new SignJWT({ ...claims, org: change.org ?? own.orgId, sid: own.sessionId })
        .setProtectedHeader({
          alg: change.alg ?? "HS256",
          typ: change.typ ?? "at+jwt",
          kid: change.kid ?? String(decodeProtectedHeader(ada.accessToken).kid),
        })
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
    expect(await meWith(await token({ key: server.ctx.refreshKeys[0] }))).toBe(401);
    expect(await meWith(await token({ org: eve.orgId }))).toBe(401);
    expect(await meWith(await token({ kid: "another" }))).toBe(401);
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
      expect(policy).toContain("trusted-types flamekeep-workers");
      expect(headers["permissions-policy"]).toContain("camera=(), ");
      // Passkeys need it.
      expect(headers["permissions-policy"]).not.toContain("publickey-credentials");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["x-powered-by"]).toBeUndefined();
    }
  });

  it("require HTTPS from browsers where the public address has it, of subdomains unless that is off", async () => {
    const sent = async (settings: Partial<typeof server.ctx.config>) => {
      const app = await server.createApp({ config: { ...server.ctx.config, ...settings } });
      const { headers } = await app.inject({ url: "/healthz" });
      await app.close();
      return headers["strict-transport-security"];
    };
    const publicUrl = "https://profiles.example.com";
    expect(await sent({ publicUrl })).toBe("max-age=31536000; includeSubDomains");
    expect(await sent({ publicUrl, hasHstsSubdomains: false })).toBe("max-age=31536000");
    expect(await sent({})).toBeUndefined();
  });
});

describe("answers of 4xx", () => {
  it("are counted by route and code, and only the first of a kind is logged", async () => {
    const person = await server.signUp();
    const { headers } = await server.makeKey(person);
    const url = "/api/v1/ingest/profiles";
    // Its minute until it logs the number of suppressed lines begins now.
    const app = await server.createApp();
    for (let i = 0; i < 20; i++) {
      const reply = await app.inject({ method: "POST", url, headers, payload: Buffer.alloc(i) });
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
    const metrics = await app.inject("/metrics");
    await app.close();
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
    const unknown = await server.app.inject({ method: "PATCH", url: "/pyroscope/nothing" });
    expect([unknown.statusCode, unknown.headers.allow]).toEqual([404, undefined]);
  });
});

it("signing out makes the browser clear its cache", async () => {
  const person = await server.signUp();
  const reply = await server.app.inject({ method: "POST", url: "/auth/logout", headers: person.headers });
  expect([reply.statusCode, reply.headers["clear-site-data"]]).toEqual([200, '"cache"']);
  expect((await server.app.inject("/healthz")).headers["clear-site-data"]).toBeUndefined();
});

it("signing out makes the browser clear its cache, also when the store fails", async () => {
  const person = await server.signUp();
  const failing = vi.spyOn(server.ctx.sessions, "find").mockRejectedValueOnce(new Error("locked"));
  const reply = await server.app.inject({ method: "POST", url: "/auth/logout", headers: person.headers });
  failing.mockRestore();
  expect([reply.statusCode, reply.headers["clear-site-data"]]).toEqual([500, '"cache"']);
});

describe("routes", () => {
  it("answer every call of the contract", () => {
    const missing = endpoints.filter(
      ({ method, path }) => !server.app.hasRoute({ method, url: path.replace(/\{(\w+)\}/g, ":$1") }),
    );
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it("are all in the contract, except pages, documentation, metrics and second addresses of senders", () => {
    const contract = new Set(endpoints.map((call) => call.path.replace(/\{(\w+)\}/g, ":$1")));
    const others = [
      "/",
      "/*",
      "/api/openapi.json",
      "/metrics",
      "/api/profiles/writeraw",
      "/api/v2/profile",
      "/telemetry/proxy/api/v2/apmtelemetry",
      "/v0.3/traces",
      "/v0.5/traces",
      "/v0.6/stats",
      "/v0.7/config",
      "/pyroscope/ingest",
      "/v1/profiles",
      "/pyroscope/push.v1.PusherService/Push",
    ];
    const routes = printedRoutes(server.app.printRoutes());
    expect(routes).toContain("/api/v1/protected/api-keys/:id");
    expect(
      routes.filter((route) => !contract.has(route) && !others.includes(route) && !/^\/docs\b/.test(route)),
    ).toEqual([]);
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
