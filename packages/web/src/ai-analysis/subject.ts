import {
  type Analysis,
  type AnalysisOptions,
  analyzeProfile,
  analyzeService,
  type DisplayType,
  listProfileAnalyses,
  listServiceAnalyses,
  type ProfileType,
} from "@flamekeep/contract";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#api/call.ts";
import { CallFailure } from "#api/reply.ts";

interface Range {
  readonly from: string;
  readonly to: string;
}

/** The data of an analysis: one profile, or the merged profiles of a range. */
export type Subject =
  | { readonly kind: "profile"; readonly profileId: string }
  | {
      readonly kind: "range";
      readonly service: string;
      readonly type: ProfileType | "wall";
      readonly range: Range;
      readonly tags: Readonly<Record<string, string>>;
      /** The earlier range to compare with. */
      readonly baseline?: Range;
    };

/** The analyses of a subject, newest first. */
export function historyQuery(subject: Subject) {
  return queryOptions({
    queryKey: ["analyses", subject],
    queryFn: ({ signal }) =>
      subject.kind === "profile" ? ofProfile(subject, signal) : ofRange(subject, signal),
  });
}

async function ofProfile({ profileId: id }: Subject & { kind: "profile" }, signal: AbortSignal) {
  try {
    const reply = await call(listProfileAnalyses, { params: { id }, query: { limit: listLimit }, signal });
    return reply.analyses;
  } catch (error) {
    if (error instanceof CallFailure && error.code === "not_found") return [];
    throw error;
  }
}

const listLimit = 20;

async function ofRange(subject: Subject & { kind: "range" }, signal: AbortSignal) {
  const { service, type, range, tags, baseline } = subject;
  const query = { type: type as DisplayType, ...range, limit: listLimit };
  const { analyses } = await call(listServiceAnalyses, { params: { service }, query, signal });
  return analyses.filter(
    (each) => (each.baseline !== null) === (baseline !== undefined) && hasTags(each, tags),
  );
}

function hasTags({ range }: Analysis, tags: Readonly<Record<string, string>>): boolean {
  const entries = Object.entries(range?.tags ?? {});
  return (
    entries.length === Object.keys(tags).length && entries.every(([name, value]) => tags[name] === value)
  );
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
