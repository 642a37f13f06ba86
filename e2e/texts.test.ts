import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { follow, visit } from "./harness/browser.ts";
import { holdCall, incidentReplies } from "./harness/panel-states.ts";
import type { Seeded } from "./harness/seed.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();
let page: Page;
let seeded: Seeded;

beforeAll(async () => {
  ({ page, seeded } = await flamekeep.openSeeded());
  await visit(page, "/dashboard");
});

/** Pages for everybody, and their texts. */
const publicPages: Readonly<Record<string, readonly string[]>> = {
  "/": [
    ...[
      "Sign In",
      "Open the demo",
      "Get Started",
      "View Dashboard",
      "How It Works",
      "Read Documentation",
      "API CONNECTED",
      "Using Live API",
    ],
    ...["Collect profiles", "Store and process", "Visualize and analyze", "Optimize"],
    ...[
      "CPU Profiling",
      "Memory Analysis",
      "Goroutine Insights",
      "Performance Timeline",
      "Regression Alerts",
    ],
    ...["Secure Sharing", "Team Collaboration", "Cross-Project Comparison", "Custom Dashboards"],
  ],
  "/login": ["Sign In", "Email", "Password", "Forgot password?", "Sign up"],
  "/register": [
    ...["Create an Account", "First name", "Last name", "Email", "Password", "Confirm password"],
    ...["At least 8 characters.", "Create Account"],
  ],
};

/** Pages of a signed-in person with a service, and their texts; `{cpu}` and `{goroutine}` are profile ids. */
const pages: Readonly<Record<string, readonly string[]>> = {
  "/dashboard": [
    ...["Dashboard", "Performance overview and insights", "Organization Overview", "Time range"],
    ...["Services", "Performance Alerts", "Recent Profiles", "View All", "Last 24 hours"],
    ...["Performance profiler", "Profiling", "Management"],
    ...["Notifications", "Help & Documentation", "User menu"],
  ],
  "/profiles": ["All Profiles", "Comprehensive profiling data", "Profiles by type", "Sort services"],
  "/profiles?view=profiles": ["Search by profile id, service or tag", "Rows per page", "region: eu"],
  "/profiles?view=http": [
    "HTTP paths of all services",
    "2 paths, slowest first (p95)",
    "/orders",
    "(100.0%)",
  ],
  "/cpu-profiles": ["CPU Profiles", "CPU performance analysis"],
  "/memory-profiles": ["Memory Profiles", "Memory usage patterns"],
  "/goroutine-profiles": ["Goroutine Profiles", "Concurrency and goroutine insights"],
  "/profiles/service/checkout": [
    ...["checkout Profiles", "Performance profiles for the checkout service", "Back to Services"],
    ...["All 2", "CPU 1", "Memory 0", "Goroutine 1", "Mutex 0", "Block 0", "Custom 0"],
    "HTTP metric batches",
  ],
  "/profiles/service/checkout/MUTEX": ["No mutex profiles found"],
  "/profiles/service/nobody": ["Service Not Found", "for a service named “nobody”", "Back to Services"],
  "/profile/{cpu}": [
    ...["Profile: {cpu12}", "Profile {cpu8}", "Dashboard", "Profiles", "CPU", "Share Profile"],
    ...["Service", "Type", "Timestamp", "Tags", "region: eu", "Zoomed to:", "Legend", "Export"],
    ...["Statistics", "Unique functions", "Unique locations", "Max stack depth", "Avg stack depth"],
    ...["Hot paths", "Top functions"],
  ],
  "/profile/{goroutine}?tab=analysis": ["Goroutine Analysis", "By state", "By stack"],
  "/compare": [
    ...["Compare", "What changed between two ranges, versions or profiles", "Choose what to compare"],
    "Open a service and choose Compare with the previous period, open the comparison of an alert, or select two",
  ],
  "/compare?service=checkout&type=cpu": [
    ...["checkout: CPU", "Before", "After", "Swap sides"],
    ...[
      "Range of before",
      "Tags of before",
      "Tags of after",
      "CPU time, range before",
      "CPU time, range after",
    ],
    ...["Nothing to compare with", "Open the other range alone"],
    "checkout sent no CPU profile in the range before. Choose another range.",
  ],
  "/compare?before_profile={cpu}&after_profile={cpu}": [
    ...["Values are ", "(same)", "Relative", "Absolute", "One graph", "Side by side"],
  ],
  "/projects": [
    ...["Projects", "Manage your profiling projects", "New Project", "Total Projects", "Active"],
    ...["Total Profiles", "Team Members", "Search by name, description, or tags...", "Service: checkout"],
    ...["Last activity", "View Details", "Share"],
  ],
  "/projects?q=nobody": ['No projects match "nobody". Try adjusting your search.'],
  "/projects/checkout": [
    ...["checkout", "Healthy", "Total Profiles", "Profile Types", "Recent Activity", "Avg CPU Usage"],
    ...["Profiles by type", "24 hours", "7 days", "30 days", "95th percentile", "Peak", "Average duration"],
    ...["Avg heap in use", "Peak heap in use", "Avg heap alloc", "Data generated at", "Recent Profiles"],
    ...["CPU Usage", "CPU seconds over time", "Memory Usage", "Goroutines", "Mutex Contention"],
    ...["Mutex wait time over time", "HTTP Performance Timeline", "Total Requests", "Avg Duration"],
    ...["P95 Duration", "Peak RPS", "Error Rate", "Total Data", "Requests", "Latency", "Throughput"],
    ...["Errors", "Last 24 Hours", "Request Rate", "Response Time", "Status Codes"],
    ...["HTTP Performance Analytics", "Avg Response", "P95", "P99", "Success Rate", "Popular"],
    ...["Performance", "Reliability", "below 95%"],
  ],
  "/projects/%20": ["Project Not Found"],
  "/projects/nobody": ["Project Not Found", "has the name “nobody”", "Back to Dashboard", "All projects"],
  "/projects/checkout?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z": ["No service data available"],
  "/alerts": ["Alerts", "Performance alerts and notifications", "Total", "Critical", "Warnings", "Resolved"],
  "/settings": [
    ...["Settings", "Application preferences and configuration", "API Keys", "Account", "Create API Key"],
    ...["test", "Active", "Created", "Last used"],
  ],
  "/settings?tab=account": [
    ...["Email", "Name", "User ID", "Account Status", "Active", "Unverified", "Member Since", "Last Login"],
  ],
};

/** The texts of the page: its content, and the names, titles and placeholders of its elements. */
function everyText(on: Page): Promise<string> {
  return on.evaluate(() => {
    const named = [...document.querySelectorAll("[aria-label], [title], [placeholder]")];
    const attributes = named.flatMap((each) =>
      ["aria-label", "title", "placeholder"].map((name) => each.getAttribute(name) ?? ""),
    );
    // biome-ignore lint/performance/useDomNodeTextContent: it separates the texts of elements
    return [document.body.innerText.replace(/\s+/g, " "), ...attributes].join("\n");
  });
}

async function expectTexts(on: Page, texts: readonly string[]): Promise<void> {
  const missing = async () => {
    const shown = await everyText(on);
    return texts.filter((text) => !shown.includes(text));
  };
  await expect.poll(missing, { timeout: 60_000 }).toEqual([]);
}

function filled(text: string): string {
  const { cpuId, goroutineId } = seeded;
  return text
    .replaceAll("{cpu}", cpuId)
    .replace("{cpu12}", cpuId.slice(0, 12))
    .replace("{cpu8}", cpuId.slice(0, 8))
    .replace("{goroutine}", goroutineId);
}

describe("the pages say what the specification says", () => {
  test.each(Object.entries(pages))("%s", async (path, texts) => {
    await follow(page, filled(path));
    await expectTexts(page, texts.map(filled));
  });

  test.each(Object.entries(publicPages))("%s", async (path, texts) => {
    const { page: stranger } = await flamekeep.open();
    await visit(stranger, path);
    await expectTexts(
      stranger,
      texts.filter((text) => text !== "Open the demo"),
    );
  });

  test("an alert has its filters, and chips that remove them", async () => {
    await using alerts = await holdCall(page, /^\/api\/v1\/protected\/incidents\?/, {
      empty: undefined,
      data: incidentReplies().list,
    });
    alerts.answer("data");
    await visit(page, "/alerts?service=checkout&type=cpu");
    await expectTexts(page, ["Clear Filters", "Remove filter Service: checkout", "Remove filter Type: CPU"]);
  });

  test("the colour scheme of a flame graph can be Heat", async () => {
    await visit(page, `/profile/${seeded.cpuId}`);
    await page.getByRole("combobox", { name: "Color scheme" }).click();
    await page.getByRole("option", { name: "Heat", exact: true }).waitFor();
    await page.keyboard.press("Escape");
  });

  test("sharing a profile copies its address", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await visit(page, `/profile/${seeded.cpuId}`);
    await page.getByRole("button", { name: "Share Profile" }).click();
    await page.getByText("Profile URL copied to clipboard!").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  });
});

/** Forms whose call fails without a reply of the server. */
const failures = [
  ["/login", "Sign In", "/auth/login", "Login failed. Please try again."],
  ["/register", "Create Account", "/auth/register", "Registration failed. Please try again."],
] as const;

test.each(failures)("%s reports that it failed", async (path, button, call, text) => {
  const { page: stranger } = await flamekeep.open();
  await stranger.route(`**${call}`, (route) => route.fulfill({ status: 502, body: "a proxy's page" }));
  await visit(stranger, path);
  for (const name of ["First name", "Last name"]) {
    if (path === "/register") await stranger.getByLabel(name).fill("Ada");
  }
  await stranger.getByLabel("Email").fill("ada@example.com");
  await stranger.getByLabel("Password", { exact: true }).fill("a long password");
  if (path === "/register") await stranger.getByLabel("Confirm password").fill("a long password");
  await stranger.getByRole("main").getByRole("button", { name: button }).click();
  await stranger.getByText(text).waitFor();
});

test("a timeline that is none is reported", async () => {
  await using timeline = await holdCall(page, /\/timeline\/service\//, {
    empty: undefined,
    data: { no: "points" },
  });
  timeline.answer("data");
  await visit(page, "/projects/checkout");
  await page
    .getByText("Invalid response format: expected an array or object with points/data_points array")
    .waitFor();
});
