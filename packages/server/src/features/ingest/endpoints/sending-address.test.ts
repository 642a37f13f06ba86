import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { pushMessage } from "#ingest/testing/push-request.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { sendingAddress } from "./sending-address.ts";

const paths = new Set(["/ingest", "/pyroscope/ingest", "/api/v1/ingest/profiles"]);

describe("a sending address", () => {
  it.each([
    ["/ingest", "/ingest"],
    ["//ingest", "/ingest"],
    ["/ingest/", "/ingest"],
    ["///ingest///?name=a//b/", "/ingest?name=a//b/"],
    ["/pyroscope//ingest/", "/pyroscope/ingest"],
    ["//api//v1/ingest//profiles/?service=s", "/api/v1/ingest/profiles?service=s"],
  ])("has neither doubled nor trailing slashes: %s", (address, expected) => {
    expect(sendingAddress(address, paths)).toBe(expected);
  });

  it.each([
    "/",
    "//",
    "//nothing",
    "/profiles/",
    "/ingest/x/",
    "//ingest.example.com/x",
    "/%2fingest",
    "//[",
    "",
  ])("is the only one that changes: %s", (address) => {
    expect(sendingAddress(address, paths)).toBe(address);
  });
});

describe("uploads with slashes too many", () => {
  let server: TestApp;
  let headers: Readonly<Record<string, string>>;
  beforeAll(async () => {
    server = await startApp();
    headers = (await server.makeKey(await server.signUp())).headers;
  });
  afterAll(() => server.close());

  let count = 0;
  const profile = () => pprofOf({ sampleTypes: ["cpu/nanoseconds"], samples: [["main;work", ++count]] });
  const push = () =>
    pushMessage([{ labels: { service_name: "pushed", __name__: "process_cpu" }, profiles: [profile()] }]);
  const metrics = () =>
    Buffer.from(
      JSON.stringify([
        { timestamp: new Date().toISOString(), duration: 0.1, status_code: 200, method: "GET", path: "/" },
      ]),
    );
  const json = { "content-type": "application/json" };
  const proto = { "content-type": "application/proto" };

  it.each([
    ["//ingest?name=app&format=pprof", profile, {}],
    ["/ingest/?name=app&format=pprof", profile, {}],
    ["/pyroscope//ingest?name=app&format=pprof", profile, {}],
    ["//push.v1.PusherService/Push", push, proto],
    ["/push.v1.PusherService//Push/", push, proto],
    ["//api/v1/ingest/profiles?service=s", profile, {}],
    ["/api/v1//ingest/profiles/?service=s", profile, {}],
    ["//api/v1/ingest/http-metrics?service=s", metrics, json],
    ["/api/v1/ingest//http-metrics/?service=s", metrics, json],
  ] as const)("are stored: %s", async (url, payload, more) => {
    const reply = await server.app.inject({
      method: "POST",
      url,
      payload: payload(),
      headers: { ...headers, ...more },
    });
    expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)]);
  });
});
