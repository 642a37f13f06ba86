import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deviceOf, placeOf } from "#accounts/sessions.ts";
import { rowBackends } from "#store/testing/backends.ts";
import { type Person, type TestApp, testPassword } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const safari =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";
const url = "/api/v1/protected/user/sessions";
const backends = await rowBackends(isFullLength);

describe.each(backends)("the list of sessions on $name", (backend) => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startAppOn(backend);
  });
  afterAll(() => server.close());

  async function signIn({ email }: Person, userAgent: string, remoteAddress: string) {
    const payload = { email, password: testPassword };
    const headers = { "user-agent": userAgent };
    const reply = await server.app.inject({
      method: "POST",
      url: "/auth/login",
      payload,
      headers,
      remoteAddress,
    });
    return reply.json().tokens as { access_token: string; refresh_token: string };
  }

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const list = async (headers: object) =>
    (await server.app.inject({ url, headers: { ...headers } })).json().sessions;
  const end = (headers: object, id = "") =>
    server.app.inject({ method: "DELETE", url: id === "" ? url : `${url}/${id}`, headers: { ...headers } });

  it("names device, address and last use, the most recent first", async () => {
    const person = await server.signUp();
    server.clock.advance(60_000);
    await signIn(person, firefox, "203.0.113.7");
    server.clock.advance(60_000);
    await signIn(person, "curl/8.0", "10.1.2.3");
    expect(await list(person.headers)).toMatchObject([
      {
        device: "curl",
        device_kind: "program",
        address: "10.1.2.3",
        place: "local network",
        is_current: false,
      },
      { device: "Firefox on Linux", address: "203.0.113.7", place: "internet", is_current: false },
      { place: "this machine", is_current: true },
    ]);
  });

  it("follows a session to another address when its tokens are renewed", async () => {
    const person = await server.signUp();
    const { refresh_token } = await signIn(person, firefox, "203.0.113.7");
    server.clock.advance(600_000);
    const headers = { ...bearer(refresh_token), "user-agent": safari };
    await server.app.inject({
      method: "POST",
      url: "/auth/refresh-token",
      headers,
      remoteAddress: "203.0.113.9",
    });
    const [first] = await list(person.headers);
    expect(first).toMatchObject({ device: "Safari on iOS", address: "203.0.113.9" });
    expect(first.last_used_at).toBe(server.clock.now().toISOString());
    expect(first.created_at).not.toBe(first.last_used_at);
  });

  it("ends a session at once, and only one's own", async () => {
    const [ada, eve] = [await server.signUp(), await server.signUp()];
    const other = await signIn(ada, firefox, "203.0.113.7");
    const { id } = (await list(ada.headers)).find((each: { is_current: boolean }) => !each.is_current);
    for (const [headers, target] of [
      [eve.headers, id],
      [ada.headers, "nothing"],
    ] as const) {
      const reply = await end(headers, target);
      expect([reply.statusCode, reply.json().error]).toEqual([404, `Session with ID ${target} not found`]);
    }
    expect(await list(bearer(other.access_token))).toHaveLength(2);
    expect((await end(ada.headers, id)).json()).toEqual({ ended: 1 });
    expect((await server.app.inject({ url, headers: bearer(other.access_token) })).statusCode).toBe(401);
    expect((await end(ada.headers, id)).statusCode).toBe(404);
    expect(await list(ada.headers)).toHaveLength(1);
  });

  it("ends all sessions of the person, and no others", async () => {
    const [ada, eve] = [await server.signUp(), await server.signUp()];
    const other = await signIn(ada, firefox, "203.0.113.7");
    expect((await end(ada.headers)).json()).toEqual({ ended: 2 });
    for (const token of [ada.accessToken, other.access_token]) {
      expect((await server.app.inject({ url, headers: bearer(token) })).statusCode).toBe(401);
    }
    expect(await list(eve.headers)).toHaveLength(1);
  });

  it("may be used by viewers", async () => {
    const viewer = await server.signUp();
    await server.setRole(viewer, "viewer");
    expect((await end(viewer.headers)).statusCode).toBe(200);
  });

  it("repeats nothing hostile that a header contains", async () => {
    const person = await server.signUp();
    await signIn(person, `<img src=x onerror=alert(1)> Firefox/1 ${"x".repeat(5000)}`, "203.0.113.7");
    await signIn(person, `"><script>alert(1)</script>`, "203.0.113.8");
    const devices = (await list(person.headers)).map(({ device }: { device: string }) => device);
    expect(devices).toContain("Firefox");
    expect(devices).toContain("Unknown device");
    expect(JSON.stringify(devices)).not.toMatch(/[<>]/);
  });
});

it.each([
  [firefox, "Firefox on Linux", "computer"],
  [safari, "Safari on iOS", "phone"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
    "Edge on Windows",
    "computer",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    "Chrome on macOS",
    "computer",
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
    "Chrome on Android",
    "phone",
  ],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36",
    "Chromium on Linux",
    "computer",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64) Something/1.0", "Unknown browser on Linux", "computer"],
  ["Mozilla/5.0", "Unknown browser", "unknown"],
  ["python-requests/2.32", "python-requests", "program"],
  ["", "Unknown device", "unknown"],
  [null, "Unknown device", "unknown"],
])("the name and kind of a device: %s", (userAgent, name, kind) => {
  expect(deviceOf(userAgent)).toEqual({ name, kind });
});

it.each([
  ["127.0.0.1", "this machine"],
  ["::1", "this machine"],
  ["192.168.1.4", "local network"],
  ["fe80::1", "local network"],
  ["203.0.113.7", "internet"],
  ["::ffff:192.168.1.4", "local network"],
  ["2001:db8::1", "internet"],
  ["nonsense", "unknown"],
  [null, "unknown"],
])("the place of an address: %s", (address, place) => {
  expect(placeOf(address)).toBe(place);
});
