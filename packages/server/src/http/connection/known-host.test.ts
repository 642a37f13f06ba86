import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { sendToDatadogAgent } from "@flamekeep/contract";
import { endpoints } from "@flamekeep/contract/schemas";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
beforeAll(async () => {
  const env = {
    PUBLIC_URL: "https://Profiles.Example.com/tools",
    ALLOWED_HOSTS: "flamekeep, other.example",
    TRUSTED_PROXIES: "127.0.0.1",
  };
  server = await startApp({ env });
  await server.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close());

const reset = (host: string, more: object = {}, remoteAddress = "127.0.0.1") =>
  server.app.inject({
    method: "POST",
    url: "/auth/forgot-password",
    headers: { host, ...more },
    payload: { email: "nobody@example.com" },
    remoteAddress,
  });

describe("the Host header of a call that changes something", () => {
  it.each([
    "localhost",
    "localhost:4040",
    "LOCALHOST.:4040",
    "127.0.0.1:4040",
    "192.168.0.7",
    "[::1]:4040",
    "profiles.example.com",
    "profiles.example.com:8443",
    "flamekeep:4040",
    "other.example",
  ])("may be %s", async (host) => {
    expect((await reset(host)).statusCode).toBe(200);
  });

  it("must be known, and the reply says what to set", async () => {
    const { error } = (await reset("evil.example:4040")).json();
    expect(error).toContain("does not know the name evil.example.");
    expect(error).toContain("ALLOWED_HOSTS=evil.example ");
    for (const host of [
      "evil.example",
      "sub.localhost",
      "localhost@evil.example",
      "localhost.evil.example",
      "[evil]",
    ])
      expect([host, (await reset(host)).statusCode]).toEqual([host, 400]);
  });

  // A page on the machine of the proxy has the address of the proxy.
  it.each(["10.0.0.1", "127.0.0.1"])("is not the one that %s forwards", async (peer) => {
    const forwarded = { "x-forwarded-host": "localhost" };
    expect((await reset("evil.example", forwarded, peer)).statusCode).toBe(400);
  });

  it("is checked by every call that needs no key, before anything else, except uploads that are dropped", async () => {
    const changing = endpoints.filter(
      ({ method, auth, path }) =>
        method !== "GET" && !auth.endsWith("Key") && path !== sendToDatadogAgent.path,
    );
    expect(changing.length).toBeGreaterThan(60);
    for (const { method, path } of changing) {
      const reply = await server.app.inject({ method, url: path, headers: { host: "evil.example" } });
      expect([path, reply.statusCode, reply.json().error]).toEqual([
        path,
        400,
        expect.stringContaining("does not know the name evil.example"),
      ]);
    }
  });

  it("does not matter to senders with a key, nor to probes", async () => {
    const { headers } = await server.makeKey(await server.signUp());
    const sent = await server.trySend(profileOf("main\n1"), {
      headers: { ...headers, host: "any.internal" },
    });
    expect(sent.statusCode).toBe(200);
    const probe = await server.app.inject({ url: "/healthz", headers: { host: "10-0-0-1.pod" } });
    expect(probe.statusCode).toBe(200);
  });
});

it.each(["GET /healthz", "POST /api/v1/ingest/profiles?service=a", "GET /nowhere"])(
  "two Host headers are refused: %s",
  async (call) => {
    const { port } = server.app.server.address() as AddressInfo;
    const client = connect(port, "127.0.0.1");
    client.end(`${call} HTTP/1.1\r\nHost: localhost\r\nHOST: evil.example\r\nContent-Length: 0\r\n\r\n`);
    const reply = Buffer.concat(await client.toArray()).toString();
    expect(reply).toMatch(/^HTTP\/1.1 400 /);
    expect(reply).toContain("more than one Host header");
  },
);
