import type { Analysis } from "@flamekeep/contract";
import type { Locator, Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type AnalysisReplies, analyse, earlier, replyWithAnalyses } from "./harness/analysis-replies.ts";
import { accessibilityViolations, visit } from "./harness/browser.ts";
import { incidentReplies } from "./harness/panel-states.ts";
import { recordedProfile } from "./harness/recordings.ts";
import type { Account } from "./harness/sign-up.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();
let page: Page;
let errors: readonly string[];
let account: Account;
/** The profile whose panel is opened; another one has the analysis. */
let profileId: string;
let completed: Analysis;

beforeAll(async () => {
  const opened = await flamekeep.openSignedIn();
  ({ page, errors, account } = opened);
  page.setDefaultTimeout(60_000);
  await page.addInitScript(() => localStorage.setItem("flamekeep.auto_refresh", "off"));
  // Within the two ranges of `incidentReplies`.
  const cpu = (minutes: number, variant: "before" | "after") => send("cpu", minutes, variant);
  await cpu(55, "before");
  await cpu(50, "before");
  profileId = await cpu(30, "after");
  const analysed = await cpu(20, "after");
  for (const type of ["memory", "goroutine", "mutex"]) await send(type, 20, "before");
  completed = await analyse(flamekeep.url, account, analysed);
  expect(completed.recommendations.length).toBeGreaterThan(0);
});
afterEach(() => page.unrouteAll({ behavior: "ignoreErrors" }));

function send(type: string, minutesAgo: number, variant: "before" | "after"): Promise<string> {
  const query = `service=checkout&type=${type}&started_at=${Date.now() - minutesAgo * 60_000}`;
  return account.send(recordedProfile("checkout", type, variant), query);
}

const panel = () => page.locator("#ai-analysis");
const visible = (text: string | RegExp, within: Locator = panel()) =>
  within.getByText(text).first().waitFor();
const recommendations = () => page.getByRole("list", { name: "Recommendations" });
const details = () => page.getByRole("group", { name: "Frame", exact: true });
const parameter = (name: string) => new URL(page.url()).searchParams.get(name);

/** Opens the profile and brings its panel into view. */
async function openPanel(): Promise<void> {
  await visit(page, `/profile/${profileId}`);
  await panel().scrollIntoViewIfNeeded();
}

/** The first function that the advice on show is about. */
function firstEvidence(within: Locator = recommendations()): Locator {
  return within.getByRole("list", { name: "Evidence" }).first().getByRole("button").first();
}

/** The full name of the function of an evidence button. */
async function nameOf(evidence: Locator): Promise<string> {
  return ((await evidence.getAttribute("title")) ?? "").split("\n")[0] ?? "";
}

/** Clicks evidence and expects its function in the link, and its frame on the screen. */
async function expectShown(evidence: Locator): Promise<void> {
  const name = await nameOf(evidence);
  expect(name).not.toBe("");
  await evidence.click();
  await expect.poll(() => parameter("fn")).toBe(name);
  expect(parameter("zoom")).toBe("@");
  await details().getByTitle(name, { exact: true }).waitFor();
  const { height } = page.viewportSize() ?? { height: 0 };
  await expect
    .poll(async () => {
      const bar = await details().boundingBox();
      const frame = await page.locator("[data-zoomed]").first().boundingBox();
      if (bar === null || frame === null) return "not on the page";
      const isInView = frame.y >= bar.y + bar.height && frame.y + frame.height <= height;
      return isInView ? "in view" : `frame at ${frame.y}, details at ${bar.y}`;
    })
    .toBe("in view");
}

describe("the panel of a profile", () => {
  test("offers an analysis, shows its progress, its recommendations, its summary and its history", async () => {
    await openPanel();
    await visible("Find out what to improve in this profile");
    expect(await accessibilityViolations(page)).toEqual([]);
    await panel().getByRole("button", { name: "Start Analysis" }).click();
    await visible("Analysis queued for processing...");
    await visible("This usually takes 2-10 seconds");
    await panel()
      .getByRole("tab", { name: /^Recommendations \d+$/ })
      .waitFor();
    const first = recommendations().getByRole("listitem").first();
    await visible(/^(high|medium|low) priority$/, first);
    await visible(/^\d+% confidence$/, first);
    await visible("Code example", first);
    expect(await accessibilityViolations(page)).toEqual([]);
    await panel().getByRole("tab", { name: "Summary" }).click();
    await visible("Estimated improvement:");
    expect(await accessibilityViolations(page)).toEqual([]);

    await panel().getByRole("button", { name: "Re-analyze" }).click();
    await visible("Analysis queued for processing...");
    await visible("Analysis history (2)");
    await recommendations().waitFor();
    await panel().getByText("Analysis history (2)").click();
    await visible("Shown above");
    await panel().getByRole("button", { name: "View" }).click();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("copies the code example", async () => {
    await replyWithAnalyses(page, { history: [completed] });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await openPanel();
    await panel().getByRole("button", { name: "Copy the code" }).first().click();
    const code = completed.recommendations.find(({ code_example }) => code_example !== undefined);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code?.code_example);
  });

  test.each([
    ["pending", "Analysis queued for processing...", "This usually takes 2-10 seconds"],
    ["processing", "AI is analyzing your profile...", "This usually takes 2-10 seconds"],
    ["failed", "Analysis failed", "The language model did not answer."],
  ] as const)("%s", async (status, ...texts) => {
    const analysis = earlier(completed, status);
    const replies: AnalysisReplies = { history: [analysis], polled: analysis, started: completed };
    await replyWithAnalyses(page, replies);
    await openPanel();
    for (const text of texts) await visible(text);
    expect(await accessibilityViolations(page)).toEqual([]);
    // Polling ends by itself, a failure by trying again.
    replies.polled = completed;
    replies.history = [completed];
    if (status === "failed") await panel().getByRole("button", { name: "Try Again" }).click();
    await recommendations().waitFor();
  });

  test("optimized", async () => {
    const summary = {
      total_issues: 0,
      high_priority: 0,
      estimated_improvement: "Nothing is worth changing.",
      is_clean: true,
    };
    await replyWithAnalyses(page, { history: [{ ...completed, recommendations: [], summary }] });
    await openPanel();
    await visible("No issues detected");
    await visible("Nothing is worth changing.");
    await panel().getByRole("tab", { name: "Recommendations 0" }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test("says that its history could not be loaded, and loads it again", async () => {
    let isRefused = true;
    const refused = { error: "The test refuses this call.", code: "invalid", request_id: "test" };
    await page.route(/\/analyses\?/, (route) =>
      isRefused ? route.fulfill({ status: 400, json: refused }) : route.continue(),
    );
    await openPanel();
    await visible("Failed to load analysis history");
    isRefused = false;
    await panel().getByRole("button", { name: "Try Again" }).click();
    await recommendations().waitFor();
  });

  test("stops asking after five minutes, says so, and asks again on request", async () => {
    const processing = earlier(completed, "processing");
    const replies: AnalysisReplies = { history: [processing], polled: processing };
    const other = await page.context().newPage();
    let polls = 0;
    other.on("request", (request) => {
      if (request.url().includes("/analysis/")) polls++;
    });
    await replyWithAnalyses(other, replies);
    await other.clock.install();
    await other.goto(`/profile/${profileId}`);
    const card = other.locator("#ai-analysis");
    await visible("AI is analyzing your profile...", card);
    await expect.poll(() => polls, { timeout: 30_000 }).toBeGreaterThan(1);
    await other.clock.fastForward("05:00");
    await visible("No result after 5 minutes", card);
    const asked = polls;
    await other.clock.fastForward("01:00");
    await card.getByRole("button", { name: "Check Again" }).waitFor();
    expect(polls).toBe(asked);
    replies.polled = completed;
    replies.history = [completed];
    await card.getByRole("button", { name: "Check Again" }).click();
    await other.getByRole("list", { name: "Recommendations" }).waitFor();
    await other.close();
  });
});

describe("a click on evidence", () => {
  test("finds its frame on the profile's page, and Back undoes it", async () => {
    await replyWithAnalyses(page, { history: [completed] });
    await openPanel();
    await expectShown(firstEvidence());
    await page.goBack();
    await expect.poll(() => parameter("fn")).toBeNull();
    expect(new URL(page.url()).pathname).toBe(`/profile/${profileId}`);
  });

  test("finds its frame on the explore page", async () => {
    await visit(page, "/profiles/service/checkout/cpu");
    await panel().scrollIntoViewIfNeeded();
    await visible("Find out what to improve in the last 24 hours");
    await panel().getByRole("button", { name: "Start Analysis" }).click();
    await recommendations().waitFor();
    await expectShown(firstEvidence());
    await page.goBack();
    await expect.poll(() => parameter("fn")).toBeNull();
  });

  test("finds its frame in the comparison of an alert, whose analysis begins with what changed", async () => {
    const json = incidentReplies().list;
    await page.route(/\/api\/v1\/protected\/incidents\?/, (route) => route.fulfill({ json }));
    await visit(page, "/alerts");
    await page.getByRole("button", { name: "What changed in checkout, and what to do" }).click();
    const dialog = page.getByRole("dialog", { name: "What changed, and what to do" });
    await visible("Find out what changed and what to do", dialog);
    await dialog.getByRole("button", { name: "Start Analysis" }).click();
    await dialog.getByRole("heading", { name: "What changed", exact: true }).waitFor();
    await visible(/^CPU time of one instance rose by \d+%/, dialog);
    expect(await accessibilityViolations(page)).toEqual([]);

    // All without scrolling.
    const grown = dialog.getByRole("row").nth(1);
    const evidence = firstEvidence(dialog);
    const places = await Promise.all([grown, evidence].map((each) => each.boundingBox()));
    const [grownY = 0, evidenceY = 0] = places.map((box) => (box === null ? 0 : box.y + box.height));
    expect(grownY).toBeLessThan(evidenceY);
    expect(evidenceY).toBeLessThan(900);
    expect(await dialog.evaluate((element) => element.scrollTop)).toBe(0);

    await expectShown(evidence);
    expect(new URL(page.url()).pathname).toBe("/compare");
    await page.goBack();
    await dialog.getByRole("heading", { name: "What changed", exact: true }).waitFor();
  });

  test("finds its frame in the comparison that the advice is about", async () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const sides = `before_from=${ago(60)}&before_to=${ago(40)}&after_from=${ago(40)}&after_to=${ago(10)}`;
    await visit(page, `/compare?service=checkout&type=cpu&${sides}`);
    await panel().scrollIntoViewIfNeeded();
    const start = panel().getByRole("button", { name: "Start Analysis" });
    await start.or(recommendations()).first().waitFor();
    if (await start.isVisible()) await start.click();
    await recommendations().waitFor();
    await expectShown(firstEvidence());
    await page.goBack();
    await expect.poll(() => parameter("fn")).toBeNull();
  });
});

const overviewCard = () =>
  page.locator("section", { has: page.getByRole("heading", { name: "AI Analysis Overview" }) });

describe("the overview of a service", () => {
  test("leads to the analysis of the profile", async () => {
    await visit(page, "/profiles/service/checkout/analysis");
    const overview = overviewCard();
    await overview.scrollIntoViewIfNeeded();
    await overview.getByRole("link", { name: "View Details" }).first().click();
    await page.getByRole("heading", { name: /^Profile:/ }).waitFor();
    await recommendations().waitFor();
    await expect.poll(async () => (await panel().boundingBox())?.y ?? 0).toBeLessThan(900);
  });

  test("fails, is empty, or has a card for each type in one of four states", async () => {
    const of = (total: number, high: number) => ({
      ...completed,
      summary: { total_issues: total, high_priority: high, estimated_improvement: "", is_clean: false },
    });
    const latest = { cpu: of(3, 2), memory: of(1, 0), goroutine: of(0, 0) };
    let status = 400;
    let json: object = { error: "The test refuses this call.", code: "invalid", request_id: "test" };
    await page.route(/\/latest-analyses\?/, (route) => route.fulfill({ status, json }));
    const overview = overviewCard();
    await visit(page, "/profiles/service/checkout/analysis");
    await visible("Failed to load AI analysis overview", overview);
    status = 200;
    json = { service: "checkout", latest_analyses: {} };
    await overview.getByRole("button", { name: "Try Again" }).click();
    await visible("No AI analyses available yet", overview);
    expect(await accessibilityViolations(page)).toEqual([]);

    json = { service: "checkout", latest_analyses: latest };
    await page.reload();
    const expected = {
      critical: "2 critical issues detected",
      issues: "1 issue detected",
      optimized: "No issues detected",
      "no-analysis": "Not analyzed yet",
    };
    for (const [state, text] of Object.entries(expected))
      await visible(text, overview.locator(`[data-state="${state}"]`));
    expect(await overview.getByRole("link", { name: "View Details" }).count()).toBe(3);
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
