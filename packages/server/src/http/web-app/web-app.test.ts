import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerErrors } from "#http/reply/error-reply.ts";
import { collectRoutes } from "./registered-routes.ts";
import { registerWebApp } from "./web-app.ts";

const folder = mkdtempSync(join(tmpdir(), "flamekeep-web-"));
/** As the build of the web app lists them. */
const pagePaths = [
  "/",
  "/login",
  "/register",
  "/forgot-password",
  "/dashboard",
  "/profiles",
  "/profiles/{type}",
  "/profiles/service",
  "/profiles/service/{serviceName}",
  "/profiles/service/{serviceName}/{type}",
  "/profile/{profileId}",
  "/cpu-profiles",
  "/memory-profiles",
  "/goroutine-profiles",
  "/alerts",
  "/projects",
  "/settings",
];
const index = "<!doctype html><title>the app</title>";

async function appOver(dist: string): Promise<FastifyInstance> {
  const app = Fastify();
  const routes = collectRoutes(app);
  answerErrors(app);
  app.post("/ingest", () => ({}));
  app.post("/pyroscope/ingest", () => ({}));
  app.post("/push.v1.PusherService/Push", () => ({}));
  app.get("/api/v1/things/:id", () => ({}));
  app.delete("/api/v1/things/:id", () => ({}));
  await registerWebApp(app, routes, "", dist);
  return app;
}

let app: FastifyInstance;
beforeAll(async () => {
  mkdirSync(join(folder, "dist/assets"), { recursive: true });
  writeFileSync(join(folder, "dist/index.html"), index);
  writeFileSync(join(folder, "dist/pages.json"), JSON.stringify(pagePaths.map((path) => ({ path }))));
  writeFileSync(join(folder, "dist/icon.svg"), "<svg/>");
  writeFileSync(join(folder, "dist/assets/app-1a2b3c.js"), "run()");
  writeFileSync(join(folder, "outside.txt"), "outside");
  app = await appOver(join(folder, "dist"));
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

describe("the web app", () => {
  it.each(["/", "/login", "/profiles/service/a%2Fb/cpu", "/profile/3f9a?view=x", "/nothing.known"])(
    "answers its page at %s, never to be cached",
    async (url) => {
      const reply = await app.inject({ url, headers: { accept: "text/html,*/*" } });
      expect([reply.statusCode, reply.body]).toEqual([200, index]);
      expect(reply.headers["cache-control"]).toBe("no-cache");
      expect(reply.headers["content-type"]).toMatch(/^text\/html/);
    },
  );

  it("lets hashed files be cached forever and other files be revalidated", async () => {
    const asset = await app.inject("/assets/app-1a2b3c.js");
    expect([asset.statusCode, asset.body]).toEqual([200, "run()"]);
    expect(asset.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const icon = await app.inject("/icon.svg");
    expect([icon.statusCode, icon.headers["cache-control"]]).toEqual([200, "no-cache"]);
  });

  it.each(["/api/v1/nothing", "/auth/nothing", "/assets/app-old.js", "/ingest/nothing"])(
    "does not answer for programs: %s is a 404 with words",
    async (url) => {
      const reply = await app.inject({ url, headers: { accept: "*/*" } });
      expect(reply.statusCode).toBe(404);
      expect(reply.json()).toMatchObject({ code: "not_found" });
    },
  );

  it.each([
    ["POST", "//["],
    ["POST", "///"],
    ["GET", "//nothing"],
    ["GET", "/a%00"],
  ] as const)("says that there is nothing at an odd address: %s %s", async (method, url) => {
    const reply = await app.inject({ method, url, headers: { accept: "*/*" } });
    expect([reply.statusCode, reply.json().code]).toEqual([404, "not_found"]);
  });

  it.each([
    "/info",
    "/pyroscope/render",
    "/push.v1.PusherService/Pull",
    "/render",
    "/v1/traces",
    "/favicon.png",
    "/wp-login.php",
  ])("answers %s only to browsers, and not under the paths of the API", async (url) => {
    for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"] as const) {
      const reply = await app.inject({ method, url, headers: { accept: "*/*" } });
      expect([method, reply.statusCode]).toEqual([method, 404]);
      if (method !== "HEAD") expect(reply.json().code).toBe("not_found");
    }
    const browser = await app.inject({
      url,
      headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
    });
    expect(browser.statusCode).toBe(/^\/(pyroscope|push)/.test(url) ? 404 : 200);
  });

  it.each(pagePaths.map((path) => path.replace(/\{\w+\}/g, "a%2Fb")))(
    "answers its page %s to clients that accept HTML",
    async (url) => {
      for (const accept of ["*/*", "text/html"]) {
        for (const path of [url, `${url}?view=x`, url === "/" ? url : `${url}/`]) {
          const reply = await app.inject({ url: path, headers: { accept } });
          expect([path, reply.statusCode, reply.body]).toEqual([path, 200, index]);
        }
      }
      expect((await app.inject(url)).body).toBe(index);
    },
  );

  it.each([
    ["GET", "/ingest", "POST"],
    ["DELETE", "/ingest", "POST"],
    ["POST", "/api/v1/things/7", "DELETE, GET, HEAD"],
    ["OPTIONS", "/api/v1/things/7", "DELETE, GET, HEAD"],
    ["POST", "/login", "GET, HEAD"],
    ["PUT", "/profiles/service/checkout/cpu", "GET, HEAD"],
  ] as const)("says which methods a known path has: %s %s", async (method, url, allow) => {
    const reply = await app.inject({ method, url, headers: { accept: "*/*" } });
    expect([reply.statusCode, reply.headers.allow]).toEqual([405, allow]);
    expect(reply.json()).toMatchObject({
      code: "method_not_allowed",
      error: `${method} is not allowed here. Use ${allow.split(", ").join(" or ")}.`,
    });
  });

  it.each([
    ["/nothing.known", "text/html", 200],
    ["/nothing.known", "text/html;q=0, application/json", 404],
    ["/nothing.known", "text/html;q=0.5, application/json", 404],
    ["/nothing.known", "application/json", 404],
    ["/nothing.known", "*/*", 404],
    ["/login", "text/html;q=0, */*", 404],
    ["/login", "application/json, */*;q=0.1", 404],
    ["/login", "text/*", 200],
    ["/login", "*/*", 200],
  ])("chooses by Accept, and reports it to caches: %s with %s", async (url, accept, status) => {
    const reply = await app.inject({ url, headers: { accept } });
    expect([reply.statusCode, reply.headers.vary]).toEqual([status, "Accept"]);
    expect(reply.headers["content-type"]).toMatch(status === 200 ? /^text\/html/ : /^application\/json/);
  });

  it.each(["/API/v1/things/7", "/Api/nothing", "/INGEST", "/PUSH.v1.pusherservice/Push", "/Assets/app.js"])(
    "is not answered at a path of programs in another letter case: %s",
    async (url) => {
      const reply = await app.inject({ url, headers: { accept: "text/html" } });
      expect([reply.statusCode, reply.json().code]).toEqual([404, "not_found"]);
    },
  );

  it.each([
    ["/assets/", "There is no GET /assets/. All calls are listed at /docs/api."],
    [`/${"a".repeat(15_000)}`, "There is nothing at this address. All calls are listed at /docs/api."],
  ])("answers 404 as JSON with the right message at %.20s", async (url, error) => {
    const reply = await app.inject({ url, headers: { accept: "application/json" } });
    expect([reply.statusCode, reply.json()]).toMatchObject([404, { code: "not_found", error }]);
  });

  it("answers JSON clients with JSON", async () => {
    expect((await app.inject({ url: "/login", headers: { accept: "application/json" } })).statusCode).toBe(
      404,
    );
  });

  it.each(["/../outside.txt", "/%2e%2e/outside.txt", "/assets/..%2f..%2foutside.txt", "/..%5coutside.txt"])(
    "serves nothing outside its folder: %s",
    async (url) => {
      expect((await app.inject(url)).body).not.toContain("outside\n");
      expect((await app.inject(url)).body).not.toBe("outside");
    },
  );

  it("explains what to do if it is not built", async () => {
    const bare = await appOver(join(folder, "absent"));
    const reply = await bare.inject({ url: "/profiles", headers: { accept: "text/html" } });
    await bare.close();
    expect(reply.statusCode).toBe(503);
    expect(reply.body).toContain("npm start");
  });
});
