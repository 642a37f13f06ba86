/**
 * A parameter as ClickHouse's HTTP interface takes it: text escaped as in TSV, arrays as literals, times as Unix seconds. Throws for
 * a value that no query has.
 */
export function toParamText(value: unknown): string {
  if (value === null) return "\\N";
  if (typeof value === "string") return escapeText(value);
  if (value instanceof Date) return toSeconds(value);
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[${value.map(toElementText).join(",")}]`;
  return toNumberText(value);
}

function toElementText(value: unknown): string {
  if (typeof value === "string") return `'${escapeText(value)}'`;
  return toNumberText(value);
}

function toNumberText(value: unknown): string {
  if (typeof value === "bigint" || Number.isFinite(value)) return String(value);
  throw new TypeError(`A query cannot have the parameter ${String(value)}`);
}

const escapes: Readonly<Record<string, string>> = {
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  "'": "\\'",
  "\\": "\\\\",
};

function escapeText(text: string): string {
  return text.replace(/[\t\n\r'\\]/g, (letter) => escapes[letter]!);
}

/** At least ten digits, because fewer would be read as a year; milliseconds only where there are some, because a DateTime takes none. */
function toSeconds(time: Date): string {
  const [seconds, milliseconds] = [Math.floor(time.getTime() / 1000), time.getUTCMilliseconds()];
  const whole = String(seconds).padStart(10, "0");
  return milliseconds === 0 ? whole : `${whole}.${String(milliseconds).padStart(3, "0")}`;
}
