import { type Fraction, functionKey } from "@flamekeep/profile";

/** The categories, priorities and shape that recommendations have in the API; findings become recommendations. */
export type FindingCategory =
  | "cpu_optimization"
  | "memory_optimization"
  | "goroutine_optimization"
  | "mutex_optimization"
  | "other";

export type FindingPriority = "high" | "medium" | "low";

/** A function of the analysed profile. Shares refer to the whole profile. */
export interface FindingFunction {
  readonly name: string;
  /** "" and 0 where the profile does not contain them. */
  readonly file: string;
  readonly line: number;
  readonly selfShare: Fraction;
  readonly totalShare: Fraction;
}

/** The text that tells a function apart: its name, with its file where other files may have the same name. */
export function functionRef({ name, file }: Pick<FindingFunction, "name" | "file">): string {
  return functionKey(name, file, 0);
}

/** One thing that could be better about a program, with the evidence for it. */
export interface Finding {
  /** Id of the rule. */
  readonly rule: string;
  readonly category: FindingCategory;
  readonly priority: FindingPriority;
  /** 0 to 1. */
  readonly confidence: number;
  readonly issue: string;
  readonly impact: string;
  readonly solution: string;
  /** As `Rule.example`. Undefined where there is nothing general to show. */
  readonly codeExample?: string;
  /** Name of the sample type that shares refer to, such as `cpu` or `alloc_space`. */
  readonly sampleType: string;
  /** Share of the profile that the finding is about. */
  readonly share: Fraction;
  /** Share of the profile that following the advice is expected to save; 0 where no estimate is possible. */
  readonly saving: Fraction;
  /** The first is the cause: an application function where there is one. */
  readonly functions: readonly FindingFunction[];
  /** Function names of the heaviest stack that shows the finding, root to leaf. */
  readonly path: readonly string[];
}
