import type { ProfileType } from "@flamekeep/contract";
import { callRule, type Found, type Thresholds } from "./call-rule.ts";
import type { Match } from "./match.ts";
import type { Rule } from "./rule.ts";
import type { Selection } from "./selection.ts";
import type { Subject } from "./subject.ts";
import { listed, shortName } from "./text.ts";

/** A rule that sees its problem by frames below application code: a row of the table of a language. */
export interface FrameRule extends Pick<Rule, "id" | "name" | "looksAt" | "example" | "yieldsTo"> {
  readonly frames: Match;
  /** A matching frame counts only if it calls one of these. */
  readonly calling?: Match;
  /** The stacks with one of these below the application code are about something else. */
  readonly except?: Match;
  /** The priority is at most medium without `high`. */
  readonly from?: Thresholds;
  readonly types?: readonly ProfileType[];
  readonly confidence?: number;
  readonly saves: number;
  /** After the function and its share: `formats log lines`. */
  readonly does: string;
  /** After the colon of the title. */
  readonly remedy: string;
  readonly impact: string;
  readonly solution: string;
}

/** Work that services are there for: only a large part of it says that something may be wrong. */
const usual: Thresholds = { low: 0.05, medium: 0.3 };
/** Work that serving never needs. */
export const neverNeeded: Thresholds = { low: 0.02, medium: 0.06, high: 0.2, isNeverNeeded: true };
/** Work that a service may need, with a cheaper way to do it. */
export const avoidable: Thresholds = { low: 0.04, medium: 0.1, high: 0.35 };

export function frameRule({
  frames,
  calling,
  except,
  does,
  remedy,
  solution,
  impact,
  ...rest
}: FrameRule): Rule {
  return callRule({
    from: usual,
    types: ["cpu"],
    confidence: 0.8,
    ...rest,
    select: (subject) => framesBelowCode(subject, frames, calling, except),
    issue: ({ where, share }) => `${where} spends ${share} ${does}: ${remedy}`,
    impact: (found) => `${impact} ${seenText(found)}`,
    solution: ({ where }) => `In ${where}: ${solution}`,
  });
}

/** The stacks with a matching frame between their leaf and the application code that causes it: the frame that the code calls. */
function framesBelowCode(
  subject: Subject,
  frames: Match,
  calling: Match | undefined,
  except: Match | undefined,
): Selection | undefined {
  const main = (subject.type === "memory" ? subject.view("alloc_space") : undefined) ?? subject.main;
  if (subject.type === "custom" && main.sampleType.type !== "wall") return undefined;
  const wanted = main.index.flagsOf(frames);
  const called = calling && main.index.flagsOf(calling);
  const unwanted = except && main.index.flagsOf(except);
  return main.select(frames, (from, to, stack) => {
    const innermost = main.index.innermost[stack]!;
    const end = innermost < 0 ? to : innermost;
    let found = -1;
    let isCalled = called === undefined;
    for (let at = from; at < end; at++) {
      const fn = main.functionAt(at);
      if (unwanted?.[fn] === 1) return -1;
      if (wanted[fn] === 1 && isCalled) found = at;
      isCalled ||= called?.[fn] === 1;
    }
    return found;
  });
}

const seenMax = 3;

/** The frames that the rule saw below the named function. */
function seenText({ own }: Found): string {
  return `Seen below it: ${listed(own.matched.slice(0, seenMax).map(({ name }) => shortName(name)))}.`;
}
