import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { TargetDefinition } from "@flamekeep/contract";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { admitFetched } from "#ingest/fetched-upload.ts";
import { Intake } from "#ingest/intake.ts";
import { type Picture, pprofOf } from "#ingest/testing/pprof-of.ts";
import { storedProfiles } from "#ingest/testing/stored.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { Client } from "./connect/client.ts";
import { openReach } from "./connect/reach.ts";
import { type Primed, type Scraped, scrape } from "./scrape.ts";
import { bytes, type PprofServer, startPprofServer, text } from "./testing/pprof-server.ts";

let server: TestApp;
let intake: Intake;
let person: Person;
const opened: PprofServer[] = [];

beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true });
  intake = new Intake(server.ctx);
  person = await server.signUp();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});
afterAll(async () => {
  intake.beginStop();
  await intake.close();
  await server.close();
});

async function serve(answers: Parameters<typeof startPprofServer>[0]): Promise<PprofServer> {
  const started = await startPprofServer(answers);
  opened.push(started);
  return started;
}

const heapTypes = ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"];
const heap = (alloc: number): Uint8Array =>
  pprofOf({
    sampleTypes: heapTypes,
    samples: [["main;work", alloc, alloc * 100, 3, 300]],
    timeNs: BigInt(Date.now()) * 1_000_000n,
  } satisfies Picture);
const goroutines = (): Uint8Array =>
  pprofOf({
    sampleTypes: ["goroutine/count"],
    samples: [["main;wait", 7]],
    timeNs: BigInt(Date.now()) * 1_000_000n,
  });

interface Options {
  readonly profiles: TargetDefinition["profiles"];
  readonly env?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytesMax?: number;
  readonly resolve?: Parameters<typeof openReach>[1];
  readonly primed?: Primed;
  /** Also the time of an answer. */
  readonly intervalSeconds?: number;
  readonly owner?: string;
  readonly stopped?: AbortSignal;
}

/** One scrape of a process, with the settings of an operator who allows private addresses. */
async function scraped(place: string, service: string, options: Options): Promise<Scraped> {
  const { pull } = readConfig({ PULL_PRIVATE_ADDRESSES: "on", ...options.env });
  const client = new Client({
    reach: openReach(pull, options.resolve),
    headers: options.headers ?? {},
    tls: { ca: "", skip_verification: false },
  });
  const definition: TargetDefinition = {
    name: "test",
    service,
    source: { kind: "url", url: `http://${place}` },
    interval_seconds: options.intervalSeconds ?? 2,
    profiles: options.profiles,
    tags: { env: "test" },
    path_prefix: "",
    tls: { ca: "", skip_verification: false },
    is_enabled: true,
  };
  try {
    return await scrape(
      {
        client,
        intake: { admit: (owner) => admitFetched(intake, owner) },
        owner: { orgId: options.owner ?? person.orgId, orgRetentionDays: null, ownLimits: {} },
        definition,
        bytesMax: options.bytesMax ?? 1024 * 1024,
        stopped: options.stopped ?? new AbortController().signal,
      },
      { instance: place, service, tags: definition.tags, origin: `http://${place}` },
      options.primed ?? new Set(),
    );
  } finally {
    client.close();
  }
}

async function rowsOf(service: string, orgId = person.orgId) {
  const rows = await storedProfiles(server.ctx.columns, orgId);
  return rows.filter((row) => row.service === service);
}

async function failureOf(answers: Parameters<typeof startPprofServer>[0], options: Partial<Options> = {}) {
  const { place } = await serve(answers);
  const { profiles, errors } = await scraped(place, "refused", { profiles: ["heap"], ...options });
  expect(profiles).toBe(0);
  return errors[0]?.message.replaceAll(place, "PLACE");
}

describe("a scrape", () => {
  it("stores cumulative counters as their growth, and gauges as they are, with instance and tags", async () => {
    let alloc = 10;
    const pprof = await serve({
      "/debug/pprof/heap": bytes(() => heap(alloc)),
      "/debug/pprof/goroutine": bytes(goroutines),
    });
    const options: Options = { profiles: ["heap", "goroutine"] };
    expect(await scraped(pprof.place, "checkout", options)).toEqual({ profiles: 2, errors: [] });
    alloc = 14;
    expect(await scraped(pprof.place, "checkout", options)).toEqual({ profiles: 2, errors: [] });
    expect(pprof.asked).toEqual([
      "/debug/pprof/heap",
      "/debug/pprof/goroutine",
      "/debug/pprof/heap",
      "/debug/pprof/goroutine",
    ]);
    const rows = await rowsOf("checkout");
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row.tags).toEqual({ env: "test", instance: pprof.place });
    const memory = rows.filter(({ type }) => type === "memory");
    const sums = memory.map(({ values }) =>
      values.map((column) => column.reduce((sum, value) => sum + Number(value), 0)),
    );
    expect(sums).toContainEqual([4, 400, 3, 300]);
    const [first] = rows.filter(({ type }) => type === "goroutine");
    expect(first!.totals.map(Number)).toEqual([7]);
  });

  it("asks for CPU for a second less than the interval, with the headers of the target", async () => {
    const cpu = pprofOf({
      sampleTypes: ["samples/count", "cpu/nanoseconds"],
      samples: [["main;work", 3, 30_000_000]],
      timeNs: BigInt(Date.now()) * 1_000_000n,
    });
    const pprof = await serve({ "/debug/pprof/profile": bytes(cpu) });
    const headers = { authorization: "Bearer secret" };
    expect(await scraped(pprof.place, "cpu", { profiles: ["cpu"], headers })).toEqual({
      profiles: 1,
      errors: [],
    });
    expect(pprof.asked).toEqual(["/debug/pprof/profile?seconds=1"]);
    expect(pprof.requests[0]!.headers.authorization).toBe("Bearer secret");
    const [row] = await rowsOf("cpu");
    expect([row!.type, row!.totals.map(Number)]).toEqual(["cpu", [3, 30_000_000]]);
  });

  it("asks for CPU for a minute at most", async () => {
    const pprof = await serve({ "/debug/pprof/profile": text(500, "no") });
    await scraped(pprof.place, "cpu", { profiles: ["cpu"], intervalSeconds: 3600 });
    expect(pprof.asked).toEqual(["/debug/pprof/profile?seconds=60"]);
  });

  it("drops the first answer of a process that subtracts itself: it has everything since its start", async () => {
    const pprof = await serve({ "/debug/pprof/delta_heap": bytes(() => heap(5)) });
    const options: Options = { profiles: ["delta_heap"], primed: new Set() };
    expect(await scraped(pprof.place, "delta", options)).toEqual({ profiles: 0, errors: [] });
    expect(await scraped(pprof.place, "delta", options)).toEqual({ profiles: 1, errors: [] });
    const [row, ...others] = await rowsOf("delta");
    expect(others).toEqual([]);
    expect(row!.values.map((column) => Number(column[0]))).toEqual([5, 500, 3, 300]);
  });

  it("stores what an organization pulls for that organization alone", async () => {
    const other = await server.signUp();
    const pprof = await serve({ "/debug/pprof/goroutine": bytes(goroutines) });
    await scraped(pprof.place, "theirs", { profiles: ["goroutine"], owner: other.orgId });
    expect(await rowsOf("theirs", other.orgId)).toHaveLength(1);
    expect(await rowsOf("theirs")).toHaveLength(0);
  });

  it("undoes the compression of a middleware", async () => {
    const pprof = await serve({
      "/debug/pprof/goroutine": (_request, response) =>
        void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(gzipSync(goroutines()))),
    });
    expect((await scraped(pprof.place, "twice", { profiles: ["goroutine"] })).profiles).toBe(1);
    expect(pprof.requests[0]!.headers["accept-encoding"]).toBe("identity");
  });

  it("keeps the other profiles where one is missing", async () => {
    const pprof = await serve({ "/debug/pprof/goroutine": bytes(goroutines) });
    const { profiles, errors } = await scraped(pprof.place, "partly", {
      profiles: ["goroutineleak", "goroutine"],
    });
    expect(profiles).toBe(1);
    expect(errors).toEqual([
      {
        profile: "goroutineleak",
        message: `${pprof.place} has no goroutineleak profile. It needs Go 1.27, or Go 1.26 with GOEXPERIMENT=goroutineleakprofile.`,
      },
    ]);
  });
});

describe("a failure says what to do", () => {
  const path = "/debug/pprof/heap";

  it("when another program profiles the CPU", async () => {
    const answer = text(500, "Could not enable CPU profiling: cpu profiling already in use\n");
    const failure = await failureOf({ "/debug/pprof/profile": answer }, { profiles: ["cpu"] });
    expect(failure).toBe(
      "Another program profiles the CPU of PLACE, and Go allows one at a time. Stop the other one, or leave cpu out of this target.",
    );
  });

  it("when a web page answers", async () => {
    const page = text(200, "<!DOCTYPE html><title>Sign in</title>", { "content-type": "text/html" });
    expect(await failureOf({ [path]: page })).toContain("with a web page, such as a sign-in page");
  });

  it.each([
    ["404 page not found\n", "Import net/http/pprof in the program and serve its handlers"],
    ["Unknown profile\n", "has no mutex profile. Set its rate in the program"],
  ])("when it has no mutex profile and says %j", async (body, advice) => {
    const answers = { "/debug/pprof/mutex": text(404, body) };
    expect(await failureOf(answers, { profiles: ["mutex"] })).toContain(advice);
  });

  it("when the process redirects, and follows no redirect", async () => {
    const metadata = await serve({ "/latest": text(200, "secret") });
    const location = `http://${metadata.place}/latest`;
    const failure = await failureOf({ [path]: text(302, "", { location }) });
    expect(failure).toContain(`redirects ${path} to ${location}, which is not followed`);
    expect(metadata.asked).toEqual([]);
  });

  it("without hidden characters of its answer", async () => {
    const answer = text(500, "no\u202eway\u0007 in\r\nsecond line");
    expect(await failureOf({ [path]: answer })).toBe(`PLACE answered 500 to ${path}: no\ufffdway\ufffd in.`);
  });

  it.each([
    [
      "content-encoding",
      "br",
      "PLACE sent the encoding br, which cannot be read. Send gzip, or nothing encoded.",
    ],
    [
      "x-long",
      "x".repeat(100_000),
      "PLACE does not answer with HTTP that can be read. Check the port, and whether it expects https.",
    ],
    [
      "content-encoding",
      "gzip",
      "PLACE sent bytes that are not the gzip that it names. Check the process, and what is before it.",
    ],
  ])("when its header %s cannot be used", async (name, value, message) => {
    expect(await failureOf({ [path]: text(200, "not encoded", { [name]: value }) })).toBe(message);
  });

  it("when nobody listens", async () => {
    const { place, close } = await startPprofServer({});
    await close();
    const { errors } = await scraped(place, "gone", { profiles: ["heap"] });
    expect(errors[0]!.message).toBe(
      `${place} refuses connections. Check the port, and that the process runs and serves net/http/pprof on an address that this server reaches.`,
    );
  });

  it("when the answer is larger than an upload may be, and reads no further", async () => {
    let sent = 0;
    const endless = (_request: unknown, response: ServerResponse) => {
      const more = (): void => {
        if (response.destroyed) return;
        sent += 65_536;
        if (response.write(Buffer.alloc(65_536))) setImmediate(more);
        else response.once("drain", more);
      };
      more();
    };
    expect(await failureOf({ [path]: endless }, { bytesMax: 200_000 })).toContain(
      "sent more than 200000 bytes",
    );
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it("when the answer inflates to more than a profile may have", async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    expect(await failureOf({ [path]: bytes(bomb) })).toMatch(/inflate|larger than|times/);
  });

  it("when the answer of a middleware inflates to more than an upload may be", async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024));
    const answer = (_request: unknown, response: ServerResponse) =>
      void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    expect(await failureOf({ [path]: answer })).toContain("sent more than 1048576 bytes");
  });

  it("when the answer is no profile", async () => {
    expect(await failureOf({ [path]: bytes(Buffer.from("not a profile at all")) })).toMatch(/profile|format/);
  });

  it("when the process changes to another protocol", async () => {
    const answer = ({ socket }: IncomingMessage) =>
      void socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n");
    expect(await failureOf({ [path]: answer })).toBe(
      "PLACE changes to another protocol in place of an answer. Check the port, and whether it serves net/http/pprof.",
    );
  });

  it("when the process hangs, after the time of an answer", async () => {
    const pprof = await serve({ [path]: () => undefined });
    const { errors } = await scraped(pprof.place, "hangs", { profiles: ["heap"] });
    expect(errors[0]!.message).toBe(
      `${pprof.place} did not answer within 2 s. Check the address and firewalls, and whether the process hangs.`,
    );
  });
});

describe("the reach of a scrape", () => {
  const lookupOf = (...addresses: string[]) =>
    ((_name: string, _options: object, done: (...args: unknown[]) => void) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      )) as unknown as typeof import("node:dns").lookup;

  it("is public addresses alone, unless the operator allows more", async () => {
    const pprof = await serve({ "/debug/pprof/heap": bytes(() => heap(1)) });
    const env = { PULL_PRIVATE_ADDRESSES: "off" };
    const { errors } = await scraped(pprof.place, "private", { profiles: ["heap"], env });
    expect(errors[0]!.message).toBe(
      "127.0.0.1 is in a private network: the operator can allow private addresses with PULL_PRIVATE_ADDRESSES.",
    );
    expect(pprof.asked).toEqual([]);
  });

  it("can be single networks", async () => {
    const pprof = await serve({ "/debug/pprof/heap": bytes(() => heap(1)) });
    const env = { PULL_PRIVATE_ADDRESSES: "10.0.0.0/8,127.0.0.0/8" };
    expect((await scraped(pprof.place, "networks", { profiles: ["heap"], env })).profiles).toBe(1);
    const { refusalOf } = openReach(readConfig(env).pull);
    expect(refusalOf("10.1.2.3")).toBeUndefined();
    expect(refusalOf("192.168.0.1")).toContain("private network");
  });

  it.each([
    "169.254.169.254",
    "[fe80::1]",
    "100.100.100.200",
    "[fd00:ec2::254]",
    "0.0.0.0",
    "[::ffff:a9fe:a9fe]",
  ])("is never %s", (host) => {
    const { refusalOf } = openReach(readConfig({ PULL_PRIVATE_ADDRESSES: "on" }).pull);
    expect(refusalOf(host)).toContain("never pulled");
  });

  it("is checked for the address that is connected to, whatever else the name has", async () => {
    const pprof = await serve({ "/debug/pprof/heap": bytes(() => heap(1)) });
    const name = `rebound.example.com:${pprof.port}`;
    const resolve = lookupOf("127.0.0.1", "169.254.169.254");
    const { errors } = await scraped(name, "rebound", { profiles: ["heap"], resolve, intervalSeconds: 5 });
    expect(errors[0]!.message).toContain("does not exist, or has an address that is not allowed");
    expect(pprof.asked).toEqual([]);
    const allowed = await scraped(name, "rebound", { profiles: ["heap"], resolve: lookupOf("127.0.0.1") });
    expect(allowed.profiles).toBe(1);
  });
});
