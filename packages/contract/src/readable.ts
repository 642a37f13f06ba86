/** Control characters, line separators, and marks that change the direction of the text after them. */
const hidden = "\\p{Cc}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069";
const hiddenInLine = new RegExp(`[${hidden}]`, "u");
const everyHidden = new RegExp(`[${hidden}]`, "gu");
const hiddenInText = new RegExp(`(?![\\n\\r\\t])[${hidden}]`, "u");

export const hiddenRule = "must not contain control characters or marks of direction";

/** Whether a line has no hidden characters, which could split a log line or reorder a name. */
export function isReadableLine(text: string): boolean {
  return !hiddenInLine.test(text);
}

/** A line from outside, with U+FFFD instead of hidden characters. */
export function readableLine(text: string): string {
  return text.toWellFormed().replace(everyHidden, "\ufffd");
}

/** As `isReadableLine`, for a text with lines and tabs. */
export function isReadableText(text: string): boolean {
  return !hiddenInText.test(text);
}
