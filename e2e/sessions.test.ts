import { expect, test } from "vitest";
import { accessibilityViolations, visit } from "./harness/browser.ts";
import { storedSession } from "./harness/sign-up.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();

/** The storage of a browser in which the person has signed in once more. */
function stateWith(stored: Readonly<Record<string, string>>) {
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }));
  return { storageState: { cookies: [], origins: [{ origin: flamekeep.url, localStorage }] } };
}

test("a session is listed with device and address, and ended from another browser", async () => {
  const { page, errors, account } = await flamekeep.openSignedIn();
  const phone = await flamekeep.open({
    ...stateWith(storedSession(await account.session())),
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
  await page.getByText("The server's own machine 127.0.0.1").first().waitFor();
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
  const other = await flamekeep.open(stateWith(storedSession(await account.session())));
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
  const other = await flamekeep.open(stateWith(storedSession(await account.session())));
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

test("two tabs whose token is about to end share one refresh", async () => {
  const { page, account } = await flamekeep.openSignedIn();
  const second = await page.context().newPage();
  let renewals = 0;
  for (const tab of [page, second]) {
    tab.on("request", (request) => {
      if (request.url().endsWith("/auth/refresh-token")) renewals++;
    });
  }
  const { tokens } = await account.session();
  // Expired for the browser: nothing but `exp` is read from it there.
  const expired = `x.${btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 60 }))}.x`;
  await visit(page, "/login");
  await page.evaluate(
    ([access, refresh]) => {
      localStorage.setItem("flamekeep.access_token", access as string);
      localStorage.setItem("flamekeep.refresh_token", refresh as string);
    },
    [expired, tokens.refresh_token],
  );
  await Promise.all([visit(page, "/settings"), visit(second, "/settings?tab=account")]);
  await second.getByText("Member Since").waitFor();
  await page.getByText("No API keys").or(page.getByText("fk_")).first().waitFor();
  expect(renewals).toBe(1);
});
