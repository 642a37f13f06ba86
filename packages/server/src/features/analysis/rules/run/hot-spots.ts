import { worthOf } from "#rules/call-rule.ts";
import { type Finding, type FindingFunction, functionRef } from "#rules/finding.ts";
import { allocations, memoryInUse } from "#rules/heap.ts";
import { type Language, missingRulesOf } from "#rules/language.ts";
import type { Caller, Selection } from "#rules/selection.ts";
import type { Subject } from "#rules/subject.ts";
import { costOf, percent, shareOf, shortName } from "#rules/text.ts";
import { delaysOf } from "#rules/waiting.ts";
import { libraryWorkOf } from "./library-work.ts";

/** The meaning of a hot spot in a kind of profile. */
interface Kind {
  readonly rule: string;
  readonly category: Finding["category"];
  readonly remedy: string;
}

const time: Kind = { rule: "hot-function", category: "cpu_optimization", remedy: "look here first" };
const memory: Kind = { rule: "hot-allocation", category: "memory_optimization", remedy: "allocate less" };
const waiting: Kind = { rule: "hot-wait", category: "mutex_optimization", remedy: "see what it waits for" };

/** Findings that only say what is hot. */
export function isHotSpot(rule: string | null): boolean {
  return [time, memory, waiting].some((kind) => kind.rule === rule);
}

/** Findings are filled up to this many: advice about whatever else is hot. The rules about Go also look at its own code. */
const findingsMin = 3;
const findingsOfGoMin = 1;
const shareMin = 0.1;
/** Part of a finding's value in the stacks of a more specific one from which on both are the same finding. */
export const sameStacksShare = 0.5;
/** Below this many samples a share is rough. */
const samplesMin = 6;
/** Part of the time that threads wait for each other, all together. */
const waitingMin = 0.002;
/** Part of a function's value from which on it is its own. */
const ownPartMin = 0.8;
const recursiveCallsMin = 4;
/** From this share on, in a language without rules: nothing else will say more. */
const mediumShare = 0.3;

/**
 * The functions of the application that cost most, libraries that they call included, if no finding explains them.
 *
 * @param findings those that explain functions
 * @param explained the stacks that they are about, also those of functions that they name second
 */
export function hotSpots(
  subject: Subject,
  findings: readonly Finding[],
  explained: ReadonlySet<number>,
): Finding[] {
  const kind = kindOf(subject);
  if (kind === undefined) return [];
  const named = new Set(
    findings.flatMap(({ functions: [first] }) => (first === undefined ? [] : [functionRef(first)])),
  );
  // A small cost that a rule explains does not hide a large one that none explains.
  const isGo = subject.language === "go";
  const wanted = isGo ? findingsOfGoMin : findingsMin;
  const urgent = findings.filter(({ priority }) => isGo || priority !== "low").length;
  const all = costsOf(subject);
  if (all === undefined) return [];
  return all.callers
    .filter(({ share, ref }) => share >= shareMin && !named.has(ref))
    .map((caller) => ({ caller, spot: all.of(caller) }))
    .filter(
      ({ spot }) =>
        (spot.count === undefined || spot.count >= samplesMin) &&
        spot.shareWithin(explained) < sameStacksShare,
    )
    .slice(0, Math.max(0, wanted - urgent))
    .map(({ caller, spot }) => toFinding(subject, kind, caller, spot));
}

function kindOf({ type, main, language }: Subject): Kind | undefined {
  if (type === "cpu" || (type === "custom" && main.sampleType.type === "wall")) return time;
  // The rules about Go's memory and locks look at all of it.
  if (language === "go") return undefined;
  if (type === "memory") return memory;
  return type === "mutex" ? waiting : undefined;
}

/** The stacks that the application causes; undefined if it is too little to matter. */
function costsOf(subject: Subject): Selection | undefined {
  if (subject.type === "memory") return allocations(subject) ?? memoryInUse(subject);
  if (subject.type !== "mutex") return subject.main.byApplication();
  const waits = delaysOf(subject).byApplication();
  const isRare = subject.durationNs > 0 && waits.weight / subject.durationNs < waitingMin;
  return isRare ? undefined : waits;
}

function toFinding(subject: Subject, kind: Kind, caller: Caller, spot: Selection): Finding {
  const { rule, category, remedy } = kind;
  const missing = missingRulesOf(subject.language);
  const where = shortName(caller.name);
  const [own] = spot.evidence;
  const priority = missing !== undefined && caller.share >= mediumShare ? "medium" : "low";
  const seen = kind === time ? seenOf(subject.language, caller, spot, own) : undefined;
  return {
    rule,
    category,
    priority: worthOf(subject, spot, priority),
    confidence: seen?.confidence ?? 0.5,
    issue: `${where} takes ${shareOf(spot)}${seen?.work ?? ""}: ${seen?.remedy ?? remedy}`,
    impact: `By itself and through the libraries that it calls, it takes ${costOf(subject, spot)}.${ownPart(own)} No rule explains it${missing === undefined ? "" : `: ${missing}`}.`,
    solution: `Open ${where} in the flame graph: its widest callees, and its lines with the most samples, say what to change.${hintOf(subject.language, category)}`,
    sampleType: spot.view.sampleType.type,
    share: spot.share,
    saving: 0,
    functions: spot.evidence,
    path: spot.path,
  };
}

function ownPart(own: FindingFunction | undefined): string {
  return own === undefined ? "" : ` Its own code takes ${percent(own.selfShare)}.`;
}

/** The work of a hot function, as far as its stacks show it. */
interface Seen {
  /** After its share: `, mostly in ajv (validation by a schema)`. */
  readonly work: string;
  readonly remedy: string;
  readonly confidence: number;
}

function seenOf(
  language: Language,
  { fn }: Caller,
  spot: Selection,
  own: FindingFunction | undefined,
): Seen | undefined {
  const found = libraryWorkOf(spot);
  if (found !== undefined) {
    const { library, work } = found;
    const kind = work === undefined ? "" : ` (${work.kind})`;
    const remedy = work?.remedy ?? "call it less often, or keep what it returns";
    return { work: `, mostly in ${library}${kind}`, remedy, confidence: work === undefined ? 0.5 : 0.7 };
  }
  if (own === undefined || own.selfShare < spot.share * ownPartMin) return undefined;
  if (recursionOf(spot, fn) >= spot.weight / 2)
    return { work: " in recursive calls", remedy: "keep results that come again", confidence: 0.6 };
  if (language !== "node") return undefined;
  // A function that calls hardly any JavaScript: its time is in its own lines, or in what V8 counts for it.
  return { work: "", remedy: "check its loops, and JSON or other built-in calls", confidence: 0.5 };
}

/** The value of the stacks in which the function is on the stack at least four times. */
function recursionOf({ view, stacks }: Selection, fn: number): number {
  const { start } = view.index.stacks;
  return stacks.reduce((sum, stack) => {
    let calls = 0;
    for (let at = start[stack]!; at < start[stack + 1]!; at++) if (view.functionAt(at) === fn) calls++;
    return calls >= recursiveCallsMin ? sum + view.weights[stack]! : sum;
  }, 0);
}

/** Work that a profile does not show as a frame. */
const hiddenWork: Partial<Record<Language, string>> = {
  node: " V8 counts its built-in functions for the function that calls them: JSON.parse and JSON.stringify (and copies made by them), new RegExp, structuredClone, sort, string and array methods, spread.",
  python:
    " Functions written in C count for the Python function that calls them: string and list operations, methods of compiled patterns, sqlite3, hashlib, numpy; so do raising and catching exceptions.",
};

function hintOf(language: Language, category: Finding["category"]): string {
  return category === "cpu_optimization" ? (hiddenWork[language] ?? "") : "";
}
