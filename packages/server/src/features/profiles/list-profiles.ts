import type { listProfiles, ProfileList, StoredType } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import type { z } from "zod";
import type { Context, DemoActor, UserActor } from "#context";
import { invalid } from "#failure";
import { sinceMinuteMs } from "#http/query/time-range.ts";
import type { LruCache } from "#store/lru.ts";
import { countsByType } from "#store/profiles/service-totals.ts";
import { countsByDisplayType, wallProfilesByService } from "#store/profiles/wall-profiles.ts";
import { fromCursor, type PageEnd, toCursor } from "./cursor.ts";
import { newest } from "./newest.ts";
import { toProfile } from "./present.ts";
import { profilePage, type TypeFilter } from "./queries.ts";

type Query = z.output<(typeof listProfiles)["query"]>;

type Counts = ReadonlyMap<string, number>;
/** What was counted last, by what was asked: how far back to look for a page without waiting for the counts. */
export type LastCounts = LruCache<Counts>;

const noWall: Counts = new Map();
/** Behind every id, so that a page without a cursor begins with the newest profile. */
const afterEveryId = "g";

/** One page of the organization's profiles, newest first, and the counts by type of the whole range. */
export async function listProfilesOf(
  ctx: Context,
  { orgId }: UserActor | DemoActor,
  query: Query,
  lastCounts: LastCounts,
): Promise<ProfileList> {
  if (query.profileId !== undefined) return onlyProfile(ctx, orgId, query.profileId);
  const service = query.service ?? "";
  // Whole minutes: the list and the counts, which are kept by minute, then speak of the same profiles.
  const now = ctx.now();
  const sinceMs = sinceMinuteMs(query.since, now.getTime());
  const asked = `${orgId} ${query.since} ${service}`;
  const counting = countsByType(ctx.columns, { orgId, sinceMs, now, service });
  const countingWall = counting.then((counts) =>
    counts.has("custom") ? wallProfilesByService(ctx.columns, { orgId, sinceMs, service }) : noWall,
  );
  // It is awaited only after other answers, and a failure of those is reported first.
  countingWall.catch(() => undefined);
  const likely = lastCounts.get(asked) ?? (await counting);
  const wanted = { ...pageStart(now, query.cursor), limit: query.limit + 1 };
  const types = typeFilterOf(query);
  const range = {
    fromMs: sinceMs,
    untilMs: Math.min(wanted.beforeMs, now.getTime()),
    expected: query.q === undefined && types.wall === "any" ? expectedRows(likely, types.type) : 0,
    limit: wanted.limit,
  };
  const filter = { service, ...types, search: query.q?.trim() ?? "" };
  const read = (fromMs: number) =>
    ctx.columns.query(profilePage, { orgId, sinceMs: fromMs, ...wanted, ...filter });
  const reading = ctx.profiles.listAndCache(orgId, () => newest(read, range));
  const [counts, wall, rows] = await Promise.all([counting, countingWall, reading]);
  lastCounts.set(asked, counts, 1);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    profiles: page.map(toProfile),
    next_cursor:
      rows.length > page.length && last !== undefined
        ? toCursor({ startedAtMs: last.started_at.getTime(), profileId: last.profile_id })
        : null,
    counts_by_type: Object.fromEntries(counts as ReadonlyMap<StoredType, number>),
    counts_by_display_type: countsByDisplayType(counts, sumOf(wall)),
  };
}

/** `type=custom` includes the wall-clock profiles, which are stored as custom; `display_type=custom` does not. */
function typeFilterOf({ type, display_type: shown }: Query): TypeFilter {
  if (type !== undefined && shown !== undefined) throw invalid("Give type or display_type, not both.");
  if (type === "wall" || shown === "wall") return { type: "custom", wall: "only" };
  return { type: type ?? shown ?? "", wall: shown === "custom" ? "without" : "any" };
}

function expectedRows(counts: Counts, type: string): number {
  return type === "" ? sumOf(counts) : (counts.get(type) ?? 0);
}

function sumOf(counts: Counts): number {
  return [...counts.values()].reduce((sum, profiles) => sum + profiles, 0);
}

function pageStart(now: Date, cursor: string | undefined): { beforeMs: number; beforeId: string } {
  // A day ahead: clocks of senders may run fast, and what was accepted is shown.
  const end: PageEnd =
    cursor === undefined
      ? { startedAtMs: now.getTime() + dayMs, profileId: afterEveryId }
      : fromCursor(cursor);
  return { beforeMs: end.startedAtMs, beforeId: end.profileId };
}

async function onlyProfile(ctx: Context, orgId: string, profileId: string): Promise<ProfileList> {
  const row = await ctx.profiles.find(orgId, profileId);
  const profiles = row === undefined ? [] : [toProfile(row)];
  return {
    profiles,
    next_cursor: null,
    counts_by_type: Object.fromEntries(profiles.map((profile) => [profile.type, 1])),
    counts_by_display_type: Object.fromEntries(profiles.map((profile) => [profile.display_type, 1])),
  };
}
