import { dayMs } from "@flamekeep/contract/durations";
import fastify from "fastify";
import { expect, it } from "vitest";
import { startApp } from "#testing/start-app.ts";
import { registerExpiryJob } from "./job.ts";

it("removes expired sessions and tokens while the server listens, again and again, until it stops", async () => {
  const server = await startApp({ at: "2026-11-20T10:00:00.000Z" });
  const rows = async () => {
    const sessions = await server.rows.selectFrom("sessions").select("id").execute();
    const tokens = await server.rows.selectFrom("refreshTokens").select("id").execute();
    return [sessions.length, tokens.length];
  };
  const app = fastify();
  registerExpiryJob(app, server.ctx, { firstAfterMs: 1, everyMs: 10 });
  await app.listen({ host: "127.0.0.1", port: 0 });
  for (let round = 0; round < 2; round++) {
    await server.signUp();
    expect(await rows()).toEqual([1, 1]);
    server.clock.advance(40 * dayMs);
    await expect.poll(rows, { timeout: 20_000 }).toEqual([0, 0]);
  }
  await app.close();
  await server.signUp();
  server.clock.advance(40 * dayMs);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await rows()).toEqual([1, 1]);
  await server.close();
});
