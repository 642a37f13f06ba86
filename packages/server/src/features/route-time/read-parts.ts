import type { HttpRoute, ProfileType, RouteTimeOfPart } from "@flamekeep/contract";
import type { Context } from "#context";
import { taskFile } from "#stacks/pool.ts";
import { readLabelValues } from "#stacks/ranges/label-values.ts";
import { type RangeContent, readRangeContent, stackTotals } from "#stacks/ranges/merge-range.ts";
import type { MergeRange } from "#stacks/ranges/requested-range.ts";
import type { StackColumn } from "#stacks/ranges/stored-stacks.ts";
import { withDefinitions } from "#stacks/ranges/with-definitions.ts";
import { profiledRequests, readTraffic } from "#stacks/traffic/traffic.ts";
import { toValueType } from "#store/profiles/profile-row.ts";
import type { LabelWithValues, RouteLabel } from "./route-label.ts";
import type * as tasks from "./tasks.ts";

const routeTasks = taskFile<typeof tasks>(new URL("./tasks.ts", import.meta.url));

/** Profiles of a service in whole minutes. */
export interface Scope {
  readonly orgId: string;
  readonly service: string;
  readonly from: Date;
  readonly to: Date;
}

type Part = Omit<RouteTimeOfPart, "part">;

const nothing: Part = {
  seconds: null,
  profile_type: null,
  profiles: 0,
  profiled_seconds: 0,
  requests: null,
  found_by: null,
  function: null,
  reason: null,
};

const noLabel = "no label of the CPU samples names this route";

function rangeOf(scope: Scope, type: ProfileType): MergeRange {
  return { ...scope, type, tagNames: [], tagValues: [] };
}

function withLabel(range: MergeRange, { name, value }: RouteLabel): MergeRange {
  return { ...range, labels: { labelNames: [name], labelValues: [value] } };
}

/** The labels of the samples of a range. */
export async function readLabels(
  ctx: Context,
  scope: Scope,
  type: ProfileType = "cpu",
): Promise<LabelWithValues[]> {
  const range = rangeOf(scope, type);
  const { sampleType } = await readRangeContent(ctx, { ...range, skipsUnrecordedLabels: true }, undefined);
  const keys = await readLabelValues(ctx.columns, { ...range, sampleType });
  return keys.map(({ key, values }) => ({ name: key, values: values.map(({ value }) => value) }));
}

/** The requests of a route, and the label of their samples; undefined if no label names the route. */
interface Subject {
  readonly scope: Scope;
  readonly route: HttpRoute;
  readonly label: RouteLabel | undefined;
}

/** The CPU time of a request. */
export async function readCpu(ctx: Context, { scope, route, label }: Subject): Promise<Part> {
  const range = rangeOf(scope, "cpu");
  const content = await readRangeContent(
    ctx,
    label === undefined ? range : withLabel(range, label),
    undefined,
  );
  if (content.profiles === 0) return { ...nothing, reason: "this range has no CPU profiles" };
  const found = { ...nothing, ...factsOf(range, content) };
  if (label === undefined) return { ...found, reason: noLabel };
  const total = Number(content.total);
  return {
    ...found,
    found_by: "label",
    ...(await perRequest(ctx, { range, content, route }, { total, isCpu: true })),
  };
}

/** The waits of a request for locks, and for everything else. */
export interface WaitParts {
  readonly lock: Part;
  readonly wait: Part;
}

/**
 * From block profiles, whose stacks wait. A range without any may have mutex profiles, whose stacks made others wait, and which know of
 * nothing but locks.
 */
export async function readWaits(ctx: Context, subject: Subject): Promise<WaitParts> {
  const block = await readWaitsOf(ctx, subject, "block");
  if (block !== undefined) return block;
  const noBlock = { ...nothing, reason: "this range has no block profiles" };
  const mutex = await readWaitsOf(ctx, subject, "mutex");
  return {
    lock: mutex?.lock ?? { ...noBlock, reason: "this range has no block or mutex profiles" },
    wait: noBlock,
  };
}

/** Undefined without profiles of the type. */
async function readWaitsOf(
  ctx: Context,
  { scope, route, label }: Subject,
  type: "block" | "mutex",
): Promise<WaitParts | undefined> {
  const range = rangeOf(scope, type);
  const whole = await readRangeContent(ctx, range, undefined);
  if (whole.profiles === 0) return undefined;
  const both = (part: Part): WaitParts => ({ lock: part, wait: part });
  const found = { ...nothing, ...factsOf(range, whole) };
  if (label === undefined) return both({ ...found, reason: noLabel });
  const samples = await samplesOf(ctx, scope, { range, whole, label });
  if (samples === undefined) return both({ ...found, reason: unlabelled(type) });
  const { columns, content, through, found_by } = samples;
  const waits = await withDefinitions(ctx.columns, { ...timesOf(scope), columns }, (stored) =>
    ctx.decoders.run(routeTasks, "waitsOfStacks", { stored, type, through }),
  );
  const part = async (total: number): Promise<Part> => ({
    ...found,
    ...factsOf(range, content),
    found_by,
    function: through ?? null,
    ...(await perRequest(ctx, { range, content, route }, { total, isCpu: false })),
  });
  const [lock, wait] = await Promise.all([part(waits.lockNs), part(waits.otherNs)]);
  return { lock, wait };
}

const unlabelled = (type: string) =>
  `the ${type} profiles have no labels, and no function is in the CPU samples of this route alone`;

interface Samples {
  readonly columns: readonly StackColumn[];
  readonly content: RangeContent;
  readonly through: string | undefined;
  readonly found_by: "label" | "function";
}

interface LabelledRange {
  readonly range: MergeRange;
  readonly whole: RangeContent;
  readonly label: RouteLabel;
}

/** The samples of the route: with its label where the profiles have that label, else all of them, with a function to recognize the route by. */
async function samplesOf(
  ctx: Context,
  scope: Scope,
  { range, whole, label }: LabelledRange,
): Promise<Samples | undefined> {
  const labels = await readLabels(ctx, scope, range.type);
  if (labels.some(({ name }) => name === label.name)) {
    const labelled = withLabel(range, label);
    const content = await readRangeContent(ctx, labelled, whole.sampleType);
    return {
      columns: [await stackTotals(ctx, labelled, content)],
      content,
      through: undefined,
      found_by: "label",
    };
  }
  const through = await functionOf(ctx, scope, label);
  if (through === undefined) return undefined;
  return { columns: [await stackTotals(ctx, range, whole)], content: whole, through, found_by: "function" };
}

/** The function that only the samples with a label have, as CPU profiles tell. */
async function functionOf(ctx: Context, scope: Scope, label: RouteLabel): Promise<string | undefined> {
  const all = rangeOf(scope, "cpu");
  const columns = await Promise.all(
    [withLabel(all, label), all].map(async (range) =>
      stackTotals(ctx, range, await readRangeContent(ctx, range, undefined)),
    ),
  );
  return withDefinitions(ctx.columns, { ...timesOf(scope), columns }, (stored) =>
    ctx.decoders.run(routeTasks, "functionOfRoute", stored),
  );
}

function timesOf({ orgId, from, to }: Scope) {
  return { orgId, fromMs: from.getTime(), toMs: to.getTime() };
}

/** Profiles without a duration count since the one before them. */
function secondsOf({ from, to }: MergeRange, { durationNs }: RangeContent): number {
  return durationNs > 0n ? Number(durationNs) / 1e9 : (to.getTime() - from.getTime()) / 1000;
}

function factsOf(range: MergeRange, content: RangeContent) {
  return {
    profile_type: range.type,
    profiles: content.profiles,
    profiled_seconds: secondsOf(range, content),
  };
}

interface Measured {
  readonly range: MergeRange;
  readonly content: RangeContent;
  readonly route: HttpRoute;
}

/** The sum over the samples of the route, divided by its requests while the profiles were taken. */
async function perRequest(
  ctx: Context,
  { range, content, route }: Measured,
  { total, isCpu }: { readonly total: number; readonly isCpu: boolean },
): Promise<Pick<Part, "seconds" | "requests" | "reason">> {
  const refused = (reason: string) => ({ seconds: null, requests: null, reason });
  if (toValueType(content.sampleType).unit !== "nanoseconds")
    return refused(`the ${range.type} profiles count samples, and no time`);
  const { orgId, service, type, from, to } = range;
  const traffic = await readTraffic(ctx.columns, { orgId, service, type, from, to }, route);
  if (traffic === undefined) return refused("no requests of this route were sent in this range");
  const durationMs = Number(content.durationNs) / 1e6;
  const profiled = profiledRequests(traffic, { durationMs, cpuNs: isCpu ? total : undefined });
  if (!profiled.ok) return refused(profiled.reason);
  const requests = durationMs > 0 ? profiled.requests : traffic.requests;
  return { seconds: total / 1e9 / requests, requests: Math.round(requests), reason: null };
}
