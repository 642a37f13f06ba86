import {
  createResetLink,
  findAccount,
  operatorOverview,
  removeSecondFactors,
  setAccountActive,
  toPath,
  transferOperatorRole,
} from "@flamekeep/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addAuthenticatorApp } from "#testing/authenticator-app.ts";
import { type Person, startApp, type TestApp, testPassword } from "#testing/start-app.ts";

let server: TestApp;
let operator: Person;
let eve: Person;
beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T10:00:00.000Z" });
  operator = await server.signUp();
  eve = await server.signUp();
});
afterAll(() => server.close());

const asOperator = (method: "POST" | "PUT", url: string, payload: object = {}) =>
  server.app.inject({ method, url, payload, headers: operator.headers });
const setActive = (id: string, is_active: boolean) =>
  asOperator("PUT", toPath(setAccountActive, { id }), { is_active });
const createLink = (password = testPassword) =>
  asOperator("POST", toPath(createResetLink, { id: eve.userId }), { password });
const signIn = async (password: string) => {
  const payload = { email: eve.email, password };
  return (await server.app.inject({ method: "POST", url: "/auth/login", payload })).statusCode;
};

async function auditedIn(orgId: string): Promise<unknown[]> {
  return server.rows
    .selectFrom("auditEntries")
    .select(["event", "actorId", "target"])
    .where("orgId", "=", orgId)
    .where("event", "in", [
      "account.disabled",
      "account.enabled",
      "account.reset_link_created",
      "account.second_factors_removed",
      "account.made_operator",
    ])
    .orderBy("id")
    .execute();
}

it("disables an account, which ends its sessions, and enables it again, with entries in the audit log", async () => {
  const found = await asOperator("POST", toPath(findAccount), { email: eve.email.toUpperCase() });
  expect(found.json().account).toMatchObject({ id: eve.userId, is_active: true, is_operator: false });
  for (let i = 0; i < 2; i++) expect((await setActive(eve.userId, false)).statusCode).toBe(200);
  const profile = { url: "/api/v1/protected/user/profile", headers: eve.headers };
  expect((await server.app.inject(profile)).statusCode).toBe(401);
  expect(await signIn(testPassword)).toBe(401);
  expect((await createLink()).statusCode).toBe(409);
  expect((await setActive(eve.userId, true)).json().account).toMatchObject({ is_active: true });
  expect(await signIn(testPassword)).toBe(200);
  const about = { actorId: operator.userId, target: eve.email };
  expect(await auditedIn(eve.orgId)).toEqual([
    { event: "account.disabled", ...about },
    { event: "account.enabled", ...about },
  ]);
});

it("makes a reset link, with the operator's password, that works once and is audited", async () => {
  expect((await createLink("not the password")).statusCode).toBe(400);
  const { url } = (await createLink()).json();
  const token = new URL(url).searchParams.get("token");
  const reset = (new_password: string) =>
    server.app.inject({ method: "POST", url: "/auth/reset-password", payload: { token, new_password } });
  expect((await reset("a new staple for the battery")).statusCode).toBe(200);
  expect((await reset("another staple for the battery")).statusCode).toBe(400);
  expect(await signIn("a new staple for the battery")).toBe(200);
  expect(await auditedIn(eve.orgId)).toContainEqual({
    event: "account.reset_link_created",
    actorId: operator.userId,
    target: eve.email,
  });
});

it("makes a reset link that nobody else can replace, and its use ends the others", async () => {
  const { url } = (await createLink()).json();
  const payload = { email: eve.email };
  const asked = await server.app.inject({ method: "POST", url: "/auth/forgot-password", payload });
  expect(asked.statusCode).toBe(200);
  await server.ctx.mailQueue.idle();
  const token = new URL(url).searchParams.get("token");
  const new_password = "one more staple for the battery";
  const reset = { method: "POST", url: "/auth/reset-password", payload: { token, new_password } } as const;
  expect((await server.app.inject(reset)).statusCode).toBe(200);
  const left = server.rows.selectFrom("mailTokens").select("purpose").where("userId", "=", eve.userId);
  expect(await left.where("purpose", "!=", "verify email").execute()).toEqual([]);
});

it("removes all second factors, with the operator's password: from then on the password alone signs in", async () => {
  const remove = (password = testPassword) =>
    asOperator("POST", toPath(removeSecondFactors, { id: lost.userId }), { password });
  const lost = await server.signUp();
  expect((await remove()).statusCode).toBe(409);
  await addAuthenticatorApp(server, lost);
  const signInAgain = async () => {
    const payload = { email: lost.email, password: lost.password };
    return (await server.app.inject({ method: "POST", url: "/auth/login", payload })).json();
  };
  expect(await signInAgain()).toHaveProperty("second_factor");
  expect((await remove("not the password")).statusCode).toBe(400);
  expect((await remove()).json().account).toMatchObject({ has_second_factor: false });
  const profile = { url: "/api/v1/protected/user/profile", headers: lost.headers };
  expect((await server.app.inject(profile)).statusCode).toBe(401);
  expect(await signInAgain()).toHaveProperty("tokens");
  for (const table of ["totpSecrets", "passkeys", "recoveryCodes"] as const) {
    const left = await server.rows
      .selectFrom(table)
      .select("userId")
      .where("userId", "=", lost.userId)
      .execute();
    expect([table, left]).toEqual([table, []]);
  }
  expect(await auditedIn(lost.orgId)).toEqual([
    { event: "account.second_factors_removed", actorId: operator.userId, target: lost.email },
  ]);
});

it("keeps the operator's account enabled, and knows no account of another address", async () => {
  expect((await setActive(operator.userId, false)).statusCode).toBe(409);
  const unknown = await asOperator("POST", toPath(findAccount), { email: "nobody@example.com" });
  expect(unknown.statusCode).toBe(404);
});

it("is for the operator only", async () => {
  const url = toPath(findAccount);
  const other = await server.signUp();
  const payload = { email: operator.email };
  const reply = await server.app.inject({ method: "POST", url, payload, headers: other.headers });
  expect(reply.statusCode).toBe(403);
});

it("hands the role over, with the operator's password: at once the other account is the operator, and the former one is not", async () => {
  const next = await server.signUp();
  const handOver = (from: Person, to: Person, password = testPassword) =>
    server.app.inject({
      method: "POST",
      url: toPath(transferOperatorRole, { id: to.userId }),
      payload: { password },
      headers: from.headers,
    });
  const seesOverview = async ({ headers }: Person) =>
    (await server.app.inject({ url: toPath(operatorOverview), headers })).statusCode === 200;
  expect((await handOver(next, next)).statusCode).toBe(403);
  expect((await handOver(operator, next, "not the password")).statusCode).toBe(400);
  expect((await handOver(operator, operator)).statusCode).toBe(409);
  await setActive(next.userId, false);
  expect((await handOver(operator, next)).json().error).toBe("This account is disabled. Enable it first.");
  await setActive(next.userId, true);
  const signedIn = { email: next.email, password: testPassword };
  const session = await server.app.inject({ method: "POST", url: "/auth/login", payload: signedIn });
  const headers = { authorization: `Bearer ${session.json().tokens.access_token}` };
  const successor = { ...next, headers };
  expect(await seesOverview(successor)).toBe(false);

  expect((await handOver(operator, next)).json().account).toMatchObject({ is_operator: true });
  expect([await seesOverview(operator), await seesOverview(successor)]).toEqual([false, true]);
  expect(await auditedIn(next.orgId)).toContainEqual({
    event: "account.made_operator",
    actorId: operator.userId,
    target: next.email,
  });
  expect((await handOver(operator, next)).statusCode).toBe(403);
  expect((await handOver(successor, operator)).statusCode).toBe(200);
  expect([await seesOverview(operator), await seesOverview(successor)]).toEqual([true, false]);
});
