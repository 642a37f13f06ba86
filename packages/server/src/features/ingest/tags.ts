export interface TagLimits {
  readonly tags: number;
  readonly nameLength: number;
  readonly valueLength: number;
}

const tagLimits: TagLimits = { tags: 32, nameLength: 200, valueLength: 1024 };

export interface CleanTags {
  readonly tags: ReadonlyMap<string, string>;
  /** What the limits cut: tags left out, names and values shortened. */
  readonly trimmed: { readonly tags: number; readonly tag_text: number };
}

/** One Go program sends under two scopes and a session id of its own: with them one series would be many. */
const dropped = /^(?:otel\.scope\.|__)/;
const renamed: ReadonlyMap<string, string> = new Map([["process.runtime.version", "go_version"]]);

/** Tags as stored: sorted by name, without those that tell nothing about the service, within the limits. */
export function cleanTags(
  labels: Iterable<readonly [string, string]>,
  limits: TagLimits = tagLimits,
): CleanTags {
  const kept = new Map<string, string>();
  let shortened = 0;
  const short = (text: string, max: number) => {
    const clean = printable(text);
    if (clean.length <= max) return clean;
    shortened++;
    return clean.slice(0, max).toWellFormed();
  };
  for (const [name, value] of labels) {
    if (dropped.test(name) || name === "" || value === "") continue;
    kept.set(short(renamed.get(name) ?? name, limits.nameLength), short(value, limits.valueLength));
  }
  const sorted = [...kept].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    tags: new Map(sorted.slice(0, limits.tags)),
    trimmed: { tags: Math.max(0, sorted.length - limits.tags), tag_text: shortened },
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Control and direction characters would forge lines in logs and order on screens. */
function printable(text: string): string {
  return text.toWellFormed().replace(control, "\ufffd").trim();
}
