import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createApiKey } from "./harness/account.ts";
import { accessibilityViolations, visit } from "./harness/browser.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { sendProfile } from "./harness/send.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();
const graphName = /^Flame graph of/;
const refusal = "This link does not exist, has expired or was revoked.";

async function sendCpuProfile(page: Page): Promise<string> {
  const key = await createApiKey(page, "checkout");
  const query = `service=checkout&type=cpu&started_at=${Date.now() - 60_000}`;
  const { status, body } = await sendProfile(flamekeep.url, key, query, recordedCpuProfile().body);
  expect(status).toBe(200);
  return String(body.profile_id);
}

/** Opens the dialog and creates a public link; the path of the link. */
async function share(page: Page, button: string): Promise<string> {
  await page.getByRole("button", { name: button, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share this view" });
  await dialog.getByRole("button", { name: "Create public link" }).click();
  const link = await page.getByTestId("public-link").textContent();
  await page.getByText("Public link copied to clipboard!").waitFor();
  await page.getByText(/(URL|^Link) copied to clipboard!/).waitFor({ state: "detached" });
  expect(await copiedText(page)).toBe(link);
  expect(await accessibilityViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Close" }).click();
  return new URL(link ?? "").pathname;
}

/** On a link whose first view searches for json: zoom, table and search outlive a reload, and Back undoes the zoom. */
async function expectViewInAddress(page: Page): Promise<void> {
  const shared = new URL(page.url()).pathname;
  const graph = page.getByRole("application", { name: graphName });
  const search = page.getByRole("combobox", { name: "Search functions and packages" });
  const parameter = (name: string) => new URL(page.url()).searchParams.get(name);
  await graph.focus();
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await expect.poll(() => parameter("zoom")).not.toBeNull();
  const zoom = page.getByRole("navigation", { name: "Zoom" });
  const path = await zoom.textContent();
  await page.reload();
  await graph.waitFor();
  expect([await zoom.textContent(), await search.inputValue()]).toEqual([path, "json"]);
  await page.goBack();
  await expect.poll(() => parameter("zoom")).toBeNull();
  expect(new URL(page.url()).pathname).toBe(shared);
  await graph.waitFor();
  await search.fill("");
  await page.getByRole("button", { name: "Both", exact: true }).click();
  await expect.poll(() => [parameter("q"), parameter("pane")]).toEqual(["", "both"]);
  await page.reload();
  await page.getByRole("grid", { name: "Functions" }).waitFor();
  expect(await search.inputValue()).toBe("");
}

/** The address that Share copies names the hour on screen; the dialog offers the moving one. */
async function expectFixedTimes(page: Page): Promise<void> {
  const clipboard = async () => Object.fromEntries(new URL(await copiedText(page)).searchParams);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share this view" });
  await dialog.getByRole("button", { name: "This time", pressed: true }).waitFor();
  const { from = "", to = "", range } = await clipboard();
  expect([range, (Date.parse(to) - Date.parse(from)) / 60_000]).toEqual([undefined, 61]);
  expect(Math.abs(Date.parse(to) - Date.now())).toBeLessThan(120_000);
  await dialog.getByRole("button", { name: "Always the last hour" }).click();
  await dialog.getByRole("button", { name: "Copy link" }).click();
  await expect.poll(clipboard).toEqual({ range: "1h" });
  await dialog.getByRole("button", { name: "Close" }).click();
}

function copiedText(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

test("a stranger sees a shared profile, range and comparison, and nothing after they are revoked", async () => {
  const owner = await flamekeep.openSignedIn();
  await owner.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const profileId = await sendCpuProfile(owner.page);
  await visit(owner.page, "/settings?tab=organization");
  await owner.page.getByRole("button", { name: "Allow public links" }).click();
  await owner.page.getByRole("button", { name: "Stop all public links" }).waitFor();

  await visit(owner.page, `/profile/${profileId}?q=json`);
  const ofProfile = await share(owner.page, "Share Profile");
  await visit(owner.page, "/profiles/service/checkout/cpu?range=1h");
  await owner.page.getByRole("application", { name: graphName }).waitFor();
  await expectFixedTimes(owner.page);
  const ofRange = await share(owner.page, "Share");
  await visit(owner.page, `/compare?before_profile=${profileId}&after_profile=${profileId}`);
  await owner.page.getByRole("application", { name: /^Comparison/ }).waitFor();
  const ofComparison = await share(owner.page, "Share");

  const stranger = await flamekeep.open();
  const requested: string[] = [];
  stranger.page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  await visit(stranger.page, ofProfile);
  await stranger.page.getByRole("heading", { name: "checkout: CPU" }).waitFor();
  await stranger.page.getByRole("application", { name: graphName }).waitFor();
  const search = stranger.page.getByRole("combobox", { name: "Search functions and packages" });
  expect(await search.inputValue()).toBe("json");
  expect(await accessibilityViolations(stranger.page)).toEqual([]);
  expect(await stranger.page.getByRole("link").count()).toBe(0);
  await expectViewInAddress(stranger.page);
  await visit(stranger.page, ofRange);
  await stranger.page.getByRole("application", { name: graphName }).waitFor();
  await visit(stranger.page, ofComparison);
  await stranger.page.getByRole("application", { name: /^Comparison/ }).waitFor();
  await stranger.page.getByRole("button", { name: "Relative", exact: true }).click();
  await stranger.page.waitForURL(/[?&]mode=relative/);
  await stranger.page.goBack();
  await stranger.page.getByRole("button", { name: "Absolute", exact: true, pressed: true }).waitFor();
  expect(await stranger.page.getByRole("link").count()).toBe(0);
  expect(requested.filter((path) => path.includes("/protected/"))).toEqual([]);
  const page = await stranger.page.request.get(new URL(ofProfile, flamekeep.url).href);
  expect(page.headers()).toMatchObject({
    "x-robots-tag": "noindex, nofollow",
    "referrer-policy": "no-referrer",
  });

  await visit(owner.page, "/settings?tab=organization");
  const links = owner.page.getByRole("list", { name: "Public links" }).getByRole("listitem");
  await links.nth(2).getByText("Opened").waitFor();
  await links
    .filter({ hasText: "Profile" })
    .getByRole("button", { name: /^Revoke/ })
    .click();
  await owner.page.getByText("The link is revoked").waitFor();
  await visit(stranger.page, ofProfile);
  await stranger.page.getByText(refusal).waitFor();
  expect(await stranger.page.getByRole("application").count()).toBe(0);
  await owner.page.getByRole("button", { name: "Stop all public links" }).click();
  await owner.page.getByRole("dialog").getByRole("button", { name: "Stop All" }).click();
  await owner.page.getByRole("button", { name: "Allow public links" }).waitFor();
  await visit(stranger.page, ofRange);
  await stranger.page.getByText(refusal).waitFor();
  expect(stranger.errors.filter((line) => !line.includes("404"))).toEqual([]);
  expect(owner.errors).toEqual([]);
});
