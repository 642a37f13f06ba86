import { type Endpoint, impossibleTime } from "@flamekeep/contract";
import { z } from "zod";
import { invalid } from "#failure";

const english = z.locales.en().localeError;

/** A request before it is checked. */
export interface Unchecked {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** The fields of path, query and body, checked. Throws a 400 that names the first wrong one. The body of an upload is not part of them. */
export function inputOf(endpoint: Endpoint, { params, query, body }: Unchecked): object {
  const path = withUsableText("Path", checked("Path", endpoint.params, params ?? {})) as object;
  const queried = checked("Query parameter", endpoint.query, query ?? {}) as object;
  // The query of an upload may contain NUL: ingestion replaces characters that tags must not contain.
  if (endpoint.upload === undefined) withUsableText("Query parameter", queried);
  const fields =
    endpoint.body.type === "undefined"
      ? {}
      : (withUsableText("Field", checked("Field", endpoint.body, body ?? {})) as object);
  // The path last, because some queries may have any other field.
  return { ...queried, ...fields, ...path };
}

/**
 * Parses `input`. Throws a 400 that names the field and the accepted values. Messages that a schema defines are sent
 * unchanged; the other messages are written here and begin with the field.
 */
function checked<S extends z.ZodType>(where: string, schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input, { error: (issue) => sentence(where, issue) });
  if (!result.success) throw invalid(result.error.issues[0]?.message ?? "The request is not valid");
  return result.data;
}

/**
 * Throws if a text contains NUL, which PostgreSQL does not accept, not even as a parameter of a query, or half of a
 * surrogate pair, which no address and no store can hold.
 */
function withUsableText<T>(where: string, data: T): T {
  const found = unusableText(data, []);
  if (found !== undefined)
    throw invalid(`${subjectOf(where, found.path).toWellFormed()} must not contain ${found.what}`);
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

interface UnusableText {
  readonly path: readonly string[];
  readonly what: string;
}

/** The first such text, the name of a field included. The schema has bounded the depth before. */
function unusableText(data: unknown, path: readonly string[]): UnusableText | undefined {
  if (typeof data === "string") {
    if (data.includes("\0")) return { path, what: "the character U+0000" };
    return data.isWellFormed() ? undefined : { path, what: "half of a surrogate pair" };
  }
  if (typeof data !== "object" || data === null) return undefined;
  for (const [key, value] of Object.entries(data)) {
    const found = unusableText(key, [...path, key]) ?? unusableText(value, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The violated rule as the end of a sentence that begins with the field; undefined to use the message of zod. */
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
    case "unrecognized_keys":
      return `must not have ${unknownFields(issue.keys)}`;
    case "invalid_format":
      if (issue.format !== "datetime") return undefined;
      return impossibleTime(String(issue.input)) ?? "must be ISO 8601 (2026-11-20T10:00:00.120Z)";
    default:
      return undefined;
  }
}

const unknownNamedMax = 3;
const unknownLengthMax = 100;

/** A body may have thousands of unknown fields, with long names. */
function unknownFields(names: readonly string[]): string {
  const named = names.slice(0, unknownNamedMax).map((name) => `'${name.slice(0, unknownLengthMax)}'`);
  const more = names.length - named.length;
  const end = more > 0 ? ` and ${more} more` : "";
  return `${names.length === 1 ? "the field" : "the fields"} ${named.join(", ")}${end}`;
}

function typeRule(expected: string, input: unknown): string {
  const wanted = withArticle(expected);
  if (input === undefined) return `is required (${wanted})`;
  // A number that is refused is not whole or not finite, or the text of a query that is not a number.
  if (typeof input === "number" && expected !== "string") return `must be ${wanted}`;
  const given = input === null ? "null" : withArticle(Array.isArray(input) ? "array" : typeof input);
  return `must be ${wanted}, not ${given}`;
}

function withArticle(type: string): string {
  if (type === "int") return "a whole number";
  return `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`;
}

function bound(relation: string, origin: string, limit: number | bigint): string {
  if (origin === "string") return `have ${relation} ${limit} characters`;
  if (origin === "array") return `have ${relation} ${limit} entries`;
  // The integer exceeds the range of a number. The bound of the field is lower, but zod checks the range first.
  if (limit === Number.MAX_SAFE_INTEGER) return "be a smaller number";
  return `be ${relation} ${limit}`;
}
