import { formatValue } from "@flamekeep/flame";
import { type ShareRule, shareRule } from "./call-rule.ts";
import { functions } from "./match.ts";
import type { Rule } from "./rule.ts";
import type { Selection } from "./selection.ts";
import type { Subject } from "./subject.ts";

/** The profiler's memory is not the program's. */
const profiling = functions("runtime/pprof.*", "net/http/pprof.*");
const mebibyte = 1 << 20;
/** Below this the profile's sampling, one object per 512 KiB, is noise. */
const allocatedMin = 4 * mebibyte;
const inUseMin = mebibyte;

/** The stacks that allocate below application code, by allocated bytes; undefined if the profile lacks them or has too few. */
export function allocations(subject: Subject): Selection | undefined {
  return atLeast(subject.view("alloc_space")?.byApplication().without(profiling), allocatedMin);
}

/** The stacks whose memory is still in use, by bytes. */
export function memoryInUse(subject: Subject): Selection | undefined {
  return atLeast(subject.view("inuse_space")?.byApplication().without(profiling), inUseMin);
}

function atLeast(selection: Selection | undefined, bytes: number): Selection | undefined {
  return selection !== undefined && selection.weight >= bytes ? selection : undefined;
}

/** Mean size of the objects of a selection, in bytes; undefined if the profile does not count objects. */
export function meanSize(subject: Subject, selection: Selection): number | undefined {
  const isInUse = selection.view.sampleType.type === "inuse_space";
  const objects = subject.view(isInUse ? "inuse_objects" : "alloc_objects");
  if (objects === undefined) return undefined;
  const count = selection.stacks.reduce((sum, stack) => sum + objects.weights[stack]!, 0);
  return count > 0 ? selection.weight / count : undefined;
}

interface Growth {
  /** The stacks of the function that grew most. */
  readonly selection: Selection;
  readonly before: number;
  readonly perSecond: number | undefined;
  /** False if it rests on a few sampled objects, as while a program fills what it keeps. */
  readonly isCertain: boolean;
}

/** Growth that is no fluctuation: by half and by eight sampled objects, or by several times and four sampled objects. */
const certainGrowth = { factor: 1.5, bytes: 4 * mebibyte };
const growthSteps = [certainGrowth, { factor: 4, bytes: 2 * mebibyte }];

/** The application function whose memory in use grew most since the oldest earlier profile. */
export function grownMost(subject: Subject): Growth | undefined {
  const now = memoryInUse(subject);
  const [first] = subject.earlier;
  const earlier = first?.view("inuse_space")?.byApplication().callers;
  if (now === undefined || first === undefined || earlier === undefined) return undefined;
  const weightBefore = new Map(earlier.map(({ ref, weight }) => [ref, weight]));
  const grown = now.callers
    .map((caller) => ({ caller, before: weightBefore.get(caller.ref) ?? 0 }))
    .filter(({ caller: { weight }, before }) =>
      growthSteps.some(({ factor, bytes }) => weight >= before * factor && weight - before >= bytes),
    )
    .sort((a, b) => b.caller.weight - b.before - (a.caller.weight - a.before))[0];
  if (grown === undefined) return undefined;
  const seconds = (subject.timeMs - first.timeMs) / 1000;
  const perSecond =
    first.timeMs > 0 && seconds > 0 ? (grown.caller.weight - grown.before) / seconds : undefined;
  return {
    selection: now.of(grown.caller),
    before: grown.before,
    perSecond,
    isCertain: grown.caller.weight - grown.before >= certainGrowth.bytes,
  };
}

interface GrowthRule extends Omit<ShareRule, "select" | "from" | "confidence" | "saves" | "impact"> {
  /** Which growth it is about; any if left out. */
  readonly concerns?: (subject: Subject, grown: Selection) => boolean;
}

/** A rule about memory that grew since an earlier profile. */
export function growthRule({ concerns = () => true, ...rest }: GrowthRule): Rule {
  return shareRule({
    types: ["memory"],
    ...rest,
    select: (subject) => {
      const selection = grownMost(subject)?.selection;
      return selection !== undefined && concerns(subject, selection) ? selection : undefined;
    },
    from: ({ subject }) => ({
      low: 0.05,
      medium: 0.15,
      ...(grownMost(subject)?.isCertain === true && { high: 0.4 }),
    }),
    confidence: 0.85,
    saves: 0.8,
    impact: ({ subject, cost }) => {
      const { before, perSecond } = grownMost(subject)!;
      const rate = perSecond === undefined ? "" : `, ${formatValue(perSecond, "bytes")} per second`;
      return `It holds ${cost}, ${formatValue(before, "bytes")} in an earlier profile${rate}. Sooner or later the process is killed.`;
    },
  });
}
