import { readdir, readFile, stat } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { StoreLog } from "#store/log.ts";
import { type MailServer, startMailServer } from "#testing/mail-server.ts";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { MailQueue } from "./mail-queue.ts";

let mailServer: MailServer;
let sending: TestApp;

const nothing = () => undefined;
const silent: StoreLog = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const patience = { timeout: 60_000 };
const link = `https://flamekeep.example.com/reset-password?token=${"a".repeat(43)}`;
const mail = { id: "7d6f", to: ["ada@example.com"], subject: "Hello", text: `A line.\n\n${link}\n` };

beforeAll(async () => {
  mailServer = await startMailServer();
  const env = { SMTP_URL: mailServer.url, PUBLIC_URL: "https://flamekeep.example.com" };
  sending = await startApp({ env });
});
afterAll(async () => {
  await sending.close();
  await mailServer[Symbol.asyncDispose]();
});
beforeEach(() => {
  mailServer.mails.length = 0;
});

it("goes through SMTP, with the sender and the id of the public address", async () => {
  expect(await sending.ctx.mailer.deliver(mail)).toBe("sent");
  const [received] = mailServer.mails;
  expect(received?.to).toEqual(["ada@example.com"]);
  expect(received?.source).toContain("From: Flamekeep <flamekeep@flamekeep.example.com>");
  expect(received?.source).toContain("Message-ID: <7d6f@flamekeep.example.com>");
  expect(received?.source).toContain("Auto-Submitted: auto-generated");
  expect(received?.source).toContain(`A line.\r\n\r\n${link}\r\n`);
});

it("goes to one address, whatever characters the address has", async () => {
  const hostile = "ada,eve@example.com";
  expect(await sending.ctx.mailer.deliver({ ...mail, to: [hostile] })).toBe("sent");
  expect(mailServer.mails.map(({ to }) => to)).toEqual([['"ada,eve"@example.com']]);
  const subject = "Hello\r\nBcc: eve@example.com";
  expect(await sending.ctx.mailer.deliver({ ...mail, subject })).toBe("sent");
  expect(mailServer.mails[1]?.to).toEqual(["ada@example.com"]);
  expect(mailServer.mails[1]?.source).not.toMatch(/^Bcc:/m);
});

it("is written to the outbox without SMTP_URL, which the log says", async () => {
  const storing = await startApp();
  expect(storing.ctx.mailer.isSending).toBe(false);
  expect(await storing.ctx.mailer.waiting()).toBe(0);
  expect(await storing.ctx.mailer.deliver(mail)).toBe("stored");
  const folder = `${storing.ctx.config.dataDir}/outbox`;
  expect(await readdir(folder)).toEqual(["7d6f.eml"]);
  const { mode } = await stat(`${folder}/7d6f.eml`);
  expect(mode & 0o077).toBe(0);
  expect(await readFile(`${folder}/7d6f.eml`, "utf8")).toContain(`\r\n${link}\r\n`);
  expect(await storing.ctx.mailer.waiting()).toBe(1);
  expect(storing.logged.join("\n")).toMatch(/outbox\/7d6f\.eml.*SMTP_URL is not set: mail was written/);
  await storing.close();
});

it("has the sender of MAIL_FROM", async () => {
  const other = await startApp({ env: { SMTP_URL: mailServer.url, MAIL_FROM: "profiles@example.org" } });
  await other.ctx.mailer.deliver(mail);
  await other.close();
  expect(mailServer.mails[0]?.source).toContain("From: Flamekeep <profiles@example.org>");
});

it("is sent again after a failure, and given up after the last attempt", async () => {
  await using queue = new MailQueue(sending.ctx.mailer, sending.ctx.log, [1, 1]);
  mailServer.refuse(2);
  queue.add(async () => mail);
  await expect.poll(() => mailServer.mails.length, patience).toBe(1);
  mailServer.refuse(3);
  queue.add(async () => mail);
  await expect.poll(() => sending.logged.join("\n"), patience).toContain("mail was given up");
  mailServer.refuse(0);
  expect(mailServer.mails).toHaveLength(1);
});

it("that cannot be written is logged, and does not hold up the next one", async () => {
  await using queue = new MailQueue(sending.ctx.mailer, sending.ctx.log);
  queue.add(() => Promise.reject(new Error("the store is away")));
  queue.add(async () => undefined);
  queue.add(async () => mail);
  await queue.idle();
  expect(mailServer.mails).toHaveLength(1);
  expect(sending.logged.join("\n")).toContain("mail was not written");
});

it("that waits for another attempt fills the queue except the places of reset links, and does not keep it from being idle", async () => {
  const errors: string[] = [];
  const log = { ...silent, error: (_: object, message: string) => void errors.push(message) };
  await using queue = new MailQueue({ deliver: async () => "failed" }, log, [3_600_000]);
  await queue.idle();
  for (let count = 0; count < 800; count++) queue.add(async () => mail);
  await queue.idle();
  expect(errors).toEqual([]);
  queue.add(async () => mail);
  expect(errors).toEqual([expect.stringContaining("queue of mail is full")]);
  for (let count = 0; count < 200; count++) queue.add(async () => mail, "reserved");
  expect(errors).toHaveLength(1);
  queue.add(async () => mail, "reserved");
  expect(errors).toHaveLength(2);
});

it("that was not sent is counted in the log at the end, and nobody waits for it", async () => {
  const warned: object[] = [];
  const queue = new MailQueue(sending.ctx.mailer, {
    ...silent,
    warn: (fields) => void warned.push(fields),
  });
  queue.add(async () => mail);
  const idle = queue.idle();
  await queue[Symbol.asyncDispose]();
  await idle;
  expect([warned, mailServer.mails]).toEqual([[{ mails: 1 }], []]);
});
