import {
  type Endpoint,
  findOrganizationOf,
  type Role,
  roles,
  toPath,
  userProfile,
} from "@flamekeep/contract";
import { endpointOf, endpoints } from "@flamekeep/contract/schemas";
import { profileOf } from "@flamekeep/profile/testing";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { decodeProtectedHeader, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAccessToken } from "#auth/tokens/access-token.ts";
import { exampleBody } from "#testing/example-body.ts";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";

type Who =
  | "anybody"
  | "public link"
  | "ingest key"
  | "read key or demo"
  | "every role or demo"
  | "every role"
  | "admin, member or demo"
  | "admin or member"
  | "admin"
  | "operator";

/** Every route, and who may call it. A new route fails the test until it has a line here. */
const table: Readonly<Record<string, Who>> = {
  "POST /api/v1/ingest/profiles": "ingest key",
  "POST /api/v1/protected/profiles": "admin or member",
  "POST /ingest": "ingest key",
  "POST /api/v1/ingest/http-metrics": "ingest key",
  "POST /parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw": "ingest key",
  "POST /profiling/v1/input": "ingest key",
  "GET /info": "anybody",
  "POST /v0.4/traces": "anybody",
  "POST /push.v1.PusherService/Push": "ingest key",
  "POST /v1development/profiles": "ingest key",
  "POST /v1/traces": "ingest key",
  "POST /v1/metrics": "ingest key",
  "POST /auth/register": "anybody",
  "POST /auth/login": "anybody",
  "POST /auth/login/second-factor": "anybody",
  "POST /auth/login/passkey/options": "anybody",
  "POST /auth/login/passkey": "anybody",
  "POST /auth/single-sign-on": "anybody",
  "POST /auth/single-sign-on/finish": "anybody",
  "POST /auth/refresh-token": "anybody",
  "POST /auth/logout": "anybody",
  "GET /api/v1/protected/user/profile": "every role or demo",
  "POST /auth/forgot-password": "anybody",
  "POST /auth/reset-password": "anybody",
  "POST /api/v1/protected/user/password": "every role",
  "POST /auth/verify-email": "anybody",
  "POST /api/v1/protected/user/verification": "every role",
  "GET /api/v1/protected/user/sessions": "every role or demo",
  "DELETE /api/v1/protected/user/sessions/{id}": "every role",
  "DELETE /api/v1/protected/user/sessions": "every role",
  "GET /api/v1/protected/user/second-factor": "every role or demo",
  "POST /api/v1/protected/user/second-factor/totp": "every role",
  "POST /api/v1/protected/user/second-factor/totp/confirm": "every role",
  "DELETE /api/v1/protected/user/second-factor/totp": "every role",
  "POST /api/v1/protected/user/second-factor/recovery-codes": "every role",
  "POST /api/v1/protected/user/second-factor/passkeys/options": "every role",
  "POST /api/v1/protected/user/second-factor/passkeys": "every role",
  "PATCH /api/v1/protected/user/second-factor/passkeys/{id}": "every role",
  "DELETE /api/v1/protected/user/second-factor/passkeys/{id}": "every role",
  "GET /api/v1/protected/user/identities": "every role",
  "POST /auth/single-sign-on/link": "every role",
  "POST /auth/single-sign-on/link/finish": "every role",
  "DELETE /api/v1/protected/user/identities/{id}": "every role",
  "GET /api/v1/protected/organization/audit": "admin",
  "GET /api/v1/protected/organization/audit/export": "admin",
  "GET /api/v1/protected/user/organizations": "every role",
  "POST /api/v1/protected/user/organizations/{id}/switch": "every role",
  "GET /api/v1/protected/user/organization-of/{kind}/{id}": "every role",
  "POST /api/v1/protected/user/leave-organization": "every role",
  "GET /api/v1/protected/organization": "every role or demo",
  "PATCH /api/v1/protected/organization": "admin",
  "GET /api/v1/protected/organization/limits": "admin",
  "PUT /api/v1/protected/organization/second-factor": "admin",
  "DELETE /api/v1/protected/organization": "admin",
  "GET /api/v1/protected/organization/invitations": "admin",
  "POST /api/v1/protected/organization/invitations": "admin",
  "DELETE /api/v1/protected/organization/invitations/{id}": "admin",
  "POST /auth/invitation": "anybody",
  "GET /api/v1/protected/organization/shared-links": "admin or member",
  "POST /api/v1/protected/organization/shared-links": "admin or member",
  "DELETE /api/v1/protected/organization/shared-links/{id}": "admin or member",
  "PUT /api/v1/protected/organization/public-links": "admin",
  "POST /api/v1/shared": "public link",
  "POST /api/v1/shared/graph": "public link",
  "POST /api/v1/protected/user/invitations": "every role",
  "GET /api/v1/protected/organization/figures": "every role or demo",
  "GET /api/v1/protected/organization/members": "every role",
  "GET /api/v1/protected/organization/requests": "every role or demo",
  "PATCH /api/v1/protected/organization/members/{id}": "admin",
  "DELETE /api/v1/protected/organization/members/{id}": "admin",
  "POST /api/v1/protected/organization/members/{id}/transfer": "admin",
  "GET /api/v1/protected/api-keys": "every role or demo",
  "POST /api/v1/protected/api-keys": "admin or member",
  "GET /api/v1/protected/api-keys/{id}/usage": "every role or demo",
  "DELETE /api/v1/protected/api-keys/{id}": "admin or member",
  "GET /api/v1/protected/profiles": "every role or demo",
  "GET /api/v1/protected/profiles/service/{service}": "every role or demo",
  "GET /api/v1/protected/profile/{id}": "every role or demo",
  "GET /api/v1/protected/profile/{id}/download": "every role or demo",
  "GET /api/v1/protected/services": "every role or demo",
  "GET /api/v1/protected/flamegraph/{id}": "every role or demo",
  "GET /api/v1/protected/flamegraph/service/{service}/{type}": "every role or demo",
  "GET /api/v1/protected/flamegraph/diff": "every role or demo",
  "GET /api/v1/protected/functions": "every role or demo",
  "GET /api/v1/protected/functions/shared": "every role or demo",
  "GET /api/v1/protected/profile/{id}/neighbours": "every role or demo",
  "GET /api/v1/protected/labels/service/{service}/{type}": "every role or demo",
  "GET /api/v1/protected/labels/{id}": "every role or demo",
  "GET /api/v1/protected/tags/service/{service}": "every role or demo",
  "GET /api/v1/protected/source-links": "every role or demo",
  "PUT /api/v1/protected/services/{service}/source-link": "admin",
  "DELETE /api/v1/protected/services/{service}/source-link": "admin",
  "GET /api/v1/protected/profile/{id}/stats": "every role or demo",
  "GET /api/v1/protected/goroutines/chart/{profileId}": "every role or demo",
  "GET /api/v1/protected/goroutines/service/{service}": "every role or demo",
  "GET /api/v1/protected/mutex/chart/{profileId}": "every role or demo",
  "GET /api/v1/protected/mutex/service/{service}": "every role or demo",
  "GET /api/v1/protected/block/chart/{profileId}": "every role or demo",
  "GET /api/v1/protected/block/service/{service}": "every role or demo",
  "GET /api/v1/protected/custom/chart/{profileId}": "every role or demo",
  "GET /api/v1/protected/custom/service/{service}": "every role or demo",
  "GET /api/v1/protected/timeline/service/{service}/{type}": "every role or demo",
  "GET /api/v1/protected/timeline/service/{service}": "every role or demo",
  "GET /api/v1/protected/series/service/{service}/{type}": "every role or demo",
  "GET /api/v1/protected/deploys/service/{service}": "every role or demo",
  "GET /api/v1/protected/services/trends": "every role or demo",
  "GET /api/v1/protected/targets": "every role or demo",
  "POST /api/v1/protected/targets": "admin or member",
  "POST /api/v1/protected/targets/test": "admin or member",
  "PUT /api/v1/protected/targets/{id}": "admin or member",
  "DELETE /api/v1/protected/targets/{id}": "admin or member",
  "GET /api/v1/protected/senders": "every role or demo",
  "GET /api/v1/protected/senders/{service}/instances": "every role or demo",
  "GET /api/v1/protected/summary": "every role or demo",
  "GET /api/v1/protected/summary/services": "every role or demo",
  "GET /api/v1/protected/summary/service/{service}": "every role or demo",
  "GET /api/v1/protected/http-metrics/service/{service}": "every role or demo",
  "GET /api/v1/protected/http-metrics/service/{service}/aggregated": "every role or demo",
  "GET /api/v1/protected/http-metrics/paths": "every role or demo",
  "GET /api/v1/protected/http-metrics/service/{service}/errors": "every role or demo",
  "GET /api/v1/protected/http-metrics/service/{service}/paths": "every role or demo",
  "GET /api/v1/protected/http-metrics/service/{service}/route-time": "every role or demo",
  "GET /api/v1/protected/timeline/http/{service}": "every role or demo",
  "GET /api/v1/protected/alert-digest": "admin",
  "PUT /api/v1/protected/alert-digest": "admin",
  "GET /api/v1/protected/alert-settings": "admin",
  "PUT /api/v1/protected/alert-settings": "admin",
  "POST /api/v1/protected/alert-settings/test": "admin",
  "GET /api/v1/protected/alerts": "every role or demo",
  "GET /api/v1/protected/incidents": "every role or demo",
  "GET /api/v1/protected/incidents/{id}": "every role or demo",
  "GET /api/v1/protected/alerts/coverage/service/{service}": "every role or demo",
  "POST /api/v1/protected/incidents/{id}/acknowledge": "admin or member",
  "PUT /api/v1/protected/incidents/{id}/assignee": "admin or member",
  "POST /api/v1/protected/incidents/{id}/comments": "admin or member",
  "DELETE /api/v1/protected/incidents/{id}/comments/{comment}": "admin or member",
  "GET /api/v1/protected/alerts/mutes": "every role or demo",
  "GET /api/v1/protected/alerts/mutes/proposals": "every role or demo",
  "GET /api/v1/protected/alerts/rules": "every role or demo",
  "POST /api/v1/protected/alerts/rules": "admin or member",
  "PUT /api/v1/protected/alerts/rules/{id}": "admin or member",
  "DELETE /api/v1/protected/alerts/rules/{id}": "admin or member",
  "POST /api/v1/protected/alerts/rules/preview": "admin or member",
  "POST /api/v1/protected/alerts/mute": "admin or member",
  "POST /api/v1/protected/alerts/unmute": "admin or member",
  "DELETE /api/v1/protected/alerts/mutes/{id}": "admin or member",
  "POST /api/v1/protected/alerts/{id}/acknowledge": "admin or member",
  "POST /api/v1/protected/alerts/{id}/expect": "admin or member",
  "POST /api/v1/protected/profile/{id}/analyze": "admin, member or demo",
  "POST /api/v1/protected/service/{service}/analyze": "admin, member or demo",
  "GET /api/v1/protected/analysis/{id}": "every role or demo",
  "GET /api/v1/protected/profile/{id}/analyses": "every role or demo",
  "GET /api/v1/protected/service/{service}/analyses": "every role or demo",
  "GET /api/v1/protected/service/{service}/latest-analyses": "every role or demo",
  "PUT /api/v1/protected/analysis/{id}/recommendation/{recommendation}/feedback": "admin or member",
  "POST /api/v1/protected/analysis/{id}/ask": "admin or member",
  "GET /api/v1/protected/findings": "every role or demo",
  "PATCH /api/v1/protected/findings/{id}": "admin or member",
  "GET /api/v1/protected/organization/price": "every role or demo",
  "PUT /api/v1/protected/organization/price": "admin",
  "POST /mcp": "read key or demo",
  "POST /querier.v1.QuerierService/ProfileTypes": "read key or demo",
  "POST /querier.v1.QuerierService/LabelNames": "read key or demo",
  "POST /querier.v1.QuerierService/LabelValues": "read key or demo",
  "POST /querier.v1.QuerierService/Series": "read key or demo",
  "POST /querier.v1.QuerierService/SelectMergeStacktraces": "read key or demo",
  "POST /querier.v1.QuerierService/SelectMergeSpanProfile": "read key or demo",
  "POST /querier.v1.QuerierService/SelectMergeProfile": "read key or demo",
  "POST /querier.v1.QuerierService/SelectSeries": "read key or demo",
  "POST /querier.v1.QuerierService/SelectHeatmap": "read key or demo",
  "POST /querier.v1.QuerierService/Diff": "read key or demo",
  "POST /querier.v1.QuerierService/GetProfileStats": "read key or demo",
  "POST /querier.v1.QuerierService/AnalyzeQuery": "read key or demo",
  "POST /settings.v1.SettingsService/Get": "read key or demo",
  "GET /metrics/services": "read key or demo",
  "GET /pyroscope/render": "read key or demo",
  "GET /pyroscope/render-diff": "read key or demo",
  "GET /pyroscope/label-values": "read key or demo",
  "GET /api/v1/protected/projects": "every role or demo",
  "GET /api/v1/protected/projects/{id}": "every role or demo",
  "GET /api/v1/protected/projects/{id}/figures": "every role or demo",
  "GET /api/v1/protected/projects/{id}/requests": "every role or demo",
  "POST /api/v1/protected/projects": "admin or member",
  "PATCH /api/v1/protected/projects/{id}": "admin or member",
  "DELETE /api/v1/protected/projects/{id}": "admin or member",
  "GET /api/v1/protected/dashboards": "every role or demo",
  "POST /api/v1/protected/dashboards": "admin or member",
  "GET /api/v1/protected/dashboards/{id}": "every role or demo",
  "PUT /api/v1/protected/dashboards/{id}": "admin or member",
  "DELETE /api/v1/protected/dashboards/{id}": "admin or member",
  "GET /api/v1/protected/dashboards/{id}/versions": "every role or demo",
  "POST /api/v1/protected/dashboards/{id}/restore": "admin or member",
  "GET /api/v1/protected/organization/retention": "every role or demo",
  "PUT /api/v1/protected/organization/retention": "admin",
  "DELETE /api/v1/protected/services/{service}": "admin",
  "GET /api/v1/demo/flame-graph": "anybody",
  "POST /api/v1/open": "anybody",
  "GET /healthz": "anybody",
  "GET /readyz": "anybody",
  "GET /api/v1/status": "every role or demo",
  "GET /api/v1/config": "anybody",
  "GET /api/v1/protected/operator/overview": "operator",
  "PATCH /api/v1/protected/operator/organizations/{id}/limits": "operator",
  "PUT /api/v1/protected/operator/storage-price": "operator",
  "POST /api/v1/protected/operator/accounts/find": "operator",
  "PUT /api/v1/protected/operator/accounts/{id}/active": "operator",
  "POST /api/v1/protected/operator/accounts/{id}/reset-link": "operator",
  "POST /api/v1/protected/operator/accounts/{id}/remove-second-factors": "operator",
  "POST /api/v1/protected/operator/accounts/{id}/operator": "operator",
};

/** Members who lack the second factor that their organization requires may make these calls, and no others with a session. */
const openWithoutSecondFactor: readonly string[] = [
  "GET /api/v1/protected/user/profile",
  "POST /api/v1/protected/user/password",
  "POST /api/v1/protected/user/verification",
  "GET /api/v1/protected/user/sessions",
  "DELETE /api/v1/protected/user/sessions/{id}",
  "DELETE /api/v1/protected/user/sessions",
  "GET /api/v1/protected/user/second-factor",
  "POST /api/v1/protected/user/second-factor/totp",
  "POST /api/v1/protected/user/second-factor/totp/confirm",
  "POST /api/v1/protected/user/second-factor/passkeys/options",
  "POST /api/v1/protected/user/second-factor/passkeys",
  "GET /api/v1/protected/user/organizations",
  "POST /api/v1/protected/user/organizations/{id}/switch",
  "POST /api/v1/protected/user/leave-organization",
  "POST /api/v1/protected/user/invitations",
];

const rolesOf: Readonly<Partial<Record<Who, readonly Role[]>>> = {
  "admin, member or demo": ["admin", "member"],
  "admin or member": ["admin", "member"],
  admin: ["admin"],
};

/** At full length each call gets all of them. Otherwise one, in turn: the check before every call is the same. */
function inTurn<T>(all: readonly T[], number: number): readonly T[] {
  return isFullLength ? all : [all[number % all.length]!];
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const whoMay = (call: Endpoint) => table[nameOf(call)] as Who;
const isKeyCall = ({ auth }: Endpoint) => auth === "ingestKey" || auth === "readKey";
const sessionCalls = endpoints.filter(({ auth }) => auth === "session");
const keyCalls = endpoints.filter(isKeyCall);

it("the table has every route and nothing else, as the contract declares it", () => {
  expect(Object.keys(table).toSorted()).toEqual(endpoints.map(nameOf).toSorted());
  for (const call of endpoints) {
    const roles = rolesOf[whoMay(call)] ?? ["admin", "member", "viewer"];
    const isOpenToDemo = whoMay(call).endsWith("demo");
    if (call.auth === "session") expect([nameOf(call), call.roles]).toEqual([nameOf(call), roles]);
    if (call.auth !== "none") expect([nameOf(call), call.isOpenToDemo]).toEqual([nameOf(call), isOpenToDemo]);
    expect([nameOf(call), call.isForOperator]).toEqual([nameOf(call), whoMay(call) === "operator"]);
  }
});

describe("each route", () => {
  let server: TestApp;
  let ada: Person;
  let eve: Person;
  let ingestKey: TestKey;
  let readKey: TestKey;
  /** The token of a public link to a profile of Ada's. */
  let linkToken: string;
  beforeAll(async () => {
    server = await startApp({ at: "2026-11-20T10:00:00.000Z" });
    ada = await server.signUp();
    eve = await server.signUp();
    ingestKey = await server.makeKey(ada, "adas");
    readKey = await server.makeKey(ada, "agent", "read");
    linkToken = await publicLink();
  });
  afterAll(() => server.close());

  async function publicLink(): Promise<string> {
    const sent = await server.send(profileOf("main\n1"), { headers: ingestKey.headers });
    const put = {
      method: "PUT",
      url: "/api/v1/protected/organization/public-links",
      headers: ada.headers,
    } as const;
    await server.app.inject({ ...put, payload: { is_allowed: true } });
    const reply = await server.app.inject({
      method: "POST",
      url: "/api/v1/protected/organization/shared-links",
      headers: ada.headers,
      payload: { graph: { kind: "profile", profile_id: sent.profile_id }, expires_in_days: 7 },
    });
    expect(reply.statusCode).toBe(201);
    return reply.json().url.split("/").at(-1);
  }

  type Headers = Readonly<Record<string, string>>;
  const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });

  function ask(call: Endpoint, headers: Headers, id = "nothing") {
    const names = {
      id,
      profileId: id,
      service: "nothing",
      type: "cpu",
      kind: "profile",
      recommendation: "r1",
      comment: id,
    };
    const hasJsonBody = call.method !== "GET" && call.upload === undefined;
    return server.app.inject({
      method: call.method,
      url: toPath(call, names),
      headers: { ...headers },
      ...(hasJsonBody && { payload: exampleBody(call) }),
    });
  }

  async function expectAll(calls: readonly Endpoint[], headers: Headers, status: number, who: string) {
    for (const call of calls) {
      const reply = await ask(call, headers);
      expect([who, nameOf(call), reply.statusCode]).toEqual([who, nameOf(call), status]);
    }
  }

  /** A token that the server would have signed itself, with other claims. */
  async function forged(claims: { readonly org?: unknown; readonly expired?: boolean }): Promise<string> {
    const own = await readAccessToken(server.ctx.accessKeys, ada.accessToken, server.clock.now());
    const now = Math.floor(server.clock.now().getTime() / 1000);
    return new SignJWT({ org: "org" in claims ? claims.org : ada.orgId, sid: own?.sessionId, role: "admin" })
      .setProtectedHeader({
        alg: "HS256",
        typ: "at+jwt",
        kid: String(decodeProtectedHeader(ada.accessToken).kid),
      })
      .setIssuer("flamekeep")
      .setAudience("flamekeep-api")
      .setSubject(ada.userId)
      .setIssuedAt(now - 1000)
      .setExpirationTime(claims.expired === true ? now - 1 : now + 300)
      .sign(server.ctx.accessKeys[0]);
  }

  it("that needs a session refuses every other token", async () => {
    expect((await ask(sessionCalls[0] as Endpoint, bearer(await forged({})))).statusCode).not.toBe(401);
    const [ended, disabled] = [await server.signUp(), await server.signUp()];
    await server.app.inject({ method: "POST", url: "/auth/logout", headers: ended.headers });
    await server.rows.updateTable("users").set({ isActive: 0 }).where("id", "=", disabled.userId).execute();
    server.ctx.sessions.forgetUser(disabled.userId);
    const tokens: readonly (readonly [string, Headers])[] = [
      ["expired token", bearer(await forged({ expired: true }))],
      ["ended session", ended.headers],
      ["disabled user", disabled.headers],
      ["refresh token", bearer(ada.refreshToken)],
      ["API key", ingestKey.headers],
      ["public link", bearer(linkToken)],
      ["public link as API key", { "x-api-key": linkToken }],
      ["API key as bearer", bearer(readKey.key)],
      ["demo key, demo off", bearer("test-api-key")],
      ["organization of others", bearer(await forged({ org: eve.orgId }))],
      ["organization 0", bearer(await forged({ org: 0 }))],
      ["organization '0'", bearer(await forged({ org: "0" }))],
      ["organization null", bearer(await forged({ org: null }))],
      ["no organization", bearer(await forged({ org: "" }))],
      ["zero organization", bearer(await forged({ org: "00000000-0000-0000-0000-000000000000" }))],
    ];
    await expectAll(sessionCalls, {}, 401, "no token");
    expect(sessionCalls.length).toBeGreaterThan(tokens.length);
    for (const [number, call] of sessionCalls.entries())
      for (const [who, headers] of inTurn(tokens, number)) await expectAll([call], headers, 401, who);
  });

  it("that needs a key refuses sessions, the demo key without the demo, and keys of the other scope", async () => {
    for (const [who, headers] of [
      ["no key", {}],
      ["session", ada.headers],
      ["demo key, demo off", { "x-api-key": "test-api-key" }],
      ["public link", { "x-api-key": linkToken }],
      ["public link as bearer", bearer(linkToken)],
    ] as const) {
      await expectAll(keyCalls, headers, 401, who);
    }
    await expectAll(
      keyCalls.filter(({ auth }) => auth === "ingestKey"),
      readKey.headers,
      403,
      "read key",
    );
    await expectAll(
      keyCalls.filter(({ auth }) => auth === "readKey"),
      ingestKey.headers,
      403,
      "ingest key",
    );
  });

  it("of a public link takes its token from the body alone, and no other credential", async () => {
    const calls = endpoints.filter((call) => whoMay(call) === "public link");
    expect(calls).toHaveLength(2);
    for (const { method, path } of calls) {
      const send = (payload: object, headers: Headers = {}, query = {}) =>
        server.app.inject({ method, url: path, payload, headers, query });
      expect([path, (await send({ token: linkToken })).statusCode]).toEqual([path, 200]);
      for (const other of [
        ada.accessToken,
        ada.refreshToken,
        ingestKey.key,
        readKey.key,
        "test-api-key",
        "",
      ]) {
        expect([path, (await send({ token: other })).statusCode]).toEqual([path, 404]);
      }
      for (const headers of [bearer(linkToken), { "x-api-key": linkToken }]) {
        expect([path, (await send({}, headers)).statusCode]).toEqual([path, 400]);
      }
      expect([path, (await send({}, {}, { token: linkToken })).statusCode]).toEqual([path, 400]);
    }
    for (const call of endpoints.filter(({ auth }) => auth === "none")) {
      if (whoMay(call) === "public link") continue;
      const plain = await ask(call, {});
      const withLink = await ask(call, bearer(linkToken));
      expect([nameOf(call), withLink.statusCode]).toEqual([nameOf(call), plain.statusCode]);
    }
  });

  it("never takes a key or a token from the query string", async () => {
    const queryNames = ["api_key", "key", "token", "access_token", "x-api-key", "authorization"];
    for (const [number, call] of endpoints.filter(({ auth }) => auth !== "none").entries()) {
      for (const name of inTurn(queryNames, number)) {
        const value = isKeyCall(call) ? ingestKey.key : ada.accessToken;
        const names = {
          id: "x",
          profileId: "x",
          service: "x",
          type: "cpu",
          kind: "profile",
          recommendation: "r",
          comment: "x",
        };
        const url = toPath(call, names);
        const reply = await server.app.inject({ method: call.method, url, query: { [name]: value } });
        expect([nameOf(call), name, reply.statusCode]).toEqual([nameOf(call), name, 401]);
      }
    }
  });

  it("admits the roles that the OpenAPI document states and no other, with a status that it declares", async () => {
    const { paths } = (await server.app.inject("/api/openapi.json")).json();
    let refused = 0;
    for (const role of [...roles, "operator"] as const) {
      let person = await somebodyWith(role);
      for (const call of sessionCalls) {
        const { security, responses } = paths[call.path][call.method.toLowerCase()];
        const isAllowed = security[0].session.includes(role);
        // Others may not notice what an operator does to a person.
        if (role === "operator" && !isAllowed) continue;
        // Limits on wrong passwords and on mail would hide the reply.
        await server.rows.deleteFrom("tokenBuckets").execute();
        const reply = await ask(call, person.headers);
        const asked = [role, nameOf(call)];
        expect([...asked, reply.statusCode === 403]).toEqual([...asked, !isAllowed]);
        expect([...asked, Object.keys(responses)]).toEqual([
          ...asked,
          expect.arrayContaining([String(reply.statusCode)]),
        ]);
        if (!isAllowed && !call.isForOperator) {
          refused++;
          const needed = `This needs the role ${call.roles.join(" or ")}. Ask an admin of your organization.`;
          expect([...asked, reply.json().error]).toEqual([...asked, needed]);
        }
        // Some calls end the session.
        if (call.method !== "GET" && (await ask(endpointOf(userProfile), person.headers)).statusCode === 401)
          person = await somebodyWith(role);
      }
    }
    expect(refused).toBeGreaterThan(50);
  });

  /** The operator is who signed up first. */
  async function somebodyWith(role: Role | "operator"): Promise<Person> {
    if (role === "operator") return ada;
    const person = await server.signUp();
    // An organization forbids public links to all roles until an admin allows them.
    await server.rows
      .updateTable("organizations")
      .set({ allowsPublicLinks: 1 })
      .where("id", "=", person.orgId)
      .execute();
    await server.setRole(person, role);
    return person;
  }

  it("is refused without the second factor that the organization requires, except what is about the account", async () => {
    const open = endpoints.filter(({ isOpenWithoutSecondFactor }) => isOpenWithoutSecondFactor);
    expect(open.map(nameOf).toSorted()).toEqual(openWithoutSecondFactor.toSorted());
    const admin = await server.signUp();
    const key = await server.makeKey(admin, "sender");
    await server.rows
      .updateTable("organizations")
      .set({ requiresSecondFactor: 1 })
      .where("id", "=", admin.orgId)
      .execute();
    server.ctx.sessions.forgetOrganization(admin.orgId);
    const closed = sessionCalls.filter((call) => !openWithoutSecondFactor.includes(nameOf(call)));
    expect(closed.length).toBeGreaterThan(50);
    for (const call of closed) {
      const reply = await ask(call, admin.headers);
      expect([nameOf(call), reply.statusCode, reply.json().code]).toEqual([
        nameOf(call),
        403,
        "second_factor_required",
      ]);
    }
    for (const call of open.filter(({ method }) => method === "GET")) {
      const reply = await ask(call, admin.headers);
      expect([nameOf(call), reply.statusCode]).toEqual([nameOf(call), 200]);
    }
    await server.send(profileOf("main\n1"), { headers: key.headers });
    expect((await ask(sessionCalls[0] as Endpoint, ada.headers)).json().code).not.toBe(
      "second_factor_required",
    );
  });

  it("answers an id of another organization like one that does not exist", async () => {
    const sent = await server.send(profileOf("main\n1"), { headers: ingestKey.headers });
    const post = async (url: string, payload: object) =>
      (await server.app.inject({ method: "POST", url, headers: ada.headers, payload })).json();
    const { project } = await post("/api/v1/protected/projects", { name: "adas" });
    const { invitation } = await post("/api/v1/protected/organization/invitations", {});
    const analysis = await post(`/api/v1/protected/profile/${sent.profile_id}/analyze`, {});
    const session = await server.rows
      .selectFrom("sessions")
      .select("id")
      .where("userId", "=", ada.userId)
      .executeTakeFirstOrThrow();
    const ids: string[] = [sent.profile_id, project.id, invitation.id, analysis.id, session.id];
    ids.push(ingestKey.id, ada.orgId, ada.userId);
    expect(ids.every((id) => typeof id === "string" && id.length > 8)).toBe(true);
    const withId = sessionCalls.filter(
      (call) => /\{(id|profileId)\}/.test(call.path) && whoMay(call) !== "operator",
    );
    expect(withId.length).toBeGreaterThan(15);
    let compared = 0;
    for (const call of withId) {
      const absent = await ask(call, eve.headers, "nothing");
      for (const id of ids) {
        // The limit on wrong passwords would hide the replies.
        await server.rows.deleteFrom("tokenBuckets").execute();
        const theirs = await ask(call, eve.headers, id);
        const text = theirs.json().error?.replaceAll(id, "nothing");
        expect([nameOf(call), theirs.statusCode, text]).toEqual([
          nameOf(call),
          absent.statusCode,
          absent.json().error,
        ]);
        // A search says that it found nothing; all others refuse.
        if (call.path === findOrganizationOf.path) expect(theirs.json()).toEqual({ organization: null });
        else expect([nameOf(call), theirs.statusCode]).toEqual([nameOf(call), expect.toSatisfy(isRefusal)]);
        compared++;
      }
    }
    console.info(`${compared} pairs of a route and an id of another organization: none leaks`);
  });
});

/** 404, or 400 where the body's password is wrong, which is found before the id is looked up. */
function isRefusal(status: number): boolean {
  return status === 400 || status === 404;
}
