import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { keepProgress, progressOf } from "./alert-queries.ts";
import { evaluateOrganization } from "./evaluate-organization.ts";
import { takeLease } from "./lease.ts";

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
});
afterAll(() => server.close());

const lastsMs = 60_000;
const take = (name: string, holder: string, at: string) =>
  takeLease(server.ctx.rows, { name, holder, lastsMs }, new Date(at));

it("keeps others out until it ends", async () => {
  expect(await take("usual", "first", "2026-11-20T12:00:00Z")).toBe(true);
  expect(await take("usual", "second", "2026-11-20T12:00:59Z")).toBe(false);
  expect(await take("usual", "second", "2026-11-20T12:01:00Z")).toBe(true);
});

it("keeps others out even if the holder's clock is a little ahead", async () => {
  expect(await take("skewed", "first", "2026-11-20T12:00:50Z")).toBe(true);
  expect(await take("skewed", "second", "2026-11-20T12:00:00Z")).toBe(false);
});

it("of a process whose clock was years ahead passes to the next process", async () => {
  expect(await take("ahead", "first", "2030-11-20T12:00:00Z")).toBe(true);
  expect(await take("ahead", "second", "2026-11-20T12:00:00Z")).toBe(true);
});

it("evaluation goes on at the present time after a clock that was years ahead", async () => {
  const { orgId } = await server.signUp();
  const ahead = "2030-11-20T12:00:00.000Z";
  await keepProgress(server.ctx.rows, orgId, { evaluatedTo: ahead, lookedAt: ahead });
  await evaluateOrganization(server.ctx, orgId);
  const progress = await progressOf(server.ctx.rows, orgId);
  expect(Date.parse(progress!.evaluatedTo)).toBeLessThan(Date.parse("2026-11-20T12:00:00.000Z"));
});
