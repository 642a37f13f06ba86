import { sql } from "kysely";
import { expect, it } from "vitest";
import { startApp, testPassword } from "#testing/start-app.ts";

it("answers writes with 503 and an explanation while the database is read-only, still reads, and recovers without a restart", async () => {
  const server = await startApp();
  const person = await server.signUp();
  const payload = { email: person.email, password: testPassword };
  const signIn = () => server.app.inject({ method: "POST", url: "/auth/login", payload });
  // SQLite's own answer to a write is the same as on a read-only file system.
  await sql`PRAGMA query_only = ON`.execute(server.ctx.rows);
  const refused = await signIn();
  expect([refused.statusCode, refused.headers["retry-after"], refused.json().code]).toEqual([
    503,
    "5",
    "unavailable",
  ]);
  expect(refused.json().error).toMatch(/^The server cannot read or write its data folder/);
  const read = await server.app.inject({
    url: "/api/v1/protected/user/profile",
    headers: person.headers,
  });
  expect(read.statusCode).toBe(200);
  await sql`PRAGMA query_only = OFF`.execute(server.ctx.rows);
  expect((await signIn()).statusCode).toBe(200);
  await server.close();
});
