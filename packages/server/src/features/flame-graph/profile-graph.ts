import { hash } from "node:crypto";
import type { flameGraph, InputOf } from "@flamekeep/contract";
import { z } from "zod";
import type { Actor, Context } from "#context";
import { Failure, notFound, unprocessable } from "#failure";
import { noStacks, orUnprocessable } from "#flame-graph/reply/drawing-errors.ts";
import { cacheHeaders, partTag } from "#flame-graph/reply/entity-tag.ts";
import { type FlameGraphReply, formOf } from "#flame-graph/reply/form.ts";
import { type GraphPart, graphPartOf } from "#flame-graph/reply/graph-part.ts";
import type { Caller } from "#http/endpoint/caller.ts";
import { hasLabels, labelFilterOf } from "#http/query/label-filter.ts";
import { isNamed } from "#http/reply/reply.ts";
import type { LabelSelection } from "#stacks/labelled-profile.ts";
import { taskFile } from "#stacks/pool.ts";
import { query } from "#store/column/query.ts";
import { Day } from "#store/column/values.ts";
import type { StoredPayload } from "#store/payloads/payload-store.ts";
import { type Original, readStoredPayload } from "#store/payloads/read-payload.ts";
import { dayOf } from "#store/profiles/profile-id.ts";
import { ProfileRow } from "#store/profiles/profile-row.ts";
import { sampleTypeIndex } from "#store/profiles/sample-type.ts";
import type * as tasks from "./tasks.ts";

const flameGraphTasks = taskFile<typeof tasks>(new URL("./tasks.ts", import.meta.url));

type Input = InputOf<typeof flameGraph>;

/** The flame graph of a profile. */
export async function getFlameGraph(
  ctx: Context,
  { orgId }: Pick<Actor, "orgId">,
  { id, ...query }: Input,
  { headers }: Pick<Caller, "headers">,
): Promise<FlameGraphReply> {
  const form = formOf(headers);
  const request: ProfileGraphRequest = {
    orgId,
    profileId: id,
    sampleType: query.sample_type,
    selection: selectionOf(query),
    ...graphPartOf(query, form),
  };
  const { bytes, tag } = await drawProfile(ctx, request, headers["if-none-match"]);
  // A profile never changes, so the browser may cache it; it revalidates because access may have ended.
  return { bytes, form, headers: cacheHeaders(tag) };
}

/** Undefined for all samples, without groups. */
function selectionOf(query: Omit<Input, "id">): LabelSelection | undefined {
  const labels = labelFilterOf(query.labels);
  const groupBy = query.group_by_label;
  return hasLabels(labels) || groupBy !== undefined ? { labels, groupBy } : undefined;
}

/** The flame graph of one profile that a caller requests. */
interface ProfileGraphRequest extends GraphPart {
  readonly orgId: string;
  readonly profileId: string;
  /** In the caller's spelling; undefined for the profile's main sample type. */
  readonly sampleType: string | undefined;
  /** Undefined for all samples. */
  readonly selection: LabelSelection | undefined;
}

interface TaggedGraph {
  /** Undefined if the caller has the current bytes. */
  readonly bytes: Uint8Array | undefined;
  /** Changes with the bytes. */
  readonly tag: string;
}

/**
 * The flame graph of a profile, without bytes if `ifNoneMatch` names their tag. Throws `not_found` for an unknown profile.
 *
 * Draws before it looks the profile up where the payload store knows the profile's type, because the query takes longer than
 * drawing. That is safe: payloads are removed before their rows are.
 */
async function drawProfile(
  ctx: Context,
  request: ProfileGraphRequest,
  ifNoneMatch?: string,
): Promise<TaggedGraph> {
  const { orgId, profileId } = request;
  const early = ifNoneMatch === undefined ? await drawEarly(ctx, request) : undefined;
  if (early?.drawn !== undefined) return early.drawn;
  const row = ctx.profiles.cached(orgId, profileId) ?? (await readDrawnProfile(ctx, orgId, profileId));
  if (row.type === "metrics") throw unprocessable(noStacks);
  sampleTypeIndex(row.sample_types, request.sampleType);
  const tag = tagOf(request, row.content_hash);
  if (isNamed(tag, ifNoneMatch)) return { bytes: undefined, tag };
  if (early?.failure !== undefined) throw early.failure;
  const stored = early?.stored ?? (await readStoredPayload(ctx.payloads, orgId, profileId));
  return orUnprocessable(
    request.root,
    draw(ctx, request, { type: row.type, sampleTypes: row.sample_types }, stored),
  );
}

interface EarlyDrawing {
  readonly drawn?: TaggedGraph;
  readonly stored?: StoredPayload;
  /** To throw once the row proves that the profile exists. */
  readonly failure?: Error;
}

async function drawEarly(ctx: Context, request: ProfileGraphRequest): Promise<EarlyDrawing> {
  try {
    const stored = await ctx.payloads.read(request.orgId, request.profileId);
    if (stored === undefined) return {};
    if (stored.type === undefined) return { stored };
    return { drawn: await draw(ctx, request, { type: stored.type, sampleTypes: undefined }, stored) };
  } catch (error) {
    // No such sample type or frame, or the row is needed: drawing it once more with the row tells.
    if (error instanceof RangeError) return {};
    if (isAboutThisProfile(error)) return { failure: error };
    throw error;
  }
}

/** Whether the payload cannot be read. */
function isAboutThisProfile(error: unknown): error is Error {
  return error instanceof Failure && (error.code === "damaged" || error.code === "unavailable");
}

async function draw(
  ctx: Context,
  request: ProfileGraphRequest,
  storedAs: Pick<Original, "type" | "sampleTypes">,
  { bytes: payload, rebuilt }: StoredPayload,
): Promise<TaggedGraph> {
  const { orgId: _, ...form } = request;
  const task = { ...form, ...storedAs, payload, contentHash: rebuilt?.contentHash };
  const { bytes, contentHash } = await ctx.decoders.open(flameGraphTasks, "drawFlameGraph", task);
  return { bytes, tag: tagOf(request, contentHash) };
}

function tagOf({ sampleType = "", selection, ...part }: ProfileGraphRequest, contentHash: string): string {
  const whole = `${contentHash.slice(0, 32)}-${encodeURIComponent(sampleType)}-${partTag(part)}`;
  return selection === undefined
    ? `"${whole}"`
    : `"${whole}-${hash("sha256", JSON.stringify(selection), "hex").slice(0, 32)}"`;
}

/** The columns that drawing needs: reading the whole row takes the engine a third longer. */
const drawnProfile = query({
  name: "flame-graph.profile",
  sql: `SELECT type, sample_types, content_hash
        FROM profiles
        WHERE org_id = {orgId:UUID} AND toDate(started_at) = {day:Date} AND profile_id = {profileId:String}
        LIMIT 1`,
  params: z.object({ orgId: z.uuid(), day: Day, profileId: z.string() }),
  row: ProfileRow.pick({ type: true, sample_types: true, content_hash: true }),
});

type DrawnProfile = z.output<typeof drawnProfile.row>;

/** Throws `not_found` for an unknown id and for one of another organization. */
async function readDrawnProfile(ctx: Context, orgId: string, profileId: string): Promise<DrawnProfile> {
  const day = dayOf(profileId);
  const [profile] = day === null ? [] : await ctx.columns.query(drawnProfile, { orgId, day, profileId });
  if (profile === undefined) throw notFound("Profile", profileId);
  return profile;
}
