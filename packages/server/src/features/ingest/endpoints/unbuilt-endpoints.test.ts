import { operatorOverview, readApiKeyUsage, toPath } from "@flamekeep/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";

let server: TestApp;
/** The first account, which is the operator. */
let ada: Person;
beforeAll(async () => {
  server = await startApp();
  ada = await server.signUp();
});
afterAll(() => server.close());

const post = (url: string, headers: Readonly<Record<string, string>>, payload: Buffer | string = "x") =>
  server.app.inject({ method: "POST", url, headers, payload });

async function usageOf(key: TestKey) {
  await server.ctx.keyUsage.flush();
  const url = toPath(readApiKeyUsage, { id: key.id });
  return (await server.app.inject({ url, headers: ada.headers })).json().usage;
}

async function refusedOnOperatorPage() {
  await server.ctx.keyUsage.flush();
  const reply = await server.app.inject({ url: toPath(operatorOverview), headers: ada.headers });
  return reply.json().organizations.find(({ id }: { id: string }) => id === ada.orgId).refused_requests;
}

const sentence = /cannot be read yet\. Until then, .*(\/docs\/|\/api\/v1\/ingest\/profiles)/;

describe("an upload to an address of other servers", () => {
  it.each([
    "/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw",
    "/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export",
    "/some.other.v1.Service/Call",
    "/push.v1.PusherService/Push",
  ])("is answered as gRPC without messages if it is gRPC: %s", async (url) => {
    const key = await server.makeKey(ada);
    const reply = await post(url, { ...key.headers, "content-type": "application/grpc" });
    expect(reply.statusCode).toBe(200);
    expect([reply.headers["grpc-status"], reply.headers["content-type"], reply.body]).toEqual([
      "12",
      "application/grpc",
      "",
    ]);
    expect(reply.headers["grpc-message"]).toMatch(/GRPC_PORT|Alloy/);
    expect(await usageOf(key)).toMatchObject({ refused: 1, refusals: [{ code: "unimplemented", count: 1 }] });
  });
});

describe("refused uploads at unknown addresses", () => {
  it("count for their key and on the operator's page, with the sentence", async () => {
    const key = await server.makeKey(ada);
    const before = await refusedOnOperatorPage();
    await post("/parca.profilestore.v1alpha1.ProfileStoreService/Write", key.headers);
    await post("/parca.profilestore.v1alpha1.ProfileStoreService/Write", key.headers);
    await post("/parca.profilestore.v1alpha1.ProfileStoreService/WriteArrow", {
      authorization: `Bearer ${key.key}`,
    });
    await post("/ingest/v2", { authorization: `Basic ${Buffer.from(`user:${key.key}`).toString("base64")}` });
    await server.app.inject({ method: "PUT", url: "/ingest", headers: key.headers, payload: "x" });
    const usage = await usageOf(key);
    expect(usage.refused).toBe(5);
    expect(usage.refusals.map(({ code, count }: { code: string; count: number }) => [code, count])).toEqual([
      ["unimplemented", 3],
      ["method_not_allowed", 1],
      ["not_found", 1],
    ]);
    expect(usage.refusals[0].last_message).toMatch(sentence);
    expect(await refusedOnOperatorPage()).toBe(before + 5);
    expect(server.ctx.metrics.toText()).toMatch(
      /flamekeep_ingest_refused_total\{reason="unbuilt_endpoint"\} \d/,
    );
  });

  it("do not count where nothing is sent, and strangers are only answered", async () => {
    const key = await server.makeKey(ada);
    await server.app.inject({ url: "/v1/profiles", headers: key.headers });
    await server.app.inject({ url: "/nothing", headers: key.headers });
    expect((await usageOf(key)).refused).toBe(0);
    expect((await post("/wp-login.php", {})).statusCode).toBe(404);
    const parca = "/parca.profilestore.v1alpha1.ProfileStoreService/Write";
    expect((await post(parca, { "x-api-key": "fk_wrong" })).statusCode).toBe(501);
  });
});
