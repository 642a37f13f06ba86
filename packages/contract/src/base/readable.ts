import { limits } from "./limits.ts";

/** Control characters, line separators, and marks that change the direction of the text around them. */
const hidden = "\\p{Cc}\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069";

/** Characters without any shape, which make two different names look the same. Names are spelt with joiners, and emoji with variants. */
const shapeless = "[\\p{Default_Ignorable_Code_Point}\\u180e\\u2800]";

const spelling = "[\\u200c\\u200d\\ufe0e\\ufe0f]";

const hiddenInLine = new RegExp(`[${hidden}]|(?!${spelling})${shapeless}`, "u");

const everyHidden = new RegExp(hiddenInLine.source, "gu");

const everySpelling = new RegExp(spelling, "gu");

const hiddenInText = new RegExp(`(?![\\n\\r\\t])[${hidden}]`, "u");

export const hiddenRule = "must not contain control characters or marks of direction";

export const hiddenInLineRule =
  "must not contain control characters, marks of direction or invisible characters";

/** Whether a line has no hidden characters, which could split a log line, reorder a name or copy another one, and is not only joiners. */
export function isReadableLine(text: string): boolean {
  return !hiddenInLine.test(text) && (text === "" || text.replace(everySpelling, "") !== "");
}

/** A line from outside, with U+FFFD instead of hidden characters. */
export function readableLine(text: string): string {
  return text.toWellFormed().replace(everyHidden, "\ufffd");
}

/** As `isReadableLine`, for a text with lines and tabs. */
export function isReadableText(text: string): boolean {
  return !hiddenInText.test(text);
}

/** Pyroscope's characters for an application, `:` for image names, a leading `/` for paths, letters of any script. */
const pattern = /^\/?[\p{L}\p{N}_][\p{L}\p{N}_.\-/:]*$/u;

/** The stored form of a service's name: trimmed, and in Unicode normalization form C. */
export function normalServiceName(text: string): string {
  return text.trim().normalize("NFC");
}

/** Whether profiles can be stored under the name. */
export function isServiceName(text: string): boolean {
  const name = normalServiceName(text);
  return name.length <= limits.serviceNameLengthMax && pattern.test(name);
}
