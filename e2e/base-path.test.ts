import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { fillRegistration, newPerson, type Person } from "./harness/account.ts";
import { addAuthenticator, visit } from "./harness/browser.ts";
import {
  type IdentityProvider,
  signInAtProvider,
  startIdentityProvider,
} from "./harness/identity-provider.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { sendAsPyroscope, sendProfile } from "./harness/send.ts";
import { signUp } from "./harness/sign-up.ts";
import { freePort, startFlamekeep } from "./harness/start-flamekeep.ts";
import { useOwnServer } from "./harness/use-flamekeep.ts";

const basePath = "/flamekeep";
const graphName = /^Flame graph of/;

/** Forwards what is below the base path to a port of this machine, with the path or without it; everything else is not found. */
function openProxy(port: number, keepsPath: boolean): Server {
  return createServer((received: IncomingMessage, reply: ServerResponse) => {
    const { url = "/", method, headers } = received;
    if (url !== basePath && !url.startsWith(`${basePath}/`))
      return void reply.writeHead(404).end(`${url} is outside of the path`);
    const path = keepsPath ? url : url.slice(basePath.length) || "/";
    const forwarded = request({ host: "127.0.0.1", port, path, method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    forwarded.on("error", (error) => reply.destroy(error));
    received.pipe(forwarded);
  });
}

describe.each([
  ["keeps", true],
  ["removes", false],
])("behind a proxy that %s the path", (_, keepsPath) => {
  let proxy: Server;
  let provider: IdentityProvider;
  let url: string;
  const flamekeep = useOwnServer(async () => {
    const port = await freePort();
    proxy = openProxy(port, keepsPath);
    await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
    // Passkeys need a name as the host.
    url = `http://localhost:${(proxy.address() as AddressInfo).port}${basePath}`;
    provider = await startIdentityProvider(url);
    return startFlamekeep({ port, env: { ...provider.env, DEMO: "off" } });
  });
  afterAll(async () => {
    proxy?.close();
    await provider?.[Symbol.asyncDispose]();
  });

  async function openWatched() {
    const { page, errors } = await flamekeep.open({ permissions: ["clipboard-read", "clipboard-write"] });
    const outside: string[] = [];
    page.on("request", (sent) => {
      if (sent.url().startsWith("http") && !sent.url().startsWith(url)) outside.push(sent.url());
    });
    return { page, errors, outside };
  }

  test("people register, read, share and sign out, and programs send", async () => {
    const { page, errors, outside } = await openWatched();
    const person = newPerson();
    await page.goto(url);
    await page.getByRole("link", { name: "Sign In" }).first().waitFor();
    await page.goto(`${url}/settings?tab=keys`);
    await page.waitForURL((at) => at.pathname === `${basePath}/login`);
    await page.getByRole("link", { name: "Sign up" }).click();
    await fillRegistration(page, person);
    await page.waitForURL((at) => at.pathname === `${basePath}/settings`);
    const key = await makeKey(page);

    const { body } = recordedCpuProfile();
    const query = `service=checkout&type=cpu&started_at=${Date.now() - 60_000}`;
    expect((await sendProfile(url, key, query, body)).status).toBe(200);
    expect(await sendAsPyroscope(url, key, "search", body)).toBe(200);

    await visit(page, `${url}/profiles/service/checkout/cpu?range=1h`);
    await page.getByRole("application", { name: graphName }).waitFor();
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByText("Link copied to clipboard!").waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(new RegExp(`^${url}/profiles/service/checkout/cpu\\?from=`));
    await visit(page, link);
    await page.getByRole("application", { name: graphName }).waitFor();

    await page.getByRole("link", { name: "Alerts", exact: true }).first().click();
    await page.waitForURL((at) => at.pathname === `${basePath}/alerts`);
    await page.reload();
    await page.getByRole("heading", { name: "Alerts", exact: true }).first().waitFor();
    await signOut(page);
    await signIn(page, person);
    await page.waitForURL((at) => at.pathname === `${basePath}/dashboard`);
    expect([errors, outside]).toEqual([[], []]);
  });

  // The server makes its addresses in the same way for both proxies.
  test.runIf(keepsPath || isFullLength)(
    "people sign in with an identity provider, and with a passkey",
    async () => {
      const { page } = await flamekeep.open();
      await page.goto(`${url}/login?return_to=%2Fsettings%3Ftab%3Daccount`);
      await page.getByRole("button", { name: "Continue with Example Login" }).click();
      await signInAtProvider(page, "grace");
      await page.waitForURL((at) => at.pathname + at.search === `${basePath}/settings?tab=account`);

      const { registered, password } = await signUp(url);
      const { page: other, errors, outside } = await openWatched();
      await addAuthenticator(other);
      await other.goto(`${url}/login?return_to=%2Fsettings%3Ftab%3Daccount`);
      await signIn(other, { email: registered.user.email, password });
      await other.getByRole("button", { name: "Add a passkey" }).click();
      const dialog = other.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Laptop");
      await dialog.getByLabel("Password").fill(password);
      await dialog.getByRole("button", { name: "Add the passkey" }).click();
      await dialog.getByRole("button", { name: "I've Saved the Codes" }).click();
      await signOut(other);
      await other.getByRole("button", { name: "Sign in with a passkey" }).click();
      await other.waitForURL((at) => at.pathname === `${basePath}/dashboard`);
      expect([errors, outside]).toEqual([[], []]);
    },
  );

  test.runIf(keepsPath || isFullLength)(
    "the documentation has its looks, its search and the address to send to",
    async () => {
      const { page, errors, outside } = await openWatched();
      await page.goto(`${url}/docs/send/go-sdk`);
      await page.getByText(url, { exact: false }).first().waitFor();
      await page.getByRole("searchbox").fill("webhook");
      await page.getByRole("list", { name: "Results" }).getByRole("link").first().click();
      await page.waitForURL((at) => at.pathname.startsWith(`${basePath}/docs/`));
      await page.getByRole("link", { name: "Back to app" }).click();
      await page.waitForURL((at) => at.pathname === `${basePath}/login`);
      expect([errors, outside]).toEqual([[], []]);
    },
  );
});

async function signIn(page: Page, { email, password }: Pick<Person, "email" | "password">): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "User menu" }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await page.waitForURL((at) => at.pathname === `${basePath}/login`);
}

async function makeKey(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Create API Key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("below a path");
  await dialog.getByRole("button", { name: "Create API Key" }).click();
  await page.getByRole("button", { name: "Show key" }).click();
  const key = (await page.getByTestId("api-key").textContent()) ?? "";
  await page.getByRole("button", { name: "I've Copied the Key" }).click();
  return key;
}
