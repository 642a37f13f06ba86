import { describe, expect, it } from "vitest";
import { returnPath } from "./return-path.ts";

describe("the page to open after signing in", () => {
  it.each([
    "/dashboard",
    "/profile/3f9a?sample_type=cpu&zoom=1.2",
    "/profiles/service/a%2Fb/cpu?range=4h#table",
    "/alerts?service=%F0%9F%94%A5",
  ])("is a path of the app: %s", (path) => {
    expect(returnPath(path)).toBe(path);
  });

  it.each([
    "https://example.com/",
    "//example.com",
    "///example.com",
    "/\\example.com",
    "\\\\example.com",
    "/\t/example.com",
    "/\n/example.com",
    "/.//example.com",
    "/a/..//example.com",
    "javascript:alert(1)",
    "data:text/html,x",
    "dashboard",
    "",
    " /dashboard",
    "//[",
  ])("is never another site or a script: %j", (text) => {
    expect(returnPath(text)).toBeUndefined();
  });

  it.each(["/alerts\u202e", "/\u2066alerts", "/al\u0007erts", "/alerts\u200b"])(
    "has no hidden characters: %j",
    (text) => expect(returnPath(text)).toBeUndefined(),
  );

  it.each([
    "/",
    "/login",
    "/login?return_to=/login",
    "/register",
    "/forgot-password",
    "/reset-password?token=x",
    "/verify-email?token=x",
  ])("is never a page for people without a session: %s", (path) => {
    expect(returnPath(path)).toBeUndefined();
  });
});
