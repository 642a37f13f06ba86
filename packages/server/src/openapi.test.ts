import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Endpoint, failureStatus, type Role, toPath } from "@flamekeep/contract";
import { endpoints } from "@flamekeep/contract/schemas";
import { writeProfile } from "@flamekeep/profile";
import { otlpOf, profileOf } from "@flamekeep/profile/testing";
import type { LightMyRequestResponse as Reply } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimNext } from "#analysis/queue/claim.ts";
import { completeAnalysis } from "#analysis/queue/process.ts";
import type { AnalysisResult } from "#analysis/store/stored-analysis.ts";
import { createOpaqueToken } from "#auth/tokens/opaque-token.ts";
import { toOpenApi } from "#http/documentation/openapi.ts";
import type { MailTokenPurpose } from "#store/row/tables/accounts.ts";
import { addAuthenticatorApp, currentCode } from "#testing/authenticator-app.ts";
import { SoftwareAuthenticator } from "#testing/software-authenticator.ts";
import { type Person, startApp, type TestApp, type TestKey, testPassword } from "#testing/start-app.ts";
import { storeAlert } from "#testing/store-alert.ts";

const at = "2026-11-20T12:00:30.000Z";
const stacks = "main\nwork\n10";
/** Sample types by which each kind of profile is known. */
const profiles = {
  cpu: profileOf(stacks, { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n }),
  memory: profileOf(stacks, { sampleTypes: ["inuse_space/bytes"] }),
  goroutine: profileOf(stacks, { sampleTypes: ["goroutine/count"] }),
  mutex: profileOf("main\nwork\n1,10", { sampleTypes: ["contentions/count", "delay/nanoseconds"] }),
  block: profileOf("main\nwork\n1,10", { sampleTypes: ["contentions/count", "delay/nanoseconds"] }),
  custom: profileOf(stacks, { sampleTypes: ["connections/count"] }),
};
const metric = { timestamp: at, duration: 0.1, status_code: 404, method: "GET", path: "/orders" };

let receiver: Server;
let server: TestApp;
let ada: Person;
let viewer: Person;
/** Gets links by mail. */
let mailed: Person;
/** They end their sessions. */
let reader: Person;
let lastReader: Person;
/** Each is the admin of an organization that Ada is a member of, too: they leave it, hand it over and delete it. */
let leaver: Person;
let giver: Person;
let deleter: Person;
/** Accepts an invitation. */
let joiner: Person;
/** The first has to confirm an authenticator app and to add a passkey, the second has both. */
let confirming: Person;
let careful: Person;
let confirmingKey: SoftwareAuthenticator;
let carefulKey: SoftwareAuthenticator;
let key: TestKey;
let readKey: TestKey;
const ids: Record<string, string> = {};
let analysisId: string;

interface Sent {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly payload?: Buffer | object;
  readonly headers?: Record<string, string>;
}

beforeAll(async () => {
  receiver = createServer((_request, reply) => void reply.writeHead(204).end());
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const smtp = { SMTP_URL: "smtp://127.0.0.1:1" };
  const model = { LLM_PROVIDER: "openai", LLM_BASE_URL: url, LLM_MODEL: "a-model" };
  server = await startApp({
    at,
    env: { ALERT_WEBHOOKS_ALLOW_PRIVATE: "on", OPEN_FILES: "on", ...model, ...smtp },
  });
  ada = await server.signUp();
  viewer = await server.signUp();
  await server.setRole(viewer, "viewer");
  [mailed, reader, lastReader] = [await server.signUp(), await server.signUp(), await server.signUp()];
  await server.ctx.mailQueue.idle();
  for (const purpose of ["reset password", "verify email"] as const) ids[purpose] = await mailToken(purpose);
  [leaver, giver, deleter] = [await server.signUp(), await server.signUp(), await server.signUp()];
  joiner = await server.signUp();
  [confirming, careful] = [await server.signUp(), await server.signUp()];
  await addAuthenticatorApp(server, confirming, "waiting");
  await addAuthenticatorApp(server, careful);
  await addAuthenticatorApp(server, lastReader);
  // Only a confirmed address can become the operator's.
  await server.rows.updateTable("users").set({ isVerified: 1 }).where("id", "=", lastReader.userId).execute();
  await addMember(leaver.orgId, ada, "admin");
  await addMember(giver.orgId, ada, "member");
  await addMember(ada.orgId, reader, "member");
  key = await server.makeKey(ada, "checkout");
  readKey = await server.makeKey(ada, "agent", "read");
  ids.challenge = await challenge();
  await makePasskeys();
  for (const name of ["to read", "to accept", "to revoke"]) ids[name] = await invitation(name);
  for (const [type, profile] of Object.entries(profiles)) {
    const reply = await send(endpointOf("POST /api/v1/ingest/profiles"), {
      query: { service: "checkout", type },
      payload: Buffer.from(writeProfile(profile)),
    });
    expect(reply.statusCode).toBe(200);
    ids[type] = reply.json().profile_id;
  }
  analysisId = await completedAnalysis();
  for (const service of ["to acknowledge", "to expect"]) ids[service] = await openAlert(service);
  ids.mute = await plannedMute();
  ids.comment = await comment();
  for (const name of ["rule to change", "rule to remove"]) ids[name] = await newRule(name);
  for (const name of ["dashboard", "dashboard to remove"]) ids[name] = await newDashboard(name);
  for (const name of ["target", "target to remove"]) ids[name] = await newTarget(name);
  ids.group = await newGroup();
  await shareProfile();
});
afterAll(async () => {
  await server.close();
  receiver.close();
});

async function addMember(orgId: string, { userId }: Person, role: Role): Promise<void> {
  await server.ctx.rows.insertInto("memberships").values({ orgId, userId, role, createdAt: at }).execute();
}

/** The token of an invitation to Ada's organization, or its id if it is there to be revoked. */
async function invitation(name: string): Promise<string> {
  const reply = await send(endpointOf("POST /api/v1/protected/organization/invitations"), { payload: {} });
  const { invitation: created, url } = reply.json();
  return name === "to revoke" ? created.id : url.replace(/^.*\/invite\//, "");
}

async function plannedMute(): Promise<string> {
  const reply = await send(endpointOf("POST /api/v1/protected/alerts/mute"), {
    payload: { service: "planned", starts_at: "2099-01-01T00:00:00.000Z" },
  });
  return reply.json().muted[0].id;
}

async function comment(): Promise<string> {
  const reply = await send(endpointOf("POST /api/v1/protected/incidents/{id}/comments"), {
    params: { id: ids["to acknowledge"] as string },
    payload: { text: "Twice since 1.8.0" },
  });
  return reply.json().comment.id;
}

const ruleBody = {
  service: "checkout",
  profile_type: "cpu",
  sample_type: "cpu/nanoseconds",
  comparison: "above",
  threshold: 1e9,
  minutes: 10,
};

async function newRule(name: string): Promise<string> {
  const reply = await send(endpointOf("POST /api/v1/protected/alerts/rules"), {
    payload: { ...ruleBody, name },
  });
  return reply.json().rule.id;
}

async function newGroup(): Promise<string> {
  const payload = { name: "Shop", services: ["checkout", "cart"] };
  return (await send(endpointOf("POST /api/v1/protected/projects"), { payload })).json().project.id;
}

/** Pods are found only where the operator allows it: no test connects to them. */
const targetBody = { name: "Till", source: { kind: "kubernetes" } };

async function newTarget(name: string): Promise<string> {
  const reply = await send(endpointOf("POST /api/v1/protected/targets"), {
    payload: { ...targetBody, name },
  });
  return reply.json().target.id;
}

async function newDashboard(name: string): Promise<string> {
  const reply = await send(endpointOf("POST /api/v1/protected/dashboards"), { payload: { name } });
  return reply.json().id;
}

function openAlert(service: string): Promise<string> {
  return storeAlert(server.rows, { orgId: ada.orgId, service, at, profileId: ids.cpu as string });
}

/** Creates a public link to read and one to revoke. */
async function shareProfile(): Promise<void> {
  await send(endpointOf("PUT /api/v1/protected/organization/public-links"), {
    payload: { is_allowed: true },
  });
  for (const name of ["shared", "shared link"]) {
    const reply = await send(endpointOf("POST /api/v1/protected/organization/shared-links"), {
      payload: { graph: { kind: "profile", profile_id: ids.cpu }, expires_in_days: 7 },
    });
    const { shared_link: created, url } = reply.json();
    ids[name] = name === "shared" ? url.replace(/^.*\/shared\//, "") : created.id;
  }
}

/** The token of a link to `mailed`. */
async function mailToken(purpose: MailTokenPurpose): Promise<string> {
  const { text, hash: tokenHash } = createOpaqueToken();
  const { userId } = mailed;
  const token = { tokenHash, userId, purpose, createdAt: at, expiresAt: "2026-11-21T12:00:30.000Z" };
  await server.ctx.rows.insertInto("mailTokens").values(token).execute();
  return text;
}

/** A passkey of `careful` that is to sign in, and challenges for it and for that of `confirming`. */
async function makePasskeys(): Promise<void> {
  [confirmingKey, carefulKey] = [new SoftwareAuthenticator(), new SoftwareAuthenticator()];
  const optionsFor = async ({ headers }: Person) => {
    const start = endpointOf(`POST ${secondFactor}/passkeys/options`);
    return (await send(start, { headers, payload: { password: testPassword } })).json().options;
  };
  const add = endpointOf(`POST ${secondFactor}/passkeys`);
  for (const name of ["passkey to use", "passkey to remove"]) {
    const key = name === "passkey to use" ? carefulKey : new SoftwareAuthenticator();
    const passkey = key.create(await optionsFor(careful));
    const reply = await send(add, { headers: careful.headers, payload: { name, passkey } });
    ids[name] = reply.json().passkey.id;
  }
  ids.toAdd = (await optionsFor(confirming)).challenge;
  const login = await send(endpointOf("POST /auth/login/passkey/options"), { payload: {} });
  ids.toSign = login.json().options.challenge;
}

/** The token of a sign-in that waits for a code. */
async function challenge(): Promise<string> {
  const payload = { email: careful.email, password: testPassword };
  return (await send(endpointOf("POST /auth/login"), { payload })).json().second_factor.token;
}

/** An analysis with one recommendation, as its analyser would leave it. */
async function completedAnalysis(): Promise<string> {
  const reply = await send(endpointOf("POST /api/v1/protected/profile/{id}/analyze"), { payload: {} });
  const { id } = reply.json();
  const advice = { id: "r1", category: "cpu_optimization", priority: "high", confidence: 0.9 } as const;
  const texts = { issue: "Slow", impact: "Much", solution: "Less", codeExample: "return" };
  const place = { name: "work", file: "", line: 0, selfShare: 1, totalShare: 1, isVerified: true };
  const evidence = { rule: "r", sampleType: "cpu", saving: 0, share: 1, functions: [place], path: ["main"] };
  const result: AnalysisResult = {
    recommendations: [{ ...advice, ...texts, ...evidence }],
    estimatedImprovement: "Up to 1 % of CPU",
    isClean: false,
    profiles: 0,
    baselineProfiles: 0,
    comparison: null,
    usage: { cpu: { value: 0.5, unit: "cores" } },
    instances: 2,
  };
  const { rows } = server.ctx;
  const claimed = await claimNext(rows, { holder: "this test", kind: "model", now: new Date(at) });
  const spent = { processingTimeMs: 1, tokensUsed: 0, at: new Date(at) };
  expect(await completeAnalysis(rows, claimed!, result, spent)).toBe(true);
  const [finding] = (await send(endpointOf("GET /api/v1/protected/findings"))).json().findings;
  ids.finding = finding.id;
  return id;
}

function endpointOf(name: string): Endpoint {
  const call = endpoints.find(({ method, path }) => `${method} ${path}` === name);
  if (call === undefined) throw new Error(`${name} is not in the contract`);
  return call;
}

function send(
  call: Endpoint,
  { params, query, payload, headers }: Sent = {},
  app = server.app,
): Promise<Reply> {
  const credentials = {
    none: {},
    session: ada.headers,
    ingestKey: key.headers,
    readKey: readKey.headers,
  }[call.auth];
  const service = call.path.includes("/ingest") ? {} : { service: "checkout" };
  return app.inject({
    method: call.method,
    url: toPath(
      call,
      {
        id: ids.cpu as string,
        profileId: "nothing",
        type: "cpu",
        kind: "profile",
        recommendation: "r1",
        comment: "nothing",
        ...service,
        ...params,
      },
      query,
    ),
    headers: { ...credentials, ...headers },
    ...(payload !== undefined && { payload }),
  });
}

const secondFactor = "/api/v1/protected/user/second-factor";
const signOutEverywhere = "DELETE /api/v1/protected/user/sessions";
/** Calls that a viewer, too, may make, after which the token of the session no longer works. */
const endingToken = [
  signOutEverywhere,
  "POST /api/v1/protected/user/leave-organization",
  "POST /api/v1/protected/user/invitations",
];

function sessionOf(accessToken: string): string {
  return JSON.parse(Buffer.from(accessToken.split(".")[1] ?? "", "base64url").toString()).sid;
}

/** The input of calls that need more than the id of a profile and the name of a service. */
/** Requests of readers of Pyroscope, in JSON. */
function readerCalls(): Record<string, () => Sent> {
  const range = { start: String(Date.parse(at) - 3_600_000), end: String(Date.parse(at)) };
  const selected = {
    profileTypeID: "process_cpu:cpu:nanoseconds:cpu:nanoseconds",
    labelSelector: '{service_name="checkout"}',
    ...range,
  };
  const messages = {
    ProfileTypes: range,
    LabelNames: range,
    LabelValues: { name: "service_name", ...range },
    Series: range,
    SelectMergeStacktraces: selected,
    SelectMergeSpanProfile: { ...selected, spanSelector: ["0123456789abcdef"] },
    SelectMergeProfile: selected,
    SelectSeries: { ...selected, step: 60 },
    SelectHeatmap: { ...selected, step: 60 },
    Diff: { left: selected, right: selected },
    GetProfileStats: {},
    AnalyzeQuery: { ...range, query: "{}" },
  };
  const headers = () => ({ ...readKey.headers, "content-type": "application/json" });
  const query = `${selected.profileTypeID}{service_name="checkout"}`;
  const sides = {
    leftQuery: query,
    leftFrom: "now-2h",
    leftUntil: "now-1h",
    rightQuery: query,
    rightFrom: "now-1h",
  };
  return {
    ...Object.fromEntries(
      Object.entries(messages).map(([method, payload]) => [
        `POST /querier.v1.QuerierService/${method}`,
        () => ({ payload, headers: headers() }),
      ]),
    ),
    "POST /settings.v1.SettingsService/Get": () => ({ payload: {}, headers: headers() }),
    "GET /pyroscope/render": () => ({ query: { query, from: "now-1h" }, headers: readKey.headers }),
    "GET /pyroscope/render-diff": () => ({ query: sides, headers: readKey.headers }),
    "GET /pyroscope/label-values": () => ({ query: { label: "service_name" }, headers: readKey.headers }),
  };
}

const special: Record<string, () => Sent> = {
  "GET /api/v1/protected/functions": () => ({ query: { q: "main" } }),
  "POST /api/v1/ingest/profiles": () => ({
    query: { service: "checkout" },
    payload: Buffer.from(writeProfile(profiles.cpu)),
  }),
  "POST /api/v1/protected/profiles": () => ({
    query: { service: "checkout", file: "cpu.pb" },
    payload: Buffer.from(writeProfile(profiles.cpu)),
  }),
  "POST /api/v1/open": () => ({
    query: { file: "cpu.pb" },
    payload: Buffer.from(writeProfile(profiles.cpu)),
  }),
  "POST /ingest": () => ({
    query: { name: "checkout", format: "pprof" },
    payload: Buffer.from(writeProfile(profiles.cpu)),
  }),
  "POST /push.v1.PusherService/Push": () => ({
    payload: {
      series: [{ samples: [{ rawProfile: Buffer.from(writeProfile(profiles.cpu)).toString("base64") }] }],
    },
    headers: { "content-type": "application/json", "x-api-key": key.headers["x-api-key"] },
  }),
  "POST /v1development/profiles": () => ({
    payload: Buffer.from(otlpOf([{ profiles: [{ samples: [{ stack: "main", values: [1] }] }] }])),
    headers: { "content-type": "application/x-protobuf", "x-api-key": key.headers["x-api-key"] },
  }),
  "POST /profiling/v1/input": () => ({
    payload: Buffer.from(
      [
        "--b",
        'Content-Disposition: form-data; name="cpu.pprof"; filename="cpu.pprof"',
        "",
        Buffer.from(writeProfile(profiles.cpu)).toString("latin1"),
        "--b",
        'Content-Disposition: form-data; name="event"; filename="event.json"',
        "",
        JSON.stringify({ start: at, end: at, tags_profiler: "service:checkout" }),
        "--b--",
      ].join("\r\n"),
      "latin1",
    ),
    headers: { "content-type": "multipart/form-data; boundary=b", "x-api-key": key.headers["x-api-key"] },
  }),
  "POST /parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw": () => ({
    payload: {
      series: [
        {
          labels: { labels: [{ name: "__name__", value: "process_cpu" }] },
          samples: [{ rawProfile: Buffer.from(writeProfile(profiles.cpu)).toString("base64") }],
        },
      ],
    },
    headers: { "content-type": "application/json", "x-api-key": key.headers["x-api-key"] },
  }),
  "POST /v1/traces": () => ({
    payload: { resourceSpans: [] },
    headers: { "content-type": "application/json", "x-api-key": key.headers["x-api-key"] },
  }),
  "POST /v1/metrics": () => ({
    payload: { resourceMetrics: [] },
    headers: { "content-type": "application/json", "x-api-key": key.headers["x-api-key"] },
  }),
  "POST /api/v1/ingest/http-metrics": () => ({ query: { service: "checkout" }, payload: [metric] }),
  ...readerCalls(),
  "POST /mcp": () => ({
    payload: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    headers: { ...readKey.headers, accept: "application/json, text/event-stream" },
  }),
  "POST /auth/register": () => ({
    payload: { email: "new@example.com", password: testPassword, first_name: "Grace", last_name: "Hopper" },
  }),
  "POST /auth/login": () => ({ payload: { email: ada.email, password: testPassword } }),
  "POST /auth/login/second-factor": () => ({
    payload: { token: ids.challenge, code: currentCode(server) },
  }),
  [`POST ${secondFactor}/totp`]: () => ({ payload: { password: testPassword }, headers: joiner.headers }),
  [`POST ${secondFactor}/totp/confirm`]: () => ({
    payload: { code: currentCode(server) },
    headers: confirming.headers,
  }),
  [`DELETE ${secondFactor}/totp`]: () => ({
    payload: { password: testPassword },
    headers: confirming.headers,
  }),
  [`POST ${secondFactor}/recovery-codes`]: () => ({
    payload: { password: testPassword },
    headers: careful.headers,
  }),
  "POST /auth/login/passkey/options": () => ({ payload: {} }),
  "POST /auth/login/passkey": () => ({
    payload: { passkey: carefulKey.sign({ challenge: ids.toSign as string }) },
  }),
  [`POST ${secondFactor}/passkeys/options`]: () => ({ payload: { password: testPassword } }),
  [`POST ${secondFactor}/passkeys`]: () => ({
    payload: { name: "Laptop", passkey: confirmingKey.create({ challenge: ids.toAdd as string }) },
    headers: confirming.headers,
  }),
  [`PATCH ${secondFactor}/passkeys/{id}`]: () => ({
    params: { id: ids["passkey to remove"] as string },
    payload: { name: "Laptop" },
    headers: careful.headers,
  }),
  [`DELETE ${secondFactor}/passkeys/{id}`]: () => ({
    params: { id: ids["passkey to remove"] as string },
    payload: { password: testPassword },
    headers: careful.headers,
  }),
  "POST /auth/refresh-token": () => ({ headers: { authorization: `Bearer ${viewer.refreshToken}` } }),
  "POST /auth/logout": () => ({ headers: { authorization: `Bearer ${viewer.refreshToken}` } }),
  "PATCH /api/v1/protected/operator/organizations/{id}/limits": () => ({
    params: { id: ada.orgId },
    payload: { services: 1000 },
  }),
  "PUT /api/v1/protected/operator/storage-price": () => ({
    payload: { storage_price: { per_gb_month: 0.1, currency: "EUR" } },
  }),
  "POST /api/v1/protected/operator/accounts/find": () => ({ payload: { email: lastReader.email } }),
  "PUT /api/v1/protected/operator/accounts/{id}/active": () => ({
    params: { id: lastReader.userId },
    payload: { is_active: true },
  }),
  "POST /api/v1/protected/operator/accounts/{id}/reset-link": () => ({
    params: { id: lastReader.userId },
    // As another call has changed it.
    payload: { password: "another battery" },
  }),
  "POST /api/v1/protected/operator/accounts/{id}/remove-second-factors": () => ({
    params: { id: lastReader.userId },
    payload: { password: "another battery" },
  }),
  "POST /api/v1/protected/operator/accounts/{id}/operator": () => ({
    params: { id: lastReader.userId },
    payload: { password: "another battery" },
  }),
  // Others used their allowance of mail up before.
  "POST /api/v1/protected/user/verification": () => ({ headers: joiner.headers }),
  "POST /auth/forgot-password": () => ({ payload: { email: ada.email } }),
  "POST /auth/reset-password": () => ({
    payload: { token: ids["reset password"], new_password: "another battery" },
  }),
  "POST /auth/verify-email": () => ({ payload: { token: ids["verify email"] } }),
  "POST /api/v1/protected/user/password": () => ({
    payload: { current_password: testPassword, new_password: "another battery" },
  }),
  "DELETE /api/v1/protected/user/sessions/{id}": () => ({
    params: { id: sessionOf(reader.accessToken) },
    headers: reader.headers,
  }),
  [signOutEverywhere]: () => ({ headers: lastReader.headers }),
  "POST /api/v1/protected/user/organizations/{id}/switch": () => ({ params: { id: ada.orgId } }),
  "POST /api/v1/protected/user/leave-organization": () => ({ headers: leaver.headers }),
  "POST /auth/invitation": () => ({ payload: { token: ids["to read"] } }),
  "POST /api/v1/protected/user/invitations": () => ({
    payload: { token: ids["to accept"] },
    headers: joiner.headers,
  }),
  "PATCH /api/v1/protected/organization": () => ({ payload: { name: "Acme" } }),
  "DELETE /api/v1/protected/organization": () => ({
    payload: { confirm: "Ada's organization" },
    headers: deleter.headers,
  }),
  "POST /api/v1/protected/organization/invitations": () => ({ payload: { role: "viewer" } }),
  "DELETE /api/v1/protected/organization/invitations/{id}": () => ({
    params: { id: ids["to revoke"] as string },
  }),
  "POST /api/v1/protected/organization/shared-links": () => ({
    payload: { graph: { kind: "profile", profile_id: ids.cpu }, expires_in_days: 7 },
  }),
  "DELETE /api/v1/protected/organization/shared-links/{id}": () => ({
    params: { id: ids["shared link"] as string },
  }),
  "PUT /api/v1/protected/organization/public-links": () => ({ payload: { is_allowed: true } }),
  "POST /api/v1/shared": () => ({ payload: { token: ids.shared } }),
  "POST /api/v1/shared/graph": () => ({ payload: { token: ids.shared } }),
  "PATCH /api/v1/protected/organization/members/{id}": () => ({
    params: { id: reader.userId },
    payload: { role: "viewer" },
  }),
  "DELETE /api/v1/protected/organization/members/{id}": () => ({ params: { id: reader.userId } }),
  "POST /api/v1/protected/organization/members/{id}/transfer": () => ({
    params: { id: ada.userId },
    headers: giver.headers,
  }),
  "POST /api/v1/protected/api-keys": () => ({ payload: { name: "another" } }),
  "GET /api/v1/protected/api-keys/{id}/usage": () => ({ params: { id: key.id } }),
  "DELETE /api/v1/protected/api-keys/{id}": () => ({ params: { id: key.id } }),
  "GET /api/v1/protected/services": () => ({ query: { include_totals: "true" } }),
  "GET /api/v1/protected/http-metrics/service/{service}/paths": () => ({ query: { path: "/orders" } }),
  "GET /api/v1/protected/http-metrics/service/{service}/route-time": () => ({ query: { path: "/orders" } }),
  "GET /api/v1/protected/flamegraph/diff": () => ({ query: { service: "checkout", type: "cpu" } }),
  "GET /api/v1/protected/incidents/{id}": () => ({ params: { id: ids["to acknowledge"] as string } }),
  "POST /api/v1/protected/incidents/{id}/acknowledge": () => ({
    params: { id: ids["to acknowledge"] as string },
    payload: { is_acknowledged: true },
  }),
  "PUT /api/v1/protected/incidents/{id}/assignee": () => ({
    params: { id: ids["to acknowledge"] as string },
    payload: { user_id: ada.userId },
  }),
  "POST /api/v1/protected/incidents/{id}/comments": () => ({
    params: { id: ids["to acknowledge"] as string },
    payload: { text: "The price import runs twice" },
  }),
  "DELETE /api/v1/protected/incidents/{id}/comments/{comment}": () => ({
    params: { id: ids["to acknowledge"] as string, comment: ids.comment as string },
  }),
  "POST /api/v1/protected/alerts/rules": () => ({ payload: { ...ruleBody, name: "another" } }),
  "POST /api/v1/protected/alerts/rules/preview": () => ({ payload: ruleBody }),
  "PUT /api/v1/protected/alerts/rules/{id}": () => ({
    params: { id: ids["rule to change"] as string },
    payload: { ...ruleBody, name: "changed" },
  }),
  "DELETE /api/v1/protected/alerts/rules/{id}": () => ({ params: { id: ids["rule to remove"] as string } }),
  "POST /api/v1/protected/alerts/mute": () => ({ payload: { service: "checkout", type: "cpu" } }),
  "DELETE /api/v1/protected/alerts/mutes/{id}": () => ({ params: { id: ids.mute as string } }),
  "POST /api/v1/protected/alerts/unmute": () => ({ payload: { service: "checkout", type: "cpu" } }),
  "POST /api/v1/protected/alerts/{id}/acknowledge": () => ({
    params: { id: ids["to acknowledge"] as string },
    payload: { is_acknowledged: true },
  }),
  "POST /api/v1/protected/alerts/{id}/expect": () => ({ params: { id: ids["to expect"] as string } }),
  "PUT /api/v1/protected/alert-digest": () => ({ payload: { frequency: "daily" } }),
  "PUT /api/v1/protected/alert-settings": () => ({
    payload: { webhook_url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook` },
  }),
  "POST /api/v1/protected/alert-settings/test": () => ({ payload: { channel: "webhook" } }),
  "POST /api/v1/protected/service/{service}/analyze": () => ({
    payload: { from: "2026-11-20T11:00:00Z", type: "cpu", baseline: { from: "2026-11-20T11:00:00Z" } },
  }),
  "GET /api/v1/protected/analysis/{id}": () => ({ params: { id: analysisId } }),
  "PUT /api/v1/protected/analysis/{id}/recommendation/{recommendation}/feedback": () => ({
    params: { id: analysisId, recommendation: "r1" },
    payload: { state: "done" },
  }),
  "POST /api/v1/protected/analysis/{id}/ask": () => ({
    params: { id: analysisId },
    payload: { question: "Why?" },
  }),
  "GET /api/v1/protected/projects/{id}": () => ({ params: { id: ids.group as string } }),
  "GET /api/v1/protected/projects/{id}/figures": () => ({ params: { id: ids.group as string } }),
  "GET /api/v1/protected/projects/{id}/requests": () => ({ params: { id: ids.group as string } }),
  "POST /api/v1/protected/projects": () => ({ payload: { name: "Till" } }),
  "PATCH /api/v1/protected/projects/{id}": () => ({
    params: { id: "checkout" },
    payload: { description: "The till" },
  }),
  "DELETE /api/v1/protected/projects/{id}": () => ({ params: { id: "checkout" } }),
  "POST /api/v1/protected/targets": () => ({ payload: targetBody }),
  "POST /api/v1/protected/targets/test": () => ({ payload: targetBody }),
  "PUT /api/v1/protected/targets/{id}": () => ({
    params: { id: ids.target as string },
    payload: targetBody,
  }),
  "DELETE /api/v1/protected/targets/{id}": () => ({ params: { id: ids["target to remove"] as string } }),
  "POST /api/v1/protected/dashboards": () => ({ payload: { name: "Till" } }),
  "GET /api/v1/protected/dashboards/{id}": () => ({ params: { id: ids.dashboard as string } }),
  "GET /api/v1/protected/dashboards/{id}/versions": () => ({ params: { id: ids.dashboard as string } }),
  "PUT /api/v1/protected/dashboards/{id}": () => ({
    params: { id: ids.dashboard as string },
    payload: { name: "Till", version: 1, panels: [{ kind: "note", id: "a", text: "Look here first" }] },
  }),
  "POST /api/v1/protected/dashboards/{id}/restore": () => ({
    params: { id: ids.dashboard as string },
    payload: { restored_version: 1, version: 2 },
  }),
  "DELETE /api/v1/protected/dashboards/{id}": () => ({
    params: { id: ids["dashboard to remove"] as string },
  }),
  "PUT /api/v1/protected/organization/second-factor": () => ({ payload: { is_required: false } }),
  "PATCH /api/v1/protected/findings/{id}": () => ({
    params: { id: ids.finding as string },
    payload: { state: "accepted", owner_id: ada.userId },
  }),
  "PUT /api/v1/protected/organization/price": () => ({
    payload: { price: { per_core_month: 20, per_gb_month: 3, currency: "EUR" } },
  }),
  "PUT /api/v1/protected/organization/retention": () => ({ payload: { retention_days: 14 } }),
  "PUT /api/v1/protected/services/{service}/source-link": () => ({
    payload: {
      url_pattern: "https://github.com/acme/shop/blob/v{version}/{file}#L{line}",
      path_prefix: "/app/",
    },
  }),
  "DELETE /api/v1/protected/services/{service}": () => ({ payload: { confirm: "checkout" } }),
  ...Object.fromEntries(
    ["goroutine", "mutex", "block", "custom"].map((type) => {
      const path = type === "goroutine" ? "goroutines" : type;
      return [
        `GET /api/v1/protected/${path}/chart/{profileId}`,
        () => ({ params: { profileId: ids[type] as string } }),
      ];
    }),
  ),
};

/** The last of its kind to be made: after them the others would find nothing, or no session. */
const ending = ["DELETE /api/v1/protected/services/{service}", "DELETE /api/v1/protected/api-keys/{id}"];

/** These succeed only with an identity provider: single-sign-on.test.ts calls them. */
const withProvider = [
  "POST /auth/single-sign-on",
  "POST /auth/single-sign-on/finish",
  "POST /auth/single-sign-on/link",
  "POST /auth/single-sign-on/link/finish",
  "DELETE /api/v1/protected/user/identities/{id}",
];

/** From nobody, from somebody who may only read, with wrong values, about what does not exist. */
function wrongRequests(call: Endpoint): Sent[] {
  if (endingToken.includes(nameOf(call))) return [{ headers: { authorization: "Bearer nothing" } }];
  const payload = call.method === "GET" ? {} : { payload: { name: 7, confirm: "something else" } };
  const nobody = { authorization: "Bearer nothing", "x-api-key": "nothing" };
  const values = { since: "x", from: "x", interval: "x", limit: "0", page: "0" };
  const asViewer = { ...special[nameOf(call)]?.(), headers: viewer.headers };
  return [
    { headers: nobody, ...payload },
    { query: values, ...payload },
    { params: { id: "nothing", service: "nothing" }, ...payload },
    ...(call.auth === "session" && !call.isOpenToDemo ? [asViewer] : []),
  ];
}

function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

describe("replies, which every test that starts the app checks against the OpenAPI document", () => {
  it("are checked against the document that the server sends", async () => {
    const reply = await server.app.inject("/api/openapi.json");
    expect(reply.json()).toEqual(JSON.parse(JSON.stringify(toOpenApi(server.ctx.version))));
  });

  it("match it for the failures of every call: unauthenticated, forbidden, invalid, not found", async () => {
    let failed = 0;
    for (const call of endpoints) {
      for (const sent of wrongRequests(call)) {
        if ((await send(call, sent)).statusCode >= 400) failed++;
      }
    }
    const seen = [...server.described.seen];
    for (const status of [400, 401, 403, 404]) {
      expect(seen.filter((name) => name.endsWith(` ${status}`)).length).toBeGreaterThan(3);
    }
    expect(failed).toBeGreaterThan(endpoints.length);
  });

  it("match it for the success of every call", async () => {
    const possible = endpoints.filter((call) => !withProvider.includes(nameOf(call)));
    expect(possible).toHaveLength(endpoints.length - withProvider.length);
    const last = possible.filter((call) => ending.includes(nameOf(call)));
    const withDemo = await server.createApp({ demo: { orgId: ada.orgId } });
    for (const call of [...possible.filter((each) => !last.includes(each)), ...last]) {
      const app = call.path.startsWith("/api/v1/demo/") ? withDemo : server.app;
      const reply = await send(call, special[nameOf(call)]?.(), app);
      if (app === withDemo) server.described.check({ method: call.method, url: call.path }, reply);
      expect([nameOf(call), reply.statusCode, reply.body.slice(0, 200)]).toEqual([
        nameOf(call),
        call.status,
        expect.anything(),
      ]);
      expect(server.described.seen).toContain(`${nameOf(call)} ${call.status}`);
    }
    await withDemo.close();
    expect(last).toHaveLength(ending.length);
  });

  it("with an undocumented status, type or form fail the check", async () => {
    const reply = await server.app.inject("/healthz");
    const { check, checkValue } = server.described;
    expect(() => check("/healthz", { ...reply, statusCode: 404 } as Reply)).toThrow(
      "GET /healthz 404 is not in",
    );
    const typed = { ...reply, statusCode: 200, headers: { "content-type": "text/plain" } };
    expect(() => check("/healthz", typed as unknown as Reply)).toThrow("as text/plain is not in");
    expect(() =>
      checkValue("/components/schemas/Error", { error: "x", code: "oops", request_id: "1" }),
    ).toThrow("must be equal to one of the allowed values");
    expect(Object.values(failureStatus)).toContain(404);
  });
});
