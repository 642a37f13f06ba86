import { isFullLength } from "@flamekeep/profile/testing/full-length";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, onTestFailed, test } from "vitest";
import { accessibilityViolations, narrow, openAfresh, visit } from "./harness/browser.ts";
import type { Seeded } from "./harness/seed.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();
let page: Page;
let errors: readonly string[];
let seeded: Seeded;

beforeAll(async () => {
  ({ page, errors, seeded } = await flamekeep.openSeeded());
  await visit(page, "/dashboard");
});

let openPath: string | undefined;

/** Opens the path unless it is open: a closed dialog leaves its page as it was. A failed test may not have closed its dialog. */
async function showPage(path: string): Promise<void> {
  onTestFailed(() => {
    openPath = undefined;
  });
  if (path !== openPath) await openAfresh(page, path);
  openPath = path;
  await page.getByRole("main").waitFor();
}

/** A button or a key that opens it. */
type Opener = { readonly button: string } | { readonly key: string };

/** Each dialog that opens over a page: where, by what, and its name. A line for each. */
const dialogs: readonly (readonly [path: string, opener: Opener, name: string])[] = [
  ["/dashboard", { button: "Time range: Last 24 hours" }, "Time range"],
  ["/dashboard", { key: "Control+k" }, "Command palette"],
  ["/dashboard", { key: "?" }, "Keyboard and pointer"],
  ["/dashboard", { button: "Notifications" }, "Open alerts"],
  ["/projects", { button: "New Project" }, "New Project"],
  ["/projects", { button: "Edit checkout" }, "Edit Project"],
  ["/projects", { button: "Delete checkout" }, "Delete checkout?"],
  ["/settings", { button: "Create API Key" }, "Create API Key"],
  ["/settings", { button: "Revoke test" }, "Revoke test?"],
  ["/settings?tab=members", { button: "Invite" }, "Invite to the organization"],
  ["/settings?tab=organization", { button: "Leave organization" }, "Leave Grace's organization?"],
  ["/settings?tab=organization", { button: "Delete organization" }, "Delete Grace's organization?"],
  ["/settings?tab=alerts", { button: "Set up the webhook" }, "Send alerts to a webhook"],
  ["/settings?tab=alerts", { button: "Set up email" }, "Send alerts by email"],
  ["/settings?tab=alerts", { button: "Mute alerts" }, "Mute alerts"],
  ["/settings?tab=alerts", { button: "Create a rule" }, "Create a rule"],
  ["/settings?tab=data", { button: "Delete checkout" }, "Delete checkout?"],
];

/** One component draws the dialogs of all channels. */
const otherChannels: typeof dialogs = ["Slack", "Microsoft Teams", "PagerDuty"].map((channel) => [
  "/settings?tab=alerts",
  { button: `Set up ${channel}` },
  `Send alerts to ${channel}`,
]);

type Role = "menu" | "listbox";

/** Each kind of menu, list and popover that opens at its trigger: where, the trigger, and what it opens. A line for each. */
const popups: readonly (readonly [path: string, role: Role, trigger: "button" | "combobox", name: string])[] =
  [
    ["/dashboard", "menu", "button", "User menu"],
    ["/dashboard", "menu", "button", "Auto refresh: Live"],
    ["/profiles", "listbox", "combobox", "Sort services"],
    ["/profiles?view=profiles", "listbox", "combobox", "Rows per page"],
    ["/profiles/service/checkout/cpu", "menu", "button", "Export CPU time of checkout"],
    ["/profiles/service/checkout/cpu", "listbox", "combobox", "Sample type"],
    ["/profiles/service/checkout/cpu", "listbox", "combobox", "Group by"],
    ["/profiles/service/checkout/cpu", "listbox", "combobox", "Interval"],
    ["/profiles/service/checkout/cpu", "listbox", "combobox", "Filter by tags"],
    ["/profile/{cpu}", "listbox", "combobox", "Color scheme"],
    ["/profile/{cpu}", "menu", "button", "Export"],
    ["/projects/checkout", "listbox", "combobox", "Interval"],
  ];

/** Items that the menu of every frame with a package has. */
const frameItems = [
  ...["Zoom to this frame", "Focus on subtree", "Copy function name"],
  ...["Copy package name", "Search for package"],
];

/** Descriptions of the pages, which are tooltips on wide screens. */
const descriptions = [
  ...["Overview and analytics", "View all performance profiles", "Performance alerts", "Manage projects"],
  "Application settings",
];

describe("a dialog or popup has no accessibility violations, light and dark, and Escape closes it", () => {
  const opened = isFullLength ? [...dialogs, ...otherChannels] : dialogs;
  const titled = opened.map(([path, opener, name]) => {
    const trigger = "key" in opener ? `the key ${opener.key}` : `the button ${opener.button}`;
    return { title: `${trigger} on ${path} opens the dialog ${name}`, path, opener, name };
  });
  test.each(titled)("$title", async ({ path, opener, name }) => {
    await showPage(path);
    if ("key" in opener) await page.keyboard.press(opener.key);
    else await page.getByRole("button", { name: opener.button }).first().click();
    const dialog = page.getByRole("dialog", { name, exact: true });
    await dialog.waitFor();
    // The page behind it is looked at where no dialog is open.
    expect(await accessibilityViolations(page, "[role=dialog]")).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  test.each(popups)("on %s a %s opens at the %s %s", async (path, role, trigger, name) => {
    await showPage(path.replace("{cpu}", seeded.cpuId));
    await page.getByRole(trigger, { name, exact: true }).click();
    const popup = page.getByRole(role);
    await popup.waitFor();
    expect(await accessibilityViolations(page, `[role=${role}]`)).toEqual([]);
    await page.keyboard.press("Escape");
    await popup.waitFor({ state: "detached" });
  });

  test("the menu of a frame", async () => {
    await showPage(`/profile/${seeded.cpuId}`);
    const graph = page.getByRole("application", { name: /^Flame graph of/ });
    await graph.click({ button: "right", position: { x: 200, y: 20 + 3 * 24 + 12 } });
    const menu = page.getByRole("menu");
    await menu.waitFor();
    for (const name of frameItems) await menu.getByRole("menuitem", { name, exact: true }).waitFor();
    expect(await menu.textContent()).toMatch(/\d+ samples?.*\d%|\d%.*\d+ samples?/);
    expect(await accessibilityViolations(page, "[role=menu]")).toEqual([]);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
  });

  test("the navigation of a phone", async () => {
    await page.setViewportSize(narrow);
    await visit(page, "/dashboard");
    await page.getByRole("button", { name: "Open navigation" }).click();
    const sheet = page.getByRole("dialog", { name: "Navigation" });
    await sheet.waitFor();
    for (const text of descriptions) await sheet.getByText(text, { exact: true }).waitFor();
    expect(await accessibilityViolations(page, "[role=dialog]")).toEqual([]);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
  });

  test("and nothing was logged as an error", () => expect(errors).toEqual([]));
});
