import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { isNamed } from "./reply.ts";

it.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a" ,"c"', true],
  ["*", true],
  [" * ", true],
  [undefined, false],
  ["", false],
  ["a", false],
  ['"A"', false],
  ['"b", "a', false],
  ['"*"', false],
])("If-None-Match: %s names the tag: %s", (ifNoneMatch, named) => {
  expect(isNamed('"a"', ifNoneMatch)).toBe(named);
  expect(isNamed('W/"a"', ifNoneMatch)).toBe(named);
});

describe("a reply to a client that accepts compression", () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startApp();
  });
  afterAll(() => server.close());

  const read = (encoding: string | undefined, url = "/api/openapi.json") =>
    server.app.inject({ url, headers: encoding === undefined ? {} : { "accept-encoding": encoding } });

  it.each([
    ["gzip, deflate, br, zstd", "zstd", zstdDecompressSync],
    ["gzip, deflate, br", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
  ])("of %s is packed by %s, and equal", async (accepted, encoding, inflate) => {
    const [plain, packed] = await Promise.all([read(undefined), read(accepted)]);
    expect(packed.headers).toMatchObject({
      "content-encoding": encoding,
      vary: expect.stringContaining("accept-encoding"),
    });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
    expect(inflate(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
  });

  it("is as it is where it is short, or answers a call that changes something", async () => {
    expect((await read("gzip", "/healthz")).headers["content-encoding"]).toBeUndefined();
    const { headers } = await server.signUp();
    const panels = [{ kind: "note", id: "note", text: "long ".repeat(400) }];
    const url = "/api/v1/protected/dashboards";
    const zipped = { ...headers, "accept-encoding": "gzip" };
    const made = await server.app.inject({
      method: "POST",
      url,
      headers: zipped,
      payload: { name: "Till", panels },
    });
    expect([made.headers["content-encoding"], made.json().name]).toEqual([undefined, "Till"]);
    const same = await server.app.inject({ url: `${url}/${made.json().id}`, headers: zipped });
    expect(same.headers["content-encoding"]).toBe("gzip");
    expect(JSON.parse(gunzipSync(same.rawPayload).toString())).toEqual(made.json());
  });
});
