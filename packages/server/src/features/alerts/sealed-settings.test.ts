import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseTargets } from "#store/row/delivery-targets.ts";
import { rowBackends } from "#store/testing/backends.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { storeTargets } from "./channels/targets.ts";

const settingsUrl = "/api/v1/protected/alert-settings";
const [first, second] = ["the first secret of this server, 32+", "the second secret of this server, 32+"];
const secrets = {
  webhook_url: "https://hooks.example.com/flamekeep/url-token",
  webhook_secret: "signing-secret-0123456789",
  slack_url: "https://hooks.slack.com/services/slack-token",
};
const parts = ["url-token", "signing-secret", "slack-token"];

const backends = await rowBackends(isFullLength);

describe.each(backends)("delivery secrets on $name", (backend) => {
  let store: Awaited<ReturnType<typeof backend.create>>;
  let server: TestApp;
  let ada: Person;
  beforeEach(async () => {
    store = await backend.create();
    server = await start({ AUTH_SECRET: first });
    ada = await server.signUp();
    const saved = await call("PUT", "", secrets);
    expect(saved.status).toBe(200);
  });
  afterEach(async () => {
    await server.close();
    await store.remove();
  });

  const start = (env: Record<string, string>) => startApp({ env, config: { rows: store.config } });

  /** An operator who has lost the secret of a shared database does this. */
  const forgetSecret = () => server.rows.deleteFrom("installationFacts").execute();

  async function restart(env: Record<string, string>): Promise<void> {
    await server.close();
    server = await start(env);
    const payload = { email: ada.email, password: ada.password };
    const reply = await server.app.inject({ method: "POST", url: "/auth/login", payload });
    ada = { ...ada, headers: { authorization: `Bearer ${reply.json().tokens.access_token}` } };
  }

  async function call(method: "GET" | "PUT" | "POST", path = "", payload?: object) {
    const sent = { method, url: `${settingsUrl}${path}`, headers: ada.headers };
    const reply = await server.app.inject(payload === undefined ? sent : { ...sent, payload });
    return { status: reply.statusCode, body: reply.json() };
  }

  const storedRows = () => server.rows.selectFrom("alertSettings").selectAll().execute();

  it("are stored encrypted, and read again", async () => {
    const stored = JSON.stringify(await storedRows());
    expect(stored).toContain("v1.");
    for (const part of [...parts, "hooks."]) expect(stored).not.toContain(part);
    await restart({ AUTH_SECRET: first });
    expect((await call("GET")).body).toMatchObject({
      webhook: { is_set: true, origin: "https://hooks.example.com", is_signed: true },
      slack: { is_set: true, origin: "https://hooks.slack.com" },
      problem: null,
    });
  });

  it("that an older version stored as plain text are encrypted at the next start", async () => {
    await server.rows
      .updateTable("alertSettings")
      .set({
        isSealed: 0,
        targets: JSON.stringify({
          webhook: { secrets: { url: secrets.webhook_url, secret: secrets.webhook_secret }, settings: {} },
          slack: { secrets: { url: secrets.slack_url }, settings: {} },
        }),
      })
      .execute();
    await restart({ AUTH_SECRET: first });
    expect((await call("GET")).body).toMatchObject({
      webhook: { origin: "https://hooks.example.com", is_signed: true },
      slack: { origin: "https://hooks.slack.com" },
      problem: null,
    });
    const stored = JSON.stringify(await storedRows());
    for (const part of parts) expect(stored).not.toContain(part);
    const { config } = store;
    if (config.kind !== "sqlite") return;
    const folder = dirname(config.file);
    const files = await readdir(folder);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const bytes = await readFile(join(folder, file), "latin1");
      for (const part of parts) expect([file, part, bytes.includes(part)]).toEqual([file, part, false]);
    }
  });

  it("of another AUTH_SECRET are reported to the admin and the operator, and can be saved again", async () => {
    await forgetSecret();
    await restart({ AUTH_SECRET: second });
    expect(server.logged.join()).toContain("Webhooks cannot be decrypted: AUTH_SECRET has changed");
    const shown = await call("GET");
    expect([shown.status, shown.body.webhook, shown.body.slack]).toEqual([
      200,
      { is_set: true, origin: null, is_signed: true },
      { is_set: true, origin: null },
    ]);
    expect(shown.body.problem).toMatch(/^The webhook's URL cannot be decrypted: .* The Slack URL cannot be/);
    const tested = await call("POST", "/test", { channel: "webhook" });
    expect(tested.body).toEqual({
      delivered: false,
      message:
        "The webhook's URL cannot be decrypted: the server's AUTH_SECRET has changed since it was saved. Save it again, or have the operator restore the old AUTH_SECRET.",
    });
    const { webhook_url, webhook_secret } = secrets;
    const saved = await call("PUT", "", { webhook_url, webhook_secret });
    expect(saved.body).toMatchObject({
      webhook: { origin: "https://hooks.example.com" },
      slack: { origin: null },
    });
    await forgetSecret();
    await restart({ AUTH_SECRET: first });
    expect((await call("GET")).body).toMatchObject({
      webhook: { origin: null },
      slack: { origin: "https://hooks.slack.com" },
    });
  });

  it("are encrypted again if AUTH_SECRET changes and the former one is in AUTH_SECRET_PREVIOUS", async () => {
    await restart({ AUTH_SECRET: second, AUTH_SECRET_PREVIOUS: first });
    expect((await call("GET")).body.problem).toBeNull();
    await restart({ AUTH_SECRET: second });
    expect((await call("GET")).body).toMatchObject({
      webhook: { origin: "https://hooks.example.com" },
      slack: { origin: "https://hooks.slack.com" },
      problem: null,
    });
  });

  it("of another organization do not open where they are copied to", async () => {
    const eve = await server.signUp();
    const [stored] = await storedRows();
    const { orgId: _, ...copied } = stored!;
    await server.rows
      .insertInto("alertSettings")
      .values({ ...copied, orgId: eve.orgId })
      .execute();
    const reply = await server.app.inject({ url: settingsUrl, headers: eve.headers });
    expect(reply.json()).toMatchObject({ webhook: { is_set: true, origin: null } });
    expect(reply.json().problem).toMatch(
      /^The webhook's URL cannot be decrypted: its stored text was changed, or copied from another organization\. Save it again\. The Slack/,
    );
    await restart({ AUTH_SECRET: first });
    expect(server.logged.join()).toContain(
      "their stored text was changed, or copied from another organization",
    );
    expect(server.logged.join()).not.toContain("AUTH_SECRET has changed");
  });

  it("that cannot be read are explained, and can be saved again", async () => {
    const changed =
      /^The webhook's URL cannot be decrypted: its stored text was changed, .* Save it again\.$/;
    const foreign =
      /^The webhook's URL cannot be decrypted: the server's AUTH_SECRET has changed since it was saved\./;
    const noUrl = /^The webhook's URL is stored, but is not a URL\. Save it again\.$/;
    const [stored] = await storedRows();
    const targets = parseTargets(stored!.targets);
    const { secrets: webhook } = targets.webhook!;
    const sealed = webhook.url!;
    const cases: [name: string, webhookUrl: string, problem: RegExp][] = [
      ["cut off", sealed.slice(0, 30), changed],
      ["changed", `${sealed.slice(0, 20)}${flip(sealed[20])}${sealed.slice(21)}`, changed],
      ["plain text", "https://hooks.example.com/x", changed],
      ["empty", "", changed],
      ["of another key", `v1.00000000.${sealed.split(".")[2]}`, foreign],
      ["no URL", server.ctx.seal.seal("not a URL", { orgId: ada.orgId, field: "webhookUrl" }), noUrl],
    ];
    for (const [name, webhookUrl, problem] of cases) {
      const changed = { ...targets, webhook: { secrets: { ...webhook, url: webhookUrl }, settings: {} } };
      await storeTargets(server.ctx.rows, ada.orgId, changed, server.ctx.now());
      const settings = {
        webhook: { is_set: true, origin: null, is_signed: true },
        slack: { is_set: true, origin: "https://hooks.slack.com" },
        problem: expect.stringMatching(problem),
      };
      expect(await call("GET"), name).toMatchObject({ status: 200, body: settings });
      expect(await call("PUT", "", { emails: [] }), name).toMatchObject({ status: 200, body: settings });
      expect(await call("POST", "/test", { channel: "webhook" }), name).toEqual({
        status: 200,
        body: { delivered: false, message: expect.stringMatching(problem) },
      });
    }
    const { webhook_url } = secrets;
    expect(await call("PUT", "", { webhook_url })).toMatchObject({
      status: 200,
      body: { webhook: { origin: "https://hooks.example.com" }, problem: null },
    });
  });
});

function flip(letter: string | undefined): string {
  return letter === "A" ? "B" : "A";
}
