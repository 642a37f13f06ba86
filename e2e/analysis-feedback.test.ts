import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { accessibilityViolations, visit } from "./harness/browser.ts";
import { recordedProfile } from "./harness/recordings.ts";
import type { Account } from "./harness/sign-up.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();
const minuteMs = 60_000;
const reason = "Orders are few";
/** The function that `-regress pricing` of the example shop makes slow. */
const seal = "shop/internal/pricing.(*Book).seal";

function send(account: Account, variant: "before" | "after", startedAtMs: number): Promise<string> {
  const query = `service=checkout&type=cpu&started_at=${startedAtMs}`;
  return account.send(recordedProfile("checkout", "cpu", variant), query);
}

/** Profiles of the faster version in each minute that may be the first after the advice was marked. */
async function sendLater(account: Account): Promise<void> {
  const nextMinuteMs = Math.ceil(Date.now() / minuteMs) * minuteMs;
  for (const minutes of [0, 1, 2])
    for (const second of [5, 20, 35])
      await send(account, "before", nextMinuteMs + minutes * minuteMs + second * 1000);
}

const recommendations = (page: Page) => page.getByRole("list", { name: "Recommendations" });

function about(page: Page, name: string): Locator {
  const evidence = page.getByRole("list", { name: "Evidence" }).getByTitle(name);
  return recommendations(page).getByRole("listitem").filter({ has: evidence });
}

async function dismiss(page: Page, item: Locator): Promise<void> {
  const expand = item.getByRole("button", { name: /the solution/ });
  if ((await expand.getAttribute("aria-expanded")) === "false") await expand.click();
  await item.getByRole("button", { name: "Dismiss" }).click();
  const dialog = page.getByRole("dialog", { name: "Dismiss this recommendation" });
  const submit = dialog.getByRole("button", { name: "Dismiss" });
  expect(await submit.isDisabled()).toBe(true);
  await dialog.getByLabel("Reason").fill(reason);
  expect(await accessibilityViolations(page)).toEqual([]);
  await submit.click();
  await item.getByText("Dismissed", { exact: true }).waitFor();
  await item.getByText(new RegExp(`^Dismissed .*: ${reason}$`)).waitFor();
}

test("advice is marked as done and says whether it helped; dismissed advice does not come back", async () => {
  const { page, errors, account } = await flamekeep.openSignedIn();
  page.setDefaultTimeout(60_000);
  await page.addInitScript(() => localStorage.setItem("flamekeep.auto_refresh", "off"));
  const id = await send(account, "after", Date.now() - 30 * minuteMs);
  await visit(page, `/profile/${id}`);
  const panel = page.locator("#ai-analysis");
  await panel.getByRole("button", { name: "Start Analysis" }).click();

  const done = about(page, seal).first();
  await sendLater(account);
  // On a busy machine the analysis waits for its turn.
  await recommendations(page).waitFor({ timeout: 120_000 });
  await done.getByRole("button", { name: "Mark as Done" }).click();
  await done.getByText("Done", { exact: true }).waitFor();
  await done.getByRole("button", { name: "Not done" }).waitFor();

  const replying = about(page, "main.writeJSON").first();
  await dismiss(page, replying);
  expect(await accessibilityViolations(page)).toEqual([]);

  await panel.getByRole("button", { name: "Re-analyze" }).click();
  await panel.getByText("Analysis history (2)").waitFor();
  await done.getByText("Done", { exact: true }).waitFor();
  expect(await about(page, "main.writeJSON").count()).toBe(0);

  // The server measures once a minute.
  await expect
    .poll(
      async () => {
        await page.reload();
        await done.waitFor();
        return (await done.getByText(/^It helped:/).allTextContents())[0];
      },
      { timeout: 200_000, interval: 5_000 },
    )
    .toMatch(
      /^It helped: from \d[\d.]*% to \d[\d.]*% of the profile, \d+% less per second \(\d+ later profiles\)\.$/,
    );
  expect(await accessibilityViolations(page)).toEqual([]);

  await done.getByRole("button", { name: "Not done" }).click();
  await done.getByRole("button", { name: "Mark as Done" }).waitFor();
  expect(errors).toEqual([]);
}, 300_000);
