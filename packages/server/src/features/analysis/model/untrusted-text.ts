/**
 * Names in a profile come from unknown programs: they may contain instructions for a language model, invisible
 * characters, or secrets. These functions remove what is hidden or secret and limit the length. Answers of a model are cleaned the same
 * way.
 */

const nameLengthMax = 256;
/** Control and format characters, line separators, direction marks, and all that is invisible (zero-width, tags, variation selectors). */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const hiddenInText = new RegExp(`(?![\\n\\t])${hidden.source}`, "gu");

/** Known forms of credentials, and long random words, which names of functions are not. */
const secrets: readonly RegExp[] = [
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b(?:gh[pousr]|github_pat|glpat|xox[abposr]|sk|pk|rk|pp_live|npm|hf)[-_][\w-]{16,}/g,
  /-----BEGIN [A-Z ]+-----/g,
  /\b(?:bearer|basic)\s+[\w.~+/=-]{12,}/gi,
  /\b(?:password|passwd|secret|token|api[-_]?key|authorization)["']?\s*[:=]\s*\S+/gi,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s/@:]+:[^\s/@]+@/gi,
  /\b[0-9a-f]{32,}\b/gi,
  /\b(?=[\w+/-]*\d)(?=[\w+/-]*[a-z])(?=[\w+/-]*[A-Z])[A-Za-z0-9_+-]{40,}={0,2}/g,
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

const links = /!?\[([^\]]*)\]\([^)]*\)|(?:\b[a-z][a-z0-9+.-]*:)?\/\/[^\s<>"')\]]+|\bwww\.[^\s<>"')\]]+/gi;

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
