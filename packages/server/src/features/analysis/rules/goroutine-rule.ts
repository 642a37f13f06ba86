import { countPriority, growthOf } from "./goroutines.ts";
import type { Observation, Rule } from "./rule.ts";
import type { Selection } from "./selection.ts";
import type { Subject } from "./subject.ts";
import { costOf, shortName } from "./text.ts";

/** The facts that the texts of a rule can refer to. */
interface FoundGoroutines {
  /** The function that waits or runs, in a sentence. */
  readonly where: string;
  readonly count: number;
}

interface GoroutineRule extends Omit<Rule, "find" | "types" | "category"> {
  /** Groups are judged one by one: the stacks of the first caller count. */
  readonly select: (subject: Subject) => Selection;
  readonly from: { readonly low: number; readonly medium: number; readonly high: number };
  /** Whether the rule reports only what grew since an earlier profile. */
  readonly mustGrow?: boolean;
  /** Whether goroutines of libraries alone count: elsewhere they wait for clients or work. */
  readonly mayLackCaller?: boolean;
  readonly confidence: number;
  readonly issue: (found: FoundGoroutines) => string;
  readonly impact: string;
  readonly solution: (found: FoundGoroutines) => string;
}

/** A rule about goroutines that pile up in one place, judged by their number and by growth since earlier profiles. */
export function goroutineRule(definition: GoroutineRule): Rule {
  const {
    select,
    from,
    mustGrow = false,
    mayLackCaller = false,
    confidence,
    issue,
    impact,
    solution,
    ...rest
  } = definition;
  const groupOf = (subject: Subject, name?: string) => {
    const all = select(subject);
    const caller = all.callers.find((one) => name === undefined || one.name === name);
    return caller === undefined ? { all, caller } : { all: all.of(caller), caller };
  };
  return {
    types: ["goroutine"],
    category: "goroutine_optimization",
    ...rest,
    find(subject): Observation | undefined {
      const { all: selection, caller } = groupOf(subject);
      if (!mayLackCaller && caller === undefined) return undefined;
      const growth = growthOf(subject, selection.weight, (earlier) =>
        caller === undefined ? select(earlier).weight : weightOf(groupOf(earlier, caller.name)),
      );
      const priority = countPriority(selection, from, growth.isLeak);
      if (priority === undefined || (mustGrow && !growth.isLeak)) return undefined;
      const name = caller?.name ?? selection.evidence[0]?.name;
      if (name === undefined) return undefined;
      // A merged range has means, which are no whole numbers.
      const found = { where: shortName(name), count: Math.round(selection.weight) };
      return {
        selection,
        priority,
        confidence: growth.isLeak ? 1 - (1 - confidence) / 2 : confidence,
        saves: 0.9,
        issue: issue(found),
        impact: `They are ${costOf(subject, selection)}.${growth.text} ${impact}`,
        solution: solution(found),
      };
    },
  };
}

function weightOf({ all, caller }: { all: Selection; caller: unknown }): number {
  return caller === undefined ? 0 : all.weight;
}
