// `npm run release -- VERSION`: the version in every file, the changelog, archives and the npm package with checksums and lists of software,
// a commit and its tag.
// It sends nothing anywhere.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { hasVersion, isNewer, releaseChangelog, withVersion } from "./release/new-version.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const changelogFile = "CHANGELOG.md";

const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const read = (path: string) => readFileSync(join(root, path), "utf8");
const say = (line: string) => process.stdout.write(`${line}\n`);

interface Release {
  readonly version: string;
  readonly before: string;
  readonly changelog: ReturnType<typeof releaseChangelog>;
}

/** The reason why the version cannot be released now. */
function problemOf({ version, before, changelog }: Release): string | undefined {
  if (!isNewer(version, before))
    return `Give a version of three numbers above ${before}: npm run release -- 1.2.3`;
  if (git("status", "--porcelain") !== "") return "Commit or remove the changes of this folder first.";
  if (git("tag", "--list", `v${version}`) !== "")
    return `The tag v${version} exists: choose another version.`;
  if (changelog.notes === "") return `${changelogFile} has nothing under Unreleased: write down the changes.`;
  return undefined;
}

function writeVersion({ version, before, changelog }: Release): void {
  for (const path of git("ls-files").split("\n").filter(hasVersion))
    writeFileSync(join(root, path), withVersion(path, read(path), before, version));
  writeFileSync(join(root, changelogFile), changelog.text);
}

/** In `dist/VERSION`: archives for this platform, with and without the built-in column store, and the npm package for all platforms. */
function makeArchives(node: string, version: string): string {
  const folder = join(root, "dist", version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const name = `flamekeep-${version}`;
  const ofPlatform = `${name}-${process.platform}-${process.arch}`;
  const sums = [
    makeArchive(node, join(folder, ofPlatform), ".tar.gz"),
    makeArchive(node, join(folder, `${ofPlatform}-without-engine`), ".tar.gz", "--without-engine"),
    makeArchive(node, join(folder, name), ".tgz", "--npm"),
  ];
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
  return folder;
}

/** Returns the line of its checksum. */
function makeArchive(node: string, made: string, ending: string, ...options: readonly string[]): string {
  execFileSync(process.execPath, [join(root, "scripts/package.ts"), node, made, "--archive", ...options], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  renameSync(join(made, "sbom.cdx.json"), `${made}.cdx.json`);
  const sum = readFileSync(`${made}${ending}.sha256`, "utf8");
  rmSync(`${made}${ending}.sha256`);
  rmSync(made, { recursive: true });
  return sum;
}

function commit({ version, changelog }: Release): void {
  git("commit", "--all", "--quiet", "--message", `release: ${version}`);
  git(
    "tag",
    "--annotate",
    `v${version}`,
    "--cleanup=verbatim",
    "--message",
    `Flamekeep ${version}\n\n${changelog.notes}`,
  );
}

const [node = "", version = ""] = process.argv.slice(2);
const before = JSON.parse(read("package.json")).version as string;
const day = new Date().toISOString().slice(0, 10);
const release = { version, before, changelog: releaseChangelog(read(changelogFile), version, day) };
const problem = problemOf(release);
if (problem === undefined) {
  const head = git("rev-parse", "HEAD");
  writeVersion(release);
  try {
    const folder = makeArchives(node, version);
    commit(release);
    say(`${folder}: the archives, their lists of software and SHA256SUMS`);
    say(
      `Committed and tagged v${version}. Other platforms make their archives from the tag with npm run package.`,
    );
    say(`Publish it with: git push --follow-tags`);
    say(`Publish the npm package with: npm publish ${join(folder, `flamekeep-${version}.tgz`)}`);
  } catch (cause) {
    // Without a tag, the commit goes, too.
    git("reset", "--hard", "--quiet", head);
    throw cause;
  }
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
