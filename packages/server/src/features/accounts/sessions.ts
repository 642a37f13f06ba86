import { BlockList, isIP } from "node:net";
import type * as calls from "@flamekeep/contract";
import type { AccountSession, ReplyOf } from "@flamekeep/contract";
import type { Selectable } from "kysely";
import { endSession, endSessionsOf } from "#auth/sessions/session.ts";
import type { Context, DemoActor, UserActor } from "#context";
import { notFound } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { acrossOrganizations, type Database, type RowStore } from "#store/row/row-store.ts";

/** The person's sessions in all organizations. Visitors of the demo have none. */
export async function listSessions(
  ctx: Context,
  actor: UserActor | DemoActor,
): Promise<ReplyOf<typeof calls.listSessions>> {
  if (actor.kind === "demo") return { sessions: [] };
  const rows = await sessionsOf(ctx.rows, actor.userId, ctx.now());
  return { sessions: rows.map((row) => presentSession(row, actor.sessionId)) };
}

function presentSession(row: SessionRow, currentId: string): AccountSession {
  const { name, kind } = deviceOf(row.userAgent);
  return {
    id: row.id,
    device: name,
    device_kind: kind,
    address: row.address,
    place: placeOf(row.address),
    created_at: row.createdAt,
    last_used_at: row.lastUsedAt ?? row.createdAt,
    is_current: row.id === currentId,
  };
}

export const endOwnSession: Operation<typeof calls.endSession> = async (ctx, actor, { id }) => {
  if (!(await isSessionOf(ctx.rows, { userId: actor.userId, id, now: ctx.now() })))
    throw notFound("Session", id);
  await endSession(ctx, id);
  ctx.log.info({ userId: actor.userId, sessionId: id }, "session ended by its user");
  return { ended: 1 };
};

/** Ends this session too. */
export const signOutEverywhere: Operation<typeof calls.endSessions> = async (ctx, actor) => {
  const ended = await endSessionsOf(ctx, actor.userId);
  ctx.log.info({ userId: actor.userId, ended }, "all sessions ended by their user");
  return { ended };
};

// Names of browsers and systems by their marks in `User-Agent`. Several browsers also carry the marks of those after them.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(HeadlessChrome|Chromium)\//, "Chromium"],
  [/\b(Chrome|CriOS)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, "Windows"],
  [/\bAndroid\b/, "Android"],
  [/\biPad\b/, "iPadOS"],
  [/\biPhone\b/, "iOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];
const phoneSystems = ["Android", "iPadOS", "iOS"];

interface Device {
  /** For people, made of fixed texts and at most the first word of the header: anybody can send anything. */
  readonly name: string;
  readonly kind: AccountSession["device_kind"];
}

const unknown: Device = { name: "Unknown device", kind: "unknown" };

/** The device that sent this `User-Agent`. */
export function deviceOf(userAgent: string | null): Device {
  if (userAgent === null) return unknown;
  const nameIn = (names: typeof browsers) => names.find(([mark]) => mark.test(userAgent))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser === undefined && !userAgent.startsWith("Mozilla/")) {
    const program = /^[\w.-]{1,40}/.exec(userAgent)?.[0];
    return program === undefined ? unknown : { name: program, kind: "program" };
  }
  const name = browser ?? "Unknown browser";
  if (system === undefined) return { name, kind: "unknown" };
  return { name: `${name} on ${system}`, kind: phoneSystems.includes(system) ? "phone" : "computer" };
}

const machine = new BlockList();
machine.addSubnet("127.0.0.0", 8, "ipv4");
machine.addAddress("::1", "ipv6");

/** RFC 1918, shared addresses of carriers (RFC 6598), link-local and unique local addresses. */
const local = new BlockList();
for (const [network, bits] of [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
  ["169.254.0.0", 16],
] as const) {
  local.addSubnet(network, bits, "ipv4");
}
local.addSubnet("fc00::", 7, "ipv6");
local.addSubnet("fe80::", 10, "ipv6");

/** Where an address is, as far as the address itself tells. Nothing is asked from other servers. */
export function placeOf(address: string | null): AccountSession["place"] {
  const version = isIP(address ?? "");
  if (address === null || version === 0) return "unknown";
  const family = version === 4 ? "ipv4" : "ipv6";
  if (machine.check(address, family)) return "this machine";
  return local.check(address, family) ? "local network" : "internet";
}

/** Bounds the reply. Rate limits allow more sessions, but nobody has that many in practice. */
const sessionsMax = 500;

type SessionRow = Pick<
  Selectable<Database["sessions"]>,
  "id" | "userAgent" | "address" | "createdAt" | "lastUsedAt"
>;

/** The active sessions of a user, the most recently used first. */
function sessionsOf(rows: RowStore, userId: string, now: Date): Promise<SessionRow[]> {
  return acrossOrganizations(rows)
    .selectFrom("sessions")
    .select(["id", "userAgent", "address", "createdAt", "lastUsedAt"])
    .where("userId", "=", userId)
    .where("endedAt", "is", null)
    .where("expiresAt", ">", now.toISOString())
    .orderBy(({ fn }) => fn.coalesce("lastUsedAt", "createdAt"), "desc")
    .orderBy("id")
    .limit(sessionsMax)
    .execute();
}

/** Whether the session is the user's and active. */
async function isSessionOf(
  rows: RowStore,
  { userId, id, now }: { readonly userId: string; readonly id: string; readonly now: Date },
): Promise<boolean> {
  const row = await acrossOrganizations(rows)
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", id)
    .where("userId", "=", userId)
    .where("endedAt", "is", null)
    .where("expiresAt", ">", now.toISOString())
    .executeTakeFirst();
  return row !== undefined;
}
