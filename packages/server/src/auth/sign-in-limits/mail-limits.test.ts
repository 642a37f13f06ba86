import { afterAll, beforeAll, expect, it } from "vitest";
import { type MailServer, startMailServer } from "#testing/mail-server.ts";
import { type Person, startApp, type TestApp, testPassword } from "#testing/start-app.ts";
import { takeStrangerMailAllowance } from "./mail-limits.ts";

let server: TestApp;
let mailServer: MailServer;
beforeAll(async () => {
  mailServer = await startMailServer();
  const env = { SMTP_URL: mailServer.url, PUBLIC_URL: "https://flamekeep.example.com" };
  server = await startApp({ env, at: "2026-11-20T10:00:00.000Z" });
});
afterAll(async () => {
  await server.close();
  await mailServer[Symbol.asyncDispose]();
});

const url = "/api/v1/protected/organization/invitations";
let colleagues = 0;

async function invite(by: Person, remoteAddress: string): Promise<string> {
  const payload = { email: `colleague${++colleagues}@example.com`, role: "member" };
  const { headers } = by;
  const reply = await server.app.inject({ method: "POST", url, payload, headers, remoteAddress });
  expect(reply.statusCode).toBe(201);
  return reply.json().delivery;
}

async function inviteTeam(by: Person, remoteAddress: string): Promise<string[]> {
  const deliveries: string[] = [];
  for (let i = 0; i < 30; i++) deliveries.push(await invite(by, remoteAddress));
  return [...new Set(deliveries)];
}

it("lets a new team invite 30 people at once, and bounds the invitations by mail of one network", async () => {
  const office = "192.0.2.1";
  expect(await inviteTeam(await server.signUp(), office)).toEqual(["sending"]);
  expect(await inviteTeam(await server.signUp(), office)).toEqual(["sending"]);
  expect(await inviteTeam(await server.signUp(), office)).toEqual(["link only"]);
  expect(await invite(await server.signUp(), "192.0.2.2")).toBe("sending");
  expect(server.logged.join("\n")).toMatch(/"kind":"invite".*its allowance is used up/);
});

it("bounds the mails to new accounts of one network: they can ask for the link later", async () => {
  const office = "192.0.2.3";
  for (let i = 0; i < 60; i++) {
    const emailKey = `verified${i}@example.com`;
    expect(await takeStrangerMailAllowance(server.ctx, "verify", { emailKey, address: office })).toBe(true);
  }
  const register = async (email: string, remoteAddress: string) => {
    const payload = { email, password: testPassword, first_name: "Ada", last_name: "Lovelace" };
    const reply = await server.app.inject({ method: "POST", url: "/auth/register", payload, remoteAddress });
    expect(reply.statusCode).toBe(201);
    await server.ctx.mailQueue.idle();
    return mailServer.mails.filter(({ to }) => to.includes(email)).length;
  };
  expect(await register("late@example.com", office)).toBe(0);
  expect(await register("elsewhere@example.com", "192.0.2.4")).toBe(1);
});

it("bounds the mails to strangers that all networks cause together", async () => {
  server.clock.advance(2 * 86_400_000);
  let sent = 0;
  for (let i = 0; i < 510; i++) {
    const from = { emailKey: `spread${i}@example.com`, address: `198.51.${i >> 8}.${i & 255}` };
    if (await takeStrangerMailAllowance(server.ctx, "invite", from)) sent++;
  }
  expect(sent).toBe(500);
});
