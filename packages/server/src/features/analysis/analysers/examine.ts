import type { Comparison } from "@flamekeep/contract";
import { type Advice, toAdvice } from "#analysis/advice/recommendations.ts";
import {
  gatherProfileFacts,
  gatherServiceFacts,
  requestsPerSecondOf,
  type ServiceFacts,
} from "#analysis/facts/gather.ts";
import { readOnset } from "#analysis/facts/read-onset.ts";
import { compareRanges } from "#analysis/ranges/compare.ts";
import { growthAdvice } from "#analysis/ranges/growth-advice.ts";
import type * as rangeTasks from "#analysis/ranges/range-tasks.ts";
import { type RangeStacks, readRange } from "#analysis/ranges/read-range.ts";
import { profiledTimeOf } from "#analysis/ranges/scales.ts";
import type * as tasks from "#analysis/ranges/tasks.ts";
import type { AnalysedRange } from "#analysis/store/stored-analysis.ts";
import type { Context } from "#context";
import { unprocessable } from "#failure";
import type { Language } from "#rules/language.ts";
import type { Digest } from "#rules/run/digest.ts";
import type { SubjectFacts } from "#rules/subject.ts";
import type { Usage } from "#rules/usage.ts";
import { taskFile } from "#stacks/pool.ts";
import { withDefinitions } from "#stacks/ranges/with-definitions.ts";
import { readOriginal } from "#store/payloads/read-payload.ts";
import { storedAs } from "#store/profiles/profile-row.ts";
import type { AnalysisTask } from "./analyser.ts";
import { withHiddenWork } from "./hidden-work.ts";
import type { LocatedFunction } from "./locate-functions.ts";
import type * as locating from "./locate-tasks.ts";
import { sourceReader } from "./source-lines.ts";

const profileTasks = taskFile<typeof tasks>(new URL("../ranges/tasks.ts", import.meta.url));
const locateTasks = taskFile<typeof locating>(new URL("./locate-tasks.ts", import.meta.url));
const rangeTasksFile = taskFile<typeof rangeTasks>(new URL("../ranges/range-tasks.ts", import.meta.url));

/** The findings of the rules in a profile or a range, and the data for a language model. */
export interface Examined {
  readonly advice: readonly Advice[];
  readonly digest: Digest;
  readonly language: Language;
  readonly facts: SubjectFacts;
  readonly usage: Usage;
  /** Name of the main sample type. */
  readonly sampleType: string;
  readonly total: number;
  readonly durationNs: number;
  readonly comparison: Comparison | null;
  /** 0 for one profile. */
  readonly profiles: number;
  readonly baselineProfiles: number;
  /** Looks functions up in the same profile or range; undefined for those that it does not have. */
  locate(names: readonly string[]): Promise<readonly (LocatedFunction | undefined)[]>;
}

/**
 * Runs the rules in the background thread, which is ended if `signal` is aborted. If the operator connected the sources, they say what
 * hot functions do that the profile does not show.
 */
export async function examine(ctx: Context, task: AnalysisTask, signal?: AbortSignal): Promise<Examined> {
  const { range } = task.subject;
  const examined = await (range === undefined
    ? examineProfile(ctx, task, signal)
    : examineRange(ctx, { ...task, range }, signal));
  const root = ctx.config.llm.sourceDir;
  if (root === undefined) return examined;
  const { orgId, service } = task.row;
  const read = await sourceReader({ root, orgId, service }, ctx.log);
  return { ...examined, advice: await withHiddenWork(examined.advice, examined.language, read) };
}

async function examineProfile(
  ctx: Context,
  { row }: AnalysisTask,
  signal: AbortSignal | undefined,
): Promise<Examined> {
  const { orgId } = row;
  const profile = await ctx.profiles.read(orgId, row.profileId ?? "");
  const facts = await gatherProfileFacts(ctx, orgId, profile);
  const original = await readOriginal(ctx.payloads, orgId, storedAs(profile));
  const { findings, ...rest } = await ctx.backgroundDecoders.open(
    profileTasks,
    "analyse",
    { original, facts },
    signal,
  );
  return {
    ...rest,
    language: rest.digest.language,
    advice: findings.map(toAdvice),
    facts,
    comparison: null,
    profiles: 0,
    baselineProfiles: 0,
    locate: (names) =>
      ctx.backgroundDecoders.open(locateTasks, "locateInProfile", { original, names }, signal),
  };
}

async function examineRange(
  ctx: Context,
  { row, range, subject: { baseline } }: AnalysisTask & { readonly range: AnalysedRange },
  signal: AbortSignal | undefined,
): Promise<Examined> {
  const { orgId, service, type } = row;
  const readSide = async (span: AnalysedRange) => ({
    stacks: await readRange(ctx, row, span),
    facts: await gatherServiceFacts(ctx, { orgId, service, type, ...span }),
  });
  const after = await readSide(range);
  const before = baseline === undefined ? undefined : await readSide(baseline);
  for (const side of [after, before]) if (side?.stacks.profiles === 0) throw profilesRemoved();
  const columns = [...after.stacks.columns, ...(before?.stacks.columns ?? [])];
  const spans = {
    range: spanOf(after.stacks, range),
    baseline: before && baseline && spanOf(before.stacks, baseline),
  };
  const fromMs = Math.min(range.fromMs, baseline?.fromMs ?? range.fromMs);
  const toMs = Math.max(range.toMs, baseline?.toMs ?? range.toMs);
  const overRange = { orgId, fromMs, toMs, columns };
  const requestsPerSecond = requestsPerSecondOf(after.facts.traffic, profiledTimeOf(after.stacks));
  const facts = { ...after.facts, requestsPerSecond };
  const given = { type, ...spans, facts };
  const { findings, changes, ...rest } = await withDefinitions(ctx.columns, overRange, (stored) =>
    ctx.backgroundDecoders.run(rangeTasksFile, "analyseRange", { stored, ...given }, signal),
  );
  const onset =
    baseline === undefined
      ? null
      : await readOnset(ctx, row, { range, baseline, stacks: after.stacks, deploys: facts.deploys });
  const compared =
    before === undefined
      ? undefined
      : compareRanges(comparedOf(before), comparedOf(after), { changes, onset });
  const found = findings.map(toAdvice);
  return {
    ...rest,
    language: rest.digest.language,
    advice: compared === undefined ? found : growthAdvice(compared, type, found),
    facts,
    comparison: compared?.comparison ?? null,
    profiles: after.stacks.profiles,
    baselineProfiles: before?.stacks.profiles ?? 0,
    locate: (names) =>
      withDefinitions(ctx.columns, overRange, (stored) =>
        ctx.backgroundDecoders.run(locateTasks, "locateInRange", { stored, ...given, names }, signal),
      ),
  };
}

interface Side {
  readonly stacks: RangeStacks;
  readonly facts: ServiceFacts;
}

function comparedOf({ stacks, facts }: Side) {
  return { ...stacks, traffic: facts.traffic };
}

function spanOf({ columns, durationNs }: RangeStacks, { toMs }: AnalysedRange) {
  return { columns: columns.length, durationNs, toMs };
}

function profilesRemoved() {
  return unprocessable("The profiles of this range were removed. Choose another range.");
}
