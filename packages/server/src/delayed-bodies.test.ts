import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { Endpoint } from "@flamekeep/contract";
import { endpoints } from "@flamekeep/contract/schemas";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";

/** Calls whose body may arrive long after the server checked who makes them. */
const calls = endpoints.filter(({ method, auth }) => method !== "GET" && auth !== "none");
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

let server: TestApp;
let port: number;
beforeAll(async () => {
  server = await startApp();
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  port = (server.app.server.address() as AddressInfo).port;
});
afterAll(() => server.close());

/** Sends the head of a call and the first byte of its body. */
function hold(call: Endpoint, headers: Readonly<Record<string, string>>): ClientRequest {
  const held = request({
    port,
    method: call.method,
    path: call.path.replace(/\{\w+\}/g, "x"),
    headers: { ...headers, "content-type": "application/json", "content-length": "2" },
  });
  held.write("{");
  return held;
}

async function finish(held: ClientRequest): Promise<number | undefined> {
  const replied = once(held, "response");
  held.end("}");
  const [reply] = (await replied) as [IncomingMessage];
  reply.resume();
  return reply.statusCode;
}

/** Holds calls of one kind of credentials, ends the credentials, and returns the status of each call by its name. */
async function statusesAfter(
  auth: Endpoint["auth"],
  headers: Readonly<Record<string, string>>,
  end: () => Promise<void>,
): Promise<Record<string, number | undefined>> {
  const found = vi.spyOn(auth === "session" ? server.ctx.sessions : server.ctx.keys, "find");
  const ofKind = calls.filter((call) => call.auth === auth);
  const held = ofKind.map((call) => ({ call, request: hold(call, headers) }));
  await vi.waitFor(() => expect(found.mock.results.length).toBe(ofKind.length), { timeout: 10_000 });
  await Promise.all(found.mock.results.map(({ value }) => value));
  await end();
  const statuses: Record<string, number | undefined> = {};
  for (const { call, request: of } of held) statuses[nameOf(call)] = await finish(of);
  found.mockRestore();
  return statuses;
}

const all401 = (auth: Endpoint["auth"]) =>
  Object.fromEntries(calls.filter((call) => call.auth === auth).map((call) => [nameOf(call), 401]));

it("are refused in every call once the session has ended", async () => {
  const person = await server.signUp();
  const url = "/api/v1/protected/user/sessions";
  const statuses = await statusesAfter("session", person.headers, async () => {
    const reply = await server.app.inject({ method: "DELETE", url, headers: person.headers });
    expect(reply.statusCode).toBe(200);
  });
  expect(statuses).toEqual(all401("session"));
});

it.each([
  ["ingestKey", "ingest"],
  ["readKey", "read"],
] as const)("are refused in every call once the key was revoked: %s", async (auth, scope) => {
  const person = await server.signUp();
  const key = await server.makeKey(person, "held", scope);
  const url = `/api/v1/protected/api-keys/${key.id}`;
  const statuses = await statusesAfter(auth, key.headers, async () => {
    const reply = await server.app.inject({ method: "DELETE", url, headers: person.headers });
    expect(reply.statusCode).toBe(200);
  });
  expect(statuses).toEqual(all401(auth));
});

it("are refused once the role was taken away", async () => {
  const person = await server.signUp();
  const call = calls.find((each) => nameOf(each) === "POST /api/v1/protected/organization/invitations")!;
  const found = vi.spyOn(server.ctx.sessions, "find");
  const held = hold(call, person.headers);
  await vi.waitFor(() => expect(found).toHaveBeenCalled());
  await found.mock.results[0]!.value;
  await server.setRole(person, "viewer");
  expect(await finish(held)).toBe(403);
  found.mockRestore();
});

it("are accepted while nothing has changed", async () => {
  const person = await server.signUp();
  const call = calls.find((each) => nameOf(each) === "POST /api/v1/protected/organization/invitations")!;
  expect(await finish(hold(call, person.headers))).not.toBe(401);
});
