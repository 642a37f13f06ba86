import { type FoundFunction, limits } from "@flamekeep/contract";
import { shortFunctionName, shownName } from "@flamekeep/flame/without-graph";
import type { LucideIcon } from "lucide-react";

export const entryGroups = ["Profiles", "Pages", "Services", "Functions", "Actions"] as const;
type EntryGroup = (typeof entryGroups)[number];

/** Something that the palette finds and runs. */
export interface Entry {
  /** Unique, without spaces. */
  readonly id: string;
  readonly group: EntryGroup;
  readonly label: string;
  readonly detail?: string;
  /** More words by which it is found. */
  readonly keywords?: string;
  readonly icon: LucideIcon;
  /** The label is a name from code. */
  readonly isCode?: boolean;
  readonly run: () => void;
}

const shownPerGroup: Readonly<Record<EntryGroup, number>> = {
  Profiles: 8,
  Pages: 12,
  Services: 8,
  Functions: 8,
  Actions: 12,
};

/** Entries that contain every word of the query, by group; in each group those whose label starts with it come first. */
export function findEntries(entries: readonly Entry[], query: string): Entry[] {
  const words = wordsOf(query);
  return entryGroups.flatMap((group) =>
    entries
      .filter((entry) => entry.group === group && words.every((word) => textOf(entry).includes(word)))
      .toSorted((a, b) => rankOf(a, words) - rankOf(b, words))
      .slice(0, shownPerGroup[group]),
  );
}

/** Empty for a query without words. */
function longestWordOf(query: string): string {
  return wordsOf(query).toSorted((a, b) => b.length - a.length)[0] ?? "";
}

export function wordsOf(query: string): string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

function textOf({ label, keywords = "" }: Entry): string {
  return `${label} ${keywords}`.toLowerCase();
}

function rankOf({ label }: Entry, [first = ""]: readonly string[]): number {
  const text = label.toLowerCase();
  if (text.startsWith(first)) return 0;
  return text.includes(first) ? 1 : 2;
}

/** The label of each function: without its path where no other one would read the same, and with its file where it has one. */
export function functionLabels(found: readonly Pick<FoundFunction, "name" | "ref">[]): string[] {
  const namesOf = new Map<string, Set<string>>();
  const labelOf = (text: string, { name, ref }: Pick<FoundFunction, "name" | "ref">) =>
    `${text}${ref.slice(name.length)}`;
  for (const each of found) {
    const label = labelOf(shortFunctionName(each.name), each);
    namesOf.set(label, (namesOf.get(label) ?? new Set()).add(each.name));
  }
  return found.map((each) => {
    const label = labelOf(shortFunctionName(each.name), each);
    return namesOf.get(label)!.size === 1 ? label : labelOf(shownName(each.name), each);
  });
}

/** The start of a profile's id, if the query can be one. Shorter texts would match too many. */
export function idPrefixOf(query: string): string | undefined {
  return /^[0-9a-f]{4,32}$/.exec(query.trim().toLowerCase())?.[0];
}

/** The text by which functions are searched: the longest word of the query, if it is long enough. */
export function functionTextOf(query: string): string | undefined {
  const longest = longestWordOf(query);
  return longest.length < limits.functionSearchLengthMin ? undefined : longest;
}
