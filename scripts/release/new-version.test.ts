import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hasVersion, isNewer, releaseChangelog, withVersion } from "./new-version.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

test("a version is three numbers, compared as numbers", () => {
  expect(["0.2.0", "0.10.0", "1.0.0", "0.9.1"].map((version) => isNewer(version, "0.9.0"))).toEqual([
    false,
    true,
    true,
    true,
  ]);
  for (const version of ["0.9.0", "v1.0.0", "1.0", "1.0.0-rc.1", "1.0.0 ", ""])
    expect([version, isNewer(version, "0.9.0")]).toEqual([version, false]);
});

test("the changes move under their version, above the older ones", () => {
  const before = "# Changelog\n\n## Unreleased\n\n### Added\n\n- B\n\n## 0.1.0 (2026-01-01)\n\n- A\n";
  const { text, notes } = releaseChangelog(before, "0.2.0", "2026-11-30");
  expect(notes).toBe("### Added\n\n- B");
  expect(text).toBe(
    "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-30)\n\n### Added\n\n- B\n\n## 0.1.0 (2026-01-01)\n\n- A\n",
  );
  expect(releaseChangelog(text, "0.3.0", "2026-12-01").notes).toBe("");
});

test("the project's changelog can be released, without the notice that nothing was", () => {
  const { text, notes } = releaseChangelog(read("CHANGELOG.md"), "9.8.7", "2026-11-30");
  expect(notes).toContain("### Added");
  expect(text).not.toContain("Nothing has been released yet");
  expect(text).toContain("\n## 9.8.7 (2026-11-30)\n");
});

test("a release changes every file that names the version, and nothing else in them", () => {
  const { version } = JSON.parse(read("package.json"));
  const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n");
  const changed = files.filter(hasVersion).filter((path) => {
    const text = read(path);
    const released = withVersion(path, text, version, "9.8.7");
    expect([path, withVersion(path, released, "9.8.7", version)]).toEqual([path, text]);
    expect([path, released.includes(`flamekeep:${version}`)]).toEqual([path, false]);
    return released !== text;
  });
  const grep = ["grep", "-lE", `flamekeep[:-]${version}|"?(appV|v)ersion"?: "?${version}"?,?$`];
  const naming = execFileSync("git", [...grep, "--", "*.json", "*.yaml"], { cwd: root, encoding: "utf8" });
  expect(changed.toSorted()).toEqual(naming.trim().split("\n").toSorted());
});
