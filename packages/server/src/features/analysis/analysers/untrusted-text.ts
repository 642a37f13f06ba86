/**
 * Names in a profile come from unknown programs: they may contain instructions for a language model, invisible
 * characters, or secrets. These functions remove what is hidden or secret and limit the length. Answers of a model are cleaned the same
 * way.
 */

const nameLengthMax = 256;
/** Control and format characters, line separators, direction marks, and all that is invisible (zero-width, tags, variation selectors). */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const hiddenInText = new RegExp(`(?![\\n\\t])${hidden.source}`, "gu");

/** Known forms of credentials, and long random words, which names of functions are not. Repetitions have bounds, as in `links`. */
const secrets: readonly RegExp[] = [
  /\beyJ[\w-]{8,4000}\.[\w-]{8,4000}(?:\.[\w-]{0,4000})?/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b(?:gh[pousr]|github_pat|glpat|xox[abposr]|sk|pk|rk|pp_live|npm|hf)[-_][\w-]{16,}/g,
  /-----BEGIN [A-Z ]+-----/g,
  /\b(?:bearer|basic)\s+[\w.~+/=-]{12,}/gi,
  /\b(?:password|passwd|secret|token|api[-_]?key|authorization)["']?\s*[:=]\s*\S+/gi,
  /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/@:]{1,500}:[^\s/@]{1,500}@/gi,
  /\b[0-9a-f]{32,}\b/gi,
  /\b(?=[\w+/-]{0,200}\d)(?=[\w+/-]{0,200}[a-z])(?=[\w+/-]{0,200}[A-Z])[A-Za-z0-9_+-]{40,}={0,2}/g,
];

/** One line without hidden characters and secrets, at most 256 characters. */
export function cleanName(text: string, lengthMax = nameLengthMax): string {
  const line = withoutSecrets(
    text
      .toWellFormed()
      .slice(0, lengthMax * 4)
      .replace(hidden, ""),
  );
  return line.length <= lengthMax ? line : `${line.slice(0, lengthMax - 1).toWellFormed()}…`;
}

/** A text without hidden characters other than its lines and tabs. */
export function withoutHidden(text: string): string {
  return text.toWellFormed().replace(hiddenInText, "");
}

/** As `withoutHidden`, at most `lengthMax` characters. */
export function cleanText(text: string, lengthMax: number): string {
  const clean = withoutHidden(text.slice(0, lengthMax * 4)).trim();
  return clean.length <= lengthMax ? clean : `${clean.slice(0, lengthMax - 1).toWellFormed()}…`;
}

/**
 * Markdown links, addresses with a scheme or without (`//host`, `www.`), and the schemes that browsers follow without slashes
 * (`https:evil.example`). Each repetition has a bound: a model can repeat any character for its whole answer.
 */
const links =
  /!?\[([^[\]]{0,500})\]\([^()]{0,2000}\)|(?:\b[a-z][a-z0-9+.-]{0,30}:)?\/\/[^\s<>"')\]]{1,2000}|\bwww\.[^\s<>"')\]]{1,2000}|\b(?:https?|wss?|ftps?|file|data|blob|javascript|vbscript|mailto|tel|sms|slack|intent):[^\s<>"')\]]{1,2000}/gi;

/** Without addresses: a name in a profile must not lead anyone to a website. */
export function withoutLinks(text: string): string {
  return text.replace(links, (_, label: string | undefined) =>
    label ? `${label} (link removed)` : "(link removed)",
  );
}

export function withoutSecrets(text: string): string {
  return secrets.reduce((clean, secret) => clean.replace(secret, "(removed)"), text);
}

/** JSON without angle brackets, so that it cannot close the block around it. */
export function dataBlock(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
}
