import { limits, readableLine } from "@flamekeep/contract";

/**
 * The member of `names` that differs from `name` by case, separators or one or two letters, or for which `synonyms` lists it
 * (lower-case, without separators); undefined if there is none.
 *
 * @param name a short text: the work grows with its length
 */
export function closestName(
  name: string,
  names: readonly string[],
  synonyms: Readonly<Record<string, string>>,
): string | undefined {
  const plain = plainName(name);
  const synonym = Object.hasOwn(synonyms, plain) ? synonyms[plain] : undefined;
  if (synonym !== undefined && names.includes(synonym)) return synonym;
  const near = names
    .map((other) => ({ other, distance: editDistance(plain, plainName(other)), length: other.length }))
    .filter(({ distance, length }) => distance <= (length < 6 ? 1 : 2))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.other;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Letters to insert, remove or replace (Levenshtein). */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1]! + Number(a[i - 1] !== b[j - 1]);
      row.push(Math.min(replaced, above[j]! + 1, row[j - 1]! + 1));
    }
    above = row;
  }
  return above[b.length]!;
}

/** A name of a sender as replies quote it. */
export function quotableName(name: string): string {
  return readableLine(name.slice(0, limits.ignoredNameLengthMax));
}
