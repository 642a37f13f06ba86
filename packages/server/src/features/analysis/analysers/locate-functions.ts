import type { FindingFunction } from "#rules/finding.ts";
import type { Subject } from "#rules/subject.ts";
import { cleanName } from "./untrusted-text.ts";

/** A function that a model named, as it is in the profile. */
export interface LocatedFunction extends FindingFunction {
  /** Names of the heaviest stack through it, root to leaf. */
  readonly path: readonly string[];
}

/** The named functions that the profile contains, in the order of the names; undefined for the others. */
export function locateFunctions(subject: Subject, names: readonly string[]): (LocatedFunction | undefined)[] {
  const find = finder(subject.index.names);
  return names.map((named) => {
    const name = find(named);
    return name === undefined ? undefined : located(subject, name);
  });
}

/** Finds a name as it is, as the prompt spells it, or without its path if only one function has the rest: `search.highlight` of `shop/search.highlight`. */
function finder(names: readonly string[]): (named: string) => string | undefined {
  const exact = new Set(names);
  const bySpelling = new Map(names.map((name) => [cleanName(name), name]));
  const byEnd = new Map<string, string | undefined>();
  for (const name of names) {
    const end = name.slice(name.lastIndexOf("/") + 1);
    byEnd.set(end, byEnd.has(end) ? undefined : name);
  }
  return (named) => (exact.has(named) ? named : (bySpelling.get(named) ?? byEnd.get(named)));
}

function located({ main }: Subject, name: string): LocatedFunction | undefined {
  const selection = main.through((candidate) => candidate === name);
  const [heaviest] = selection.stacks
    .map((stack, index) => ({ at: selection.matchedAt[index]!, weight: main.weights[stack]! }))
    .sort((a, b) => b.weight - a.weight);
  if (heaviest === undefined) return undefined;
  return { ...main.evidenceOf(main.index.stacks.frame[heaviest.at]!), path: selection.path };
}
