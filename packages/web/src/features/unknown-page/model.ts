export interface Suggestion {
  readonly label: string;
  readonly detail: string;
  readonly href: string;
}

export interface KnownPage {
  readonly label: string;
  readonly description: string;
  readonly to: string;
}

const suggestionsMax = 5;
const typosMax = 2;
const profileId = /\b[0-9a-f]{32}\b/;

/**
 * Suggestions for an address without a page: the profile whose id it contains, services and pages with a similar name.
 * The pages of the navigation if nothing is similar.
 */
export function suggestionsFor(
  path: string,
  services: readonly string[],
  pages: readonly KnownPage[],
): Suggestion[] {
  const words = wordsOf(path);
  const id = profileId.exec(path.toLowerCase())?.[0];
  const found = [
    ...(id === undefined
      ? []
      : [{ label: `Profile ${id.slice(0, 12)}`, detail: "Profile", href: `/profile/${id}` }]),
    ...services.filter((name) => words.some((word) => isSimilar(word, name))).map(toService),
    ...pages.filter(({ to }) => words.some((word) => isSimilar(word, to.slice(1)))).map(toPage),
  ];
  return (found.length === 0 ? pages.map(toPage) : found).slice(0, suggestionsMax);
}

function toService(name: string): Suggestion {
  return { label: name, detail: "Service", href: `/profiles/service/${encodeURIComponent(name)}` };
}

function toPage({ label, description, to }: KnownPage): Suggestion {
  return { label, detail: description, href: to };
}

/** The parts of a path as a person wrote them; a part that cannot be decoded stays as it is. */
function wordsOf(path: string): string[] {
  return path.split("/").flatMap((part) => {
    try {
      return part === "" ? [] : [decodeURIComponent(part)];
    } catch {
      return [part];
    }
  });
}

function isSimilar(word: string, name: string): boolean {
  const [a, b] = [word.toLowerCase(), name.toLowerCase()];
  if (a.length >= 3 && (b.includes(a) || (b.length >= 3 && a.includes(b)))) return true;
  return Math.min(a.length, b.length) > 2 * typosMax && typosBetween(a, b) <= typosMax;
}

/** Letters to insert, remove or replace (Levenshtein distance). */
function typosBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > typosMax) return typosMax + 1;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
