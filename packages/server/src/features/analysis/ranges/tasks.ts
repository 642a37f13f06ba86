import type { Finding } from "#rules/finding.ts";
import { type Digest, digestOf } from "#rules/run/digest.ts";
import { runRules } from "#rules/run/run-rules.ts";
import { type Subject, type SubjectFacts, subjectOf } from "#rules/subject.ts";
import { type Usage, usageOf } from "#rules/usage.ts";
import { type Opened, openProfile, tryOpening } from "#stacks/open-profile.ts";
import type { Original } from "#store/payloads/read-payload.ts";

/** Neighbours are opened when a rule asks for them. One that is damaged is left out. */
export interface AnalysisFacts extends SubjectFacts {
  /** Earlier profiles of the same series. */
  readonly earlier?: readonly { readonly original: Original; readonly atMs: number }[] | undefined;
  /** The newest profiles of the same service, of other types. */
  readonly related?: readonly Original[] | undefined;
}

export interface AnalysisTask {
  readonly original: Original;
  readonly facts: AnalysisFacts;
}

export interface AnalysisResult {
  /** Sum of the main sample type. */
  readonly total: number;
  /** 0 for snapshots. */
  readonly durationNs: number;
  /** Name of the main sample type. */
  readonly sampleType: string;
  readonly findings: readonly Finding[];
  readonly digest: Digest;
  readonly usage: Usage;
}

/** Runs the rules over a stored profile. Runs in the background thread. */
export function analyse(task: AnalysisTask): Opened<AnalysisResult> {
  return tryOpening(() => {
    const { earlier = [], related = [], ...facts } = task.facts;
    const subject = subjectOf(openProfile(task.original), task.original.type, {
      facts,
      earlier: () =>
        [...earlier].sort((a, b) => a.atMs - b.atMs).flatMap(({ original, atMs }) => opened(original, atMs)),
      related: () => related.flatMap((original) => opened(original)),
    });
    return analysed(subject);
  });
}

export function analysed(subject: Subject): AnalysisResult {
  return {
    total: subject.main.total,
    durationNs: subject.durationNs,
    sampleType: subject.main.sampleType.type,
    findings: runRules(subject),
    digest: digestOf(subject),
    usage: usageOf(subject),
  };
}

function opened(original: Original, timeMs?: number): Subject[] {
  const { value } = tryOpening(() =>
    subjectOf(openProfile(original), original.type, timeMs === undefined ? {} : { timeMs }),
  );
  return value === undefined ? [] : [value];
}
