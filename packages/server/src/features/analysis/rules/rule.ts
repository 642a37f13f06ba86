import type { ProfileType } from "@flamekeep/contract";
import type { Fraction } from "@flamekeep/profile";
import type { FindingCategory, FindingPriority } from "./finding.ts";
import type { Selection } from "./selection.ts";
import type { Subject } from "./subject.ts";

/** A problem that an experienced engineer looks for. To add one: one file, and one line in `table.ts`. */
export interface Rule {
  readonly id: string;
  readonly name: string;
  readonly types: readonly ProfileType[];
  readonly category: FindingCategory;
  /** One sentence for the list of rules in the documentation. */
  readonly looksAt: string;
  /** A rule reports nothing if one of these reports mostly the same stacks: they are more specific. */
  readonly yieldsTo?: readonly string[];
  /** Set if what the rule sees follows from other problems: their findings about the same function come first. */
  readonly isConsequence?: boolean;
  /** Set if the rule is about the whole program: it names the hottest functions, but does not explain why one of them grew. */
  readonly isWholeProgram?: boolean;
  /** Set if the profile does not show the cause: the functions that may be it are listed after what the rule sees. */
  readonly hasGuessedCause?: boolean;
  /** Source in the language of the rule; Go with its imports and without the package clause. A test compiles it. */
  readonly example?: string;
  find(subject: Subject): Observation | undefined;
}

/** The result of a rule. `runRules` turns it into a finding. */
export interface Observation {
  /** The stacks that show the problem: share, functions and path of the finding come from them. */
  readonly selection: Selection;
  /** Stacks that lead to the cause, where the selection itself does not: those that allocate, for garbage collection. */
  readonly cause?: Selection;
  readonly priority: FindingPriority;
  /** How sure the rule is that this is the problem it looks for, 0 to 1. */
  readonly confidence: number;
  /** Share of the selection's value that following the advice should save; 0 where no estimate is possible. */
  readonly saves: Fraction;
  readonly issue: string;
  readonly impact: string;
  readonly solution: string;
}
