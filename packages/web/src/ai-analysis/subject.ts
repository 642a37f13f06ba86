import {
  type Analysis,
  type AnalysisOptions,
  analyzeProfile,
  analyzeService,
  type DisplayType,
  type GraphType,
  listProfileAnalyses,
  listServiceAnalyses,
  spanMs,
} from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";

interface Range {
  readonly from: string;
  readonly to: string;
}

interface RangeSubject {
  readonly kind: "range";
  readonly service: string;
  readonly type: GraphType;
  readonly range: Range;
  readonly tags: Readonly<Record<string, string>>;
  /** The earlier range to compare with. */
  readonly baseline?: Range;
}

/** The data of an analysis: one profile, or the merged profiles of a range. */
export type Subject = { readonly kind: "profile"; readonly profileId: string } | RangeSubject;

/** The analyses of a subject, newest first. */
export function historyQuery(subject: Subject) {
  return queryOptions({
    queryKey: ["analyses", subject],
    queryFn: ({ signal }) =>
      subject.kind === "profile" ? ofProfile(subject, signal) : ofRange(subject, signal),
  });
}

async function ofProfile({ profileId: id }: Subject & { kind: "profile" }, signal: AbortSignal) {
  const query = { limit: listLimit, without: "empty" } as const;
  const reply = await call(listProfileAnalyses, { params: { id }, query, signal });
  return reply.analyses;
}

const listLimit = 20;

async function ofRange(subject: RangeSubject, signal: AbortSignal) {
  const { service, type, range } = subject;
  const query = { type: type as DisplayType, ...range, limit: listLimit };
  const { analyses } = await call(listServiceAnalyses, { params: { service }, query, signal });
  return analyses.filter((each) => isAbout(each, subject));
}

/** Whether an analysis is of these ranges and tags. A range up to now matches every analyzed range of its length. */
export function isAbout(
  { range, baseline }: Pick<Analysis, "range" | "baseline">,
  subject: RangeSubject,
): boolean {
  if (range === null || !hasSameTags(range.tags, subject.tags) || !isSpan(range, subject.range)) return false;
  if (subject.baseline === undefined || baseline === null)
    return subject.baseline === undefined && baseline === null;
  return isSpan(baseline, subject.baseline);
}

/** The server analyzes whole minutes. */
const roundingMs = minuteMs;

function isSpan(analysed: Range, wanted: Range): boolean {
  const [fromMs, toMs] = [Date.parse(analysed.from), Date.parse(analysed.to)];
  const lastMs = spanMs(wanted.from);
  if (lastMs !== undefined) {
    // The period before a range up to now has two spans: from 48 hours ago to 24 hours ago.
    const lengthMs = lastMs - (spanMs(wanted.to) ?? 0);
    return Math.abs(toMs - fromMs - lengthMs) <= roundingMs;
  }
  const isNear = (ms: number, moment: string) => Math.abs(ms - Date.parse(moment)) <= roundingMs;
  return isNear(fromMs, wanted.from) && isNear(toMs, wanted.to);
}

export function hasSameTags(
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
): boolean {
  const entries = Object.entries(a);
  return entries.length === Object.keys(b).length && entries.every(([name, value]) => b[name] === value);
}

/** Whether an analysis of the subject explains the change between two ranges. */
export function isComparison(subject: Subject): boolean {
  return subject.kind === "range" && subject.baseline !== undefined;
}

/** Starts an analysis, or returns the running one of the same subject and options. */
export function startAnalysis(subject: Subject, options: Partial<AnalysisOptions> = {}): Promise<Analysis> {
  if (subject.kind === "profile") {
    return call(analyzeProfile, { params: { id: subject.profileId }, body: options });
  }
  const { service, type, range, tags, baseline } = subject;
  return call(analyzeService, {
    params: { service },
    body: { ...range, type, tags, ...(baseline && { baseline }), ...options },
  });
}
