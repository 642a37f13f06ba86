import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createApiKey, fillRegistration, invite, newPerson, register } from "./harness/account.ts";
import { accessibilityViolations, narrow, visit } from "./harness/browser.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { sendProfile } from "./harness/send.ts";
import { storedSession } from "./harness/sign-up.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();

async function sendCpuProfile(page: Page): Promise<string> {
  const key = await createApiKey(page, "checkout");
  const query = `service=checkout&type=cpu&started_at=${Date.now() - 60_000}`;
  const { status, body } = await sendProfile(flamekeep.url, key, query, recordedCpuProfile().body);
  expect(status).toBe(200);
  return String(body.profile_id);
}

test("two people form an organization from nothing and look at the same profile by link within two minutes", async () => {
  const [ada, grace] = [await flamekeep.open(), await flamekeep.open()];
  const began = performance.now();
  await register(ada.page, newPerson());
  const profileId = await sendCpuProfile(ada.page);
  await visit(ada.page, `/profile/${profileId}`);
  await ada.page.getByRole("application", { name: /^Flame graph of/ }).waitFor();
  const link = await invite(ada.page);

  await visit(grace.page, link);
  await grace.page.getByText("Join Ada's organization as member.").waitFor();
  expect(await accessibilityViolations(grace.page)).toEqual([]);
  await fillRegistration(grace.page, { ...newPerson(), firstName: "Grace" });
  await grace.page.waitForURL("**/dashboard");
  await visit(grace.page, `/profile/${profileId}`);
  await grace.page.getByRole("application", { name: /^Flame graph of/ }).waitFor();
  const seconds = (performance.now() - began) / 1000;
  console.info(`two people looked at the same profile after ${seconds.toFixed(1)} s`);
  expect(seconds).toBeLessThan(120);
  expect([...ada.errors, ...grace.errors]).toEqual([]);
});

test("a link to a profile of another organization offers the switch, and the menu leads back", async () => {
  const owner = await flamekeep.openSignedIn();
  const profileId = await sendCpuProfile(owner.page);
  const guest = await flamekeep.openSignedIn();
  await visit(guest.page, `/profile/${profileId}`);
  await guest.page.getByText("Profile not found").waitFor();
  expect(await guest.page.getByText("belongs to another").count()).toBe(0);

  await visit(guest.page, await invite(owner.page, "Viewer"));
  await guest.page.getByRole("button", { name: "Join Grace's organization" }).click();
  await guest.page.waitForURL("**/dashboard");
  await visit(guest.page, "/settings?tab=members");
  await guest.page.getByText("Only admins").or(guest.page.getByText("read-only access")).first().waitFor();
  expect(await guest.page.getByRole("button", { name: "Invite", exact: true }).count()).toBe(0);
  expect(await accessibilityViolations(guest.page)).toEqual([]);

  const switchTo = async (index: number) => {
    await guest.page.getByRole("button", { name: "User menu" }).click();
    await guest.page.getByRole("menuitemradio", { name: "Grace's organization" }).nth(index).click();
    await guest.page.waitForURL("**/dashboard");
  };
  await switchTo(0);
  const ofService = guest.page.getByText("Another of your organizations has a service with this name.");
  for (const path of [
    "/profiles/service/checkout",
    "/projects/checkout",
    "/compare?service=checkout&type=cpu&before_from=2h&before_to=1h",
  ]) {
    await visit(guest.page, path);
    await ofService.waitFor();
    expect(await accessibilityViolations(guest.page)).toEqual([]);
  }
  await visit(guest.page, `/compare?before_profile=${profileId}&after_profile=${profileId}`);
  await guest.page.getByText("This profile belongs to another of your organizations.").waitFor();
  await visit(guest.page, "/alerts?incident=00000000-0000-4000-8000-000000000000");
  await guest.page.getByText("Incident Not Found").waitFor();
  expect(await accessibilityViolations(guest.page)).toEqual([]);
  await visit(guest.page, `/profile/${profileId}`);
  await guest.page.getByText("This profile belongs to another of your organizations.").waitFor();
  expect(await accessibilityViolations(guest.page)).toEqual([]);
  await guest.page.getByRole("button", { name: "Switch to Grace's organization" }).click();
  await guest.page.getByRole("application", { name: /^Flame graph of/ }).waitFor();
  expect(guest.errors.filter((line) => !line.includes("404"))).toEqual([]);
});

test("members and the organization are managed on a phone, by keyboard and without accessibility violations", async () => {
  const owner = await flamekeep.openSignedIn({ viewport: narrow });
  const path = await invite(owner.page);
  const guest = await flamekeep.open();
  await visit(guest.page, path);
  await fillRegistration(guest.page, { ...newPerson(), firstName: "Zoe" });
  await guest.page.waitForURL("**/dashboard");

  await visit(owner.page, "/settings?tab=members");
  const role = owner.page.getByRole("combobox", { name: "Role of Zoe Lovelace" });
  await role.focus();
  await owner.page.keyboard.press("Enter");
  await owner.page.getByRole("option", { name: "Viewer" }).click();
  await owner.page.getByText("Zoe Lovelace is viewer now").waitFor();
  expect(await accessibilityViolations(owner.page)).toEqual([]);
  const width = await owner.page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(narrow.width);
  await owner.page.getByRole("button", { name: "Remove Zoe Lovelace" }).click();
  await owner.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await owner.page.getByText("Zoe Lovelace", { exact: true }).waitFor({ state: "detached" });
  await guest.page.reload();
  await guest.page.waitForURL("**/login**");

  await visit(owner.page, "/settings?tab=audit");
  await owner.page.getByText("Member removed", { exact: true }).first().waitFor();
  expect(await accessibilityViolations(owner.page)).toEqual([]);
  expect(await owner.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    narrow.width,
  );
  const download = owner.page.waitForEvent("download");
  await owner.page.getByRole("button", { name: "Export CSV" }).click();
  expect((await download).suggestedFilename()).toBe("flamekeep-audit.csv");

  await visit(owner.page, "/settings?tab=organization");
  await owner.page.getByLabel("Name").fill("<b>Acme</b>");
  await owner.page.keyboard.press("Enter");
  await owner.page.getByText("The organization is now called <b>Acme</b>").waitFor();
  expect(await accessibilityViolations(owner.page)).toEqual([]);
  await owner.page.getByRole("button", { name: "Leave organization" }).click();
  await owner.page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await owner.page.getByText("The organization needs an admin").waitFor();
  await owner.page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await owner.page.getByRole("button", { name: "Delete organization" }).click();
  await owner.page.getByLabel("Type <b>Acme</b> to confirm").fill("<b>Acme</b>");
  await owner.page.getByRole("dialog").getByRole("button", { name: "Delete organization" }).click();
  await owner.page.waitForURL("**/login**");
});

test("a used link says so", async () => {
  const { page } = await flamekeep.open();
  await visit(page, "/invite/nothing");
  await page.getByRole("alert").getByText("This invitation is no longer valid.").waitFor();
  expect(await page.title()).toBe("Invitation · Flamekeep");
  expect(await accessibilityViolations(page)).toEqual([]);
});

test("the page of the operator is refused to everybody else", async () => {
  const { page, account } = await flamekeep.openSignedIn();
  await visit(page, "/operator");
  // Tests share a server, whose first account is its operator.
  const isOperator = storedSession(account.registered)["flamekeep.user"]?.includes('"is_operator":true');
  const text = isOperator ? "RETENTION_DAYS" : "Only the operator of this server";
  await page.getByText(text).first().waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
});

test("an invitation that is sent from a view leads to this view after the registration, and to no other site", async () => {
  const [admin, guest] = [await flamekeep.openSignedIn(), await flamekeep.open()];
  await visit(admin.page, "/alerts?status=resolved");
  await admin.page.getByRole("button", { name: "User menu" }).click();
  await admin.page.getByRole("menuitem", { name: "Invite to this view" }).click();
  const person = newPerson();
  await admin.page.getByLabel("Email").fill(person.email);
  expect(await accessibilityViolations(admin.page)).toEqual([]);
  await admin.page.getByRole("button", { name: "Send" }).click();
  const link = (await admin.page.getByTestId("invitation-link").textContent()) ?? "";
  await visit(guest.page, link);
  await fillRegistration(guest.page, person);
  await guest.page.waitForURL("**/alerts?status=resolved");
  await guest.page.getByRole("heading", { level: 1, name: "Alerts" }).waitFor();

  const other = await flamekeep.open();
  await visit(
    other.page,
    `${await invite(admin.page)}?return_to=${encodeURIComponent("//other.example/alerts")}`,
  );
  await fillRegistration(other.page, newPerson());
  await other.page.waitForURL(`${flamekeep.url}/dashboard`);
  expect([...admin.errors, ...guest.errors, ...other.errors]).toEqual([]);
});
