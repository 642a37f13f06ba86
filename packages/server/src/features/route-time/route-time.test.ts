import type { RouteTime } from "@flamekeep/contract";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Labels, withLabels } from "#testing/labelled-profile.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

/**
 * A program with known truth. While the profiler ran, for 10 s of each of two minutes, each request of `GET /cart/{id}` took 50 ms: 12 ms on
 * the CPU, 8 ms for a mutex, 20 ms for a channel, and 10 ms elsewhere. Between the profiles the same requests were sent.
 */
const perWindow = 40;
const cpuMs = { cart: 12, order: 30 };

const now = "2026-11-20T12:00:30.000Z";
const windows = [Date.UTC(2026, 10, 20, 11, 10), Date.UTC(2026, 10, 20, 11, 40)];
const range = { from: "2026-11-20T11:00:00Z", to: "2026-11-20T12:00:00Z" };
const durationNs = 10_000_000_000n;

let server: TestApp;
let person: Person;
let keyHeaders: Record<string, string>;

beforeAll(async () => {
  server = await startApp({ at: now });
  person = await server.signUp();
  keyHeaders = (await server.makeKey(person)).headers;
  await sendRequests("shop");
  for (const startedMs of windows) {
    await sendCpu("shop", startedMs, { handler: "/cart/{id}" }, { handler: "/orders" });
    await sendBlock("shop", startedMs);
  }
});
afterAll(() => server.close());

/** Requests in the windows and, as many as in one window, in the minute before each. */
async function sendRequests(service: string, method = "GET") {
  const times = windows.flatMap((startedMs) => [startedMs, startedMs - 60_000]);
  const metrics = times.flatMap((startedMs) =>
    Array.from({ length: perWindow }, (_, index) =>
      [
        { method, path: "/cart/{id}", duration: 0.05 },
        { method: "POST", path: "/orders", duration: 0.2 },
      ].map((request) => ({ ...request, status_code: 200, timestamp: startedMs + 100 + index * 200 })),
    ).flat(),
  );
  const reply = await server.app.inject({
    method: "POST",
    url: "/api/v1/ingest/http-metrics",
    query: { service },
    headers: keyHeaders,
    payload: metrics,
  });
  expect(reply.statusCode).toBe(200);
}

function sendCpu(service: string, startedMs: number, cart: Labels, order: Labels) {
  const [cartNs, orderNs] = [cpuMs.cart, cpuMs.order].map((ms) => ms * perWindow * 1e6);
  const picture = `
    net/http.serve  net/http.serve
    app.cart        app.order
    app.price       app.price
    1,${cartNs}     1,${orderNs}`;
  const profile = profileOf(picture, { sampleTypes: ["samples/count", "cpu/nanoseconds"], durationNs });
  return send(service, "cpu", startedMs, withLabels(profile, [cart, order]));
}

function sendBlock(service: string, startedMs: number, labels?: readonly Labels[], type = "block") {
  const ns = (ms: number) => ms * perWindow * 1e6;
  const picture = `
    net/http.serve net/http.serve net/http.serve net/http.serve
    app.cart app.cart app.order app.idle
    app.stock app.fetch app.stock app.take
    sync.(*Mutex).Lock runtime.chanrecv1 sync.(*Mutex).Lock runtime.chanrecv1
    1,${ns(8)} 1,${ns(20)} 1,${ns(90)} 1,${ns(5000)}`;
  const profile = profileOf(picture, {
    sampleTypes: ["contentions/count", "delay/nanoseconds"],
    durationNs,
  });
  return send(service, type, startedMs, labels === undefined ? profile : withLabels(profile, labels));
}

function send(service: string, type: string, startedMs: number, profile: ReturnType<typeof profileOf>) {
  const query = { service, type, started_at: String(startedMs), delta: "true" };
  return server.send(profile, { headers: keyHeaders, query });
}

async function timeOf(
  service: string,
  query: Record<string, string> = { method: "GET", path: "/cart/{id}" },
  as = person,
): Promise<RouteTime> {
  const url = `/api/v1/protected/http-metrics/service/${service}/route-time`;
  const reply = await server.app.inject({ url, query: { ...range, ...query }, headers: as.headers });
  expect([reply.statusCode, reply.statusCode === 200 ? "" : reply.body]).toEqual([200, ""]);
  return reply.json();
}

const seconds = ({ parts }: RouteTime) => parts.map((each) => each.seconds);
const exactly = (...values: number[]) => values.map((value) => expect.closeTo(value, 9));

describe("the time of a route", () => {
  it("is what its requests took on the CPU, for locks and for other waits, while the profiler ran", async () => {
    const time = await timeOf("shop");
    expect(time).toMatchObject({
      method: "GET",
      methods: [{ method: "GET", requests: 4 * perWindow }],
      requests: 4 * perWindow,
      mean_seconds: expect.closeTo(0.05, 9),
      label: { name: "handler", value: "/cart/{id}" },
      labels: [{ name: "handler", values: ["/orders", "/cart/{id}"] }],
    });
    expect(seconds(time)).toEqual(exactly(0.012, 0.008, 0.02));
    const measured = { profiles: 2, profiled_seconds: 20, requests: 2 * perWindow, reason: null };
    const byFunction = { profile_type: "block", found_by: "function", function: "app.cart" };
    expect(time.parts).toMatchObject([
      { part: "cpu", profile_type: "cpu", found_by: "label", function: null, ...measured },
      { part: "lock", ...byFunction, ...measured },
      { part: "wait", ...byFunction, ...measured },
    ]);
  });

  it("of another route is another one, and may be more than its latency", async () => {
    const time = await timeOf("shop", { method: "POST", path: "/orders" });
    expect(seconds(time)).toEqual(exactly(0.03, 0.09, 0));
    expect(time.mean_seconds).toBeCloseTo(0.2, 9);
  });

  it("has the method of the path where the path has one alone", async () => {
    expect(await timeOf("shop", { path: "/cart/{id}" })).toMatchObject({ method: "GET", requests: 160 });
  });

  it("is divided by all methods of the path if the label does not name one", async () => {
    await sendRequests("mixed");
    await sendRequests("mixed", "DELETE");
    for (const startedMs of windows) await sendCpu("mixed", startedMs, { route: "/cart/:id" }, {});
    const time = await timeOf("mixed");
    expect(time).toMatchObject({ method: null, requests: 320, label: { name: "route", value: "/cart/:id" } });
    expect(time.methods.map(({ method }) => method)).toEqual(["DELETE", "GET"]);
    expect(seconds(time)[0]).toBeCloseTo(0.006, 9);
  });

  it("is divided by the requests of the method if the label names it", async () => {
    await sendRequests("named");
    await sendRequests("named", "DELETE");
    for (const startedMs of windows)
      await sendCpu("named", startedMs, { "http.route": "GET /cart/{id}" }, {});
    const time = await timeOf("named");
    expect(time).toMatchObject({ method: "GET", requests: 160 });
    expect(seconds(time)[0]).toBeCloseTo(0.012, 9);
  });

  it("is found by the label that the caller names, with its value", async () => {
    await sendRequests("own");
    for (const startedMs of windows) await sendCpu("own", startedMs, { operation: "getCart" }, {});
    expect((await timeOf("own")).label).toBeNull();
    const named = { method: "GET", path: "/cart/{id}", label: "operation" };
    expect((await timeOf("own", named)).label).toBeNull();
    const time = await timeOf("own", { ...named, label_value: "getCart" });
    expect(seconds(time)[0]).toBeCloseTo(0.012, 9);
  });

  it("takes labels of block profiles where there are any", async () => {
    await sendRequests("java");
    const [cart, order] = [{ handler: "/cart/{id}" }, { handler: "/orders" }];
    for (const startedMs of windows) {
      await sendCpu("java", startedMs, cart, order);
      await sendBlock("java", startedMs, [cart, order, cart, order]);
    }
    const time = await timeOf("java");
    expect(seconds(time)).toEqual(exactly(0.012, 0.098, 0));
    expect(time.parts[1]).toMatchObject({ found_by: "label", function: null });
  });

  it("has waits for locks alone from mutex profiles", async () => {
    await sendRequests("locks");
    for (const startedMs of windows) {
      await sendCpu("locks", startedMs, { handler: "/cart/{id}" }, {});
      await sendBlock("locks", startedMs, undefined, "mutex");
    }
    const { parts } = await timeOf("locks");
    expect(parts[1]).toMatchObject({ profile_type: "mutex", seconds: expect.closeTo(0.028, 9) });
    expect(parts[2]).toMatchObject({ seconds: null, reason: "this range has no block profiles" });
  });
});

describe("a part that profiles do not tell has a reason", () => {
  it("without a label of the route", async () => {
    const { parts, labels } = await timeOf("shop", { method: "GET", path: "/elsewhere" });
    expect(labels.map(({ name }) => name)).toEqual(["handler"]);
    for (const part of parts)
      expect(part).toMatchObject({ seconds: null, reason: "no label of the CPU samples names this route" });
  });

  it("without profiles, without requests, and with few of them", async () => {
    await sendRequests("bare");
    expect((await timeOf("bare")).parts.map(({ reason }) => reason)).toEqual([
      "this range has no CPU profiles",
      "this range has no block or mutex profiles",
      "this range has no block profiles",
    ]);
    await sendCpu("quiet", windows[0]!, { handler: "/cart/{id}" }, {});
    const quiet = await timeOf("quiet");
    expect(quiet).toMatchObject({ requests: 0, mean_seconds: null, methods: [] });
    expect(quiet.parts[0]!.reason).toBe("no requests of this route were sent in this range");
    await sendCpu("bare", windows[0]! - 30_000, { handler: "/cart/{id}" }, {});
    expect((await timeOf("bare")).parts[0]!.reason).toBe("too few requests while the profiles were taken");
  });

  it("where block profiles have no label, and their functions tell no route", async () => {
    await sendRequests("shared");
    for (const startedMs of windows) {
      const profile = profileOf(`app.serve app.serve\n1,${12e6 * perWindow} 1,${30e6 * perWindow}`, {
        sampleTypes: ["samples/count", "cpu/nanoseconds"],
        durationNs,
      });
      await send("shared", "cpu", startedMs, withLabels(profile, [{ handler: "/cart/{id}" }, {}]));
      await sendBlock("shared", startedMs);
    }
    expect((await timeOf("shared")).parts[1]!.reason).toBe(
      "the block profiles have no labels, and no function is in the CPU samples of this route alone",
    );
  });
});

it("is private to the organization", async () => {
  const stranger = await server.signUp();
  const time = await timeOf("shop", { method: "GET", path: "/cart/{id}" }, stranger);
  expect(time).toMatchObject({ requests: 0, methods: [], labels: [], label: null });
});

it("needs a path, and takes any text as one", async () => {
  const url = "/api/v1/protected/http-metrics/service/shop/route-time";
  const refused = await server.app.inject({ url, headers: person.headers });
  expect([refused.statusCode, refused.json().error]).toEqual([
    400,
    "path is required: the path as it was sent, such as /orders/{id}",
  ]);
  const hostile = `/'); DROP TABLE x --{method:String}${"é".repeat(900)}`;
  expect(await timeOf("shop", { path: hostile })).toMatchObject({ path: hostile, requests: 0 });
});
