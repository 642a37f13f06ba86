import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { startApp } from "#testing/start-app.ts";
import { queueFactorNotice } from "./mails.ts";

it("reports each kind of change three times at once, and the log says what was not sent", async () => {
  const server = await startApp({ at: "2026-11-20T10:00:00.000Z" });
  const { email } = await server.signUp();
  for (let i = 0; i < 4; i++) queueFactorNotice(server.ctx, email, "recoveryCodesReplaced");
  queueFactorNotice(server.ctx, email, "passkeyAdded");
  await server.ctx.mailQueue.idle();
  const folder = `${server.ctx.config.dataDir}/outbox`;
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(`${folder}/${name}`, "utf8")));
  const logged = server.logged.join("\n");
  await server.close();
  const count = (part: string) => texts.filter((text) => text.includes(part)).length;
  expect([count("recovery codes of your account were replaced"), count("passkey was added")]).toEqual([3, 1]);
  expect(logged).toMatch(/"kind":"notice recoveryCodesReplaced".*its allowance is used up/);
});
