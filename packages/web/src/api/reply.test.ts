import { describe, expect, it } from "vitest";
import { CallFailure, failureOf, serverText } from "./reply.ts";

describe("a failed call", () => {
  it("has the server's message, code and request id", async () => {
    const body = { error: "Profile not found", code: "not_found", request_id: "r1" };
    const failure = await failureOf(Response.json(body, { status: 404 }));
    expect(failure).toMatchObject({ message: "Profile not found", code: "not_found", requestId: "r1" });
    expect(serverText(failure, "fallback")).toBe("Profile not found");
  });

  it("uses the fallback when the message is not from the server", async () => {
    const failure = await failureOf(new Response("<html>", { status: 502 }));
    expect(failure.message).toContain("502");
    expect(serverText(failure, "fallback")).toBe("fallback");
    expect(serverText(new CallFailure("unreachable", "x"), "fallback")).toBe("fallback");
  });
});
