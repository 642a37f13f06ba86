import { describe, expect, it } from "vitest";
import { CallFailure, failureOf, serverText } from "./call-failure.ts";
import { timeBucketOf, timeRangeOf } from "./preferences.ts";
import { isRenewalDue } from "./refresh.ts";
import { sessionStart } from "./session-start.ts";
import { avatarLetter, demoUser } from "./session-user.ts";
import { tokenExpiry } from "./token.ts";

const now = 1_800_000_000;

function tokenEndingAt(exp: number): string {
  const payload = btoa(JSON.stringify({ sub: "ada?>", exp }))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
  return `header.${payload}.signature`;
}

const stored = {
  demo: null,
  accessToken: tokenEndingAt(now + 600),
  refreshToken: "refresh",
  user: JSON.stringify(demoUser),
};

describe("the session at the start of a page", () => {
  it("is the demo when its flag says 'true', whatever else is kept", () => {
    expect(sessionStart({ ...stored, demo: "true" }, now)).toEqual({ kind: "demo" });
    expect(sessionStart({ ...stored, demo: "1" }, now).kind).toBe("restore");
  });

  it("restores the user while the token has not expired", () => {
    expect(sessionStart(stored, now)).toEqual({ kind: "restore", user: demoUser });
  });

  it("asks for new tokens when the token has expired and a refresh token is kept", () => {
    expect(sessionStart({ ...stored, accessToken: tokenEndingAt(now) }, now).kind).toBe("refresh");
  });

  it("clears token and user when the token has expired and nothing can renew it", () => {
    const start = sessionStart({ ...stored, accessToken: tokenEndingAt(now - 1), refreshToken: null }, now);
    expect(start).toEqual({ kind: "anonymous", clear: ["accessToken", "user"] });
  });

  it.each([
    ["token", { ...stored, accessToken: "nonsense" }],
    ["user", { ...stored, user: "{" }],
    ["user's shape", { ...stored, user: '{"id":1}' }],
  ])("clears all three when the %s is malformed", (_, broken) => {
    expect(sessionStart(broken, now)).toEqual({
      kind: "anonymous",
      clear: ["accessToken", "refreshToken", "user"],
    });
  });

  it("is anonymous when nothing is kept", () => {
    const nothing = { demo: null, accessToken: null, refreshToken: null, user: null };
    expect(sessionStart(nothing, now)).toEqual({ kind: "anonymous", clear: [] });
  });
});

describe("tokens", () => {
  it("tell when they end, and nothing when they cannot be read", () => {
    expect(tokenExpiry(tokenEndingAt(now))).toBe(now);
    expect(["", "a.b.c", "a", `a.${btoa("{}")}.c`].map(tokenExpiry)).toEqual(Array(4).fill(undefined));
  });

  it("are renewed when fewer than 300 seconds remain", () => {
    expect(isRenewalDue(tokenEndingAt(now + 299), now)).toBe(true);
    expect(isRenewalDue(tokenEndingAt(now + 300), now)).toBe(false);
  });
});

describe("saved preferences", () => {
  it("take older names for what they meant, and anything else for the default", () => {
    expect(["7d", "30d", "4h", "fortnight", null].map(timeRangeOf)).toEqual([
      "168h",
      "720h",
      "4h",
      "24h",
      "24h",
    ]);
    expect(["1m", "2m", null].map(timeBucketOf)).toEqual(["1m", "15m", "15m"]);
  });
});

describe("the avatar letter", () => {
  it("comes from the name, else the address, else is U", () => {
    expect(avatarLetter({ name: "ada", email: "x@y.z" })).toBe("A");
    expect(avatarLetter({ name: " ", email: "x@y.z" })).toBe("X");
    expect(avatarLetter(undefined)).toBe("U");
  });
});

describe("a failed call", () => {
  it("carries the server's words, code and request id", async () => {
    const body = { error: "Profile not found", code: "not_found", request_id: "r1" };
    const failure = await failureOf(Response.json(body, { status: 404 }));
    expect(failure).toMatchObject({ message: "Profile not found", code: "not_found", requestId: "r1" });
    expect(serverText(failure, "fallback")).toBe("Profile not found");
  });

  it("falls back where the words are not the server's", async () => {
    const failure = await failureOf(new Response("<html>", { status: 502 }));
    expect(failure.message).toContain("502");
    expect(serverText(failure, "fallback")).toBe("fallback");
    expect(serverText(new CallFailure("unreachable", "x"), "fallback")).toBe("fallback");
  });
});
