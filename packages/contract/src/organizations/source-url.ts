import { isReadableLine } from "#base/readable.ts";

/** Placeholders of a source link pattern. */
const placeholders = ["file", "line", "version"] as const;

type Placeholder = (typeof placeholders)[number];

/** The fault of a source link pattern as a sentence; undefined if it has none. */
export function sourcePatternProblem(pattern: string): string | undefined {
  if (!pattern.startsWith("https://")) return "Begin the pattern with https://";
  if (!pattern.includes("{file}")) return "The pattern needs {file}";
  const unknown = /\{(?!(?:file|line|version)\})[^}]*\}?/u.exec(pattern)?.[0];
  if (unknown !== undefined) return `The pattern has ${unknown}; only {file}, {line} and {version} are known`;
  const [, host = "", path] = /^https:\/\/([^/?#]*)(.*)$/su.exec(pattern) ?? [];
  if (host.includes("@")) return "Leave names and passwords out of the pattern";
  // A file or version that can choose the host could lead anywhere.
  if (host.includes("{")) return "The host of the pattern cannot have placeholders";
  const isAddress = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/iu.test(host);
  if (!isAddress || !isReadableLine(path ?? "") || /[\s"'<>\\^`|]/u.test(path ?? ""))
    return "The pattern is not an address";
  return undefined;
}

/** A place in the source of a program. */
export interface SourcePlace {
  /** As the profile names it. */
  readonly file: string;
  /** 0 where unknown. */
  readonly line: number;
  /** The version of the program; undefined where unknown. */
  readonly version: string | undefined;
}

export interface SourcePattern {
  readonly url_pattern: string;
  /** Beginning of files in the repository that is not part of their path there; other files have no link. */
  readonly path_prefix: string;
}

/** The part of an address that names a version: `v{version}` between two delimiters. */
const versionPart = /[^/?#&=;:@{}]{0,200}\{version\}[^/?#&=;:@{}]*/gu;

/**
 * The address of a place at its host; undefined for files outside of the prefix. Without a version, the part of the address that names it is
 * `HEAD`, which hosts of git understand. File and version are encoded: they come from profiles, which anybody with a key can send.
 */
export function sourceUrl(
  { url_pattern, path_prefix }: SourcePattern,
  place: SourcePlace,
): string | undefined {
  const { file, line, version } = place;
  if (file === "" || !file.startsWith(path_prefix) || sourcePatternProblem(url_pattern) !== undefined)
    return undefined;
  const path = file.slice(path_prefix.length).replaceAll("\\", "/").replace(/^\/+/u, "");
  const segments = path.split("/");
  if (path === "" || segments.some((segment) => segment === "." || segment === "..")) return undefined;
  const pattern = version === undefined ? url_pattern.replace(versionPart, "HEAD") : url_pattern;
  return filled(pattern, {
    file: segments.map(encodeURIComponent).join("/"),
    line: String(Math.max(1, line)),
    version: encodeURIComponent(version ?? ""),
  });
}

function filled(pattern: string, values: Readonly<Record<Placeholder, string>>): string {
  return placeholders.reduce((text, name) => text.replaceAll(`{${name}}`, () => values[name]), pattern);
}
