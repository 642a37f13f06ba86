import { accepted, type Outcome, refused } from "#ingest/refusal.ts";

export interface PyroscopeName {
  readonly app: string;
  /** In the order sent; the last of equal names counts. */
  readonly labels: ReadonlyMap<string, string>;
}

const nameLengthMax = 16 * 1024;

/**
 * `app{k=v,k2=v2}` as Pyroscope's SDKs write it: no quoting, no escaping, a value ends at `,` or `}`,
 * names and values are trimmed.
 */
export function parsePyroscopeName(text: string): Outcome<PyroscopeName> {
  if (text.length > nameLengthMax) return malformed(`it is longer than ${nameLengthMax} characters`);
  const open = text.indexOf("{");
  const app = (open < 0 ? text : text.slice(0, open)).trim();
  if (app === "") return malformed("it has no application name before the braces");
  if (app.includes("}")) return malformed("it closes braces that were never opened");
  const labels = new Map<string, string>();
  if (open < 0) return accepted({ app, labels });

  const close = text.indexOf("}", open);
  if (close < 0) return malformed("the closing brace is missing");
  if (text.slice(close + 1).trim() !== "") return malformed("something follows the closing brace");
  for (const pair of text.slice(open + 1, close).split(",")) {
    if (pair.trim() === "") continue;
    const equals = pair.indexOf("=");
    if (equals < 0) return malformed(`the label ${JSON.stringify(pair.trim())} has no value`);
    const name = pair.slice(0, equals).trim();
    if (name === "") return malformed("a label has no name");
    if (name === "__name__") return malformed("the label __name__ is reserved");
    labels.set(name, pair.slice(equals + 1).trim());
  }
  return accepted({ app, labels });
}

function malformed(what: string): Outcome<never> {
  return refused(
    "invalid",
    "name",
    `The parameter name cannot be read: ${what}. Write it as app{region=eu,version=1.2}.`,
  );
}
