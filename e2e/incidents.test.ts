import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { accessibilityViolations, narrow, visit } from "./harness/browser.ts";
import { sendProfile } from "./harness/send.ts";
import type { Account } from "./harness/sign-up.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const minuteMs = 60_000;
/** The server evaluates once a minute. */
const openedWithinMs = 5 * minuteMs;
const service = "bakery";
const comment = "Rolled back <b>1.8.0</b>\nhttps://evil.example";

const flamekeep = useFlamekeep();
let page: Page;
let errors: readonly string[];
let account: Account;
let incidentId: string;

/** Ten seconds of CPU profile, with so much time in one function. */
function cpuProfile(kneadMs: number): Buffer {
  const stacks = `
    main                  main
    knead                 bake
    ${kneadMs * 1e6}      ${200 * 1e6}`;
  const profile = profileOf(stacks, { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n });
  return Buffer.from(writeProfile(profile));
}

beforeAll(async () => {
  const opened = await flamekeep.openSignedIn();
  ({ page, errors } = opened);
  const { key } = opened.account;
  const nowMs = Date.now();
  for (let minute = -90; minute < 0; minute += 2) {
    const query = `service=${service}&type=cpu&started_at=${nowMs + minute * minuteMs}`;
    const profile = cpuProfile((minute < -30 ? 100 : 260) + (minute % 5));
    expect((await sendProfile(flamekeep.url, key, query, profile)).status).toBe(200);
  }
  account = opened.account;
});

const main = () => page.getByRole("main");

async function firstIncident(): Promise<string | undefined> {
  const reply = await fetch(`${flamekeep.url}/api/v1/protected/incidents`, { headers: account.headers });
  const { incidents } = (await reply.json()) as { incidents: { id: string }[] };
  return incidents[0]?.id;
}

test("profiles that rise become an incident", { timeout: openedWithinMs }, async () => {
  await expect.poll(firstIncident, { timeout: openedWithinMs, interval: 1000 }).toBeTypeOf("string");
  incidentId = String(await firstIncident());
});

test("the list shows an incident with its chart, and leads to it", async () => {
  await visit(page, "/alerts");
  await main().getByText("1 alert, highest increase first").waitFor();
  await main()
    .getByRole("img", { name: /^CPU time of bakery: baseline 0\.0\d+ cores, 0\.0\d+ cores since/ })
    .waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.setViewportSize(narrow);
  await main().getByRole("link", { name: "Compare before and after: bakery" }).first().waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await main().getByRole("link", { name: service, exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get("incident") === incidentId);
  await main().getByRole("heading", { name: service }).waitFor();
});

test("an incident begins with the functions that explain it, which lead to the comparison", async () => {
  await visit(page, `/alerts?incident=${incidentId}`);
  await main().getByRole("heading", { name: "1 function explains 100% of the change" }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await main()
    .getByRole("region", { name: "What changed" })
    .getByRole("button", { name: /^knead/ })
    .click();
  await page.waitForURL((url) => url.pathname === "/compare" && url.searchParams.get("fn") === "knead");
  await page.getByRole("group", { name: "Selected function" }).getByText("knead").waitFor();
});

test("an incident is acknowledged, assigned and commented on, which its address shows to others", async () => {
  await visit(page, `/alerts?incident=${incidentId}`);
  await main().getByRole("button", { name: "Acknowledge the incident of bakery" }).click();
  await main()
    .getByText(/^Acknowledged by Grace Hopper/)
    .waitFor();
  await main().getByRole("button", { name: "Assign the incident of bakery" }).click();
  await page.getByRole("menuitem", { name: "Assign to me" }).click();
  await main()
    .getByRole("button", { name: "Assigned to Grace Hopper: reassign the incident of bakery" })
    .waitFor();
  await main().getByRole("textbox", { name: "Comment" }).fill(comment);
  await main().getByRole("button", { name: "Comment", exact: true }).click();
  await main().getByText(comment).waitFor();
  expect(await main().locator("li b, li a[href*=evil]").count()).toBe(0);
  expect(await accessibilityViolations(page)).toEqual([]);

  await visit(page, `/alerts?incident=${incidentId}`);
  await main().getByText(comment).waitFor();
  await main().getByRole("heading", { name: "1 comment" }).waitFor();
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Alerts" }).click();
  await main().getByRole("link", { name: "1 comment on the incident of bakery" }).waitFor();
  await main()
    .getByRole("button", { name: /^Assigned to Grace Hopper/ })
    .waitFor();
  await main()
    .getByRole("button", { name: /^Acknowledged/ })
    .waitFor();
});

test("a comment is removed after a question", async () => {
  await visit(page, `/alerts?incident=${incidentId}`);
  await main().getByRole("button", { name: "Remove the comment of Grace Hopper" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove the comment?" });
  await dialog.waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Remove" }).click();
  await main().getByText(comment).waitFor({ state: "detached" });
  await main().getByRole("heading", { name: "Comments" }).waitFor();
});

test("an address of no incident says so, and leads to all alerts", async () => {
  await visit(page, "/alerts?incident=0b8d2f16-7f0e-4d0c-9a55-2f6f0a3c9d11");
  await main().getByText("Your organization has no incident with this ID.").waitFor();
  await main().getByRole("link", { name: "All alerts" }).click();
  await main().getByText("1 alert, highest increase first").waitFor();
});

test("nothing was logged as an error but the incident that does not exist", () => {
  expect(errors.filter((line) => !/status of 404/.test(line))).toEqual([]);
});
