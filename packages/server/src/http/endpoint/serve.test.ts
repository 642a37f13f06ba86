import { endpointIn } from "@flamekeep/contract/schemas";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { Failure, withHeaders } from "#failure";
import { serve, uploadOf } from "#http/endpoint/serve.ts";
import { answerErrors } from "#http/reply/error-reply.ts";
import { FileReply } from "#http/reply/reply.ts";
import { QueryTooExpensive, StoreOutOfMemory, StoreUnavailable } from "#store/unavailable.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { limitRates, perMinute } from "./rate-limit.ts";

const endpoint = endpointIn("Operation");
const echo = endpoint({ method: "POST", path: "/echo/{name}", auth: "none" } as const, {
  summary: "Echo",
  params: z.object({ name: z.string().max(5) }),
  query: z.object({
    times: z.coerce.number().int().min(1).max(9).default(1),
    kind: z.enum(["a", "b"]).optional(),
    word: z.string().min(1).optional(),
    mail: z.email().optional(),
  }),
  body: z.object({ text: z.string(), nested: z.object({ n: z.number() }).optional() }),
  reply: z.object({ said: z.string() }),
  status: 201,
});
const upload = endpoint({ method: "POST", path: "/upload", auth: "none" } as const, {
  summary: "Upload",
  upload: { description: "Bytes.", contentTypes: ["application/octet-stream"] },
  reply: z.object({ bytes: z.int() }),
});
const fail = endpoint({ method: "GET", path: "/fail/{how}", auth: "none" } as const, {
  summary: "Fail",
  params: z.object({ how: z.string() }),
  reply: z.undefined(),
});
const file = endpoint({ method: "GET", path: "/file", auth: "none" } as const, {
  summary: "File",
  reply: z.undefined(),
});
const lies = endpoint({ method: "GET", path: "/lies", auth: "none" } as const, {
  summary: "Lies",
  reply: z.object({ n: z.int() }),
});
const keyed = endpoint({ method: "POST", path: "/keyed", auth: "ingestKey" } as const, {
  summary: "Keyed",
  upload: { description: "", contentTypes: [] },
  reply: z.object({}),
});

let server: TestApp;
let app: FastifyInstance;
beforeAll(async () => {
  server = await startApp();
  const { ctx } = server;
  app = Fastify({ loggerInstance: ctx.log });
  app.decorateRequest("actor", null);
  answerErrors(app);
  await limitRates(app);
  serve(app, ctx, echo, (_ctx, _actor, { name, text, times }) => ({ said: `${name} ${text}`.repeat(times) }));
  serve(app, ctx, upload, (_ctx, _actor, _input, body) => ({ bytes: body.length }), {
    bodyBytesMax: 100,
    rate: perMinute(app, "uploads", 20),
    fromRequest: uploadOf,
  });
  serve(app, ctx, fail, (_ctx, _actor, { how }) => {
    if (how === "limited") throw new Failure("rate_limited", "Come back later", { retryAfterSeconds: 2.5 });
    if (how === "store") throw new StoreUnavailable("gone");
    if (how === "crowded") throw new StoreOutOfMemory("stacks.merged: (total) memory limit exceeded");
    if (how === "expensive") throw new QueryTooExpensive("stacks.merged: Memory limit exceeded");
    if (how === "signed-in") throw withHeaders(new Error("broken"), { "set-cookie": "pending=; Max-Age=0" });
    if (how === "full")
      throw withHeaders(new Failure("quota_exceeded", "Full"), { "set-cookie": "pending=" });
    throw new Error("secret detail");
  });
  serve(
    app,
    ctx,
    file,
    () => new FileReply("application/x-test", Buffer.from("bytes"), { headers: { etag: '"1"' } }),
  );
  serve(app, ctx, lies, () => ({ n: "no number" }) as never);
  const rate = perMinute(app, "others", 2);
  for (const path of ["/keyed", "/keyed/too"]) serve(app, ctx, { ...keyed, path }, () => ({}), { rate });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

function say(url: string, payload: object | string) {
  return app.inject({ method: "POST", url, payload, headers: { "content-type": "application/json" } });
}

describe("a call", () => {
  it("has its input checked and filled with defaults, and is answered with the status of the contract", async () => {
    const reply = await say("/echo/Ada?times=2", { text: "hi", more: 1 });
    expect([reply.statusCode, reply.json()]).toEqual([201, { said: "Ada hiAda hi" }]);
  });

  it.each([
    ["/echo/Ada", {}, "Field 'text' is required (a string)"],
    ["/echo/Ada", { text: 7 }, "Field 'text' must be a string, not a number"],
    ["/echo/Ada", { text: null }, "Field 'text' must be a string, not null"],
    ["/echo/Ada", [], "The body must be an object, not an array"],
    ["/echo/Ada", { text: "", nested: { n: "x" } }, "Field 'nested.n' must be a number, not a string"],
    ["/echo/Ada?times=10", { text: "" }, "Query parameter 'times' must be at most 9"],
    ["/echo/Ada?times=", { text: "" }, "Query parameter 'times' must be at least 1"],
    ["/echo/Ada?times=x", { text: "" }, "Query parameter 'times' must be a number"],
    ["/echo/Ada?times=1.5", { text: "" }, "Query parameter 'times' must be a whole number"],
    ["/echo/Ada?times=1e20", { text: "" }, "Query parameter 'times' must be a smaller number"],
    ["/echo/Ada?kind=c", { text: "" }, "Query parameter 'kind' must be one of a, b"],
    ["/echo/Ada?word=", { text: "" }, "Query parameter 'word' must not be empty"],
    ["/echo/Ada?word=a&word=b", { text: "" }, "Query parameter 'word' must be a string, not an array"],
    ["/echo/Ada?mail=b", { text: "" }, "Query parameter 'mail': invalid email address"],
    ["/echo/Augusta", { text: "" }, "Path 'name' must have at most 5 characters"],
    ["/echo/A%00a", { text: "" }, "Path 'name' must not contain the character U+0000"],
    ["/echo/Ada?word=%00", { text: "" }, "Query parameter 'word' must not contain the character U+0000"],
    ["/echo/Ada", { text: "a\0" }, "Field 'text' must not contain the character U+0000"],
    ["/echo/Ada", { text: "a\ud83d" }, "Field 'text' must not contain half of a surrogate pair"],
    ["/echo/Ada", { text: "\ude00b" }, "Field 'text' must not contain half of a surrogate pair"],
  ])("to %s with %j is refused with the field and the accepted values", async (url, payload, message) => {
    const reply = await say(url, payload);
    expect(reply.statusCode).toBe(400);
    const { request_id, ...rest } = reply.json();
    expect(rest).toEqual({ error: message, code: "invalid" });
    expect(request_id).not.toBe("");
  });

  it("is refused with a body that is not JSON, has another type or a poisoned prototype", async () => {
    expect((await say("/echo/Ada", "{")).json().code).toBe("invalid");
    expect((await say("/echo/Ada", '{"__proto__":{"x":1},"text":"a"}')).statusCode).toBe(400);
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const reply = await app.inject({ method: "POST", url: "/echo/Ada", payload: "text=a", headers: form });
    expect([reply.statusCode, reply.json().code]).toEqual([415, "unsupported"]);
  });

  it("is refused with more than 64 KiB of JSON", async () => {
    const reply = await say("/echo/Ada", { text: "x".repeat(66_000) });
    expect([reply.statusCode, reply.json().code]).toEqual([413, "too_large"]);
    expect(reply.json().error).toContain("65536 bytes");
  });
});

describe("an upload", () => {
  it.each(["application/octet-stream", "application/json", "text/plain", "multipart/form-data"])(
    "is bytes whatever its content type: %s",
    async (type) => {
      const headers = { "content-type": type };
      const reply = await app.inject({
        method: "POST",
        url: "/upload",
        payload: Buffer.from("{{{"),
        headers,
      });
      expect(reply.json()).toEqual({ bytes: 3 });
    },
  );

  it("may be without a content type, and empty", async () => {
    expect((await app.inject({ method: "POST", url: "/upload" })).json()).toEqual({ bytes: 0 });
  });

  it("is refused above its limit", async () => {
    const headers = { "content-type": "application/octet-stream" };
    const reply = await app.inject({ method: "POST", url: "/upload", payload: Buffer.alloc(101), headers });
    expect([reply.statusCode, reply.json().code]).toEqual([413, "too_large"]);
  });
});

describe("a failure", () => {
  it("with a code is answered with its message", async () => {
    const reply = await app.inject("/fail/limited");
    expect(reply.statusCode).toBe(429);
    expect(reply.headers["retry-after"]).toBe("3");
    expect(reply.json()).toMatchObject({ error: "Come back later", code: "rate_limited" });
  });

  it("of a restarting store asks to try again", async () => {
    const reply = await app.inject("/fail/store");
    expect([reply.statusCode, reply.json().code, reply.headers["retry-after"]]).toEqual([
      503,
      "unavailable",
      "1",
    ]);
  });

  it("of a query beyond its limits says what to change, without the query", async () => {
    const reply = await app.inject("/fail/expensive");
    expect([reply.statusCode, reply.json()]).toEqual([
      422,
      {
        error:
          "This call exceeds the time or memory limit of a query. Choose a shorter range, or filter it by a service or tag.",
        code: "unprocessable",
        request_id: expect.any(String),
      },
    ]);
  });

  it("of the store's memory says to try again, or to choose less", async () => {
    const reply = await app.inject("/fail/crowded");
    expect([reply.statusCode, reply.headers["retry-after"]]).toEqual([503, "5"]);
    expect(reply.json()).toMatchObject({
      code: "unavailable",
      error: "Running queries use all memory of the store. Try again in a moment, or choose a shorter range.",
    });
  });

  it("keeps the headers that were given to the error, whatever it is", async () => {
    const [unknown, known] = await Promise.all([app.inject("/fail/signed-in"), app.inject("/fail/full")]);
    expect([unknown.statusCode, unknown.headers["set-cookie"]]).toEqual([500, "pending=; Max-Age=0"]);
    expect([known.json().code, known.headers["set-cookie"]]).toEqual(["quota_exceeded", "pending="]);
    expect((await app.inject("/fail/limited")).headers["set-cookie"]).toBeUndefined();
  });

  it("that is unexpected shows no detail, and is logged with the request id", async () => {
    const reply = await app.inject("/fail/unknown");
    expect([reply.statusCode, reply.json().code]).toEqual([500, "internal"]);
    expect(reply.body).not.toContain("secret detail");
    const line = server.logged.find((text) => text.includes("secret detail"));
    expect(JSON.parse(line ?? "{}").reqId).toBe(reply.json().request_id);
  });

  it("is the answer if a checked reply breaks the contract", async () => {
    expect((await app.inject("/lies")).statusCode).toBe(500);
    expect(server.logged.some((line) => line.includes("breaks the contract"))).toBe(true);
  });
});

it("a file is sent with its own type and headers, and never cached by default", async () => {
  const reply = await app.inject("/file");
  expect(reply.body).toBe("bytes");
  expect(reply.headers).toMatchObject({
    "content-type": "application/x-test",
    etag: '"1"',
    "cache-control": "no-store",
  });
});

it("calls are counted per key over all routes of one rate, so that one sender does not stop another", async () => {
  const person = await server.signUp();
  const [first, second] = [await server.makeKey(person), await server.makeKey(person)];
  const send = async (headers: Record<string, string>, url = "/keyed") =>
    app.inject({ method: "POST", url, headers });
  const both = await send(first.headers, "/keyed/too");
  const statuses = [both, await send(first.headers), await send(first.headers)];
  expect(statuses.map((reply) => reply.statusCode)).toEqual([200, 200, 429]);
  expect(statuses[2]?.json()).toMatchObject({ code: "rate_limited" });
  expect(Number(statuses[2]?.headers["retry-after"])).toBeGreaterThan(0);
  const bearer = { authorization: `Bearer ${second.key}` };
  const basic = { authorization: `Basic ${Buffer.from(`any:${second.key}`).toString("base64")}` };
  expect((await send(bearer)).statusCode).toBe(200);
  expect((await send(basic)).statusCode).toBe(200);
});
