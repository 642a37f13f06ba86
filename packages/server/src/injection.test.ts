import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Endpoint, toPath } from "@flamekeep/contract";
import { endpoints } from "@flamekeep/contract/schemas";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type AccountWithHash,
  accountInOrganization,
  createOrganization,
  ownAccount,
} from "#accounts/people/queries.ts";
import { startSession } from "#auth/sessions/session.ts";
import { exampleBody } from "#testing/example-body.ts";
import { type Canaries, injectionStrings } from "#testing/injection-strings.ts";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";

/** Each parameter gets others than its neighbours. bench/README.md says how all of them get all strings. */
const stringsPerParameter = Number(process.env["INJECTION_STRINGS"] ?? 1);
const pathValueMax = 150;
const secretContent = "content of the canary file";

let server: TestApp;
let ada: Person;
let keys: Record<"ingestKey" | "readKey", TestKey>;
let folder: string;
let canaryServer: Server;
let canaryCalls = 0;
let canaries: Canaries;
let strings: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "canary-"));
  canaryServer = createServer((_, reply) => {
    canaryCalls++;
    reply.end();
  }).listen(0, "127.0.0.1");
  await new Promise((listening) => canaryServer.once("listening", listening));
  const { port } = canaryServer.address() as AddressInfo;
  canaries = {
    secretFile: join(folder, "secret"),
    newFile: join(folder, "created"),
    url: `http://127.0.0.1:${port}/canary`,
  };
  await writeFile(canaries.secretFile, secretContent);
  strings = injectionStrings(canaries);
  server = await startApp({ env: { OPEN_FILES: "on" } });
  ada = await server.signUp();
  await makeKeys();
});

async function makeKeys(): Promise<void> {
  keys = { ingestKey: await server.makeKey(ada), readKey: await server.makeKey(ada, "agent", "read") };
}

afterAll(async () => {
  await server.close();
  canaryServer.close();
  await rm(folder, { recursive: true });
});

interface Request {
  readonly params: Record<string, string>;
  readonly query: Record<string, string>;
  readonly body: unknown;
}

interface Parameter {
  readonly name: string;
  /** The request with this value of the parameter. */
  readonly with: (request: Request, value: string) => Request;
}

function parametersOf(call: Endpoint): Parameter[] {
  const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = ""]): Parameter => ({
      name: `{${name}}`,
      with: (request, value) => ({ ...request, params: { ...request.params, [name]: value } }),
    }),
  );
  const shape = (call.query as { readonly shape?: object }).shape ?? {};
  const inQuery = Object.keys(shape).map(
    (name): Parameter => ({
      name: `?${name}`,
      with: (request, value) => ({ ...request, query: { ...request.query, [name]: value } }),
    }),
  );
  const inBody = leavesOf(exampleBody(call)).map(
    (path): Parameter => ({
      name: path.join("."),
      with: (request, value) => ({ ...request, body: replaced(request.body, path, value) }),
    }),
  );
  return [...inPath, ...inQuery, ...inBody];
}

function leavesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

function replaced(value: unknown, [name, ...rest]: readonly string[], leaf: string): unknown {
  if (name === undefined) return leaf;
  if (Array.isArray(value))
    return value.map((each, at) => (String(at) === name ? replaced(each, rest, leaf) : each));
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [name]: replaced(fields[name], rest, leaf) };
}

function plainRequest(call: Endpoint): Request {
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const params = Object.fromEntries(names.map((name) => [name, name === "service" ? "checkout" : ada.orgId]));
  return { params, query: {}, body: exampleBody(call) };
}

/** Calls may end the session: then once more, with a new one. */
async function send(call: Endpoint, request: Request) {
  const reply = await sendOnce(call, request);
  if (reply.statusCode !== 401 || call.auth !== "session") return reply;
  const account = await accountInOrganization(server.rows, ada.orgId, ada.userId);
  await (account === undefined ? joinNewOrganization() : startNewSession(await ownAccount(server, ada)));
  return sendOnce(call, request);
}

/** Not by signing in, which is limited per address. */
async function startNewSession(account: AccountWithHash): Promise<void> {
  const tokens = await startSession(server.ctx, account, { address: "127.0.0.1", userAgent: undefined });
  ada = { ...ada, headers: { authorization: `Bearer ${tokens!.access_token}` } };
}

/** A string that became the name of the organization also confirms that it is to be deleted. */
async function joinNewOrganization(): Promise<void> {
  const owner = { userId: ada.userId, firstName: "Ada", now: server.clock.now() };
  const { orgId } = await createOrganization(server.rows, owner);
  ada = { ...ada, orgId };
  await startNewSession(await ownAccount(server, ada));
  await makeKeys();
}

function sendOnce(call: Endpoint, { params, query, body }: Request) {
  const credentials =
    call.auth === "none" ? {} : call.auth === "session" ? ada.headers : keys[call.auth].headers;
  const hasBody =
    call.method !== "GET" && call.upload === undefined && Object.keys(body as object).length > 0;
  return server.app.inject({
    method: call.method,
    url: toPath(call, inPath(wellFormed(params)), wellFormed(query)),
    headers: { ...credentials, accept: "application/json, text/event-stream" },
    ...(hasBody && { payload: body as object }),
  });
}

/** Halves of surrogate pairs cannot be in an address. */
function wellFormed(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.toWellFormed()]));
}

/** An address with the segment `.` or `..`, or with a longer one than the router takes, is that of no call or of another one. */
function inPath(values: Readonly<Record<string, string>>): Record<string, string> {
  const segment = (value: string) => (/^\.{1,2}$/.test(value) ? `${value}x` : value.slice(0, pathValueMax));
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, segment(value)]));
}

it(`no parameter of any call is more than a value: ${stringsPerParameter} strings each`, {
  timeout: 60 * 60_000,
}, async () => {
  expect(new Set(strings).size).toBeGreaterThanOrEqual(200);
  const wrong: string[] = [];
  let next = 0;
  for (const call of endpoints) {
    for (const parameter of parametersOf(call)) {
      for (let count = 0; count < Math.min(stringsPerParameter, strings.length); count++) {
        const text = strings[next++ % strings.length]!;
        const reply = await send(call, parameter.with(plainRequest(call), text));
        if (reply.statusCode >= 500 || reply.body.includes(secretContent)) {
          wrong.push(
            `${call.method} ${call.path} ${parameter.name} ${JSON.stringify(text)}: ${reply.statusCode} ${reply.body.slice(0, 200)}`,
          );
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(next).toBeGreaterThan(stringsPerParameter * endpoints.length);
  expect(existsSync(canaries.newFile)).toBe(false);
  expect(canaryCalls).toBe(0);
});
