import { afterAll, beforeAll, expect, it } from "vitest";
import { getProgress, storeProgress } from "#alerts/queries.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { evaluateOrganization } from "./evaluate-organization.ts";

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T12:00:00.000Z" });
});
afterAll(() => server.close());

it("continues at the current time after the clock was years ahead", async () => {
  const { orgId } = await server.signUp();
  const ahead = "2030-11-20T12:00:00.000Z";
  await storeProgress(server.ctx.rows, orgId, { evaluatedTo: ahead, lookedAt: ahead });
  await evaluateOrganization(server.ctx, orgId);
  const progress = await getProgress(server.ctx.rows, orgId);
  expect(Date.parse(progress!.evaluatedTo)).toBeLessThan(Date.parse("2026-11-20T12:00:00.000Z"));
});
