import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { root } from "./imports.ts";

/** Files that differ from where the branch left `main`, committed or not. */
export function changedFiles(): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n");
  const [base = ""] = git("merge-base", "HEAD", "main");
  const changed = git("diff", "--name-only", base);
  const untracked = git("ls-files", "--others", "--exclude-standard");
  return [...changed, ...untracked].filter((path) => path !== "" && existsSync(root + path));
}
