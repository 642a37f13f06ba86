import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { readProfile, writeProfile } from "@flamekeep/profile";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { recordedFile } from "@flamekeep/profile/testing/recordings";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { analyse } from "./harness/analysis-replies.ts";
import { visit } from "./harness/browser.ts";
import { alertReply, incidentReplies } from "./harness/panel-states.ts";
import { recordedProfile } from "./harness/recordings.ts";
import { sameSides } from "./harness/same-sides.ts";
import { sendProfile, sendRequests } from "./harness/send.ts";
import { signUp, storedSession } from "./harness/sign-up.ts";
import { root, startFlamekeep } from "./harness/start-flamekeep.ts";
import { useOwnServer } from "./harness/use-flamekeep.ts";

/** Runs a script wherever it is inserted as HTML, ends an attribute, and is a template of several frameworks. */
const hostile = `"><img src=x onerror=hit=1><svg onload=hit=1>'{{7*7}}\${7*7}`;
const service = "checkout";

/** Pages that show such a name outside of a canvas: the test does not pass without its input. */
const showingNames = [
  ...["/dashboard", "/profiles", "/profiles/service/{serviceName}", "/profiles/service/{serviceName}/{type}"],
  ...[
    "/profile/{profileId}",
    "/compare",
    "/alerts",
    "/projects",
    "/projects/{projectId}",
    "/projects/{projectId}/route",
    "/settings",
  ],
  ...["/invite/{token}", "/operator"],
];

declare global {
  interface Window {
    /** Set by a script of a hostile name that ran. */
    hit?: number;
  }
}

/** Of this file alone: its first account is the operator. */
const flamekeep = useOwnServer(() => startFlamekeep({ env: { DEMO: "off" } }));
let page: Page;
let errors: readonly string[];
/** The address of each page of the build, by its template. */
let addresses: Readonly<Record<string, readonly string[]>>;

/** The profile with hostile functions, files, mappings, and keys and values of labels. */
function hostileProfile(): Buffer {
  const read = readProfile(gunzipSync(recordedFile("go1.26/cpu.pb.gz")));
  if (!read.ok) throw new Error(read.error.message);
  const { stringIds: _, drops: __, ...profile } = read.profile;
  const strings = profile.strings.map((text) => (text === "" ? text : hostile + text));
  return gzipSync(writeProfile({ ...profile, strings }));
}

beforeAll(async () => {
  const account = await signUp(flamekeep.url);
  const call = async (method: string, path: string, body: object): Promise<Replies> => {
    const reply = await fetch(flamekeep.url + path, {
      method,
      headers: {
        ...account.headers,
        "content-type": "application/json",
        "user-agent": `${hostile} Firefox/1`,
      },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as Replies;
  };
  const protectedPath = "/api/v1/protected";
  await call("PATCH", `${protectedPath}/organization`, { name: hostile });
  await call("POST", `${protectedPath}/api-keys`, { name: hostile });
  const { project } = await call("POST", `${protectedPath}/projects`, {
    id: service,
    name: hostile,
    description: hostile,
    tags: [hostile],
  });
  const tags = new URLSearchParams({
    "tag.version": hostile,
    "tag.region": hostile,
    [`tag.${hostile}`]: "1",
  });
  const send = async (type: string, minutesAgo: number, body: Buffer) => {
    const query = `service=${service}&type=${type}&started_at=${Date.now() - minutesAgo * 60_000}&${tags}`;
    const sent = await sendProfile(flamekeep.url, account.key, query, body);
    expect(sent.status).toBe(200);
    return String(sent.body.profile_id);
  };
  const profileId = await send("cpu", 40, hostileProfile());
  await send("cpu", 10, hostileProfile());
  await send("goroutine", 10, recordedProfile("checkout", "goroutine"));
  const request = { timestamp: Date.now() - 60_000, duration: 0.1, status_code: 503, method: "GET" };
  const requests = [{ ...request, path: `/${hostile}`, request_id: hostile, user_agent: hostile }];
  expect(await sendRequests(flamekeep.url, account.key, service, requests)).toBe(200);
  await analyse(flamekeep.url, account, profileId);
  await call("PUT", `${protectedPath}/organization/public-links`, { is_allowed: true });
  const { url: sharedUrl } = await call("POST", `${protectedPath}/organization/shared-links`, {
    graph: { kind: "profile", profile_id: profileId },
    look: { q: hostile },
    expires_in_days: 7,
  });
  const { url: inviteUrl } = await call("POST", `${protectedPath}/organization/invitations`, {
    role: "viewer",
    expires_in_days: 7,
  });
  const person = { email: `hostile-${crypto.randomUUID()}@example.com`, password: crypto.randomUUID() };
  const token = new URL(inviteUrl).pathname.split("/").at(-1) ?? "";
  // A colleague with a hostile name joins, and the link of another invitation stays usable.
  await call("POST", "/auth/register", {
    ...person,
    first_name: hostile,
    last_name: hostile,
    invitation: token,
  });
  const { url: openInvite } = await call("POST", `${protectedPath}/organization/invitations`, {
    role: "viewer",
    expires_in_days: 7,
  });
  const inText = encodeURIComponent(hostile);
  const servicePage = `/profiles/service/${service}`;
  addresses = {
    "/": ["/"],
    "/login": [`/login?return_to=/${inText}`],
    "/register": [`/register?invitation=${inText}`],
    "/forgot-password": ["/forgot-password"],
    "/reset-password": [`/reset-password?token=${inText}`],
    "/single-sign-on": [`/single-sign-on?error=${inText}&code=${inText}`],
    "/second-factor": ["/second-factor"],
    "/verify-email": [`/verify-email?token=${inText}`],
    "/invite/{token}": [new URL(openInvite).pathname, `/invite/${inText}`],
    "/shared/{token}": [new URL(sharedUrl).pathname, `/shared/${inText}`],
    "/dashboard": ["/dashboard?range=1h"],
    "/profiles": [
      "/profiles?range=1h",
      "/profiles?view=profiles&range=1h",
      `/profiles?view=profiles&q=${inText}`,
    ],
    "/profiles/{type}": [`/profiles/${inText}`],
    "/profiles/service": ["/profiles/service"],
    "/profiles/service/{serviceName}": [
      `${servicePage}?range=1h`,
      `${servicePage}?range=1h&lane=memory&selection=${inText}&before=${inText}`,
      `/profiles/service/${inText}`,
    ],
    ...Object.fromEntries(
      ["http", "alerts", "analysis"].map((tab) => [
        `/profiles/service/{serviceName}/${tab}`,
        [`${servicePage}/${tab}?range=1h`, `/profiles/service/${inText}/${tab}`],
      ]),
    ),
    "/profiles/service/{serviceName}/{type}": [
      `${servicePage}/cpu?range=1h&bucket=5m`,
      `${servicePage}/cpu?range=1h&q=${inText}`,
    ],
    "/profile/{profileId}": [
      `/profile/${profileId}`,
      `/profile/${profileId}?q=${inText}`,
      `/profile/${inText}`,
    ],
    "/compare": [`/compare?service=${service}&type=cpu&${sameSides()}`, "/compare"],
    "/cpu-profiles": ["/cpu-profiles?range=1h"],
    "/memory-profiles": ["/memory-profiles?range=1h"],
    "/goroutine-profiles": ["/goroutine-profiles?range=1h"],
    "/alerts": ["/alerts", "/alerts?incident=c4a7de01-58b3-4f96-a2d0-6e9b13f7c845"],
    "/senders": ["/senders", `/senders?service=${service}`, `/senders?q=${inText}&service=${inText}`],
    "/projects": ["/projects"],
    "/projects/{projectId}": [`/projects/${project?.id ?? service}`],
    "/projects/{projectId}/route": [
      `/projects/${service}/route?path=${inText}&method=GET`,
      `/projects/${inText}/route?path=${inText}&label=${inText}&label_value=${inText}&transforms=${inText}`,
    ],
    "/settings": [
      ...["api-keys", "account", "sessions", "members", "organization"],
      ...["audit", "alerts", "data", "preferences"],
    ].map((tab) => `/settings?tab=${tab}`),
    "/operator": ["/operator"],
  };
  const opened = await flamekeep.open({ stored: storedSession(await account.session()) });
  ({ page, errors } = opened);
  const { alerts, incidents, incident } = hostileReplies();
  await page.route(/\/api\/v1\/protected\/alerts\?/, (route) => route.fulfill({ json: alerts }));
  await page.route(/\/api\/v1\/protected\/incidents\?/, (route) => route.fulfill({ json: incidents }));
  await page.route(/\/api\/v1\/protected\/incidents\/c4a7/, (route) => route.fulfill({ json: incident }));
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => Promise.reject(new Error("a dialog"))));
});

interface Replies {
  readonly url: string;
  readonly project?: { readonly id: string };
}

/** An alert as the server replies for a service with such functions, and its incident with such people and comments. */
function hostileReplies() {
  const reply = alertReply();
  const culprit = { name: hostile, file: hostile, line: 1, share: 0.9 };
  const alert = { ...reply.alerts[0], functions: [], culprit, acknowledged: { by: hostile, at: new Date() } };
  const { list, alone } = incidentReplies(alert);
  const assignee = { user_id: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845", name: hostile, at: new Date() };
  const comments = alone.comments.map((comment) => ({ ...comment, by: hostile, text: hostile }));
  return {
    alerts: { ...reply, alerts: [alert] },
    incidents: list,
    incident: { incident: { ...alone.incident, assignee }, comments },
  };
}

test("every page of the build shows hostile names as text: no script runs, and the policy has nothing to block", async () => {
  const pages: { readonly path: string }[] = JSON.parse(
    readFileSync(`${root}packages/web/dist/pages.json`, "utf8"),
  );
  expect(Object.keys(addresses).toSorted()).toEqual(pages.map(({ path }) => path).toSorted());
  const showing = new Set<string>();
  for (const [template, paths] of Object.entries(addresses)) {
    for (const path of paths) {
      // Other addresses of a page only until one has shown a name.
      const isSeen = path !== paths[0] && (showing.has(template) || !showingNames.includes(template));
      if (isSeen && !isFullLength) continue;
      await visit(page, path);
      await page.waitForLoadState("networkidle");
      expect(await page.evaluate(() => window.hit), path).toBeUndefined();
      expect(await page.locator("img[src=x]").count(), path).toBe(0);
      if ((await page.locator("body").textContent())?.includes("onerror=hit=1")) showing.add(template);
    }
  }
  expect([...showing]).toEqual(expect.arrayContaining(showingNames));
  expect(errors.filter((line) => !line.includes("status of 4"))).toEqual([]);
}, 900_000);
