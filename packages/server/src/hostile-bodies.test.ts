import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Endpoint, pushProfiles, toPath } from "@flamekeep/contract";
import { endpointOf, endpoints } from "@flamekeep/contract/schemas";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ownAccount } from "#accounts/people/queries.ts";
import { startSession } from "#auth/sessions/session.ts";
import {
  formType,
  type HostileBody,
  hostileContainers,
  hostileForm,
  hostileJson,
  hostileProfiles,
  hostilePushes,
  sentAs,
} from "#testing/hostile-bodies.ts";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";

const MiB = 1024 * 1024;
const at = new Date("2026-11-20T12:00:00.000Z");
const jsonBytesMax = 64 * 1024;
/** Smaller than usual, so that all bodies are sent in seconds. The bench sends bodies of the usual size. */
const uploadBytesMax = isFullLength ? MiB : MiB / 8;
const inflatedBytesMax = 4 * uploadBytesMax;
const pushBytes = 3 * uploadBytesMax;

let server: TestApp;
let ada: Person;
let headers: Person["headers"];
let key: TestKey;
let readKey: TestKey;
beforeAll(async () => {
  server = await startApp({
    at: at.toISOString(),
    env: {
      OPEN_FILES: "on",
      INGEST_MAX_BYTES: String(uploadBytesMax),
      INGEST_MAX_INFLATED_BYTES: String(inflatedBytesMax),
      INGEST_MAX_METRICS_BYTES: String(uploadBytesMax),
    },
  });
  ada = await server.signUp();
  headers = ada.headers;
  key = await server.makeKey(ada);
  readKey = await server.makeKey(ada, "agent", "read");
});
afterAll(() => server.close());

/** Calls that take no body may be carried out: after one that ends the session, with a new one. */
async function send(call: Endpoint, payload: Buffer, type: string) {
  const answer = await sendOnce(call, payload, type);
  if (answer.status !== 401 || call.auth !== "session") return answer;
  headers = await newSession();
  return sendOnce(call, payload, type);
}

/** Not by signing in, which is limited per address. */
async function newSession() {
  const account = await ownAccount(server, ada);
  const tokens = await startSession(server.ctx, account, { address: "127.0.0.1", userAgent: undefined });
  return { authorization: `Bearer ${tokens!.access_token}` };
}

async function sendOnce(call: Endpoint, payload: Buffer, type: string) {
  const credentials = {
    none: {},
    session: headers,
    ingestKey: key.headers,
    readKey: readKey.headers,
  }[call.auth];
  const query = { service: "hostile", name: "hostile", format: "pprof" };
  const reply = await server.app.inject({
    method: call.method,
    url: toPath(
      call,
      { id: "nothing", service: "hostile", kind: "profile", recommendation: "r1", comment: "nothing" },
      call.upload === undefined ? {} : query,
    ),
    headers: { ...credentials, "content-type": type, accept: "application/json, text/event-stream" },
    payload,
  });
  const isJson = String(reply.headers["content-type"]).startsWith("application/json");
  const body =
    reply.body === "" ? {} : isJson ? reply.json<Record<string, unknown>>() : rpcStatusOf(reply.rawPayload);
  return { status: reply.statusCode, body };
}

/** A `google.rpc.Status` as protobuf: a number, and a text with a length of one or two bytes. */
function rpcStatusOf(bytes: Buffer): Record<string, unknown> {
  return { code: bytes[1], message: bytes.subarray(bytes[3]! < 0x80 ? 4 : 5).toString(), details: [] };
}

/** Every status means that the server understood; a failure says what is wrong in one sentence. */
function expectCleanAnswer(
  call: Endpoint,
  what: string,
  { status, body }: Awaited<ReturnType<typeof send>>,
): void {
  expect([what, status]).toEqual([what, expect.toSatisfy((value: number) => value < 500)]);
  if (status < 400) return;
  expect([what, call.failureReply.safeParse(body).success]).toEqual([what, true]);
  expect([what, String(body.error ?? body.message).length]).toEqual([
    what,
    expect.toSatisfy((value: number) => value < 600),
  ]);
}

/** Not counted: a rate limit says nothing about the body. */
const rateLimited = 429;

const json = hostileJson(jsonBytesMax - 64, at);
const jsonTooLarge = hostileJson(2 * jsonBytesMax, at).slice(0, 2);

const withBody = endpoints.filter(({ method, upload }) => method !== "GET" && upload === undefined);
const uploads = endpoints.filter(({ upload }) => upload !== undefined);

it.each(withBody.map((call) => [`${call.method} ${call.path}`, call] as const))(
  "%s refuses hostile JSON, and nesting before it parses",
  async (_, call) => {
    for (const { name, bytes } of json) {
      const answer = await send(call, bytes, "application/json");
      expectCleanAnswer(call, name, answer);
      if (/nested (arrays|objects)/.test(name) && answer.status !== rateLimited) {
        expect([name, answer.status, answer.body.error]).toEqual([
          name,
          400,
          expect.stringContaining("nested"),
        ]);
      }
    }
    for (const { name, bytes } of jsonTooLarge) {
      expect([name, [413, rateLimited]]).toEqual([
        name,
        expect.arrayContaining([(await send(call, bytes, "application/json")).status]),
      ]);
    }
    expect(json.length).toBeGreaterThan(15);
  },
  60_000,
);

/** Made once: compressing them takes longer than sending them. */
const uploadBodies: readonly HostileBody[] = [
  ...sentAs(hostileJson(uploadBytesMax - 64, at), uploadBytesMax),
  ...sentAs(hostileJson(5 * uploadBytesMax, at), 0),
  ...sentAs(hostileProfiles(inflatedBytesMax - 64), 0),
  ...hostileContainers(64 * uploadBytesMax),
];
const formParts = hostileJson(uploadBytesMax / 2, at);

it.each(uploads.map((call) => [`${call.method} ${call.path}`, call] as const))(
  "%s refuses hostile uploads, plain and compressed",
  async (_, call) => {
    const bodies = [
      ...uploadBodies,
      ...(call.path === pushProfiles.path ? sentAs(hostilePushes(pushBytes, 100), uploadBytesMax) : []),
    ];
    for (const type of call.upload?.contentTypes ?? []) {
      for (const { name, bytes } of type.startsWith("multipart") ? [] : bodies) {
        expectCleanAnswer(call, `${name} as ${type}`, await send(call, bytes, type));
      }
    }
    for (const { name, bytes } of formParts) {
      expectCleanAnswer(call, `form with ${name}`, await send(call, hostileForm(bytes), formType));
    }
    expect((await server.app.inject("/readyz")).statusCode).toBe(200);
  },
  120_000,
);

it("the profiles of a push inflate to no more than the limit together", async () => {
  const bodies = hostilePushes(pushBytes, 100).filter(({ name }) => name.includes("inflate"));
  for (const { name, bytes } of bodies) {
    const { status, body } = await send(endpointOf(pushProfiles), bytes, "application/proto");
    expect([name, status, body.message]).toEqual([name, 400, expect.any(String)]);
  }
  const [padded] = bodies;
  const { body } = await send(endpointOf(pushProfiles), padded!.bytes, "application/proto");
  expect(body.message).toMatch(
    new RegExp(`^Series 0, sample 1: The upload is larger than ${inflatedBytesMax} bytes`),
  );
});

it("HTTP metrics are read one by one: a heap of 40 MB is enough for any batch of 16 MiB", () => {
  const script = fileURLToPath(new URL("testing/read-hostile-batches.ts", import.meta.url));
  const flags = ["--max-old-space-size=40", "--max-semi-space-size=4"];
  const run = spawnSync(process.execPath, [...flags, script], { encoding: "utf8" });
  expect([run.status, run.stderr]).toEqual([0, ""]);
  const results = JSON.parse(run.stdout) as Record<string, { reason?: string; taken: number }>;
  expect(results["nested arrays"]).toEqual({ reason: "json_depth", taken: 0 });
  expect(results["wide array of empty arrays"]).toEqual({ reason: "metric", taken: 1 });
  expect(results["huge number"]).toEqual({ reason: "metric_bytes", taken: 0 });
  expect(results["many keys"]).toEqual({ reason: "metric_bytes", taken: 0 });
  expect(results["as many metrics as fit"]?.taken).toBeGreaterThan(100_000);
  expect(Object.keys(results).length).toBeGreaterThan(15);
});

it("afterwards the server still answers JSON and has logged no internal failure", () => {
  expect(server.logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)).toEqual([]);
});
