/** A part of a page that a search can find. */
export interface SearchEntry {
  readonly href: string;
  /** Title of the page. */
  readonly page: string;
  /** Heading of the part; undefined at the start of a page. */
  readonly heading: string | undefined;
  readonly text: string;
}

export interface SearchResult extends Omit<SearchEntry, "text"> {
  /** Text around the first match, in whole words. */
  readonly excerpt: string;
}

const resultsMax = 20;
const excerptChars = 160;
const weights = { page: 8, heading: 4, text: 1 };
/** For a heading that is the query. */
const sameHeading = 8;

/** The entries that contain every word of the query, the best first. */
export function searchEntries(entries: readonly SearchEntry[], query: string): SearchResult[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, resultsMax)
    .map(({ entry: { text, ...place } }) => ({ ...place, excerpt: excerptOf(text, words) }));
}

/** 0 unless every word is somewhere in the entry. */
function scoreOf({ page, heading = "", text }: SearchEntry, words: readonly string[]): number {
  const fields = { page: page.toLowerCase(), heading: heading.toLowerCase(), text: text.toLowerCase() };
  let sum = fields.heading === words.join(" ") ? sameHeading : 0;
  for (const word of words) {
    const score = (Object.keys(weights) as (keyof typeof weights)[])
      .filter((field) => fields[field].includes(word))
      .reduce((most, field) => Math.max(most, weights[field]), 0);
    if (score === 0) return 0;
    sum += score;
  }
  return sum;
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length);
  const from = first === text.length || first < 60 ? 0 : text.indexOf(" ", first - 60) + 1;
  const end = text.length - from <= excerptChars ? text.length : text.lastIndexOf(" ", from + excerptChars);
  return `${from > 0 ? "... " : ""}${text.slice(from, end).trim()}${end < text.length ? " ..." : ""}`;
}
