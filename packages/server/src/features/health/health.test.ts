import { globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, rmdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { QueryObserver } from "#store/column/client/client.ts";
import { damageRows } from "#store/testing/damage-rows.ts";
import { profileBatch } from "#store/testing/profile-rows.ts";
import { Metrics } from "#telemetry/metrics.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { percentBetween } from "./routes.ts";

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

describe("probes", () => {
  it("say that the process lives", async () => {
    const reply = await server.app.inject("/healthz");
    expect([reply.statusCode, reply.json()]).toEqual([200, { status: "ok" }]);
  });

  it("say for each part whether the server can take work", async () => {
    const reply = await server.app.inject("/readyz");
    expect(reply.statusCode).toBe(200);
    expect(reply.json().status).toBe("ready");
    const checks = reply.json().checks.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok]);
    expect(checks).toEqual([
      ["column store", true],
      ["row store", true],
      ["disk", true],
    ]);
  });

  it("tell strangers only names and whether each part works", async () => {
    const asked = await startApp({
      hasSeparateColumns: true,
      env: { METRICS_TOKEN: "a-token-of-some-length" },
    });
    await mkdir(join(asked.ctx.config.dataDir, "quarantine-1", "store", "a"), { recursive: true });
    const ready = async (headers: Record<string, string>, remoteAddress = "10.0.0.7") =>
      (await asked.app.inject({ url: "/readyz", remoteAddress, headers })).json();
    const stranger = await ready({});
    const local = await ready({}, "127.0.0.1");
    const operator = await ready({ authorization: "Bearer a-token-of-some-length" });
    await asked.close();
    expect(stranger).toEqual({
      status: "ready",
      checks: [
        { name: "column store", ok: true },
        { name: "row store", ok: true },
        { name: "disk", ok: true },
      ],
    });
    expect(local).toEqual(stranger);
    expect(operator.checks[0]).toEqual({ name: "column store", ok: true, message: "answers" });
    expect(operator.checks[2].message).toContain(asked.ctx.config.dataDir);
    expect(operator.warnings).toEqual([
      {
        name: "stored profiles are missing",
        message: expect.stringMatching(/^quarantine-1 in the data folder holds a quarantined column store/),
        action: expect.stringContaining("npm run restore-quarantine quarantine-1"),
      },
    ]);
  });

  it("answer within the limit even if the data folder cannot be listed, or does not answer", async () => {
    const listings = [() => Promise.reject(new Error("EIO")), () => new Promise<never>(() => undefined)];
    for (const quarantined of listings) {
      const app = await server.createApp({ columns: { ...server.ctx.columns, quarantined } });
      const reply = await app.inject("/readyz");
      expect([reply.statusCode, reply.json()]).toMatchObject([200, { status: "ready", warnings: [] }]);
      await app.close();
    }
  });

  it("report a data folder that became read-only, with its path only to operators", async () => {
    const env = { METRICS_TOKEN: "a-token-of-some-length" };
    const asked = await startApp({ env });
    const app = await asked.createApp({ disk: { ...asked.ctx.disk, writeFault: async () => "EROFS" } });
    const headers = { authorization: `Bearer ${env.METRICS_TOKEN}` };
    const replies = [await app.inject("/readyz"), await app.inject({ url: "/readyz", headers })];
    const { dataDir } = asked.ctx.config;
    await app.close();
    await asked.close();
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([503, 503]);
    expect(replies.map((reply) => reply.json().checks[2])).toEqual([
      { name: "disk", ok: false },
      { name: "disk", ok: false, message: `cannot be written: ${dataDir} (EROFS)` },
    ]);
  });

  it("say that the disk does not answer, instead of waiting for it", async () => {
    const freeBytes = () => new Promise<never>(() => undefined);
    const app = await server.createApp({ disk: { ...server.ctx.disk, freeBytes } });
    const reply = await app.inject("/readyz");
    const message = "does not answer within 2 s";
    expect([reply.statusCode, reply.json().checks]).toEqual([
      503,
      expect.arrayContaining([{ name: "disk", ok: false, message }]),
    ]);
    await app.close();
  });

  it("say at once that the engine hangs, and that it is back", async () => {
    const hanging = await startApp({ hasSeparateColumns: true });
    const person = await hanging.signUp();
    const pid = hanging.ctx.columns.health().enginePid!;
    process.kill(pid, "SIGSTOP");
    // The first one notices it and takes its whole limit, the others know.
    const first = await hanging.app.inject("/readyz");
    const ready = await hanging.app.inject("/readyz");
    const { headers } = person;
    const status = await hanging.app.inject({ url: "/api/v1/status", headers });
    const list = await hanging.app.inject({ url: "/api/v1/protected/profiles?since=24h", headers });
    process.kill(pid, "SIGCONT");
    await expect.poll(async () => (await hanging.app.inject("/readyz")).statusCode).toBe(200);
    await hanging.close();
    expect([first.statusCode, ready.statusCode]).toEqual([503, 503]);
    expect(ready.json().checks[0].message).toMatch(
      /^has not responded( for [1-9]\d* s)?; after 15 s it is ended/,
    );
    expect(status.json()).toMatchObject({
      status: "degraded",
      message: expect.stringMatching(/^column store: has not responded/),
    });
    expect([list.statusCode, list.headers["retry-after"], list.json().error]).toEqual([
      503,
      "5",
      "The store does not respond. Try again in a moment.",
    ]);
  });

  it("say that stored data is damaged once a read met it", async () => {
    const damaged = await startApp({ hasSeparateColumns: true });
    const person = await damaged.signUp();
    const stacks = Array.from({ length: 200 }, (_, index) => BigInt(index) * 0x9e3779b97f4a7c1n);
    const rows = {
      orgId: person.orgId,
      profileId: "p1",
      startedAt: new Date(),
      stacks,
      values: [stacks, stacks],
    };
    await damaged.ctx.columns.insert(profileBatch([rows], "b"));
    expect(damageRows(join(damaged.ctx.config.dataDir, "columns"))).toBe(1);
    const url = "/api/v1/protected/flamegraph/service/checkout/cpu?since=1h";
    const reply = await damaged.app.inject({ url, headers: person.headers });
    const ready = await damaged.app.inject("/readyz");
    const logged = damaged.logged.filter((line) => JSON.parse(line).level >= 40);
    await damaged.close();
    expect([reply.statusCode, reply.json()]).toMatchObject([
      500,
      { code: "damaged", error: expect.stringMatching(/^Stored data .* is damaged\. .*log names the part/) },
    ]);
    expect([ready.statusCode, ready.json()]).toMatchObject([
      200,
      { status: "ready", health: "degraded", warnings: [{ name: "stored data is damaged" }] },
    ]);
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0]!)).toMatchObject({ level: 50, table: "profiles" });
  });

  it("answer 503 once a store is gone, while the process still lives", async () => {
    const broken = await startApp({ hasSeparateColumns: true });
    const person = await broken.signUp();
    await broken.app.inject({ url: "/api/v1/status", headers: person.headers });
    await broken.ctx.columns[Symbol.asyncDispose]();
    const ready = await broken.app.inject("/readyz");
    const alive = await broken.app.inject("/healthz");
    const status = await broken.app.inject({ url: "/api/v1/status", headers: person.headers });
    await broken.app.close();
    await broken.ctx.rows.destroy();
    await rm(broken.ctx.config.dataDir, { recursive: true });
    expect([ready.statusCode, ready.json().status]).toEqual([503, "not_ready"]);
    expect(alive.statusCode).toBe(200);
    expect(status.json().status).toBe("degraded");
    expect(status.json().message).toMatch(/^column store: /);
  });
});

describe("status", () => {
  it("shows the health and the use of this very process", async () => {
    const { headers } = await server.signUp();
    const reply = await server.app.inject({ url: "/api/v1/status", headers });
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      status: "operational",
      message: "All systems operational",
      open_alerts: 0,
      is_loading: false,
      version: server.ctx.version,
    });
    expect(reply.json().memory_bytes).toBeGreaterThan(10_000_000);
    expect(reply.json().cpu_percent).toBeGreaterThan(0);
  });

  it("says that the demo is loading until its alerts are evaluated over all of its data", async () => {
    const { headers, orgId } = await server.signUp();
    const demo: { orgId: string; loadedAt?: Date } = { orgId };
    const app = await server.createApp({ demo });
    const isLoading = async () => (await app.inject({ url: "/api/v1/status", headers })).json().is_loading;
    expect(await isLoading()).toBe(true);
    demo.loadedAt = new Date("2026-11-20T10:00:00Z");
    expect(await isLoading()).toBe(true);
    const evaluatedTo = "2026-11-20T09:59:00.000Z";
    const progress = { orgId, evaluatedTo, lookedAt: "2026-11-20T10:00:30.000Z" };
    await server.rows.insertInto("alertProgress").values(progress).execute();
    expect(await isLoading()).toBe(false);
    await app.close();
  });

  it("reports missing profiles to everybody, and the action to the operator only", async () => {
    const moved = await startApp({ hasSeparateColumns: true });
    await mkdir(join(moved.ctx.config.dataDir, "quarantine-3", "store", "a"), { recursive: true });
    await mkdir(join(moved.ctx.config.dataDir, "quarantine-4", "notes"), { recursive: true });
    const [operator, admin] = [await moved.signUp(), await moved.signUp()];
    const ask = async ({ headers }: Person) =>
      (await moved.app.inject({ url: "/api/v1/status", headers })).json();
    const forOperator = await ask(operator);
    const ready = (await moved.app.inject("/readyz")).json();
    const forAdmin = await ask(admin);
    await rm(join(moved.ctx.config.dataDir, "quarantine-3"), { recursive: true });
    const after = await ask(operator);
    await moved.close();
    expect(forOperator).toMatchObject({
      status: "degraded",
      message: "Degraded: stored profiles are missing",
      warnings: [{ action: expect.stringContaining("npm run restore-quarantine quarantine-3") }],
    });
    expect(ready).toMatchObject({
      status: "ready",
      health: forOperator.status,
      warnings: forOperator.warnings,
    });
    expect(forAdmin).toMatchObject({ status: "degraded", message: "Degraded: stored profiles are missing" });
    expect(forAdmin.warnings).toHaveLength(1);
    expect(JSON.stringify(forAdmin)).not.toMatch(/quarantine-|npm run/);
    expect(JSON.stringify([forOperator, forAdmin])).not.toContain(moved.ctx.config.dataDir);
    expect(after).toMatchObject({ status: "operational", warnings: [] });
  });

  it("warns of hourly roll-ups that are far behind, with what to do for the operator only", async () => {
    const late = await startApp();
    const [operator, admin] = [await late.signUp(), await late.signUp()];
    const { columns } = late.ctx;
    const rollUpLag = () => ({ seconds: 3 * 3600 + 60, profiles: 12_345, isLong: true });
    const app = await late.createApp({
      columns: { ...columns, maintenance: { ...columns.maintenance, rollUpLag } },
    });
    const ask = async ({ headers }: Person) => (await app.inject({ url: "/api/v1/status", headers })).json();
    const [forOperator, forAdmin] = [await ask(operator), await ask(admin)];
    const ready = (await app.inject("/readyz")).json();
    await app.close();
    await late.close();
    expect(forOperator.warnings).toEqual([
      {
        name: "hourly roll-ups are behind",
        message: expect.stringContaining("for 3 hours; 12,345 profiles"),
        action: expect.stringContaining("give the server more CPU"),
      },
    ]);
    expect(ready).toMatchObject({ status: "ready", health: "degraded", warnings: forOperator.warnings });
    expect(forAdmin.warnings).toEqual([{ name: "hourly roll-ups are behind", message: expect.any(String) }]);
  });

  it("is fine while mail lies in the outbox, which the status and readyz report to the operator", async () => {
    const storing = await startApp();
    const [{ headers, email }, admin] = [await storing.signUp(), await storing.signUp()];
    const payload = { email };
    await storing.app.inject({ method: "POST", url: "/auth/forgot-password", payload });
    await storing.ctx.mailQueue.idle();
    const ask = async (asking: Person["headers"]) =>
      (await storing.app.inject({ url: "/api/v1/status", headers: asking })).json();
    const [status, ofAdmin] = [await ask(headers), await ask(admin.headers)];
    const ready = (await storing.app.inject("/readyz")).json();
    const stranger = (await storing.app.inject({ url: "/readyz", remoteAddress: "192.0.2.1" })).json();
    await storing.close();
    expect(status).toMatchObject({ status: "operational", message: "All systems operational", warnings: [] });
    expect(ready).toMatchObject({ health: "operational", warnings: [] });
    expect(ready.notices).toMatchObject([
      { message: expect.stringMatching(/^SMTP_URL .* 1 email is waiting/) },
    ]);
    expect(status.notices).toEqual(ready.notices);
    expect(ofAdmin).toMatchObject({ status: "operational", notices: [] });
    expect(stranger).not.toHaveProperty("notices");
  });

  it("names payload files that are damaged or cannot be used, here and in readyz", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "flamekeep-damaged-"));
    const folder = join(dataDir, "payloads");
    const segment = join(dataDir, "uploads", "2026-11-17", "000001.log");
    for (const each of [join(folder, "2026-11-19.sqlite"), segment]) await mkdir(each, { recursive: true });
    await writeFile(join(folder, "2026-11-18.sqlite.damaged-1"), "x");
    const damaged = await startApp({ hasSeparateColumns: true, env: { DATA_DIR: dataDir } });
    await expect.poll(async () => (await damaged.ctx.payloads.problems()).unusable).toHaveLength(1);
    await expect.poll(async () => (await damaged.ctx.payloads.problems()).segments).toHaveLength(1);
    const [operator, admin] = [await damaged.signUp(), await damaged.signUp()];
    const ask = async ({ headers }: Person) =>
      (await damaged.app.inject({ url: "/api/v1/status", headers })).json();
    const forOperator = await ask(operator);
    const ready = await damaged.app.inject({ url: "/readyz", remoteAddress: "127.0.0.1" });
    const stranger = await damaged.app.inject({ url: "/readyz", remoteAddress: "192.0.2.1" });
    const forAdmin = await ask(admin);
    await rm(join(folder, "2026-11-18.sqlite.damaged-1"));
    await rmdir(join(folder, "2026-11-19.sqlite"));
    const after = await ask(operator);
    await damaged.close();
    await rm(dataDir, { recursive: true });
    const message = "Degraded: original bytes of profiles cannot be read";
    expect(forOperator).toMatchObject({ status: "degraded", message });
    expect(forOperator.warnings.map((each: { message: string }) => each.message)).toEqual([
      expect.stringContaining("payloads/2026-11-18.sqlite.damaged-1"),
      expect.stringMatching(/uploads\/2026-11-17\/000001\.log in the data folder cannot be used/),
      expect.stringMatching(/payloads\/2026-11-19\.sqlite .* cannot be used/),
    ]);
    expect(ready.statusCode).toBe(200);
    expect(ready.json().warnings).toEqual(forOperator.warnings);
    expect(stranger.json()).not.toHaveProperty("warnings");
    expect(forAdmin).toMatchObject({ status: "degraded", message, warnings: [{ name: expect.any(String) }] });
    expect(JSON.stringify(forAdmin)).not.toMatch(/sqlite|uploads/);
    // Whether a file of the log can be read again, the next start knows.
    expect(after.warnings).toHaveLength(1);
  });

  it("counts CPU in percent of one core, with one decimal", () => {
    expect(percentBetween({ atMs: 1000, cpuMs: 10 }, { atMs: 3000, cpuMs: 260 })).toBe(12.5);
    expect(percentBetween({ atMs: 0, cpuMs: 0 }, { atMs: 3, cpuMs: 6 })).toBe(200);
    expect(percentBetween({ atMs: 5, cpuMs: 0 }, { atMs: 5, cpuMs: 1 })).toBe(0);
  });
});

it.each(["on", "off"])("anybody may ask whether there is a demo: %s", async (DEMO) => {
  const asked = await startApp({ env: { DEMO } });
  const reply = await asked.app.inject("/api/v1/config");
  await asked.close();
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    { demo: DEMO === "on", mail: false, sign_up: "open", single_sign_on: null, open_files: null },
  ]);
});

describe("metrics", () => {
  it("are answered to this machine, in Prometheus' text, by route pattern", async () => {
    await server.app.inject("/api/v1/protected/profile/secret-looking-id");
    const reply = await server.app.inject("/metrics");
    expect(reply.statusCode).toBe(200);
    expect(reply.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(reply.body).toMatch(
      /^flamekeep_http_requests_total\{method="GET",route="\/healthz",status="200"\} \d+$/m,
    );
    expect(reply.body).not.toContain("secret-looking-id");
    const samples = reply.body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(samples.length).toBeGreaterThan(5);
    for (const line of samples) expect(line).toMatch(/^[a-z][a-z0-9_]*(\{.*\})? -?[0-9.e+-]+$/);
  });

  it("have the names that Prometheus asks for, and all names of the dashboard and the alert rules in the docs", async () => {
    const { body } = await server.app.inject("/metrics");
    const types = new Map(
      [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type]) => [name, type]),
    );
    expect(types.get("flamekeep_http_request_duration_seconds")).toBe("histogram");
    for (const [name, type] of types) {
      expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
      expect(name).not.toMatch(/_(sum|count|bucket|ms|milliseconds|minutes)$/);
    }
    const sources = globSync("../../**/*.ts", { cwd: import.meta.dirname }).filter(
      (path) => !path.includes(".test."),
    );
    const code = sources.map((path) => readFileSync(`${import.meta.dirname}/${path}`, "utf8")).join();
    for (const name of ["grafana-dashboard.json", "prometheus-rules.yml"]) {
      const text = readFileSync(new URL(`../../../../../docs/operate/${name}`, import.meta.url), "utf8");
      const named = text.match(/\b(?:flamekeep|process)_\w+/g)!.map((each) => each.replace(/_bucket$/, ""));
      expect(named.length).toBeGreaterThan(5);
      for (const each of named) expect(code).toContain(`"${each}"`);
    }
  });

  it("say how far the hourly roll-ups are behind", async () => {
    const { body } = await server.app.inject("/metrics");
    expect(body).toMatch(/^flamekeep_roll_up_lag_seconds \d/m);
    expect(body).toMatch(/^flamekeep_roll_up_backlog_profiles 0$/m);
  });

  it("have histograms of the store's queries by kind, and of how far roll-ups are behind", async () => {
    const metrics = new Metrics();
    const { columns } = server.ctx;
    const observers: { query?: QueryObserver; rollUps?: (behindSeconds: number) => void } = {};
    const watchQueries = (observe: QueryObserver) => {
      observers.query = observe;
    };
    const watchRollUps = (observe: (behindSeconds: number) => void) => {
      observers.rollUps = observe;
    };
    const maintenance = { ...columns.maintenance, watchRollUps };
    const app = await server.createApp({ metrics, columns: { ...columns, watchQueries, maintenance } });
    observers.query?.("insert", 0.2);
    observers.query?.("command", 30);
    for (const seconds of [0, 0, 7200]) observers.rollUps?.(seconds);
    const { body } = await app.inject("/metrics");
    await app.close();
    const query = "flamekeep_column_store_query_duration_seconds";
    expect(body).toContain(`${query}_bucket{kind="insert",le="0.5"} 1`);
    expect(body).toContain(`${query}_bucket{kind="command",le="10"} 0`);
    expect(body).toContain(`${query}_bucket{kind="command",le="60"} 1`);
    expect(body).toContain('flamekeep_roll_up_behind_seconds_bucket{le="0"} 2');
    expect(body).toContain('flamekeep_roll_up_behind_seconds_bucket{le="7200"} 3');
  });

  it("are refused to other machines and to requests through a proxy", async () => {
    const elsewhere = await server.app.inject({ url: "/metrics", remoteAddress: "10.0.0.7" });
    const proxied = await server.app.inject({ url: "/metrics", headers: { "x-forwarded-for": "127.0.0.1" } });
    expect([elsewhere.statusCode, proxied.statusCode]).toEqual([403, 403]);
  });

  it.each([
    ["x-forwarded-host", "flamekeep.example"],
    ["x-forwarded-proto", "https"],
    ["forwarded", "for=192.0.2.1"],
    ["via", "1.1 proxy"],
    ["x-real-ip", "192.0.2.1"],
    ["cf-connecting-ip", "192.0.2.1"],
    ["true-client-ip", "192.0.2.1"],
    ["host", "evil.example"],
    ["host", "127.0.0.1.evil.example"],
    ["host", "localhost.evil.example:4040"],
  ])("and the details of /readyz are refused to requests with %s: %s", async (name, value) => {
    const headers = { [name]: value };
    expect((await server.app.inject({ url: "/metrics", headers })).statusCode).toBe(403);
    const { checks, warnings } = (await server.app.inject({ url: "/readyz", headers })).json();
    expect([checks[0], warnings]).toEqual([{ name: "column store", ok: true }, undefined]);
  });

  it.each(["localhost", "127.0.0.1:4040", "[::1]:4040", "LOCALHOST:1"])(
    "are answered on this machine to Host %s",
    async (host) => {
      expect((await server.app.inject({ url: "/metrics", headers: { host } })).statusCode).toBe(200);
    },
  );

  it("are refused to a proxy that sends no header of its own but speaks HTTP/1.0", async () => {
    const address = await server.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = new URL(address);
    const socket = connect(Number(port), "127.0.0.1");
    socket.end(`GET /metrics HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
  });

  it("need the token where there is one, from everywhere", async () => {
    const guarded = await startApp({ env: { METRICS_TOKEN: "a-token-of-some-length" } });
    const ask = (authorization?: string) =>
      guarded.app.inject({
        url: "/metrics",
        remoteAddress: "10.0.0.7",
        headers: authorization === undefined ? {} : { authorization },
      });
    const replies = [
      await ask(),
      await ask("Bearer a-token-of-some-lengtH"),
      await ask("Bearer a-token-of-some-length"),
    ];
    await guarded.close();
    expect(replies.map((reply) => reply.statusCode)).toEqual([401, 401, 200]);
  });
});
