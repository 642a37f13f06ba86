import { type Alert, alertComparisonSearch } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { recordedFile } from "@flamekeep/profile/testing/recordings";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { incidentMessage } from "./channels/message.ts";
import { runAlerts } from "./job.ts";

const at = "2026-11-20T12:00:00.000Z";
const lease = { name: "alerts", holder: "this test", lastsMs: 60_000 };
const nowMs = Date.parse(at);

let server: TestApp;
let ada: Person;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await startApp({ at });
  ada = await server.signUp();
  headers = (await server.makeKey(ada)).headers;
});
afterAll(() => server.close());

/** Profiles that Go 1.26 wrote at `/debug/pprof/goroutineleak` of `examples/recordings/programs/go/florist`, with and without leaks. */
const recorded = {
  leaks: recordedFile("go1.26/goroutineleak.pb.gz"),
  none: recordedFile("go1.26/goroutineleak-none.pb.gz"),
};

const leakingFile = "flamekeep.example/recordings/florist/main.go";

async function send(service: string, minute: number, profile: Uint8Array, type?: string) {
  const query = {
    service,
    started_at: new Date(nowMs + minute * minuteMs).toISOString(),
    ...(type === undefined ? {} : { type }),
  };
  return server.send(profile, { headers, query });
}

async function get(path: string) {
  const reply = await server.app.inject({ url: `/api/v1/protected${path}`, headers: ada.headers });
  expect(reply.statusCode).toBe(200);
  return reply.json();
}

/** An access token lasts fifteen minutes. */
async function signInAgain(): Promise<void> {
  const payload = { email: ada.email, password: ada.password };
  const reply = await server.app.inject({ method: "POST", url: "/auth/login", payload });
  ada = { ...ada, headers: { authorization: `Bearer ${reply.json().tokens.access_token}` } };
}

const alertsOf = async (service: string): Promise<Alert[]> =>
  (await get(`/alerts?service=${service}`)).alerts;

it("have a separate type, and goroutine profiles stay what they are", async () => {
  const all = profileOf("main.serve\nnet.accept\n12", { sampleTypes: ["goroutine/count"] });
  expect(await send("shop", -30, writeProfile(all))).toMatchObject({ type: "goroutine", sample_count: 12 });
  expect(await send("shop", -29, recorded.leaks)).toMatchObject({
    type: "goroutine_leak",
    sample_count: 12,
  });
  expect(await send("named", -29 + 33.947 / 60, recorded.leaks, "goroutineleak")).toMatchObject({
    type: "goroutine_leak",
  });
  expect(await send("quiet", -29, recorded.none)).toMatchObject({
    type: "goroutine_leak",
    sample_count: 0,
  });
  const { profiles } = await get("/profiles?service=shop&type=goroutine");
  expect(profiles.map((each: { type: string }) => each.type)).toEqual(["goroutine"]);
});

it("open an alert with the first profile that has any, with the line where they wait", async () => {
  server.clock.advance(2 * minuteMs);
  expect(await runAlerts(server.ctx, lease)).toBe(true);
  const [alert, ...others] = await alertsOf("shop");
  expect(others).toEqual([]);
  expect(alert).toMatchObject({
    profile_type: "goroutine_leak",
    sample_type: "goroutineleak/count",
    status: "open",
    severity: "warning",
    previous_value: 0,
    current_value: 12,
    began_at: new Date(nowMs - 29 * minuteMs).toISOString(),
    culprit: { name: "main.askSupplier", file: leakingFile, line: 43, share: 1 },
  });
  expect(alert!.began_error_seconds).toBeUndefined();
  const [named, ...more] = await alertsOf("named");
  expect(more).toEqual([]);
  // It began inside a minute, which its link has on one side.
  expect(named!.began_at).toMatch(/:33\.947Z$/);
  const { fn, ...search } = alertComparisonSearch(named!);
  const { before, after } = await get(`/flamegraph/diff?${new URLSearchParams(search)}`);
  expect([before.profiles_merged, after.profiles_merged, after.total]).toEqual([0, 1, 12]);
  expect(await alertsOf("quiet")).toEqual([]);
});

it("say in a message where they wait, and blame no traffic", async () => {
  const [alert] = await alertsOf("shop");
  const incident = { id: alert!.incident_id, signals: [alert!] };
  const { title, text } = incidentMessage("opened", incident, "https://flamekeep.example");
  expect(title).toBe("Warning: 12 goroutines leaked in shop");
  expect(text).toMatch(/^12 goroutines are blocked forever: .* First seen 2026-11-20 11:31 UTC\.$/m);
  expect(text).toContain(
    `Look at main.askSupplier (main.go:43): 100% of them wait in it or in libraries it calls.`,
  );
  expect(text).not.toMatch(/HTTP metrics|increase/);
});

it("are a fault at any number: nobody can mark them as expected", async () => {
  const [alert] = await alertsOf("shop");
  const url = `/api/v1/protected/alerts/${alert!.id}/expect`;
  const reply = await server.app.inject({ method: "POST", url, headers: ada.headers, payload: {} });
  expect([reply.statusCode, reply.json().error]).toEqual([
    422,
    expect.stringMatching(/^Leaked goroutines are always a fault/),
  ]);
});

it("resolve their alert when later profiles have none", async () => {
  server.clock.advance(34 * minuteMs);
  for (const minute of [1, 11, 21, 31]) await send("shop", minute, recorded.none);
  await signInAgain();
  expect(await runAlerts(server.ctx, lease)).toBe(true);
  expect((await alertsOf("shop")).map(({ status }) => status)).toEqual(["resolved"]);
  expect((await alertsOf("named")).map(({ status }) => status)).toEqual(["open"]);
});
