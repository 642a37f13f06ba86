import { hash } from "node:crypto";
import {
  type ComparisonUnit,
  type flameGraphDiff,
  flameGraphDiffContentType,
  type InputOf,
} from "@flamekeep/contract";
import type { Normalisation } from "@flamekeep/flame/compare";
import type { Actor, Context } from "#context";
import { unprocessable } from "#failure";
import { orUnprocessable } from "#flame-graph/reply/drawing-errors.ts";
import { cacheHeaders, partTag } from "#flame-graph/reply/entity-tag.ts";
import { comparisonFormOf, type FlameGraphReply } from "#flame-graph/reply/form.ts";
import type { GraphContext } from "#flame-graph/reply/graph-cache.ts";
import { graphPartOf } from "#flame-graph/reply/graph-part.ts";
import type { Caller } from "#http/endpoint/caller.ts";
import { hasLabels } from "#http/query/label-filter.ts";
import { isNamed } from "#http/reply/reply.ts";
import { taskFile } from "#stacks/pool.ts";
import { isAveraged } from "#stacks/ranges/merge-range.ts";
import { withDefinitions } from "#stacks/ranges/with-definitions.ts";
import { type MeasuredSide, normalisationsOf } from "#stacks/traffic/normalisation.ts";
import {
  type ProfiledRequests,
  profiledRequests,
  readTraffic,
  type Traffic,
} from "#stacks/traffic/traffic.ts";
import {
  commonTypes,
  cpuNsOf,
  identityOf,
  readContent,
  readStacksOf,
  type SideContent,
  type SideStacks,
  sideMeta,
} from "./content.ts";
import { readSides, type Side, type SideName, type Sides } from "./side.ts";
import type * as tasks from "./tasks.ts";
import type { ComparisonTask } from "./tasks.ts";

const diffTasks = taskFile<typeof tasks>(new URL("./tasks.ts", import.meta.url));

type DiffQuery = InputOf<typeof flameGraphDiff>;

/** The comparison of two ranges or profiles. */
export async function getFlameGraphDiff(
  ctx: GraphContext,
  { orgId }: Pick<Actor, "orgId">,
  query: DiffQuery,
  { headers }: Pick<Caller, "headers">,
): Promise<FlameGraphReply> {
  const removals = ctx.columns.removalVersion();
  const form = comparisonFormOf(headers, flameGraphDiffContentType);
  const part = graphPartOf(query, form);
  const sides = await readSides(ctx, orgId, query);
  const replyHeaders = ({ meta }: Plan) => cacheHeaders(`"${meta.hash}-${partTag(part)}"`);
  let plan = await planOf(ctx, orgId, sides, query);
  const current = replyHeaders(plan);
  if (isNamed(current.etag, headers["if-none-match"])) return { bytes: undefined, form, headers: current };
  const found = ctx.graphCache.get(orgId, current.etag);
  if (found !== undefined) return { bytes: found, form, headers: current };
  let { stacks, isCurrent } = await bothStacks(ctx, plan);
  if (!isCurrent) {
    plan = await planOf(ctx, orgId, sides, query);
    ({ stacks } = await bothStacks(ctx, plan));
  }
  const columns = stacks.flatMap((side) => (side.kind === "stored" ? [side.column] : []));
  const [before, after] = stacks.map((side) => (side.kind === "stored" ? { kind: side.kind } : side));
  const task = { meta: plan.meta, before: before!, after: after!, ...part };
  const bytes = await withDefinitions(ctx.columns, { orgId, ...timeOf(sides), columns }, (stored) =>
    orUnprocessable(part.root, ctx.decoders.open(diffTasks, "drawComparison", { ...task, stored })),
  );
  const drawnHeaders = replyHeaders(plan);
  ctx.graphCache.set(orgId, drawnHeaders.etag, bytes, removals);
  return { bytes, form, headers: drawnHeaders };
}

interface Plan {
  readonly before: SideContent;
  readonly after: SideContent;
  readonly sampleType: string;
  readonly meta: ComparisonTask["meta"];
}

/** Everything of the reply but the stacks. */
async function planOf(ctx: Context, orgId: string, sides: Sides, { per }: DiffQuery): Promise<Plan> {
  const [before, after, requestsBefore, requestsAfter] = await Promise.all([
    readContent(ctx, sides.before),
    readContent(ctx, sides.after),
    readSideTraffic(ctx, sides.before, "before"),
    readSideTraffic(ctx, sides.after, "after"),
  ]);
  const { sampleType, sampleTypes } = commonTypes(sides, before, after);
  const [first, second] = [sideMeta(before, sampleType), sideMeta(after, sampleType)];
  const isGauge = isAveraged(sampleType);
  const meta = {
    type: sides.type,
    sampleTypes,
    aggregation: isGauge ? ("mean" as const) : ("sum" as const),
    before: first,
    after: second,
    ...orderedNormalisations(
      { ...first, requests: requestsBefore, cpuNs: cpuNsOf(before) },
      { ...second, requests: requestsAfter, cpuNs: cpuNsOf(after) },
      { isGauge, per },
    ),
  };
  const values = [identityOf(before, sampleType), identityOf(after, sampleType)];
  const identity = JSON.stringify([orgId, meta, sampleType, values]);
  return {
    before,
    after,
    sampleType,
    meta: { ...meta, hash: hash("sha256", identity, "hex").slice(0, 32) },
  };
}

interface BothStacks {
  readonly stacks: readonly SideStacks[];
  /** False if a profile was stored after the totals were read. */
  readonly isCurrent: boolean;
}

async function bothStacks(ctx: Context, { before, after, sampleType }: Plan): Promise<BothStacks> {
  const both = await Promise.all([
    readStacksOf(ctx, before, sampleType),
    readStacksOf(ctx, after, sampleType),
  ]);
  return { stacks: both.map(({ stacks }) => stacks), isCurrent: both.every(({ isCurrent }) => isCurrent) };
}

/** The time that the ranges of the sides span, whose days have the definitions of their stacks. Profiles have their own definitions. */
function timeOf({ before, after }: Sides): { readonly fromMs: number; readonly toMs: number } {
  const ranges = [before, after].flatMap((side) => (side.kind === "range" ? [side.range] : []));
  if (ranges.length === 0) return { fromMs: 0, toMs: 0 };
  return {
    fromMs: Math.min(...ranges.map(({ from }) => from.getTime())),
    toMs: Math.max(...ranges.map(({ to }) => to.getTime())),
  };
}

interface Measured extends Omit<MeasuredSide, "requests"> {
  readonly requests: SideTraffic;
  /** CPU time of the side; undefined of other profile types. */
  readonly cpuNs: number | undefined;
}

interface Requested {
  readonly isGauge: boolean;
  readonly per: ComparisonUnit | undefined;
}

interface Normalisations {
  readonly normalisations: readonly [Normalisation, ...Normalisation[]];
  readonly noRequests: string | null;
}

/** The normalisations that both sides allow, the requested one first. Throws `unprocessable` if they do not allow that one. */
function orderedNormalisations(
  before: Measured,
  after: Measured,
  { isGauge, per }: Requested,
): Normalisations {
  const noRequests = isGauge ? gaugeReason : (missingRequests(before) ?? missingRequests(after));
  const possible = normalisationsOf(withRequests(before), withRequests(after), isGauge);
  const first = per === undefined ? possible[0] : possible.find((each) => each.per === per);
  if (first === undefined) throw unprocessable(refusalOf(per, noRequests));
  return { normalisations: [first, ...possible.filter((each) => each !== first)], noRequests };
}

const gaugeReason = "gauges cannot be divided by requests";

function missingRequests(side: Measured): string | null {
  const requests = requestsOf(side);
  return requests.ok ? null : requests.reason;
}

function withRequests(side: Measured): MeasuredSide {
  const requests = requestsOf(side);
  return { ...side, requests: requests.ok ? requests.requests : undefined };
}

function requestsOf({ requests, ...side }: Measured): ProfiledRequests {
  return requests.ok ? profiledRequests(requests.traffic, side) : requests;
}

function refusalOf(per: ComparisonUnit | undefined, noRequests: string | null): string {
  if (per === "request")
    return `Values per request are not available: ${noRequests ?? "the profiles have no duration"}`;
  return "Values per second are not available: these are gauges, or the profiles have no duration";
}

/** The HTTP requests of a side, or the reason why they are not known. */
type SideTraffic =
  | { readonly ok: true; readonly traffic: Traffic }
  | { readonly ok: false; readonly reason: string };

async function readSideTraffic(ctx: Context, side: Side, name: SideName): Promise<SideTraffic> {
  if (side.kind === "profile")
    return unknown("requests are counted for the whole service, and a single profile is of one instance");
  if (side.range.tagNames.length > 0)
    return unknown("requests are counted for the whole service, not for profiles with a tag");
  if (hasLabels(side.range.labels))
    return unknown("requests are counted for the whole service, not for samples with a label");
  const { orgId, service, type, from, to } = side.range;
  const traffic = await readTraffic(ctx.columns, { orgId, service, type, from, to });
  if (traffic !== undefined) return { ok: true, traffic };
  return unknown(`${service} sent no HTTP metrics in the ${name === "before" ? "first" : "second"} range`);
}

function unknown(reason: string): SideTraffic {
  return { ok: false, reason };
}
