import { z } from "zod";
import { invalid } from "#failure";

const english = z.locales.en().localeError;

/**
 * What `input` means under `schema`, or a 400 that names the field and what is accepted.
 * A schema's own sentence is sent as it stands; the others are made here, with the field in front.
 */
export function checked<S extends z.ZodType>(where: string, schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input, { error: (issue) => sentence(where, issue) });
  if (!result.success) throw invalid(result.error.issues[0]?.message ?? "The request is not valid");
  return result.data;
}

/** What was checked, for stores of text: PostgreSQL takes no NUL, not even to look for it. */
export function withoutNul<T>(where: string, data: T): T {
  const place = placeOfNul(data);
  if (place !== undefined) throw invalid(`${subjectOf(where, place)} must not contain the character U+0000`);
  return data;
}

function sentence(where: string, issue: z.core.$ZodRawIssue): string {
  const subject = subjectOf(where, issue.path ?? []);
  const rule = ruleOf(issue);
  if (rule !== undefined) return `${subject} ${rule}`;
  const found = english(issue);
  const text = typeof found === "string" ? found : (found?.message ?? "Invalid input");
  return `${subject}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

function subjectOf(where: string, path: readonly PropertyKey[]): string {
  const field = path.map(String).join(".");
  return field === "" ? "The body" : `${where} '${field}'`;
}

/** The path to the first text with a NUL in it. Goes as deep as the schema lets through. */
function placeOfNul(data: unknown): readonly string[] | undefined {
  if (typeof data === "string") return data.includes("\0") ? [] : undefined;
  if (typeof data !== "object" || data === null) return undefined;
  for (const [key, value] of Object.entries(data)) {
    const below = placeOfNul(value);
    if (below !== undefined) return [key, ...below];
  }
  return undefined;
}

/** The rule that a field breaks, as the end of a sentence that begins with its name; undefined leaves the words to zod. */
export function ruleOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return typeRule(issue.expected, issue.input);
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "too_big":
      return `must ${bound("at most", issue.origin, issue.maximum)}`;
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return "must not be empty";
      return `must ${bound("at least", issue.origin, issue.minimum)}`;
    case "invalid_format":
      return issue.format === "datetime" ? "must be ISO 8601 (2026-11-20T10:00:00.120Z)" : undefined;
    default:
      return undefined;
  }
}

function typeRule(expected: string, input: unknown): string {
  const wanted = named(expected);
  if (input === undefined) return `is required (${wanted})`;
  // Of the right kind and yet refused: not whole, not finite, or no number at all in a query.
  if (typeof input === "number" && expected !== "string") return `must be ${wanted}`;
  const given = input === null ? "null" : named(Array.isArray(input) ? "array" : typeof input);
  return `must be ${wanted}, not ${given}`;
}

function named(type: string): string {
  if (type === "int") return "a whole number";
  return `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`;
}

function bound(words: string, origin: string, limit: number | bigint): string {
  if (origin === "string") return `have ${words} ${limit} characters`;
  if (origin === "array") return `have ${words} ${limit} entries`;
  // An integer that a number cannot hold; the field's own bound is lower, but zod has not come to it.
  if (limit === Number.MAX_SAFE_INTEGER) return "be a smaller number";
  return `be ${words} ${limit}`;
}
