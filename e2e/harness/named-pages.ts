import { gunzipSync, gzipSync } from "node:zlib";
import { readProfile, writeProfile } from "@flamekeep/profile";
import { recordedFile } from "@flamekeep/profile/testing/recordings";
import type { Page } from "playwright-core";
import { analyse } from "./analysis-replies.ts";
import { alertReply, holdCall, incidentReplies } from "./panel-states.ts";
import { recordedProfile } from "./recordings.ts";
import { sameSides } from "./same-sides.ts";
import { sendProfile, sendRequests } from "./send.ts";
import { type Account, signUp } from "./sign-up.ts";

const minuteMs = 60_000;
const protectedPath = "/api/v1/protected";

/** An organization in which everything that people and programs name has one name. */
export interface Named {
  readonly account: Account;
  /** The addresses of each page of the build, by its template. */
  readonly addresses: Readonly<Record<string, readonly string[]>>;
}

interface Replies {
  readonly url: string;
  readonly project?: { readonly id: string };
  readonly dashboard?: { readonly id: string };
}

type Caller = (method: string, path: string, body: object) => Promise<Replies>;

/** @param name cut where a limit is lower. @param service that of the profiles and requests */
export async function nameEverything(url: string, name: string, service: string): Promise<Named> {
  const account = await signUp(url);
  const call = callerOf(url, account, name);
  await call("PATCH", `${protectedPath}/organization`, { name: name.slice(0, 100) });
  await call("POST", `${protectedPath}/api-keys`, { name: name.slice(0, 100) });
  const { project } = await call("POST", `${protectedPath}/projects`, {
    id: service,
    name,
    description: name,
    tags: [name.slice(0, 100)],
  });
  const { project: group } = await call("POST", `${protectedPath}/projects`, {
    name,
    description: name,
    services: [service],
  });
  const profileId = await sendNamed(url, account, name, service);
  await call("POST", `${protectedPath}/targets`, {
    name: name.slice(0, 100),
    service,
    source: { kind: "url", url: "http://checkout.example:6060" },
    profiles: ["heap"],
    is_enabled: false,
  });
  await call("PUT", `${protectedPath}/organization/public-links`, { is_allowed: true });
  const shared = await call("POST", `${protectedPath}/organization/shared-links`, {
    graph: { kind: "profile", profile_id: profileId },
    look: { q: name },
    expires_in_days: 7,
  });
  const { dashboard } = await call("POST", `${protectedPath}/dashboards`, {
    name: name.slice(0, 100),
    variables: { service },
    panels: [
      { kind: "note", id: "note", title: name.slice(0, 100), text: name },
      { kind: "routes", id: "routes", title: name.slice(0, 100), service },
      { kind: "top", id: "top", service, type: "cpu" },
    ],
  });
  const invitation = await inviteNamed(call, name);
  const ids = {
    profileId,
    projectId: project?.id ?? service,
    groupId: group?.id ?? service,
    dashboardId: dashboard?.id ?? "",
  };
  const paths = { shared: new URL(shared.url).pathname, invitation };
  return { account, addresses: addressesOf(name, service, ids, paths) };
}

function callerOf(url: string, account: Account, name: string): Caller {
  return async (method, path, body) => {
    const reply = await fetch(url + path, {
      method,
      headers: {
        ...account.headers,
        "content-type": "application/json",
        "user-agent": `${name} Firefox/1`,
      },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as Replies;
  };
}

/** Sends profiles and a request, analyses a profile, and returns its id. */
async function sendNamed(url: string, account: Account, name: string, service: string): Promise<string> {
  const tags = new URLSearchParams({ "tag.version": name, "tag.region": name, [`tag.${name}`]: "1" });
  const send = async (type: string, minutesAgo: number, body: Buffer) => {
    const query = `service=${service}&type=${type}&started_at=${Date.now() - minutesAgo * minuteMs}&${tags}`;
    const sent = await sendProfile(url, account.key, query, body);
    if (sent.status !== 200) throw new Error(`a profile was answered ${JSON.stringify(sent)}`);
    return String(sent.body.profile_id);
  };
  const profileId = await send("cpu", 40, namedProfile(name));
  await send("cpu", 10, namedProfile(name));
  await send("goroutine", 10, recordedProfile("checkout", "goroutine"));
  const request = { timestamp: Date.now() - minuteMs, duration: 0.1, status_code: 503, method: "GET" };
  const requests = [{ ...request, path: `/${name}`, request_id: name, user_agent: name }];
  const status = await sendRequests(url, account.key, service, requests);
  if (status !== 200) throw new Error(`requests were answered ${status}`);
  await analyse(url, account, profileId);
  return profileId;
}

/** The profile whose functions, files, mappings, and keys and values of labels begin with the name. */
function namedProfile(name: string): Buffer {
  const read = readProfile(gunzipSync(recordedFile("go1.26/cpu.pb.gz")));
  if (!read.ok) throw new Error(read.error.message);
  const { stringIds: _, drops: __, ...profile } = read.profile;
  const strings = profile.strings.map((text) => (text === "" ? text : name + text));
  return gzipSync(writeProfile({ ...profile, strings }));
}

/** A colleague with the name joins. Returns the path of another invitation, which stays usable. */
async function inviteNamed(call: Caller, name: string): Promise<string> {
  const invite = async () => {
    const body = { role: "viewer", expires_in_days: 7 };
    return new URL((await call("POST", `${protectedPath}/organization/invitations`, body)).url).pathname;
  };
  const token = (await invite()).split("/").at(-1) ?? "";
  await call("POST", "/auth/register", {
    email: `named-${crypto.randomUUID()}@example.com`,
    password: crypto.randomUUID(),
    first_name: name.slice(0, 100),
    last_name: name.slice(0, 100),
    invitation: token,
  });
  return invite();
}

interface Ids {
  readonly profileId: string;
  readonly projectId: string;
  /** The id of a project that is a group of services. */
  readonly groupId: string;
  readonly dashboardId: string;
}

interface Paths {
  readonly shared: string;
  readonly invitation: string;
}

function addressesOf(name: string, service: string, ids: Ids, paths: Paths) {
  const { profileId, projectId, groupId, dashboardId } = ids;
  const inText = encodeURIComponent(name);
  const servicePage = `/profiles/service/${service}`;
  return {
    ...addressesForStrangers(inText, paths),
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
    "/compare/services": [
      `/compare/services?range=1h&service=${service}&project=${groupId}`,
      `/compare/services?range=1h&service=${service}&service=${inText}`,
      `/compare/services?range=1h&service=${service}&other=${groupId}/service/${inText}`,
    ],
    "/cpu-profiles": ["/cpu-profiles?range=1h"],
    "/memory-profiles": ["/memory-profiles?range=1h"],
    "/goroutine-profiles": ["/goroutine-profiles?range=1h"],
    "/alerts": ["/alerts", `/alerts?incident=${alertReply().alerts[0].incident_id}`],
    "/findings": ["/findings", `/findings?service=${inText}`],
    "/senders": ["/senders", `/senders?service=${service}`, `/senders?q=${inText}&service=${inText}`],
    "/dashboards": ["/dashboards"],
    "/dashboards/{dashboardId}": [`/dashboards/${dashboardId}`, `/dashboards/${inText}`],
    "/projects": ["/projects"],
    "/projects/{projectId}": [`/projects/${groupId}?range=1h`, `/projects/${projectId}`],
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
}

function addressesForStrangers(inText: string, { shared, invitation }: Paths) {
  return {
    "/": ["/"],
    "/login": [`/login?return_to=/${inText}`],
    "/register": [`/register?invitation=${inText}`],
    "/forgot-password": ["/forgot-password"],
    "/reset-password": [`/reset-password?token=${inText}`],
    "/single-sign-on": [`/single-sign-on?error=${inText}&code=${inText}`],
    "/second-factor": ["/second-factor"],
    "/open": ["/open"],
    "/verify-email": [`/verify-email?token=${inText}`],
    "/invite/{token}": [invitation, `/invite/${inText}`],
    "/shared/{token}": [shared, `/shared/${inText}`],
  };
}

/** Replaces the alerts of the page's organization: an alert as the server replies with it for such functions, and its incident. */
export async function replyWithNamedAlerts(page: Page, name: string, service: string): Promise<void> {
  const reply = alertReply();
  const culprit = { name, file: name, line: 1, share: 0.9 };
  const acknowledged = { by: name, at: new Date() };
  const alert = { ...reply.alerts[0], service, functions: [], culprit, acknowledged };
  const { list, alone } = incidentReplies(alert);
  const assignee = { user_id: reply.alerts[0].incident_id, name, at: new Date() };
  const comments = alone.comments.map((comment) => ({ ...comment, by: name, text: name }));
  const incident = { incident: { ...alone.incident, assignee }, comments };
  const alerts = { ...reply, alerts: [alert] };
  for (const [call, data] of [
    [/\/api\/v1\/protected\/alerts\?/, alerts],
    [/\/api\/v1\/protected\/incidents\?/, list],
    [/\/api\/v1\/protected\/incidents\/c4a7/, incident],
  ] as const) {
    const replied = await holdCall(page, call, { empty: undefined, data });
    replied.answer("data");
  }
}
