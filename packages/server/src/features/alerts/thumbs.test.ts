/**
 * The recordings of examples/thumbs, sent through the endpoint of ingestion. Days of history are made of a few recorded
 * windows: each upload is one recorded profile as it is, drawn at random, with another time. Only the leak keeps its order.
 */
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync, gzipSync } from "node:zlib";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { shiftProfile } from "../demo/recorded-files.ts";
import { runAlerts } from "./job.ts";

const recorded = new URL("../../../../../examples/thumbs/recorded/", import.meta.url);
const nowMs = Date.parse("2026-11-20T12:00:00.000Z");
const everyMs = 10 * minuteMs;
const types = ["cpu", "mutex", "goroutine", "memory"] as const;

/** Whether a test looks at alerts about the type: those about the canary are of two types. */
function isJudged(service: string, type: (typeof types)[number]): boolean {
  return service !== "canary" || type === "cpu" || type === "memory";
}

const leakWindows = 30;
const windows: Readonly<Record<string, number>> = {
  "steady-1": 12,
  "steady-2": 12,
  "steady-3": 12,
  "release-1": 12,
  "release-2": 12,
  leak: leakWindows,
  noise: 20,
};
const steady = ["steady-1", "steady-2", "steady-3"];
const release = ["release-1", "release-2"];

let server: TestApp;
let ada: Person;
let receiver: Server;
const messages: { title: string; text: string; link: string; event: string }[] = [];
let headers: Readonly<Record<string, string>>;
let seed = 1;

beforeAll(async () => {
  receiver = createServer((request, reply) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      messages.push(JSON.parse(body));
      reply.writeHead(200).end();
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  const env = { ALERT_WEBHOOKS_ALLOW_PRIVATE: "on" };
  server = await startApp({ hasSeparateColumns: true, at: new Date(nowMs).toISOString(), env });
  ada = await server.signUp();
  ({ headers } = await server.makeKey(ada));
  const { port } = receiver.address() as AddressInfo;
  await server.app.inject({
    method: "PUT",
    url: "/api/v1/protected/alert-settings",
    headers: ada.headers,
    payload: { webhook_url: `http://127.0.0.1:${port}/` },
  });
  await sendLeak();
  await sendCanary();
  await sendNoise();
  await sendRelease();
  await runAlerts(server.ctx, { name: "alerts", holder: "this test", lastsMs: minuteMs });
}, 600_000);
afterAll(async () => {
  await server.close();
  receiver.close();
});

const files = new Map<string, Uint8Array>();

function fileOf(run: string, type: string, window: number): Uint8Array {
  const name = `${run}/${type}-${String(window + 1).padStart(2, "0")}.pb.gz`;
  const found = files.get(name) ?? gunzipSync(readFileSync(new URL(name, recorded)));
  files.set(name, found);
  return found;
}

/** The same number in every run of the test. */
function drawn(below: number): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % below;
}

interface Upload {
  readonly service: string;
  readonly run: string;
  readonly window: number;
  readonly atMs: number;
  readonly version: string;
  readonly instance: string;
}

async function send({ service, run, window, atMs, version, instance }: Upload): Promise<void> {
  const tags = { "tag.version": version, "tag.instance": instance };
  await Promise.all(
    types
      .filter((type) => isFullLength || isJudged(service, type))
      .map((type) =>
        server.send(gzipSync(shiftProfile(fileOf(run, type, window), atMs), { level: 1 }), {
          headers,
          query: { service, type, ...tags },
        }),
      ),
  );
}

async function sendDrawn(
  runs: readonly string[],
  [fromMs, toMs]: readonly [number, number],
  rest: Pick<Upload, "service" | "version" | "instance">,
): Promise<void> {
  const all: Promise<void>[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += everyMs) {
    const run = runs[drawn(runs.length)]!;
    const window = drawn(windows[run]!);
    if (rest.service === "leak" || atMs >= nowMs - sentMs) all.push(send({ ...rest, run, window, atMs }));
    if (all.length === 20) await Promise.all(all.splice(0));
  }
  await Promise.all(all);
}

const historyMs = 6 * dayMs;
/** Of services other than the leak. Earlier uploads are drawn like the others, and not sent. */
const sentMs = (isFullLength ? 6 : 1.5) * dayMs;

/** The leak's thirty windows, one in twenty minutes: ten hours. */
async function sendLeak() {
  const service = { service: "leak", version: "v2.6.0", instance: "a" };
  const leakedMs = nowMs - leakWindows * 2 * everyMs;
  await sendDrawn(steady, [nowMs - historyMs, leakedMs], service);
  for (let window = 0; window < leakWindows; window++)
    await send({ ...service, run: "leak", window, atMs: leakedMs + 2 * window * everyMs });
}

const releasedMs = nowMs - 5 * hourMs;

async function sendRelease() {
  const service = { service: "release", instance: "a" };
  await sendDrawn(steady, [nowMs - historyMs, releasedMs], { ...service, version: "v2.6.0" });
  await sendDrawn(release, [releasedMs, nowMs], { ...service, version: "v2.7.0" });
}

async function sendCanary() {
  for (let index = 0; index < 10; index++) {
    const service = { service: "canary", instance: `thumbs-${index}` };
    const oldMs = index === 3 ? nowMs - 3 * hourMs : nowMs;
    await sendDrawn(steady, [nowMs - 10 * hourMs, oldMs], { ...service, version: "v2.6.0" });
    await sendDrawn(release, [oldMs, nowMs], { ...service, version: "v2.7.0" });
  }
}

async function sendNoise() {
  await sendDrawn(["noise"], [nowMs - historyMs, nowMs], {
    service: "noise",
    version: "v2.6.0",
    instance: "a",
  });
}

async function alertsOf(service: string) {
  const reply = await server.app.inject({
    url: `/api/v1/protected/alerts?service=${service}`,
    headers: ada.headers,
  });
  return reply.json().alerts;
}

const openedOf = (service: string) =>
  messages.filter(({ event, title }) => event === "opened" && title.includes(` of ${service}:`));

it("a leak is one incident, whose message has its growth and names the function that waits forever", async () => {
  const alerts: { type: string; incident_id: string; growth_per_hour: number }[] = await alertsOf("leak");
  expect(alerts.map(({ type }) => type).toSorted()).toEqual(["goroutine", "memory"]);
  expect(new Set(alerts.map((alert) => alert.incident_id)).size).toBe(1);
  const [message, ...others] = openedOf("leak");
  expect(others).toEqual([]);
  expect(message?.title).toMatch(/^Critical: 2 signals of leak: goroutines up \d+\.\d%, memory in use up/);
  expect(message?.text).toMatch(
    /^goroutines up [\d.]+%: from 3\d\d goroutines to \d{3} goroutines, per instance, since 2026-11-20 0\d:\d\d UTC\.$/m,
  );
  expect(message?.text).toMatch(
    /^It grows by [\d.]+ \w+ an hour \(\d\.\d%\): at this rate it doubles in about \d+ hours\.$/m,
  );
  expect(message?.text).toMatch(
    /^Look at thumbs\/internal\/notify\.\(\*Hub\)\.await \(hub\.go:\d+\): (9\d|100)% of the increase/m,
  );
  expect(new URL(message!.link).searchParams.get("fn")).toBe("thumbs/internal/notify.(*Hub).await");
});

it("a release that makes three types worse is one incident with three signals, without HTTP metrics", async () => {
  const alerts: { sample_type: string; incident_id: string; began_at: string }[] = await alertsOf("release");
  // Whether the release allocates enough more depends on the order in which concurrent uploads of snapshots arrive.
  const signals = alerts.map(({ sample_type }) => sample_type).filter((name) => name !== "alloc_space/bytes");
  expect(signals.toSorted()).toEqual(["cpu/nanoseconds", "delay/nanoseconds", "inuse_space/bytes"]);
  expect(new Set(alerts.map((alert) => alert.incident_id)).size).toBe(1);
  const sent = messages.filter(({ title }) => title.includes(" of release"));
  expect(sent.map(({ event }) => event)[0]).toBe("opened");
  const text = sent.map((message) => message.text).join("\n");
  expect(text).toContain("Version v2.7.0 replaced v2.6.0 at 2026-11-20 07:00 UTC.");
  for (const culprit of ["render.sharper", "store.(*Cache).keepPreview", "store.(*Cache).Put"])
    expect(text).toContain(culprit);
});

it.each([
  ["CPU", /^CPU up [\d.]+%: from 0\.1\d+ cores to 0\.2\d+ cores/m, "render.sharper (render.go"],
  [
    "memory in use",
    /^memory in use up [\d.]+%: from [67][\d.]* MB to 1[\d.]* MB/m,
    "store.(*Cache).keepPreview (cache.go",
  ],
])("%s of a canary on one of ten instances is found, with its version", (name, values, culprit) => {
  const [message, ...others] = openedOf("canary").filter(({ title }) => title.includes(name));
  expect(others).toEqual([]);
  expect(message?.text).toMatch(values);
  expect(message?.text).toContain(
    "Only on 1 of 10 instances: thumbs-3, which runs version v2.7.0; the others are unchanged.",
  );
  expect(message?.text).not.toContain("heavier traffic");
  expect(message?.text).toContain(
    "Version v2.7.0 runs on 1 of 10 instances since 2026-11-20 09:00 UTC; the previous version is v2.6.0.",
  );
  expect(message?.text).toContain(`Look at thumbs/internal/${culprit}:`);
  expect(message?.link).toContain("/compare?service=canary");
});

it("bursts and collections of a noisy service raise nothing", async () => {
  expect(await alertsOf("noise")).toEqual([]);
});
