import { describe, expect, it } from "vitest";
import { isRenewalDue, tokenExpiry } from "./renew-tokens.ts";
import { sessionStart } from "./session.ts";
import { avatarLetter, demoUser } from "./session-user.ts";

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

describe("sessionStart", () => {
  it("starts the demo when its flag is 'true', even if a session is stored", () => {
    expect(sessionStart({ ...stored, demo: "true" }, now)).toEqual({ kind: "demo" });
    expect(sessionStart({ ...stored, demo: "1" }, now).kind).toBe("restore");
  });

  it("restores the user while the token has not expired", () => {
    expect(sessionStart(stored, now)).toEqual({ kind: "restore", user: demoUser });
  });

  it("renews the tokens when the access token has expired and a refresh token is stored", () => {
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

  it("is anonymous when nothing is stored", () => {
    const nothing = { demo: null, accessToken: null, refreshToken: null, user: null };
    expect(sessionStart(nothing, now)).toEqual({ kind: "anonymous", clear: [] });
  });
});

describe("access tokens", () => {
  it("have an expiry, which is undefined when they are malformed", () => {
    expect(tokenExpiry(tokenEndingAt(now))).toBe(now);
    expect(["", "a.b.c", "a", `a.${btoa("{}")}.c`].map(tokenExpiry)).toEqual(Array(4).fill(undefined));
  });

  it("are due for renewal when fewer than 300 seconds remain", () => {
    expect(isRenewalDue(tokenEndingAt(now + 299), now)).toBe(true);
    expect(isRenewalDue(tokenEndingAt(now + 300), now)).toBe(false);
  });
});

describe("the avatar letter", () => {
  it("is the first letter of the name, of the e-mail address, or U", () => {
    expect(avatarLetter({ name: "ada", email: "x@y.z" })).toBe("A");
    expect(avatarLetter({ name: " ", email: "x@y.z" })).toBe("X");
    expect(avatarLetter(undefined)).toBe("U");
  });
});
