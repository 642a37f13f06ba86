import type { ProfileType } from "@flamekeep/contract";
import type { StackTable } from "@flamekeep/profile";
import { Subject, type SubjectFacts } from "#rules/subject.ts";
import { type Resolved, type StoredStacks, tableOf } from "#stacks/ranges/stored-stacks.ts";
import { type FunctionChange, functionChanges } from "./function-changes.ts";
import { type AnalysisResult, analysed } from "./tasks.ts";

export interface RangeTask {
  /** The columns of the range, then the columns of its baseline. */
  readonly stored: StoredStacks;
  readonly type: ProfileType;
  readonly range: RangeSpan;
  /** Undefined: without a comparison. */
  readonly baseline: RangeSpan | undefined;
  readonly facts: SubjectFacts;
}

interface RangeSpan {
  /** Number of its columns. */
  readonly columns: number;
  /** Sum over its profiles; 0 for snapshots. */
  readonly durationNs: number;
  readonly toMs: number;
}

interface RangeResult extends AnalysisResult {
  /** All functions with their sums in both ranges; empty without a baseline. */
  readonly changes: readonly FunctionChange[];
}

/** Runs the rules over the merged profiles of a range, and compares it with its baseline. Runs in the background thread. */
export function analyseRange(task: RangeTask): Resolved<RangeResult> {
  const resolved = subjectOfRange(task);
  if (resolved.missing !== undefined) return resolved;
  const { subject, before } = resolved.value;
  const changes = before === undefined ? [] : changesSince(before, subject);
  return { missing: undefined, value: { ...analysed(subject), changes } };
}

function changesSince(before: StackTable, { index, type }: Subject): FunctionChange[] {
  return functionChanges({ before, after: index.stacks, innermost: index.innermost }, type);
}

interface RangeSubject {
  readonly subject: Subject;
  /** The stacks of the baseline. */
  readonly before: StackTable | undefined;
}

export function subjectOfRange({ stored, type, range, baseline, facts }: RangeTask): Resolved<RangeSubject> {
  const resolved = tableOf(stored);
  if (resolved.missing !== undefined) return resolved;
  const stacks = columnsOf(resolved.value, 0, range.columns);
  const before =
    baseline === undefined ? undefined : columnsOf(resolved.value, range.columns, baseline.columns);
  const earlier = before === undefined ? [] : [subjectOf(before, type, baseline!, facts)];
  return { missing: undefined, value: { subject: subjectOf(stacks, type, range, facts, earlier), before } };
}

function subjectOf(
  stacks: StackTable,
  type: ProfileType,
  { durationNs, toMs }: RangeSpan,
  facts: SubjectFacts,
  earlier: readonly Subject[] = [],
): Subject {
  // The first column belongs to the main sample type.
  return new Subject({
    type,
    stacks,
    sampleType: 0,
    durationNs,
    timeMs: toMs,
    facts,
    earlier: () => earlier,
  });
}

/** Some of the columns of a table. */
export function columnsOf(table: StackTable, from: number, count: number): StackTable {
  return {
    ...table,
    sampleTypes: table.sampleTypes.slice(from, from + count),
    values: table.values.slice(from, from + count),
  };
}
