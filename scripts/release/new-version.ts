// The texts of a release, from the texts before it.

const triple = /^(\d+)\.(\d+)\.(\d+)$/;

/** Whether the version is three numbers, and greater than another one. */
export function isNewer(version: string, than: string): boolean {
  const [parts, other] = [version, than].map((text) => triple.exec(text)?.slice(1).map(Number));
  if (parts === undefined || other === undefined) return false;
  const at = parts.findIndex((part, index) => part !== other[index]);
  return at >= 0 && parts[at]! > other[at]!;
}

const unreleased = "## Unreleased\n";
const firstNotice = "Nothing has been released yet: this list describes the first version.";

/** Moves what is unreleased under a version. `notes` is its text; empty if nothing changed. @param day such as 2026-11-30 */
export function releaseChangelog(
  changelog: string,
  version: string,
  day: string,
): { readonly text: string; readonly notes: string } {
  const start = changelog.indexOf(unreleased);
  if (start < 0) return { text: changelog, notes: "" };
  const from = start + unreleased.length;
  const next = changelog.indexOf("\n## ", from);
  const end = next < 0 ? changelog.length : next + 1;
  const notes = changelog.slice(from, end).replace(firstNotice, "").trim();
  const released = `${unreleased}\n## ${version} (${day})\n\n${notes}\n`;
  const older = changelog.slice(end);
  return { text: changelog.slice(0, start) + released + (older === "" ? "" : `\n${older}`), notes };
}

/** Files that name the version of the project. */
export function hasVersion(path: string): boolean {
  return /^(package(-lock)?\.json|(packages\/[^/]+|e2e|bench)\/package\.json|deploy\/.*\.yaml)$/.test(path);
}

/** The text of such a file with another version. */
export function withVersion(path: string, text: string, from: string, to: string): string {
  if (path.endsWith(".yaml")) {
    const ours = new RegExp(`(flamekeep[:-]|[vV]ersion: "?)${from.replaceAll(".", "\\.")}(?![\\d.])`, "g");
    return text.replace(ours, `$1${to}`);
  }
  const json = JSON.parse(text) as Manifest & { packages?: Record<string, Manifest> };
  const own = Object.entries(json.packages ?? {}).filter(([name]) => !name.startsWith("node_modules/"));
  for (const manifest of [json, ...own.map(([, manifest]) => manifest)]) change(manifest, to);
  return `${JSON.stringify(json, null, 2)}\n`;
}

interface Manifest {
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

function change(manifest: Manifest, to: string): void {
  if (manifest.version !== undefined) manifest.version = to;
  for (const dependencies of [manifest.dependencies, manifest.devDependencies]) {
    for (const name of Object.keys(dependencies ?? {}))
      if (name.startsWith("@flamekeep/")) dependencies![name] = to;
  }
}
