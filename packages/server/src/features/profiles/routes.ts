import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { InputOf, Profile, ProfileList, ProfileOrder, StoredType } from "@flamekeep/contract";
import * as calls from "@flamekeep/contract";
import { type Kind, readerOf, sniff } from "@flamekeep/profile";
import type { FastifyInstance } from "fastify";
import type { Actor, Context } from "#context";
import { Failure, invalid } from "#failure";
import { serve } from "#http/endpoint/serve.ts";
import { tagFilterOf } from "#http/query/tag-filter.ts";
import { listedRange } from "#http/query/time-range.ts";
import { FileReply } from "#http/reply/reply.ts";
import { compressionOf, inflatedHead } from "#stacks/inflate.ts";
import { LruCache } from "#store/lru.ts";
import { readStoredPayload } from "#store/payloads/read-payload.ts";
import type { ProfileRow } from "#store/profiles/profile-row.ts";
import { countsByDisplayType, filterOf } from "#store/profiles/separate-types.ts";
import type { TypeCounts } from "#store/profiles/service-totals.ts";
import { getNeighbours } from "./neighbours.ts";
import { countProfiles, findNewest, fromCursor, type PageEnd, sumOf, toCursor } from "./page.ts";
import { toProfile } from "./present.ts";
import { type PageFilter, profilePage, rankedPage } from "./queries.ts";
import { listServices, type ServicesContext } from "./services.ts";

export function registerProfiles(app: FastifyInstance, ctx: ServicesContext): void {
  const lastCounts: LastCounts = new LruCache(1000);
  for (const call of [calls.listProfiles, calls.listServiceProfiles])
    serve(app, { ...ctx, lastCounts }, call, listProfiles);
  serve(app, ctx, calls.getProfile, getProfile);
  serve(app, ctx, calls.profileNeighbours, getNeighbours);
  serve(app, ctx, calls.downloadProfile, downloadProfile);
  serve(app, ctx, calls.listServices, listServices);
}

type Query = InputOf<typeof calls.listProfiles>;

/** The last counts of each query: they tell how far back a page reaches, without waiting for the current counts. */
type LastCounts = LruCache<TypeCounts>;

/** Sorts before every id, so that a page without a cursor begins with the newest profile before the end of the range. */
const beforeEveryId = "";

/** One page of the organization's profiles, in the requested order, and the counts by type of the whole range. */
async function listProfiles(
  ctx: Context & { readonly lastCounts: LastCounts },
  { orgId }: Actor,
  query: Query,
): Promise<ProfileList> {
  if (query.profileId !== undefined) return onlyProfile(ctx, orgId, query.profileId);
  const service = query.service ?? "";
  // A whole minute, so that the list and the counts, which are stored by minute, are of the same profiles.
  const now = ctx.now();
  const { fromMs, toMs } = listedRange(query, now);
  const tags = tagFilterOf(query);
  const queryKey = JSON.stringify([orgId, query.since ?? query.from, query.to, service, tags]);
  const { counting, countingSeparate } = countProfiles(ctx, { orgId, fromMs, toMs, now, service, ...tags });
  // Awaited only after other promises, whose failures are reported first.
  countingSeparate.catch(() => undefined);
  const likely = ctx.lastCounts.get(queryKey) ?? (await counting);
  const types = typeFilterOf(query);
  const filter = { service, ...types, ...tags, search: query.q?.trim() ?? "" };
  const { order, cursor } = query;
  const limit = query.limit + 1;
  const readPage = () => {
    if (order !== "newest")
      return ctx.columns.query(rankedPage, {
        orgId,
        fromMs,
        toMs,
        order,
        ...rankedStart(cursor),
        limit,
        ...filter,
      });
    const start = pageStart(toMs, cursor);
    const untilMs = Math.min(start.beforeMs, now.getTime(), likely.latestMs);
    const expected = query.q === undefined && isWholeType(types) ? expectedRows(likely.byType, types) : 0;
    const read = (sinceMs: number) =>
      ctx.columns.query(profilePage, { orgId, sinceMs, ...start, limit, ...filter });
    return findNewest(read, { fromMs, untilMs, expected, limit });
  };
  const reading = ctx.profiles.listAndCache(orgId, readPage);
  const [counts, separate, rows] = await Promise.all([counting, countingSeparate, reading]);
  ctx.lastCounts.set(queryKey, counts, 1);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    profiles: page.map(toProfile),
    next_cursor: rows.length > page.length && last !== undefined ? toCursor(endOf(last, order)) : null,
    counts_by_type: Object.fromEntries(counts.byType as ReadonlyMap<StoredType, number>),
    counts_by_display_type: countsByDisplayType(counts.byType, separate),
  };
}

type One = InputOf<typeof calls.getProfile>;

const compress = promisify(gzip);

async function getProfile(ctx: Context, { orgId }: Actor, { id }: One): Promise<Profile> {
  return toProfile(await ctx.profiles.read(orgId, id));
}

async function downloadProfile(ctx: Context, { orgId }: Actor, { id }: One): Promise<FileReply> {
  const row = await ctx.profiles.read(orgId, id);
  if (row.type === "metrics") throw hasNoFile(id);
  const { bytes, rebuilt } = await readStoredPayload(ctx.payloads, orgId, id);
  const file =
    rebuilt === undefined
      ? { bytes, name: await fileNameOf(row, bytes) }
      : { bytes: await compress(bytes), name: `${row.type}-${id.slice(0, 12)}.rebuilt.pb.gz` };
  return new FileReply("application/octet-stream", file.bytes, {
    headers: {
      "content-disposition": `attachment; filename="${file.name}"`,
      ...(rebuilt !== undefined && { [calls.rebuiltHeader]: calls.rebuiltNote }),
    },
  });
}

function hasNoFile(profileId: string): Failure {
  const message = `Profile ${profileId} is a batch of HTTP metrics without a file to download. See the HTTP metrics of its service.`;
  return new Failure("not_found", message);
}

/** `type=custom` includes the profiles of separate types, which are stored as custom; `display_type=custom` does not. */
function typeFilterOf({ type, display_type: displayType, include_metrics }: Query): PageFilter {
  if (type !== undefined && displayType !== undefined) throw invalid("Give type or display_type, not both.");
  const filter = filterOf(type ?? displayType);
  return {
    ...filter,
    ...(type === "custom" && { otherMarks: [] }),
    metrics: include_metrics ? "with" : "without",
  };
}

/** Whether counts by type say how many profiles match. */
function isWholeType({ marks, otherMarks }: PageFilter): boolean {
  return marks.length === 0 && otherMarks.length === 0;
}

function expectedRows(counts: TypeCounts["byType"], { type, metrics }: PageFilter): number {
  if (type !== "") return counts.get(type) ?? 0;
  return sumOf(counts) - (metrics === "with" ? 0 : (counts.get("metrics") ?? 0));
}

/** Where a page ends: at the cursor, or at the end of the range, which the cursor of another range may be after. */
function pageStart(toMs: number, cursor: string | undefined): { beforeMs: number; beforeId: string } {
  const end = cursor === undefined ? undefined : fromCursor(cursor, false);
  if (end === undefined || end.startedAtMs >= toMs) return { beforeMs: toMs, beforeId: beforeEveryId };
  return { beforeMs: end.startedAtMs, beforeId: end.profileId };
}

/** Where a page by another order begins: after its cursor, or with the largest value. */
function rankedStart(cursor: string | undefined): { afterRank: number; afterMs: number; afterId: string } {
  if (cursor === undefined)
    return { afterRank: Number.MAX_SAFE_INTEGER, afterMs: Number.MAX_SAFE_INTEGER, afterId: "" };
  const { rank, startedAtMs, profileId } = fromCursor(cursor, true);
  return { afterRank: rank!, afterMs: startedAtMs, afterId: profileId };
}

function endOf(row: ProfileRow, order: ProfileOrder): PageEnd {
  const end = { startedAtMs: row.started_at.getTime(), profileId: row.profile_id };
  return order === "newest" ? end : { ...end, rank: ranks[order](row) };
}

/** As the query of a page computes them. */
const ranks: Record<Exclude<ProfileOrder, "newest">, (row: ProfileRow) => number> = {
  oldest: ({ started_at }) => -started_at.getTime(),
  samples: ({ sample_count }) => Math.min(sample_count, Number.MAX_SAFE_INTEGER),
  duration: ({ duration_ns }) => Math.min(Number(duration_ns), Number.MAX_SAFE_INTEGER),
};

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

/** The formats other than pprof that are no text. */
const extensions: Readonly<Partial<Record<Kind, string>>> = {
  jfr: "jfr",
  otlp: "otlp",
  otlp_framed: "otlp",
  otlp_json: "json",
  pstats: "prof",
  legacy_cpu: "prof",
  speedscope: "speedscope.json",
  cpuprofile: "cpuprofile",
  heapprofile: "heapprofile",
  chrome_trace: "json",
  firefox: "json",
  json: "json",
};
const endings = { gzip: ".gz", zstd: ".zst", lz4: ".lz4" } as const;

/** `cpu-3f9a1c07be52.pb.gz`: of the type and the id only, because service names are the sender's text. */
async function fileNameOf(
  row: Pick<ProfileRow, "type" | "profile_id">,
  payload: Uint8Array,
): Promise<string> {
  const compression = compressionOf(payload);
  const head = await inflatedHead(payload);
  const extension = readerOf(head) === undefined ? "pb" : (extensions[sniff(head)] ?? "txt");
  const ending = compression === undefined ? "" : endings[compression];
  return `${row.type}-${row.profile_id.slice(0, 12)}.${extension}${ending}`;
}
