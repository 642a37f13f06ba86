/** Control characters, separators of lines, and marks that turn the direction of the text after them. */
const hidden = "\\p{Cc}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069";
const hiddenInLine = new RegExp(`[${hidden}]`, "u");
const everyHidden = new RegExp(`[${hidden}]`, "gu");
const hiddenInText = new RegExp(`(?![\\n\\r\\t])[${hidden}]`, "u");

export const hiddenRule = "must not contain control characters or marks of direction";

/** Whether one line shows all that is in it: nothing that breaks a log in two or puts a name in another order. */
export function isReadableLine(text: string): boolean {
  return !hiddenInLine.test(text);
}

/** A line that others wrote, with U+FFFD for what it would hide. */
export function readableLine(text: string): string {
  return text.toWellFormed().replace(everyHidden, "\ufffd");
}

/** As `isReadableLine`, of a text that may have lines and tabs. */
export function isReadableText(text: string): boolean {
  return !hiddenInText.test(text);
}
