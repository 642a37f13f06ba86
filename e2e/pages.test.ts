import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { fillRegistration, newPerson } from "./harness/account.ts";
import { accessibilityViolations, openAfresh, visit, type WatchedPage } from "./harness/browser.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { sendProfile, sendRequests } from "./harness/send.ts";
import { root } from "./harness/start-flamekeep.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();

const open = [
  ["/", "Continuous profiling you host yourself"],
  ["/login", "Sign In"],
  ["/register", "Create an Account"],
  ["/forgot-password", "Forgot password?"],
  ["/reset-password", "Reset password"],
  ["/verify-email", "Confirm your email address"],
] as const;
const signedIn = [
  ["/dashboard", "Dashboard"],
  ["/profiles", "All Profiles"],
  // The organization has no services.
  ["/profiles/service/checkout", "Service Not Found"],
  ["/alerts", "Alerts"],
  ["/projects", "Projects"],
  ["/settings", "Settings"],
  ["/settings?tab=account", "Settings"],
] as const;

/** The pages that the build lists with a title and that are not above: a new page is checked without being named here. */
function otherPages(): (readonly [path: string, title: string])[] {
  const pages: { path: string; title?: string }[] = JSON.parse(
    readFileSync(`${root}packages/web/dist/pages.json`, "utf8"),
  );
  return pages.flatMap(({ path, title }) =>
    title === undefined || signedIn.some(([named]) => named === path) ? [] : [[path, title] as const],
  );
}

describe("pages of an empty organization have no errors and no accessibility violations", () => {
  let stranger: WatchedPage;
  beforeAll(async () => {
    stranger = await flamekeep.open();
  });

  test.each(open)("%s", async (path, title) => {
    await visit(stranger.page, path);
    const { page, errors } = stranger;
    expect(await page.title()).toBe(`${title} · Flamekeep`);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("pages that need a session", async () => {
    const { page, errors } = await flamekeep.openSignedIn();
    await visit(page, "/");
    for (const [path, title] of signedIn) {
      await openAfresh(page, path);
      expect(new URL(page.url()).pathname, path).toBe(path.split("?")[0]);
      await expect.poll(() => page.title()).toBe(`${title} · Flamekeep`);
      expect(await accessibilityViolations(page), path).toEqual([]);
    }
    expect(errors).toEqual([]);
  });

  test("the other pages that the build lists", async () => {
    const { page, errors } = await flamekeep.openSignedIn();
    const others = otherPages();
    expect(others.map(([path]) => path)).toContain("/cpu-profiles");
    await visit(page, "/dashboard");
    for (const [path, title] of others) {
      await openAfresh(page, path);
      await expect.poll(() => page.title()).toBe(`${title} · Flamekeep`);
      expect(await accessibilityViolations(page), path).toEqual([]);
    }
    expect(errors).toEqual([]);
  });

  test("the help button opens the guide, which searches, keeps the theme and old links, and leads back", async () => {
    const { page, errors } = await flamekeep.openSignedIn();
    await visit(page, "/dashboard");
    const opened = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "Help & Documentation" }).click();
    const guide = await opened;
    await guide.getByRole("heading", { level: 1, name: "Start" }).waitFor();
    expect(await accessibilityViolations(guide)).toEqual([]);
    await guide.keyboard.press("/");
    await guide.keyboard.type("goroutines");
    await guide.getByRole("list", { name: "Results" }).getByRole("link").first().click();
    await guide.waitForURL("**/docs/profile-types#goroutines");
    expect(await accessibilityViolations(guide)).toEqual([]);
    await guide.getByRole("button", { name: /^Theme/ }).click();
    // The other tab has its own process, which hears of it later.
    await expect.poll(() => page.evaluate(() => localStorage.getItem("flamekeep.theme"))).toBe("light");
    await guide.goto("/docs#counters");
    await guide.waitForURL("**/docs/sending#counters");
    await guide.goto("/docs/api/ingestion");
    expect(await accessibilityViolations(guide)).toEqual([]);
    await guide.getByRole("link", { name: "Back to app" }).click();
    await guide.waitForURL("**/dashboard");
    expect(errors).toEqual([]);
  });

  test("the dialog of a new key focuses its name, and Escape does not close it", async () => {
    const { page } = await flamekeep.openSignedIn();
    await visit(page, "/settings");
    await page.getByRole("button", { name: "Create API Key" }).click();
    await page.getByRole("dialog", { name: "Create API Key" }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("name");
    await page.keyboard.type("checkout");
    await page.keyboard.press("Enter");
    const created = page.getByRole("dialog", { name: "API Key Created Successfully" });
    await created.waitFor();
    await page.keyboard.press("Escape");
    await created.getByRole("button", { name: "Show key" }).click();
    expect(await page.getByTestId("api-key").textContent()).toMatch(/^fk_\w+$/);
    await created.getByRole("button", { name: "I've Copied the Key" }).click();
    await created.waitFor({ state: "detached" });
  });

  test("an admin saves where alerts go and how long data is kept", async () => {
    const { page, errors } = await flamekeep.openSignedIn();
    await visit(page, "/settings?tab=alerts");
    await page.getByRole("button", { name: "Set up email" }).click();
    const form = page.getByRole("dialog", { name: "Send alerts by email" });
    await form.getByLabel("Addresses").fill("oncall@example");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByRole("alert").getByText("oncall@example is not an email address").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await form.getByLabel("Addresses").fill("oncall@example.com");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Send test to email" }).click();
    await page.getByText("Test delivered: SMTP_URL is not set").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);

    await visit(page, "/settings?tab=data");
    await page.getByLabel("Fewer days").check();
    await page.getByRole("textbox", { name: "Days" }).fill("7");
    await page.getByRole("button", { name: "Save retention" }).click();
    await page.getByRole("button", { name: "Shorten retention" }).click();
    await page.getByText("Data is kept for 7 days").first().waitFor();
    await visit(page, "/settings?tab=data");
    await expect.poll(() => page.getByRole("textbox", { name: "Days" }).inputValue()).toBe("7");
    expect(await accessibilityViolations(page)).toEqual([]);
    await visit(page, "/settings?tab=preferences");
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("a page reports that the server cannot be reached, and fills once it can", async () => {
    const { page } = await flamekeep.openSignedIn();
    // So that it need not wait for its next attempt.
    await page.clock.install();
    const skipPause = () => page.clock.fastForward(60_000);
    await visit(page, "/settings");
    await page.route("**/*", (route) => route.abort());
    // Its script is not loaded yet, so this waits; its data is refetched about every second.
    await page.getByRole("link", { name: "Profiles" }).first().click();
    await page.waitForURL("**/profiles");
    await page.getByText("The server cannot be reached").first().waitFor();
    await page.unroute("**/*");
    await page.getByRole("heading", { name: "Send your first profile" }).waitFor();
    // The address of the tests is one that containers do not reach.
    await page.getByText("which only programs on this machine reach").waitFor();

    await page.route("**/api/**", (route) => route.abort());
    await page.goto("/dashboard");
    const failure = page.getByRole("heading", { name: /^Failed to load organization summary data/ });
    await failure.waitFor();
    for (let look = 0; look < 6; look++) {
      const failed = page.waitForEvent("requestfailed");
      await skipPause();
      await failed;
      expect(await failure.count()).toBe(1);
    }
    await page.unroute("**/api/**");
    await skipPause();
    await page.getByRole("heading", { name: "Send your first profile" }).waitFor();
  });

  test("a page without a network says so at once, keeps its data, opens no other page, and goes on by itself", async () => {
    const { page, seeded } = await flamekeep.openSeeded();
    const strip = page.getByText("You are offline. The page shows the last data");
    await visit(page, "/dashboard");
    await page.getByRole("link", { name: seeded.service }).first().waitFor();
    // The pages that the navigation leads to are not loaded yet.
    await page.context().setOffline(true);
    await strip.waitFor();
    expect(await page.getByText("All systems operational").count()).toBe(0);
    expect(await page.getByRole("link", { name: seeded.service }).count()).toBeGreaterThan(0);
    await page.getByRole("link", { name: "Senders" }).click();
    await page.getByText("You are offline. This page opens as soon as the server answers.").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("heading", { level: 1, name: "Senders" }).waitFor();
    await page.getByText("All systems operational").waitFor();
    expect(await strip.count()).toBe(0);
  });

  test("the first profile is noticed although it is older than the current range", async () => {
    const { page, errors } = await flamekeep.openSignedIn();
    await visit(page, "/dashboard");
    await page.getByRole("heading", { name: "Send your first profile" }).waitFor();
    await page.getByRole("button", { name: "Create API Key" }).click();
    const key = (await page.getByText(/^fk_\w+$/).textContent()) ?? "";
    // The arrow keys choose the language, and each shows its code with the key.
    await page.getByRole("radio", { name: "Go", exact: true }).press("ArrowRight");
    await page.getByText("-javaagent:agent.jar").waitFor();
    expect(await page.locator("pre code").last().textContent()).toContain(key);
    expect(await accessibilityViolations(page)).toEqual([]);
    const twoDaysAgo = Date.now() - 48 * 3_600_000;
    const query = `service=checkout&type=cpu&started_at=${twoDaysAgo}`;
    expect(await sendProfile(flamekeep.url, key, query, recordedCpuProfile().body)).toMatchObject({
      status: 200,
    });
    await page.getByRole("heading", { name: "The profile of checkout has arrived", exact: true }).waitFor();
    await page.getByText(/^Received (just now|\d+ s ago), taken 2 d ago\.$/).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Open it", exact: true }).click();
    await page.waitForURL("**/profile/*");
    await page.getByRole("heading", { name: /^Profile: / }).waitFor();
    expect(errors).toEqual([]);
  });

  test("wall-clock profiles are listed under Wall time and not under Custom", async () => {
    const { page, errors, account } = await flamekeep.openSignedIn();
    const { key } = account;
    const send = (type: string, sampleType: string, unit: string, value: number) =>
      sendProfile(flamekeep.url, key, `service=node&type=${type}`, profileWith(sampleType, unit, value));
    const replies = await Promise.all([
      send("wall", "wall", "nanoseconds", 5),
      send("wall", "wall", "nanoseconds", 6),
      send("custom", "sent", "bytes", 7),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const [tab, count] of [
      ["Custom", 1],
      ["Wall time", 2],
    ] as const) {
      await visit(page, "/profiles/service/node");
      await expect.poll(() => page.title()).toBe("node Profiles · Flamekeep");
      await page.getByRole("tab", { name: `${tab} ${count}`, exact: true }).click();
      await page.getByText(`of ${count}`).first().waitFor();
    }
    expect(errors).toEqual([]);
  });

  test("the page of a project has its sections in order, and a selection on a chart is its time range", async () => {
    const { page, errors, account } = await flamekeep.openSignedIn();
    const { key } = account;
    const query = `service=checkout&type=cpu&started_at=${Date.now() - 60_000}`;
    const profile = await sendProfile(flamekeep.url, key, query, recordedCpuProfile().body);
    const requests = [200, 200, 503].map((status_code, index) => ({
      timestamp: Date.now() - 1000 * index,
      duration: 0.02 * (index + 1),
      status_code,
      method: "GET",
      path: index === 0 ? "/cart" : "/orders",
      request_id: `r${index}`,
    }));
    expect([profile.status, await sendRequests(flamekeep.url, key, "checkout", requests)]).toEqual([
      200, 200,
    ]);

    await visit(page, "/dashboard");
    await page.locator('a[href^="/projects/checkout"]').first().click();
    await page.waitForURL((url) => url.pathname === "/projects/checkout");
    // The rate of requests is not known before their five minutes are over.
    await page.locator(".u-over").nth(4).waitFor();
    await page
      .getByRole("navigation", { name: "Sections" })
      .getByRole("link", { name: "HTTP paths" })
      .click();
    const analytics = page.getByRole("heading", { name: "HTTP Performance Analytics" });
    const top = async () => (await analytics.boundingBox())?.y ?? Number.NaN;
    const { height } = page.viewportSize()!;
    await expect.poll(top).toBeLessThan(height);
    await page.getByRole("tablist", { name: "Endpoints" }).getByRole("tab", { name: "Errors" }).click();
    const headings = page.locator("main").getByRole("heading", { level: 2 });
    await expect
      .poll(() => headings.allTextContents(), { timeout: 30_000 })
      .toEqual([
        ...["Profiles by type", "Recent activity", "CPU", "Memory", "Service", "Recent Profiles"],
        ...["CPU Usage", "Memory Usage", "Goroutines", "Mutex Contention", "HTTP Performance Timeline"],
        ...["Request Rate", "Response Time", "Status Codes", "Error Rate"],
        ...["Performance Alerts", "No alerts detected", "HTTP Performance Analytics", "Data received"],
      ]);
    expect(await page.title()).toBe("checkout · Flamekeep");
    await page.getByText("Healthy").waitFor();
    await page.getByRole("list", { name: "Errors by path" }).getByText("/orders").waitFor();
    await page.getByRole("list", { name: "Errors by status" }).getByText("5xx").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);

    await page.getByRole("application", { name: "CPU Usage" }).focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("Enter");
    await page.waitForURL(({ searchParams }) => searchParams.has("from") && searchParams.has("to"));
    await page.goBack();
    await page.waitForURL(({ searchParams }) => !searchParams.has("from"));
    expect(errors).toEqual([]);
  });

  test("signing out in one tab signs out the other tabs", async () => {
    const { page, errors } = await flamekeep.openSignedIn();
    await visit(page, "/dashboard");
    const other = await page.context().newPage();
    await visit(other, "/projects");
    await page.getByRole("button", { name: "User menu" }).click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await page.waitForURL((url) => url.pathname === "/login");
    await other.waitForURL((url) => url.pathname === "/login");
    expect(errors).toEqual([]);
  });

  test("a link to a page that needs a session opens it after registration, and only pages of the app", async () => {
    const { page, errors } = await flamekeep.open();
    await page.goto("/profiles/service/checkout/cpu?range=4h");
    await page.waitForURL((url) => url.pathname === "/login");
    await page.getByRole("link", { name: "Sign up" }).click();
    await fillRegistration(page, newPerson());
    await page.waitForURL(
      (url) => url.pathname === "/profiles/service/checkout/cpu" && url.search === "?range=4h",
    );
    await page.goto("/login?return_to=//example.com/x");
    await page.waitForURL((url) => url.pathname === "/dashboard");
    expect(errors).toEqual([]);
  });

  test("an address without a page leads strangers to the landing page, and others to suggestions", async () => {
    const { page: stranger } = await flamekeep.open();
    await stranger.goto("/dashbord");
    await stranger.waitForURL((url) => url.pathname === "/");
    const { page, errors } = await flamekeep.openSignedIn();
    await visit(page, "/dashbord");
    await page.getByRole("heading", { name: "This page does not exist" }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole("searchbox", { name: "Search profiles" }).fill("checkout");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/profiles" && url.searchParams.get("q") === "checkout");
    await page.goBack();
    await page
      .getByRole("navigation", { name: "Perhaps you are looking for" })
      .getByRole("link")
      .first()
      .click();
    await page.waitForURL("**/dashboard");
    expect(errors).toEqual([]);
  });

  test("the outline of a page is there before any script of the app", async () => {
    const { page } = await flamekeep.open();
    await page.route("**/assets/*.js", () => {});
    await page.goto("/login", { waitUntil: "commit" });
    await page.locator(".start-form").waitFor();
    expect(await page.getByRole("status").textContent()).toBe("Loading Flamekeep");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await visit(page, "/login");
    await page.locator(".start-form").waitFor({ state: "hidden" });
  });
});

/** pprof with one sample that has no stack. */
function profileWith(type: string, unit: string, value: number): Buffer {
  const text = (field: string) => [0x32, field.length, ...Buffer.from(field)];
  const sampleType = [0x0a, 4, 0x08, 1, 0x10, 2];
  return Buffer.from([...sampleType, 0x12, 3, 0x12, 1, value, ...text(""), ...text(type), ...text(unit)]);
}
