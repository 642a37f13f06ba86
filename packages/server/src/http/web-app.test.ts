import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerErrors } from "./error-reply.ts";
import { registerWebApp } from "./web-app.ts";

const folder = mkdtempSync(join(tmpdir(), "flamekeep-web-"));
const index = "<!doctype html><title>the app</title>";

async function appOver(dist: string): Promise<FastifyInstance> {
  const app = Fastify();
  answerErrors(app);
  await registerWebApp(app, dist);
  return app;
}

let app: FastifyInstance;
beforeAll(async () => {
  mkdirSync(join(folder, "dist/assets"), { recursive: true });
  writeFileSync(join(folder, "dist/index.html"), index);
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

  it("has its hashed files cached for good and the others asked for again", async () => {
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

  it("answers only reading, and JSON clients with JSON", async () => {
    expect((await app.inject({ method: "POST", url: "/login" })).statusCode).toBe(404);
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

  it("that is not built says what to do", async () => {
    const bare = await appOver(join(folder, "absent"));
    const reply = await bare.inject({ url: "/profiles", headers: { accept: "text/html" } });
    await bare.close();
    expect(reply.statusCode).toBe(503);
    expect(reply.body).toContain("npm start");
  });
});
