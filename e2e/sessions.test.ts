import { expect, test } from "vitest";
import { accessibilityViolations, visit } from "./harness/browser.ts";
import { type Session, storedSession } from "./harness/sign-up.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();

test("a session is listed with device and address, and ended from another browser", async () => {
  const { page, errors, account } = await flamekeep.openSignedIn();
  const phone = await flamekeep.open({
    stored: storedSession(await account.session()),
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
  });
  await visit(phone.page, "/settings?tab=sessions");
  await phone.page.getByText("This session").waitFor();
  // The tokens of the phone came without a browser; with the next ones its session has a name.
  const token = await phone.page.evaluate(() => localStorage.getItem("flamekeep.refresh_token"));
  const renewed = await phone.page.evaluate(
    async (refresh) =>
      (
        await fetch("/auth/refresh-token", {
          method: "POST",
          headers: { authorization: `Bearer ${refresh}` },
        })
      ).status,
    token,
  );
  expect(renewed).toBe(200);

  await visit(page, "/settings?tab=sessions");
  await page.getByText("Safari on iOS").waitFor();
  await page.getByText("This server's machine 127.0.0.1").first().waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "End the session of Safari on iOS" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End session" }).click();
  await page.getByText("Safari on iOS", { exact: true }).waitFor({ state: "detached" });
  await phone.page.reload();
  await phone.page.waitForURL("**/login**");
  expect(errors).toEqual([]);
});

test("signing out everywhere leads to the sign-in page, here and elsewhere", async () => {
  const { page, account } = await flamekeep.openSignedIn();
  const other = await flamekeep.open({ stored: storedSession(await account.session()) });
  await visit(other.page, "/settings");
  await visit(page, "/settings?tab=sessions");
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await page.waitForURL("**/login**");
  expect(await page.evaluate(() => localStorage.getItem("flamekeep.access_token"))).toBeNull();
  await other.page.reload();
  await other.page.waitForURL("**/login**");
});

test("a password is changed in the settings, which keeps this session and ends the others", async () => {
  const { page, errors, account } = await flamekeep.openSignedIn();
  const other = await flamekeep.open({ stored: storedSession(await account.session()) });
  await visit(other.page, "/settings");
  await visit(page, "/settings?tab=account");
  const change = page.getByRole("button", { name: "Change password" });
  await change.click();
  await page.getByRole("alert").getByText("Enter your current password").waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByLabel("Current password").fill("not the current one");
  await page.getByLabel("New password", { exact: true }).fill("a new staple for the battery");
  await page.getByLabel("Confirm new password").fill("a new staple for the battery");
  await change.click();
  await page.getByRole("alert").getByText("The current password is not correct").waitFor();
  await page.getByLabel("Current password").fill(account.password);
  await change.click();
  await page.getByText("All other sessions were ended").waitFor();
  await other.page.reload();
  await other.page.waitForURL("**/login**");
  await page.reload();
  await page.getByLabel("Current password").waitFor();
  expect(errors.filter((line) => !line.includes("400"))).toEqual([]);
});

test("hostile names and browsers are shown as text", async () => {
  const hostile = "<img src=x onerror=alert(1)>";
  const person = { email: `hostile-${crypto.randomUUID()}@example.com`, password: crypto.randomUUID() };
  const reply = await fetch(`${flamekeep.url}/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": `${hostile} Firefox/1` },
    body: JSON.stringify({ ...person, first_name: hostile, last_name: "{{7*7}}" }),
  });
  expect(reply.status).toBe(201);
  const { page, errors } = await flamekeep.open({ stored: storedSession((await reply.json()) as Session) });
  let dialogs = 0;
  page.on("dialog", (dialog) => {
    dialogs++;
    void dialog.dismiss();
  });
  await visit(page, "/settings?tab=account");
  await page.getByText(`${hostile} {{7*7}}`).waitFor();
  await visit(page, "/settings?tab=sessions");
  await page.getByText("Firefox", { exact: true }).waitFor();
  expect(await page.locator("img[src=x]").count()).toBe(0);
  expect([dialogs, errors]).toEqual([0, []]);
});

test("two tabs whose token is about to end share one refresh", async () => {
  const { account } = await flamekeep.openSignedIn();
  // The browser reads nothing but `exp` from the token.
  const ending = `x.${btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 60 }))}.x`;
  const stored = { ...storedSession(await account.session()), "flamekeep.access_token": ending };
  const { page: first } = await flamekeep.open({ stored });
  // Any page without the app: the storage is filled before both tabs start at the same time.
  await first.goto("/healthz");
  const second = await first.context().newPage();
  let renewals = 0;
  for (const tab of [first, second]) {
    tab.on("request", (request) => {
      if (request.url().endsWith("/auth/refresh-token")) renewals++;
    });
  }
  await Promise.all([visit(first, "/settings"), visit(second, "/settings?tab=account")]);
  await second.getByText("Member Since").waitFor();
  await first.getByText("Last used").first().waitFor();
  expect(renewals).toBe(1);
});
