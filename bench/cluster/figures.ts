import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { crc32 } from "node:zlib";
import type { Period } from "./uploads.ts";

/** Every figure of an organization, by the call that shows it. The same uploads have the same figures in every installation. */
export type Figures = ReadonlyMap<string, unknown>;

export interface Reader {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Listed {
  readonly profile_id: string;
  readonly service: string;
  readonly type: string;
  readonly timestamp: string;
}

const pageSize = "1000";
const readAgainMs = 200;
const readMsMax = 30_000;
const originalsMax = 40;
const simultaneous = 4;

/** Fields that differ between two installations with the same profiles: when a reply was made, when uploads arrived, sums over ids, and pages by ids. */
const ownFields: ReadonlySet<string> = new Set([
  "generated_at",
  "received_at",
  "last_received_at",
  "clock_error_seconds",
  "created_at",
  "key_ids",
  "last_used",
  "profile_hash",
  "next_cursor",
  "since",
]);

/** Reads lists, totals, timelines, graphs, functions, HTTP metrics and original bytes as a person of the organization sees them. */
export async function figuresOf(reader: Reader, period: Period): Promise<Figures> {
  const profiles = await listProfiles(reader, period);
  const names = namesOf(profiles);
  const figures = new Map<string, unknown>([["profiles", [...names.values()].sort()]]);
  const paths = [...organizationPaths(period), ...servicePaths(profiles, period)];
  await eachOf(paths, async (path) => {
    figures.set(path, withNames(await read(reader, path), names));
  });
  await eachOf(some(profiles, names), async ({ profile_id }) => {
    const name = names.get(profile_id);
    figures.set(`stats ${name}`, withNames(await read(reader, `profile/${profile_id}/stats`), names));
    figures.set(`original bytes ${name}`, await sumOfOriginal(reader, profile_id));
  });
  return figures;
}

/** Lists of what people have made, and of alerts: their ids are the same wherever they are moved. */
export async function listsOf(reader: Reader): Promise<Figures> {
  const paths = ["alerts", "alerts/rules", "dashboards", "api-keys", "organization/members"];
  const lists = new Map<string, unknown>();
  await eachOf(paths, async (path) => {
    lists.set(path, withNames(await read(reader, path), new Map()));
  });
  return lists;
}

export async function listProfiles(reader: Reader, period: Period): Promise<readonly Listed[]> {
  const listed: Listed[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: Record<string, string> = {
      ...range(period),
      limit: pageSize,
      ...(cursor !== "" && { cursor }),
    };
    const reply = await get(reader, `profiles?${new URLSearchParams(query)}`);
    if (!reply.ok) throw new Error(`the list of profiles answered ${reply.status}: ${await reply.text()}`);
    const page = (await reply.json()) as { profiles: Listed[]; next_cursor: string | null };
    listed.push(...page.profiles);
    cursor = page.next_cursor;
  }
  return listed;
}

/** Ids contain the organization's: a profile is called after what was sent. */
function namesOf(profiles: readonly Listed[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  return new Map(
    profiles.map(({ profile_id, service, type, timestamp }) => {
      const name = `${service} ${type} ${timestamp}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return [profile_id, `${name} #${counts.get(name)}`];
    }),
  );
}

function organizationPaths(period: Period): string[] {
  const query = new URLSearchParams(range(period));
  return [
    `services?${query}&include_totals=true`,
    `summary?${query}`,
    `summary/services?${query}`,
    `services/trends?${query}`,
    `http-metrics/paths?${query}&order=requests`,
    `organization/requests?${query}`,
    `functions?${query}&q=main`,
    `functions/shared?${query}&type=cpu&q=json&limit=100`,
  ];
}

function servicePaths(profiles: readonly Listed[], period: Period): string[] {
  const query = new URLSearchParams(range(period));
  const services = [...new Set(profiles.map(({ service }) => service))].sort();
  return services.flatMap((service) => {
    const own = profiles.filter((each) => each.service === service);
    const types = [...new Set(own.map(({ type }) => type))].sort();
    return [
      `summary/service/${service}?${query}`,
      `profiles/service/${service}?${query}&limit=20`,
      `timeline/service/${service}?${query}&bucket=1m`,
      `tags/service/${service}?${query}`,
      `timeline/http/${service}?${query}&include_statuses=true`,
      `http-metrics/service/${service}?${query}`,
      `http-metrics/service/${service}/aggregated?${query}`,
      `http-metrics/service/${service}/errors?${query}`,
      ...types.filter((type) => type !== "metrics").flatMap((type) => typePaths(service, type, query)),
    ];
  });
}

const sampleTypes: Readonly<Record<string, readonly string[]>> = {
  cpu: ["cpu"],
  memory: ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"],
  mutex: ["contentions", "delay"],
  block: ["contentions", "delay"],
};

function typePaths(service: string, type: string, query: URLSearchParams): string[] {
  return [
    `timeline/service/${service}/${type}?${query}&bucket=5m`,
    ...(sampleTypes[type] ?? []).map(
      (sampleType) => `flamegraph/service/${service}/${type}?${query}&sample_type=${sampleType}`,
    ),
  ];
}

function range({ startMs, endMs }: Period): Record<string, string> {
  return { from: String(startMs), to: String(endMs) };
}

/** As many of them as are read one by one, the same ones wherever they are stored. */
function some(profiles: readonly Listed[], names: ReadonlyMap<string, string>): readonly Listed[] {
  return profiles
    .filter(({ type }) => type !== "metrics")
    .map((profile) => ({ profile, place: crc32(names.get(profile.profile_id) ?? "") }))
    .sort((a, b) => a.place - b.place)
    .slice(0, originalsMax)
    .map(({ profile }) => profile);
}

async function sumOfOriginal(reader: Reader, id: string): Promise<string> {
  const reply = await get(reader, `profile/${id}/download`);
  if (!reply.ok) return `answered ${reply.status}`;
  return createHash("sha256")
    .update(new Uint8Array(await reply.arrayBuffer()))
    .digest("hex");
}

async function read(reader: Reader, path: string): Promise<unknown> {
  const reply = await get(reader, path);
  return reply.ok ? reply.json() : `answered ${reply.status}`;
}

/** A read is answered with 503 while roll-ups are counted again, or a store starts. */
async function get({ url, headers }: Reader, path: string): Promise<Response> {
  for (const startedAt = performance.now(); ; await sleep(readAgainMs)) {
    const reply = await fetch(`${url}/api/v1/protected/${path}`, { headers });
    if (reply.status !== 503 || performance.now() - startedAt > readMsMax) return reply;
    await reply.body?.cancel();
  }
}

function withNames(reply: unknown, names: ReadonlyMap<string, string>): unknown {
  const text = JSON.stringify(reply, (key, value) => {
    if (ownFields.has(key)) return undefined;
    // Functions of the same cost have no order.
    return key === "functions" && Array.isArray(value) ? value.toSorted(byText) : value;
  });
  return JSON.parse(text, (_, value) => (typeof value === "string" ? (names.get(value) ?? value) : value));
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

async function eachOf<T>(values: readonly T[], use: (value: T) => Promise<void>): Promise<void> {
  const waiting = [...values];
  const takeNext = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await use(next);
  };
  await Promise.all(Array.from({ length: simultaneous }, takeNext));
}
