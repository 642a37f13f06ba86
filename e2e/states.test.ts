import { isFullLength } from "@flamekeep/profile/testing/full-length";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import {
  alertReply,
  type EmptyReply,
  holdCall,
  incidentReplies,
  inThePast,
  refusal,
} from "./harness/panel-states.ts";
import { sameSides } from "./harness/same-sides.ts";
import type { Seeded } from "./harness/seed.ts";
import { useFlamekeep } from "./harness/use-flamekeep.ts";

const flamekeep = useFlamekeep();
let page: Page;
let errors: readonly string[];
let seeded: Seeded;

beforeAll(async () => {
  ({ page, errors, seeded } = await flamekeep.openSeeded());
  page.setDefaultTimeout(60_000);
  // Lists that read themselves again would leave a state while it is looked at.
  await page.addInitScript(() => localStorage.setItem("flamekeep.auto_refresh", "off"));
});

/** The states of one panel: the texts that it shows. A line for each panel of each page. */
interface Panel {
  readonly path: string;
  /** The call that fills it: the beginning of its path after /api/v1/protected, and its query. */
  readonly call: RegExp;
  /** Name of the placeholder. */
  readonly loading: string;
  readonly error: string;
  readonly retry?: string;
  readonly empty?: readonly [reply: EmptyReply, ...texts: string[]];
  /** A text of the page with data; `reply` replaces the server's. */
  readonly data: string;
  readonly reply?: object;
}

const past: EmptyReply = { address: (url) => inThePast(url) };
const none = (json: object): EmptyReply => ({ json });
const project = "/projects/checkout";
const route = "/projects/checkout/route?path=%2Fcart";
const http = "/http-metrics/service/checkout";

const panels: Readonly<Record<string, Panel>> = {
  "dashboard, overview": {
    path: "/dashboard",
    call: /\/services\?.*include_totals/,
    loading: "Loading overview",
    ...{
      error: "Failed to load organization summary data. Please try again later.",
      data: "Organization Overview",
    },
    empty: [past, "No organization summary data available", "Last 24 hours: no data received."],
  },
  "dashboard, alerts": {
    path: "/dashboard",
    call: /\/alerts\?/,
    loading: "Loading overview",
    error: "Failed to load alerts. Please try again later.",
    data: "+69.4%",
    reply: alertReply(),
    empty: [past, "No alerts detected"],
  },
  "dashboard, recent profiles": {
    path: "/dashboard",
    call: /\/profiles\?/,
    loading: "Loading profiles...",
    error: "Failed to load profiles. Please try again later.",
    data: "region: eu",
    empty: [past, "No profiles available"],
  },
  services: {
    path: "/profiles",
    call: /\/services\?.*include_totals/,
    loading: "Loading services...",
    error: "Failed to load services. Please try again later.",
    data: "Profiles by type",
    empty: [past, "No Services Found"],
  },
  "all profiles": {
    path: "/profiles?view=profiles",
    call: /\/profiles\?.*limit=10/,
    loading: "Loading profiles...",
    error: "Error Loading Profiles",
    data: "region: eu",
    empty: [past, "No profiles available"],
  },
  "route, requests over time": {
    path: route,
    call: /\/timeline\/http\/checkout\?.*path=/,
    loading: "Loading requests over time",
    error: "Failed to load HTTP metrics. Please try again later.",
    data: "Latency",
    empty: [past, "No requests"],
  },
  "route, time": {
    path: route,
    call: /\/http-metrics\/service\/checkout\/route-time\?/,
    loading: "Loading the latency breakdown",
    error: "Failed to load the latency breakdown",
    data: "The mean latency of",
    empty: [past, "No requests in this range"],
  },
  "route, requests": {
    path: route,
    call: /\/http-metrics\/service\/checkout\/paths\?/,
    loading: "Loading single requests",
    error: "Failed to load HTTP metrics. Please try again later.",
    data: "The 3 slowest",
    empty: [past, "No requests"],
  },
  "HTTP paths": {
    path: "/profiles?view=http",
    call: /\/http-metrics\/paths\?/,
    loading: "Loading HTTP paths",
    error: "Failed to load HTTP metrics. Please try again later.",
    data: "/orders",
    empty: [past, "No HTTP metrics data available"],
  },
  Functions: {
    path: "/profiles?view=functions&scope=all",
    call: /\/functions\/shared\?/,
    loading: "Loading functions",
    error: "Failed to load functions. Please try again later.",
    data: "with callees, 1 service",
    empty: [past, "No functions"],
  },
  "services side by side, figures": {
    path: "/compare/services?service=checkout",
    call: /\/http-metrics\/service\/checkout\/aggregated\?/,
    loading: "Loading figures",
    error: "Failed to load some figures",
    data: "25.0%",
  },
  "services side by side, hottest functions": {
    path: "/compare/services?service=checkout",
    call: /\/functions\/shared\?.*scope=all/,
    loading: "Loading hottest functions",
    error: "Failed to load functions. Please try again later.",
    data: "hashNumber",
    empty: [past, "Last 24 hours: no CPU profiles."],
  },
  "services side by side, shared functions": {
    path: "/compare/services?service=checkout&service=cart",
    call: /\/functions\/shared\?.*scope=libraries/,
    loading: "Loading shared functions",
    error: "Failed to load shared functions",
    data: "json.Marshal",
    reply: sharedReply(),
    empty: [past, "No shared functions"],
  },
  "CPU profiles": {
    path: "/cpu-profiles",
    call: /\/profiles\?.*limit=10/,
    loading: "Loading profiles...",
    error: "Error Loading Profiles",
    data: "region: eu",
    empty: [past, "No CPU profiles available"],
  },
  "service, profiles": {
    path: "/profiles/service/checkout",
    call: /\/profiles\/service\/checkout\?.*limit=10/,
    loading: "Loading profiles...",
    error: "Error Loading Profiles",
    data: "region: eu",
    empty: [past, "No profiles found", "No profiles were found for checkout in the selected time range."],
  },
  "service, profiles of a type": {
    path: "/profiles/service/checkout/mutex",
    call: /\/profiles\/service\/checkout\?.*limit=10/,
    loading: "Loading profiles...",
    error: "Error Loading Profiles",
    data: "No mutex profiles found",
    empty: [
      past,
      "No mutex profiles were found for checkout in the selected time range.",
      "Try expanding your time range or check if the service is sending profile data.",
    ],
  },
  "service, timelines": {
    path: "/profiles/service/checkout",
    call: /\/series\/service\/checkout/,
    loading: "Loading the timelines",
    error: "Could not load the timelines",
    data: "CPU time",
  },
  "service, timeline of a type": {
    path: "/profiles/service/checkout/cpu",
    call: /\/series\/service\/checkout/,
    loading: "Loading the timeline",
    error: "Could not load the timeline",
    data: "CPU time",
    empty: [past, "No values in this range."],
  },
  "service, flame graph": {
    path: "/profiles/service/checkout/cpu",
    call: /\/flamegraph\/service\/checkout/,
    loading: "Loading the flame graph",
    error: refusal.error,
    retry: "Retry",
    data: "Zoomed to:",
    empty: [past, "No samples", "No profiles in this range."],
  },
  profile: {
    path: "/profile/{cpu}",
    call: /\/profiles?(\/[0-9a-f]{32}$|\?)/,
    loading: "Loading profile",
    error: "Failed to load profile data. Please try again later.",
    data: "Share Profile",
  },
  "profile, flame graph": {
    path: "/profile/{cpu}",
    call: /\/flamegraph\/[0-9a-f]{32}/,
    loading: "Loading the flame graph",
    error: refusal.error,
    retry: "Retry",
    data: "Zoomed to:",
  },
  "profile, statistics": {
    path: "/profile/{cpu}",
    call: /\/stats$/,
    loading: "Loading statistics",
    error: "Failed to load detailed statistics",
    data: "Unique functions",
  },
  "profile, goroutine analysis": {
    path: "/profile/{goroutine}?tab=analysis",
    call: /\/goroutines\/chart\//,
    ...{
      loading: "Loading goroutine data",
      error: "Failed to load goroutine specific data. Please try again later.",
    },
    data: "By stack",
  },
  compare: {
    path: `/compare?service=checkout&type=cpu&${sameSides()}`,
    call: /\/flamegraph\/diff\?/,
    loading: "Loading the comparison",
    error: "Could not load the comparison",
    data: "One graph",
    empty: [
      { address: (url) => inThePast(inThePast(url, "before_"), "after_") },
      "Nothing to compare",
      "checkout sent no CPU profile in the range before. Choose another range.",
      "checkout sent no CPU profile in the range after. Choose another range.",
    ],
  },
  "compare, timelines": {
    path: "/compare?service=checkout&type=cpu",
    call: /\/series\/service\/checkout/,
    loading: "Loading the timeline",
    error: "Could not load the timeline",
    data: "CPU time",
    empty: [past, "No profiles around this time."],
  },
  alerts: {
    path: "/alerts",
    call: /\/incidents\?/,
    loading: "Loading alerts",
    reply: incidentReplies().list,
    error: "Failed to load alerts. Please try again later.",
    data: "1 alert, highest increase first",
    empty: [past, "No alerts detected"],
  },
  projects: {
    path: "/projects",
    call: /\/projects\?/,
    loading: "Loading services...",
    error: "Failed to load projects",
    data: "Service: checkout",
    empty: [
      none({
        projects: [],
        next_cursor: null,
        total: 0,
        totals: { projects: 0, active: 0, profiles: 0 },
        team_members: 1,
      }),
      "No projects found",
      "Get started by creating your first project.",
      "Create Your First Project",
    ],
  },
  "group, project": {
    path: "/projects/{group}",
    call: /\/projects\/[0-9a-f-]{36}$/,
    loading: "Loading the project",
    error: "Failed to load the project",
    data: "of the CPU of this group",
  },
  "group, services": {
    path: "/projects/{group}",
    call: /\/services\/trends\?/,
    loading: "Loading the group",
    error: "Failed to load the services of the group",
    data: "of the CPU of this group",
  },
  "group, functions": {
    path: "/projects/{group}",
    call: /\/functions\/shared\?.*scope=all/,
    loading: "Loading hottest functions",
    error: "Failed to load functions. Please try again later.",
    data: "hashNumber",
    empty: [past, "No functions", "Last 24 hours: no CPU profiles from these services."],
  },
  "group, shared functions": {
    path: "/projects/{group}",
    call: /\/functions\/shared\?.*scope=libraries/,
    loading: "Loading library functions that the services share",
    error: "Failed to load functions. Please try again later.",
    data: "json.Marshal",
    reply: sharedReply(),
    empty: [past, "No shared functions"],
  },
  "group, alerts": {
    path: "/projects/{group}",
    call: /\/alerts\?/,
    loading: "Loading alerts",
    error: "Failed to load alerts. Please try again later.",
    data: "+69.4%",
    reply: alertReply(),
    empty: [none({ alerts: [], next_cursor: null, open_count: 0 }), "No open alerts"],
  },
  "project, summary": {
    path: project,
    call: /\/summary\/service\//,
    loading: "Loading summary",
    error: "Failed to load summary data. Please try again later.",
    data: "Avg CPU Usage",
    empty: [past, "No summary data available"],
  },
  "project, recent profiles": {
    path: project,
    call: /\/profiles\/service\/checkout/,
    loading: "Loading profiles...",
    error: "Failed to load profiles. Please try again later.",
    data: "region: eu",
    empty: [past, "No profiles available"],
  },
  "project, timelines": {
    path: project,
    call: /\/timeline\/service\//,
    loading: "Loading timelines",
    error: "Failed to load timeline data. Please try again later.",
    data: "CPU seconds over time",
    empty: [past, "No timeline data available"],
  },
  "project, HTTP timeline": {
    path: `${project}?bucket=15m`,
    call: /\/timeline\/http\/.*interval=15/,
    loading: "Loading HTTP timeline",
    error: "Failed to load HTTP timeline data",
    data: "Peak RPS",
    empty: [past, "No HTTP timeline data available"],
  },
  "project, requests": {
    path: `${project}?bucket=15m`,
    call: /\/timeline\/http\/.*interval=5/,
    ...{
      loading: "Loading requests",
      error: "Failed to load HTTP metrics. Please try again later.",
      data: "Status Codes",
    },
    empty: [past, "No HTTP metrics data available"],
  },
  "alerts, one incident": {
    path: "/alerts?incident=c4a7de01-58b3-4f96-a2d0-6e9b13f7c845",
    call: /\/incidents\/c4a7/,
    loading: "Loading incident",
    error: "Failed to load the incident",
    data: "Rolled back",
    reply: incidentReplies().alone,
  },
  "project, alerts": {
    path: project,
    call: /\/alerts\?.*from=/,
    loading: "Loading alerts",
    reply: alertReply(),
    error: "Failed to load alerts. Please try again later.",
    data: "+69.4%",
    empty: [past, "No alerts detected"],
  },
  "project, endpoints": {
    path: project,
    call: new RegExp(`${http}/aggregated\\?.*group_by=path`),
    loading: "Loading HTTP statistics",
    error: "Failed to load HTTP statistics",
    data: "Success Rate",
    empty: [past, "No HTTP metrics data available"],
  },
  "project, failed requests": {
    path: `${project}?endpoints=errors`,
    call: new RegExp(`${http}/errors`),
    loading: "Loading errors",
    error: "Failed to load HTTP metrics. Please try again later.",
    data: "Latest errors",
    empty: [past, "No errors in the last 24 hours!"],
  },
  "settings, API keys": {
    path: "/settings",
    call: /\/api-keys\?/,
    loading: "Loading API keys",
    error: "Failed to load API keys",
    data: "Active",
    empty: [none({ api_keys: [], total: 0, page: 1, page_size: 20 }), "No API keys"],
  },
  "settings, account": {
    path: "/settings?tab=account",
    call: /\/user\/profile/,
    loading: "Loading account",
    error: "Failed to load profile information",
    data: "Member Since",
  },
  "settings, delivery": {
    path: "/settings?tab=alerts",
    call: /\/alert-settings/,
    loading: "Loading alert delivery",
    ...{
      error: "Failed to load alert delivery",
      data: "A message through an incoming webhook of a Slack channel.",
    },
  },
  "settings, muted alerts": {
    path: "/settings?tab=alerts",
    call: /\/alerts\/mutes/,
    loading: "Loading muted alerts",
    error: "Failed to load muted alerts",
    data: "Nothing is muted",
    empty: [none({ muted: [] }), "Nothing is muted"],
  },
  "settings, retention": {
    path: "/settings?tab=data",
    call: /\/organization\/retention/,
    loading: "Loading the retention",
    error: "Failed to load the retention",
    data: "Fewer days",
  },
  "settings, services": {
    path: "/settings?tab=data",
    call: /\/services\?.*include_totals/,
    loading: "Loading services",
    ...{
      error: "Failed to load services. Please try again later.",
      data: "Deleting a service removes all of its data.",
    },
    empty: [
      none({ services: [], next_cursor: null, total: 0, totals: { services: 0, last_activity: null } }),
      "No Services Found",
    ],
  },
};

/** A library function in two services, as the server replies. */
function sharedReply(): object {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const services = [
    { name: "checkout", total: 0.4, share: 0.8 },
    { name: "cart", total: 0.1, share: 0.5 },
  ];
  const name = "encoding/json.Marshal";
  const found = {
    name,
    ref: name,
    file: "",
    package: "encoding/json",
    category: "json",
    total: 0.5,
    self: 0,
  };
  const totals = { unit: "cores", total: 0.7, covered: 1, services_total: 2, functions_total: 1 };
  return { from: ago(60), to: ago(0), ...totals, functions: [{ ...found, services_total: 2, services }] };
}

/** Ids of the seeded profiles in place of their names in braces. */
function filled(text: string): string {
  return text
    .replace("{cpu}", seeded.cpuId)
    .replace("{goroutine}", seeded.goroutineId)
    .replace("{group}", seeded.groupId);
}

const visible = (text: string) => page.getByRole("main").getByText(text).first().waitFor();

/** As when somebody looks at the tab again two minutes later: the page reads what it shows, without loading the app. */
function readAgain(): Promise<void> {
  return page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 120_000;
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
}

/** Another panel has the same component with other texts. Each panel loads the app, which takes a second of CPU. */
const likeOthers = [
  ...["service, profiles of a type", "service, timeline of a type", "compare, timelines", "CPU profiles"],
  ...["services side by side, shared functions", "group, functions", "group, shared functions"],
  ...[
    "group, alerts",
    "project, alerts",
    "project, recent profiles",
    "project, failed requests",
    "route, time",
  ],
  ...["project, HTTP timeline", "settings, muted alerts", "settings, services", "dashboard, recent profiles"],
];

describe("a panel shows what it waits for, why it failed, that it is empty, and its data", () => {
  const tested = Object.entries(panels).filter(([name]) => isFullLength || !likeOthers.includes(name));

  test("each that is like another exists", () => {
    expect(likeOthers.filter((name) => panels[name] === undefined)).toEqual([]);
    expect(tested.length).toBeGreaterThan(25);
  });

  test.each(tested)("%s", async (_, panel) => {
    const [empty, ...emptyTexts] = panel.empty ?? [];
    await using call = await holdCall(page, new RegExp(`^/api/v1/protected.*${panel.call.source}`), {
      empty,
      data: panel.reply,
    });
    await page.goto(filled(panel.path));
    await page.getByRole("status", { name: panel.loading, exact: true }).first().waitFor();
    call.answer("fail");
    await visible(panel.error);
    await visible(refusal.error);

    const retry = page
      .getByRole("main")
      .getByRole("button", { name: panel.retry ?? "Try Again" })
      .first();
    // Answered after the click: a panel that reads again by itself would lose its button before.
    call.hold();
    await retry.click();
    call.answer(empty === undefined ? "data" : "empty");
    for (const text of emptyTexts) await visible(text);
    if (empty !== undefined) {
      call.answer("data");
      await readAgain();
    }
    await visible(panel.data);
    expect(await page.getByRole("main").getByText(refusal.error).count()).toBe(0);
  });

  test("nothing was logged as an error but refused calls and analyses that do not exist", () => {
    expect(errors.filter((line) => !/status of 40[04]/.test(line))).toEqual([]);
  });
});
