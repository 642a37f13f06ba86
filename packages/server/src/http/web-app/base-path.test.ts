import { endpoints } from "@flamekeep/contract/schemas";
import { recordedFile } from "@flamekeep/profile/testing/recordings";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp, testPassword } from "#testing/start-app.ts";
import { pageBelow, withoutBasePath } from "./base-path.ts";

const publicUrl = "https://tools.example.com/flamekeep";

describe("an address without the base path", () => {
  it.each([
    ["/flamekeep/api/v1/things?x=/flamekeep", "/api/v1/things?x=/flamekeep"],
    ["/flamekeep/", "/"],
    ["/flamekeep", "/"],
    ["/flamekeep?range=1h", "/?range=1h"],
    ["/flamekeep/flamekeep/x", "/flamekeep/x"],
    ["/api/v1/things", "/api/v1/things"],
    ["/flamekeeper/x", "/flamekeeper/x"],
    ["/x/flamekeep/", "/x/flamekeep/"],
    ["*", "*"],
  ])("of %s is %s", (url, expected) => expect(withoutBasePath(url, "/flamekeep")).toBe(expected));

  it.each(["/", "/api?x", "//x", "*"])("of %s is the same at the root of a host", (url) =>
    expect(withoutBasePath(url, "")).toBe(url),
  );
});

it("a page names addresses below the base path, and leaves texts and other hosts alone", () => {
  const page = `<html data-base=""><a href="/docs">a href="/docs"</a><img src="./a.svg"><a href="https://x/">&quot;/</a><a href="//x">`;
  expect(pageBelow(page, "/flamekeep")).toBe(
    `<html data-base="/flamekeep"><a href="/flamekeep/docs">a href="/flamekeep/docs"</a><img src="/flamekeep/a.svg"><a href="https://x/">&quot;/</a><a href="//x">`,
  );
  expect(pageBelow(page, "")).toContain(`<html data-base=""><a href="/docs">`);
});

describe.each([
  ["keeps", "/flamekeep"],
  ["removes", ""],
])("behind a proxy that %s the path", (_, prefix) => {
  let server: TestApp;
  let person: Person;
  beforeAll(async () => {
    server = await startApp({ env: { PUBLIC_URL: `${publicUrl}/` } });
    person = await server.signUp();
  });
  afterAll(() => server.close());

  it.each([
    ["/healthz", 200, "application/json"],
    ["/api/openapi.json", 200, "application/json"],
    ["/docs", 200, "text/html"],
    ["/docs/search.json?q=alert", 200, "application/json"],
    ["/", 200, "text/html"],
    ["/login", 200, "text/html"],
    ["/profiles/service/checkout/cpu?range=1h", 200, "text/html"],
    ["/before-app.js", 200, "application/javascript"],
    ["/assets/nothing.js", 404, "application/json"],
    ["/api/v1/nothing", 404, "application/json"],
  ])("answers %s with %d", async (path, status, type) => {
    const reply = await server.app.inject({ url: prefix + path, headers: { accept: "text/html,*/*" } });
    expect([reply.statusCode, String(reply.headers["content-type"]).split(";")[0]]).toEqual([status, type]);
  });

  it.each(["/", "/dashboard", "/docs", "/docs/api", "/docs/send/go-sdk", "/docs/search?q=alert", "/docs/no"])(
    "all addresses of the page %s lie below the path, and exist",
    async (path) => {
      const page = await server.app.inject({ url: prefix + path, headers: { accept: "text/html" } });
      expect(page.body).toContain('data-base="/flamekeep"');
      const found = [...page.body.matchAll(/ (?:href|src|action)="([^"#]+)/g)].map(([, address]) => address!);
      const own = [...new Set(found.filter((address) => !address.startsWith("https://")))];
      expect(own.length).toBeGreaterThan(5);
      for (const address of own) {
        expect(address).toMatch(/^\/flamekeep\//);
        const url = prefix + address.slice("/flamekeep".length);
        const reply = await server.app.inject({ url, headers: { accept: "text/html,*/*" } });
        expect([address, reply.statusCode]).toEqual([address, 200]);
      }
    },
  );

  it("names its address to people and programs", async () => {
    const get = (path: string) => server.app.inject(prefix + path);
    expect((await get("/docs/send/go-sdk")).body).toContain(publicUrl);
    expect((await get("/api/openapi.json")).json().servers).toEqual([{ url: "/flamekeep" }]);
    const [found] = (await get("/docs/search.json?q=alert")).json();
    expect(found.href).toMatch(/^\/flamekeep\/docs/);
    expect((await get("/api/v1/nothing")).json().error).toContain("/flamekeep/docs/api");
  });

  it("a sign-in sets its cookie below the path", async () => {
    const payload = { email: person.email, password: testPassword };
    const reply = await server.app.inject({ method: "POST", url: `${prefix}/auth/login`, payload });
    expect([reply.statusCode, reply.headers["set-cookie"]]).toEqual([
      200,
      expect.stringContaining("; Path=/flamekeep/auth/login; "),
    ]);
  });

  it("programs and people reach every call", async () => {
    expect(endpoints.length).toBeGreaterThan(100);
    for (const { method, path } of endpoints) {
      const reply = await server.app.inject({
        method,
        url: prefix + path.replace(/\{\w+\}/g, "x"),
        headers: { accept: "application/json" },
      });
      expect([path, reply.statusCode === 405 || reply.body.includes("There is no")]).toEqual([path, false]);
    }
  });

  it.each([
    `/api/v1/ingest/profiles?service=checkout&started_at=${Date.now()}`,
    `/ingest?name=checkout&from=${Date.now()}`,
    `//ingest/?name=cart&from=${Date.now()}`,
  ])("a profile is accepted at %s", async (path) => {
    const { headers } = await server.makeKey(person, `for ${path}`);
    const reply = await server.app.inject({
      method: "POST",
      url: prefix + path,
      headers: { ...headers, "content-type": "application/octet-stream" },
      payload: recordedFile("go1.26/cpu.pb.gz"),
    });
    expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)]);
  });

  it("a link for somebody else begins with the public address", async () => {
    const reply = await server.app.inject({
      method: "POST",
      url: `${prefix}/api/v1/protected/organization/invitations`,
      headers: person.headers,
      payload: { email: "eve@example.com", role: "member" },
    });
    expect(reply.json().url).toMatch(/^https:\/\/tools\.example\.com\/flamekeep\/invite\//);
  });
});

it.each(["/api", "/docs/flamekeep", "/assets", "/ingest"])(
  "a path that the server answers itself is refused at the start: %s",
  async (path) => {
    const env = { PUBLIC_URL: `https://tools.example.com${path}` };
    await expect(startApp({ env })).rejects.toThrow(
      `PUBLIC_URL must not have a path that begins with /${path.split("/")[1]}, where the server has its own addresses`,
    );
  },
);
