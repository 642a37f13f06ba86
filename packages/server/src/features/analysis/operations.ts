import { hash } from "node:crypto";
import type * as calls from "@flamekeep/contract";
import {
  type Analysis,
  type AnalysisOptions,
  type AnalysisProvider,
  type DisplayType,
  displayTypeOf,
  type InputOf,
  namedSampleType,
  type ProfileType,
  storedTypeOf,
} from "@flamekeep/contract";
import type { Actor, Context } from "#context";
import { Failure, unprocessable } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { momentMs, rangeOf, separateMinutes, toWholeMinutes } from "#http/query/time-range.ts";
import { readRangeContent } from "#stacks/ranges/merge-range.ts";
import { toAnalysis } from "./present.ts";
import { enqueue, type NewAnalysis } from "./queue/enqueue.ts";
import { toMergeRange } from "./ranges/read-range.ts";
import {
  analysesOfProfile,
  analysesOfRanges,
  feedbackOf,
  latestOfService,
  readAnalysis,
} from "./store/queries.ts";
import type { AnalysedRange, AnalysisRow, AnalysisSubject } from "./store/stored-analysis.ts";

export async function startProfileAnalysis(
  ctx: Context,
  actor: Actor,
  { id, ...options }: InputOf<typeof calls.analyzeProfile>,
): Promise<Analysis> {
  const profile = await ctx.profiles.read(actor.orgId, id);
  if (profile.type === "metrics") {
    throw unprocessable(
      "A batch of HTTP metrics has no stacks to analyze. Choose a profile of another type.",
    );
  }
  const end = profile.started_at.getTime() + Number(profile.duration_ns / 1_000_000n);
  return start(ctx, actor, options, {
    service: profile.service,
    type: profile.type,
    displayType: displayTypeOf(profile.type, profile.sample_types),
    profileId: id,
    subject: {},
    subjectFrom: profile.started_at.toISOString(),
    subjectTo: new Date(end).toISOString(),
  });
}

type RangeRequest = InputOf<typeof calls.analyzeService>;

export async function startRangeAnalysis(
  ctx: Context,
  actor: Actor,
  { service, from, to, type: displayType, tags, baseline, ...options }: RangeRequest,
): Promise<Analysis> {
  const type = storedTypeOf(displayType);
  const spans = spansOf(ctx, { range: { from, to }, baseline }, tags);
  for (const span of [spans.range, spans.baseline]) {
    if (span !== undefined) await refuseEmpty(ctx, { orgId: actor.orgId, service, type, displayType, span });
  }
  return start(ctx, actor, options, {
    service,
    type,
    displayType,
    profileId: null,
    subject: spans.baseline === undefined ? { range: spans.range } : { ...spans, baseline: spans.baseline },
    subjectFrom: new Date(spans.range.fromMs).toISOString(),
    subjectTo: new Date(spans.range.toMs).toISOString(),
  });
}

interface Moments {
  readonly from: string;
  readonly to: string;
}

function spansOf(
  { now }: Context,
  { range, baseline }: { readonly range: Moments; readonly baseline: Moments | undefined },
  tags: Record<string, string>,
): { readonly range: AnalysedRange; readonly baseline: AnalysedRange | undefined } {
  const spanOf = (moments: Moments) => rangeOf(moments, now());
  if (baseline === undefined) return { range: { ...toWholeMinutes(spanOf(range)), tags }, baseline };
  const [before, after] = separateMinutes(spanOf(baseline), spanOf(range));
  return { range: { ...after, tags }, baseline: { ...before, tags } };
}

interface RangeOfProfiles {
  readonly orgId: string;
  readonly service: string;
  readonly type: ProfileType;
  readonly displayType: DisplayType;
  readonly span: AnalysedRange;
}

async function refuseEmpty(
  ctx: Context,
  { orgId, service, type, displayType, span }: RangeOfProfiles,
): Promise<void> {
  const content = await readRangeContent(
    ctx,
    toMergeRange({ orgId, service, type }, span),
    namedSampleType(displayType),
  );
  if (content.profiles > 0) return;
  throw unprocessable(`${service} has no ${displayType} profiles in this range. Choose another range.`);
}

/** The profile or the ranges to analyse. */
type AnalysedSubject = Pick<
  NewAnalysis,
  "service" | "type" | "displayType" | "profileId" | "subjectFrom" | "subjectTo"
> & { readonly subject: AnalysisSubject };

async function start(
  ctx: Context,
  actor: Actor,
  options: AnalysisOptions,
  { subject, ...analysed }: AnalysedSubject,
): Promise<Analysis> {
  const provider = providerFor(ctx, actor, options);
  const { model = null } = ctx.config.llm;
  const analyser = { provider, model: provider === "builtin" ? null : model };
  const row = await enqueue(ctx, {
    ...analysed,
    ...analyser,
    orgId: actor.orgId,
    subject: JSON.stringify(subject),
    options: JSON.stringify(options),
    requestKey: requestKeyOf({ ...analysed, ...analyser, subject }, options),
    createdBy: actor.kind === "user" ? actor.userId : null,
  });
  ctx.log.info(
    { orgId: actor.orgId, analysisId: row.id, service: row.service, provider },
    "analysis requested",
  );
  return present(ctx, actor, row);
}

/** The demo never spends money on a language model. */
function providerFor(ctx: Context, actor: Actor, options: AnalysisOptions): AnalysisProvider {
  const isDemo = actor.kind === "demo" || actor.orgId === ctx.demo?.orgId;
  return isDemo || options.analyzer === "builtin" ? "builtin" : ctx.config.llm.provider;
}

/** The same for requests that ask for the same, whatever the order of their focus areas. */
function requestKeyOf(request: object, options: AnalysisOptions): string {
  const sorted = { ...options, focus_areas: [...new Set(options.focus_areas)].sort() };
  return hash("sha256", JSON.stringify([request, sorted]), "hex");
}

export async function getAnalysis(
  ctx: Context,
  actor: Actor,
  { id }: InputOf<typeof calls.getAnalysis>,
): Promise<Analysis> {
  return present(ctx, actor, await readAnalysis(ctx.rows, actor.orgId, id));
}

export async function listProfileAnalyses(
  ctx: Context,
  actor: Actor,
  { id, limit, without }: InputOf<typeof calls.listProfileAnalyses>,
): Promise<{ analyses: Analysis[] }> {
  const rows = await analysesOfProfile(ctx.rows, { orgId: actor.orgId, profileId: id, limit });
  if (rows.length === 0 && without === "not_found") {
    throw new Failure("not_found", "This profile has no analyses");
  }
  return { analyses: await presentAll(ctx, actor, rows) };
}

export async function listServiceAnalyses(
  ctx: Context,
  actor: Actor,
  { service, type, from, to, limit }: InputOf<typeof calls.listServiceAnalyses>,
): Promise<{ analyses: Analysis[] }> {
  const at = (moment: string | undefined) =>
    moment === undefined ? undefined : new Date(momentMs(moment, ctx.now().getTime())).toISOString();
  const filter = { orgId: actor.orgId, service, displayType: type, from: at(from), to: at(to), limit };
  return { analyses: await presentAll(ctx, actor, await analysesOfRanges(ctx.rows, filter)) };
}

export const latestAnalyses: Operation<typeof calls.latestAnalyses> = async (
  ctx,
  actor,
  { service, without },
) => {
  const rows = await latestOfService(ctx.rows, actor.orgId, service);
  if (rows.length === 0 && without === "not_found") {
    throw new Failure("not_found", `The service ${service} has no analyses`);
  }
  const analyses = await presentAll(ctx, actor, rows);
  return {
    service,
    latest_analyses: Object.fromEntries(analyses.map((each) => [each.display_type, each])),
  };
};

export async function present(ctx: Context, actor: Actor, row: AnalysisRow): Promise<Analysis> {
  const [analysis] = await presentAll(ctx, actor, [row]);
  return analysis!;
}

async function presentAll(ctx: Context, actor: Actor, rows: readonly AnalysisRow[]): Promise<Analysis[]> {
  const services = rows.map(({ service }) => service);
  const feedback = await feedbackOf(ctx.rows, actor.orgId, services);
  const canAsk = mayAsk(ctx, actor);
  return rows.map((row) => toAnalysis(row, { feedback, canAsk: canAsk && row.status === "completed" }));
}

/** Questions cost money: viewers and the demo may not ask. */
function mayAsk({ config, demo }: Context, actor: Actor): boolean {
  if (config.llm.provider === "builtin" || actor.orgId === demo?.orgId) return false;
  return actor.kind === "user" && actor.role !== "viewer";
}
