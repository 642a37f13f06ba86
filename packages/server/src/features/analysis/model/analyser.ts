import { type Advice, type AdviceFilter, resultOf } from "#analysis/advice/recommendations.ts";
import { type Analyser, SpentError } from "#analysis/analysers/analyser.ts";
import { type Examined, examine } from "#analysis/analysers/examine.ts";
import type { LocatedFunction } from "#analysis/analysers/locate-functions.ts";
import { cleanName, cleanText, withoutLinks } from "#analysis/analysers/untrusted-text.ts";
import { feedbackOf } from "#analysis/store/queries.ts";
import type { AnalysisResult } from "#analysis/store/stored-analysis.ts";
import type { Context } from "#context";
import { Failure } from "#failure";
import { functionRef } from "#rules/finding.ts";
import type { Generated } from "./call-model.ts";
import type { ModelRecommendation } from "./model-reply.ts";
import { analysisPrompt, type ModelSource, promptInput } from "./prompt.ts";

/**
 * A language model that gets a digest of the profile and the findings of the rules as hints. Its evidence is checked. Without an
 * answer that can be used, the result has the findings.
 */
export function modelAnalyser(ctx: Context, { open, call = {} }: ModelSource): Analyser {
  return async (task, signal) => {
    const { row, options } = task;
    // The SDK is loaded here, because most servers have no language model.
    const { generateReply } = await import("./call-model.ts");
    const [examined, feedback, model] = await Promise.all([
      examine(ctx, task, signal),
      feedbackOf(ctx.rows, row.orgId, [row.service]),
      open(),
    ]);
    const prompt = analysisPrompt(await promptInput(ctx, task, examined));
    const filter = { options, type: row.type, feedback };
    const answered = await answerOf(() => generateReply(model, prompt, { ...call, signal }), signal);
    const { tokensUsed } = answered;
    if ("failure" in answered) {
      ctx.log.warn(
        { err: answered.failure, analysisId: row.id },
        "language model failed; built-in findings used",
      );
      return { result: builtinResult(examined, filter, answered.failure), tokensUsed };
    }
    const { recommendations } = answered.reply;
    const advice = await withSpentTokens(tokensUsed, async () => {
      const names = [...new Set(recommendations.flatMap(namedFunctions))];
      const places = await examined.locate(names);
      const located = new Map(names.map((name, index) => [name, places[index]]));
      return withSavings(verifiedAdvice(recommendations, located, examined.sampleType), examined.advice);
    });
    return { result: resultOf(advice, filter, examined), tokensUsed };
  };
}

type Answered = Generated | { readonly failure: Failure; readonly tokensUsed: number };

/** The answer of the model, or why there is none that can be used. Throws if the analysis ends anyway. */
async function answerOf(ask: () => Promise<Generated>, signal: AbortSignal): Promise<Answered> {
  try {
    return await ask();
  } catch (error) {
    const cause = error instanceof SpentError ? error.cause : error;
    if (signal.aborted || !(cause instanceof Failure)) throw error;
    return { failure: cause, tokensUsed: error instanceof SpentError ? error.tokensUsed : 0 };
  }
}

/** The findings of the rules, which are there in any case, in place of an answer. The summary says why, in the failure's own sentences. */
function builtinResult(examined: Examined, filter: AdviceFilter, { message }: Failure): AnalysisResult {
  const result = resultOf(examined.advice, filter, examined);
  return {
    ...result,
    estimatedImprovement: `${result.estimatedImprovement}. Only the built-in rules were used. ${message}`,
  };
}

/** Runs the rest of an analysis; the tokens count even if it fails. */
async function withSpentTokens<T>(tokensUsed: number, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new SpentError(error, tokensUsed);
  }
}

/** Savings are computed by rules only: advice about the same function and category has the rule's saving. */
function withSavings(advice: readonly Advice[], hints: readonly Advice[]): Advice[] {
  const refOf = ({ functions: [first] }: Advice) => first && functionRef(first);
  return advice.map((each) => {
    const hint = hints.find((hint) => hint.category === each.category && refOf(hint) === refOf(each));
    return hint?.sampleType === each.sampleType ? { ...each, saving: hint.saving } : each;
  });
}

const issueLengthMax = 300;
const textLengthMax = 2_000;
const codeLengthMax = 8_000;
/** Functions of one recommendation. */
const functionsMax = 8;
/** For advice that names no function of the profile: nothing about it could be checked. */
const unverifiedConfidenceMax = 0.3;
/** Texts may round percentages. */
const percentTolerance = 0.6;

/**
 * The advice of a model with evidence from the profile: shares, places and paths are computed, not taken from the model.
 * Advice that names only functions that the profile does not have is dropped.
 *
 * @param located for each function of each recommendation, the one in the profile
 */
function verifiedAdvice(
  recommendations: readonly ModelRecommendation[],
  located: ReadonlyMap<string, LocatedFunction | undefined>,
  sampleType: string,
): Advice[] {
  return recommendations.flatMap((given) => {
    const names = namedFunctions(given);
    const found = names.map((name) => ({ name, place: located.get(name) }));
    const verified = found.flatMap(({ place }) => (place === undefined ? [] : [place]));
    if (names.length > 0 && verified.length === 0) return [];
    const [culprit] = verified;
    const percentages = verified.flatMap(({ selfShare, totalShare }) => [selfShare * 100, totalShare * 100]);
    const text = (value: string, lengthMax: number) =>
      markPercentages(withoutLinks(cleanText(value, lengthMax)), percentages);
    const code = cleanCode(given.code_example ?? "");
    const texts = {
      issue: text(given.issue, issueLengthMax),
      impact: text(given.impact, textLengthMax),
      solution: text(given.solution, textLengthMax),
    };
    const isVerified = verified.length === found.length && !Object.values(texts).some(hasMark);
    const advice: Advice = {
      category: given.category,
      priority: culprit === undefined ? "low" : priorityOf(given.priority, isVerified),
      confidence: clamp(given.confidence, culprit === undefined ? unverifiedConfidenceMax : 1),
      ...texts,
      rule: null,
      sampleType,
      saving: 0,
      share: culprit === undefined ? null : Math.min(1, culprit.totalShare),
      // Those of the profile first: the first one is the culprit.
      functions: [
        ...verified.map(({ path: _, ...place }) => ({ ...place, isVerified: true })),
        ...found.flatMap(({ name, place }) => (place === undefined ? [unverified(name)] : [])),
      ],
      path: [...(culprit?.path ?? [])],
    };
    return [code === "" ? advice : { ...advice, codeExample: code }];
  });
}

/** A claim that the profile does not confirm is never urgent. */
function priorityOf(given: Advice["priority"], isVerified: boolean): Advice["priority"] {
  return given === "high" && !isVerified ? "medium" : given;
}

/** Commands that fetch or run what others wrote: nobody should copy them out of the answer of a model. */
const fetching: readonly RegExp[] = [
  /\b(?:curl|wget|Invoke-WebRequest|iwr|powershell)\b/i,
  /\|\s{0,20}(?:sudo\s{1,20})?(?:ba|z|da)?sh\b/i,
  /\b(?:npm|pnpm|yarn|bun|uv|pip3?|gem|cargo|brew|apt|apt-get|apk|yum|dnf)\s{1,20}(?:i|install|add)\b/i,
  /\b(?:npx|pnpx|bunx|uvx|pipx)\s|\b(?:npm|pnpm|yarn|bun)\s{1,20}(?:x|dlx|exec|create)\s/i,
  /\bgo\s{1,20}(?:get|install)\s{1,20}[\w-]{1,100}\./i,
  // With a host and a slash: `go run main.go` runs the program's own file.
  /\bgo\s{1,20}run\s{1,20}(?:-\S{1,100}\s{1,20}){0,5}[\w-]{1,100}(?:\.[\w-]{1,100}){1,5}\//i,
  /\bgit\s{1,20}clone\b|\b(?:docker|podman)\s{1,20}(?:container\s{1,20}|image\s{1,20})?(?:run|pull)\b/i,
];

/** Code without links; none at all if it fetches something. */
function cleanCode(code: string): string {
  const clean = cleanText(code, codeLengthMax);
  return fetching.some((command) => command.test(clean)) ? "" : withoutLinks(clean);
}

/** The distinct names that a recommendation gives, at most eight. */
function namedFunctions({ functions }: Pick<ModelRecommendation, "functions">): string[] {
  return [...new Set(functions)].filter((name) => name.trim() !== "").slice(0, functionsMax);
}

function unverified(name: string) {
  return { name: cleanName(name), file: "", line: 0, selfShare: 0, totalShare: 0, isVerified: false };
}

function clamp(confidence: number, max: number): number {
  return Number.isFinite(confidence) ? Math.min(max, Math.max(0, confidence)) : 0;
}

const mark = "(unverified)";
const hasMark = (text: string) => text.includes(mark);

/** Marks percentages of a text that are not the share of a named function. */
function markPercentages(text: string, verified: readonly number[]): string {
  return text.replace(/(?<!\d)(\d+(?:[.,]\d+)?)(\s?%)/g, (all, number: string) => {
    const value = Number(number.replace(",", "."));
    return verified.some((share) => Math.abs(share - value) <= percentTolerance) ? all : `${all} ${mark}`;
  });
}
